package symbols

import (
	"bytes"
	"regexp"
)

// cLinkage is the frame that lets C++ read a C header. Its brace is opened
// under one condition and closed under another, which no grammar can pair.
var cLinkage = regexp.MustCompile(`#[ \t]*(?:ifdef[ \t]+__cplusplus|if[ \t]+defined[ \t]*\(?[ \t]*__cplusplus[ \t]*\)?)[ \t\r]*\n\s*(?:extern[ \t]+"C"\s*\{|\}[^\n]*)\s*\n\s*#[ \t]*endif[^\n]*`)

// maskC blanks what the grammar stumbles over and a reader does not miss. The
// length stays, so places in the text do too.
func maskC(text []byte) []byte {
	out := text
	replace := func(from, to int, with string) {
		if &out[0] == &text[0] {
			out = bytes.Clone(text)
		}
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
		copy(out[from:to], with)
	}
	if bytes.Contains(text, []byte("__cplusplus")) {
		for _, m := range cLinkage.FindAllIndex(text, -1) {
			replace(m[0], m[1], "")
		}
	}
	exportMacros(text, replace)
	return out
}

// exportEndings are what names of macros end in that stand before a declaration
// and hold compiler attributes.
var exportEndings = []string{"API", "EXTERN", "EXPORT", "EXPORTS", "PUBLIC", "INLINE", "DLL", "DECL", "VISIBLE", "NODISCARD", "STATIC"}

// exportMacros blanks such a macro at the beginning of a line, or after the
// keyword of a class. One that stands for static is read as that.
func exportMacros(text []byte, replace func(from, to int, with string)) {
	for at := 0; at < len(text); {
		end := len(text)
		if nl := bytes.IndexByte(text[at:], '\n'); nl >= 0 {
			end = at + nl
		}
		word, from := firstWord(text[at:end], at)
		for i := 0; i < 2 && declares[string(word)]; i++ {
			word, from = firstWord(text[from+len(word):end], from+len(word))
		}
		switch rest := text[from+len(word) : end]; {
		case len(word) < 4 || !allCaps(word):
		case frameMacro(word, rest):
			replace(from, end, "")
		case macroFollowedByDeclaration(word, rest):
			with := ""
			if bytes.HasSuffix(word, []byte("STATIC")) {
				with = "static"
			}
			replace(from, from+len(word), with)
		}
		at = end + 1
	}
}

var declares = map[string]bool{"extern": true, "static": true, "inline": true, "virtual": true, "class": true, "struct": true, "union": true}

func allCaps(word []byte) bool {
	for _, ch := range word {
		if (ch < 'A' || ch > 'Z') && ch != '_' && (ch < '0' || ch > '9') {
			return false
		}
	}
	return true
}

// frameMacro is true of macros alone on a line that open and close a namespace
// or a block of C declarations.
func frameMacro(word, rest []byte) bool {
	rest = bytes.TrimSuffix(bytes.TrimSpace(rest), []byte(";"))
	if len(rest) > 0 && (rest[0] != '(' || rest[len(rest)-1] != ')' || bytes.Count(rest, []byte("(")) > 1) {
		return false
	}
	for _, ending := range []string{"DECL", "DECLS", "NAMESPACE", "EXPORT", "API", "OBJECT"} {
		if bytes.HasSuffix(word, []byte(ending)) {
			return true
		}
	}
	return false
}

// macroFollowedByDeclaration is true of a known ending before any word, and of
// another name when a type and a name follow: it cannot be the type itself.
func macroFollowedByDeclaration(word, rest []byte) bool {
	next, at := firstWord(rest, 0)
	if len(next) == 0 || rest[0] != ' ' && rest[0] != '\t' {
		return false
	}
	for _, ending := range exportEndings {
		if bytes.HasSuffix(word, []byte(ending)) {
			return true
		}
	}
	switch string(next) {
	case "const", "volatile", "restrict":
		return false
	}
	after := bytes.TrimLeft(rest[at+len(next):], " \t*&")
	name, _ := firstWord(after, 0)
	return bytes.IndexByte(word, '_') > 0 && len(name) > 0
}

// firstWord is the identifier a line begins with after blanks, and its place.
func firstWord(line []byte, base int) (word []byte, at int) {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	from := i
	for i < len(line) && (line[i] == '_' || line[i] >= 'a' && line[i] <= 'z' || line[i] >= 'A' && line[i] <= 'Z' || i > from && line[i] >= '0' && line[i] <= '9') {
		i++
	}
	return line[from:i], base + from
}
