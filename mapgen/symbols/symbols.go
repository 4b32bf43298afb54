// Package symbols tells what a source file offers and what it needs: exported
// symbols with their signatures, the members of exported types, imports, and
// the build tags a file stands under.
//
// Extract is pure: the same path, content and limits give the same File. Go is
// read by the standard library, every other language by a tree-sitter grammar
// (which needs a build with cgo; without, those files are marked as left out).
// A C parser can crash, hang or eat memory, so a program that reads files it
// does not trust runs the extractor in child processes through a Pool.
package symbols

import (
	"bytes"
	"path"
	"sort"
	"strings"
)

// Version names the state of the extractors: results cached under another
// version are stale.
const Version = "2"

// File is what the extractor knows about one source file.
type File struct {
	Path     string   `json:"path"`
	Language string   `json:"language"` // "" when no extractor reads this kind of file
	Errors   bool     `json:"errors"`   // the text has syntax errors; what is listed is certain, more may exist
	Exports  []Export `json:"exports"`
	Members  []Member `json:"members"`
	Imports  []Import `json:"imports"`
	Tags     []string `json:"tags"`              // build constraints
	Note     string   `json:"note"`              // why the list is empty or partial; "" when nothing is to be said
	Package  string   `json:"package,omitempty"` // package or namespace the file declares
	Doc      string   `json:"doc,omitempty"`     // first paragraph of what the file says about itself
}

// Export is one symbol other files can name.
type Export struct {
	Name       string   `json:"name"`      // "default" for an anonymous default, "*" for everything of From
	Kind       string   `json:"kind"`      // function, class, interface, struct, union, enum, trait, record, annotation, delegate, concept, type, alias, const, variable, static, macro, module, namespace, reexport; of documents heading, package, script, binary, workspace, stage, entry, target
	Signature  string   `json:"signature"` // one line, without keywords of visibility
	Line       int      `json:"line"`      // 1-based
	Extends    []string `json:"extends"`
	Implements []string `json:"implements"`
	Default    bool     `json:"default"`
	From       string   `json:"from,omitempty"`     // module a re-export takes it from, as written
	Original   string   `json:"original,omitempty"` // name it has in From, when another
}

// Member is a method, field or nested type of an exported symbol.
type Member struct {
	Name      string `json:"name"`
	Owner     string `json:"owner"` // dotted path of the enclosing types
	Kind      string `json:"kind"`  // method, constructor, destructor, operator, property, field, event, or the kind of an export
	Signature string `json:"signature"`
	Line      int    `json:"line"`
	Exported  bool   `json:"exported"`
}

// Import is one dependency as the file writes it. Internal and Target are set
// by a Resolver.
type Import struct {
	Path     string   `json:"path"`
	Names    []string `json:"names,omitempty"`
	Line     int      `json:"line"`
	Relative bool     `json:"relative"`
	Internal bool     `json:"internal"`
	Target   string   `json:"target"` // pkg/… inside the project, ext/… outside
}

// maxSignature bounds a signature in bytes: a map is read by the line.
const maxSignature = 300

// Extract reads one file. It never fails: what cannot be read is marked in the
// Note. Path only decides the language; nothing is opened.
func Extract(name string, content []byte, limits Limits) File {
	return extract(detect(name, content), name, content, limits)
}

func extract(lang *language, name string, content []byte, limits Limits) File {
	file := File{Path: name}
	file.read(lang, content, limits.orDefault())
	file.finish()
	return file
}

func (file *File) read(lang *language, content []byte, limits Limits) {
	if lang != nil {
		file.Language = lang.name
	}
	if len(content) > limits.Bytes {
		file.Note = "too large"
		return
	}
	text, note := decode(content, lang)
	file.Note = note
	if text == nil || lang == nil {
		return
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return
	}
	longest, mean := lengths(text)
	squeezed := lang.squeezed && len(text) > squeezedBytes && mean > squeezedMean
	if squeezed || longest > limits.Line {
		file.addNote("minified")
	}
	if squeezed && len(text) > squeezedLimit || longest > limits.Line {
		return
	}
	if lang.native != nil {
		lang.native(file, text, limits)
		return
	}
	if lang.generics {
		var cut bool
		if text, cut = closeAngles(text); cut {
			file.addNote("ast: partial (depth)")
		}
	}
	parse(file, lang, text, limits)
}

func (f *File) addNote(note string) {
	switch {
	case note == "" || strings.Contains(f.Note, note):
	case f.Note == "":
		f.Note = note
	default:
		f.Note += "; " + note
	}
}

// finish gives every list its canonical form: never nil, in source order.
func (f *File) finish() {
	f.Exports = orEmpty(f.Exports)
	f.Members = orEmpty(f.Members)
	f.Imports = orEmpty(f.Imports)
	f.Tags = orEmpty(f.Tags)
	sort.SliceStable(f.Exports, func(i, j int) bool { return f.Exports[i].Line < f.Exports[j].Line })
	sort.SliceStable(f.Members, func(i, j int) bool { return f.Members[i].Line < f.Members[j].Line })
	sort.SliceStable(f.Imports, func(i, j int) bool { return f.Imports[i].Line < f.Imports[j].Line })
	for i := range f.Exports {
		f.Exports[i].Extends = orEmpty(f.Exports[i].Extends)
		f.Exports[i].Implements = orEmpty(f.Exports[i].Implements)
	}
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Language is the name of the programming language Extract would read a file
// as, or "": a document has none.
// Head is the beginning of the file: a script without an extension is known by
// its first line.
func Language(name string, head []byte) string {
	if lang := detect(name, head); lang != nil && !Document(lang.name) {
		return lang.name
	}
	return ""
}

func base(name string) string { return path.Base(strings.ReplaceAll(name, "\\", "/")) }
