package describe

import (
	"path"
	"strings"
)

// unread are languages no extractor reads: their files are code all the same,
// and are told by their comments and names.
var unread = map[string]string{".pl": "Perl", ".pm": "Perl", ".lua": "Lua", ".ps1": "PowerShell", ".psm1": "PowerShell", ".bat": "Batch", ".cmd": "Batch",
	".awk": "AWK", ".tcl": "Tcl", ".r": "R", ".jl": "Julia", ".ex": "Elixir", ".exs": "Elixir", ".erl": "Erlang", ".hs": "Haskell", ".ml": "OCaml",
	".clj": "Clojure", ".zig": "Zig", ".nim": "Nim", ".dart": "Dart", ".fs": "F#", ".vb": "Visual Basic", ".pas": "Pascal", ".f90": "Fortran",
	".swift": "Swift", ".scala": "Scala", ".kt": "Kotlin", ".groovy": "Groovy", ".coffee": "CoffeeScript", ".el": "Emacs Lisp", ".vim": "Vim script", ".fish": "Fish"}

// languageOf is the language of a file, read by an extractor or not.
func languageOf(name, read string) string {
	if read != "" {
		return read
	}
	return unread[strings.ToLower(path.Ext(name))]
}

// hashComments are languages in which a comment begins with "#".
var hashComments = map[string]bool{"Ruby": true, "Bash": true, "Python": true, "Perl": true, "PowerShell": true, "AWK": true, "Tcl": true, "R": true,
	"Julia": true, "Elixir": true, "Nim": true, "CoffeeScript": true, "Fish": true}
