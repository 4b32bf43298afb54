package symbols

import (
	"bytes"
	"strings"
)

// Documents are files that are no code but have an outline worth listing: the
// headings of a text, what a manifest names, the stages of an image, the
// targets of a makefile. They are read by the standard library or line by line
// and marked as light languages are.

// maxOutline is how many entries of one document are listed.
const maxOutline = 40

// Document says whether files of a language are documents: what they list is
// no symbol that code could use.
func Document(language string) bool {
	for _, lang := range documentLanguages {
		if lang.name == language {
			return true
		}
	}
	return false
}

// Outlined says whether a file is a document by its name.
func Outlined(name string) bool {
	lang := detect(name, nil)
	return lang != nil && Document(lang.name)
}

// Outline reads a document. It answers a zero File for what is none, and needs
// no child process: no C parser is used.
func Outline(name string, text []byte) File {
	lang := detect(name, nil)
	if lang == nil || !Document(lang.name) {
		return File{}
	}
	return extract(lang, name, text, Limits{})
}

// documentLanguages are rows of their own.
var documentLanguages = []*language{
	{name: "Markdown", exts: []string{".md", ".markdown"}, native: document(headings)},
	{name: "Manifest", names: []string{"package.json", "composer.json", "go.mod", "go.work", "Cargo.toml", "pyproject.toml", "pom.xml"}, native: manifest},
	{name: "Dockerfile", exts: []string{".dockerfile"}, names: []string{"Dockerfile", "Containerfile"}, native: document(stages)},
	{name: "Makefile", exts: []string{".mk"}, names: []string{"Makefile", "makefile", "GNUmakefile"}, native: document(rules)},
}

// outline collects what a document lists, each entry once.
type outline struct {
	file *File
	text []byte
	seen map[string]bool
}

func document(read func(*outline)) func(*File, []byte, Limits) {
	return func(f *File, text []byte, _ Limits) {
		f.addNote(LightNote)
		read(&outline{file: f, text: text, seen: map[string]bool{}})
	}
}

// entry lists a name; signature is its name when it is "".
func (o *outline) entry(kind, name, signature string, line int) {
	name = strings.Join(strings.Fields(strings.ToValidUTF8(name, "")), " ")
	if name == "" || o.seen[kind+name] || len(o.file.Exports) == maxOutline {
		return
	}
	o.seen[kind+name] = true
	if signature == "" {
		signature = name
	}
	o.file.Exports = append(o.file.Exports, Export{Name: within(name), Kind: kind, Signature: lightSignature(strings.ToValidUTF8(signature, "")), Line: line})
}

// need lists a dependency.
func (o *outline) need(name string, line int) {
	name = strings.TrimSpace(strings.ToValidUTF8(name, ""))
	if name == "" || strings.ContainsAny(name, " \t\r\n") || o.seen["need "+name] || len(o.file.Imports) == maxOutline {
		return
	}
	o.seen["need "+name] = true
	o.file.Imports = append(o.file.Imports, Import{Path: name, Line: line, Relative: strings.HasPrefix(name, ".")})
}

// within bounds a name.
func within(name string) string {
	if len(name) > maxSignature {
		return strings.ToValidUTF8(name[:maxSignature-3], "") + "…"
	}
	return name
}

// lines calls visit with every line and its number.
func (o *outline) lines(visit func(number int, line string)) {
	number := 0
	for line := range bytes.Lines(o.text) {
		number++
		visit(number, strings.TrimRight(string(line), "\r\n"))
	}
}

// lineOf is the number of the line a byte stands on.
func (o *outline) lineOf(offset int64) int {
	return bytes.Count(o.text[:min(max(offset, 0), int64(len(o.text)))], []byte("\n")) + 1
}
