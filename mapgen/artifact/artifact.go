// Package artifact reads and writes the two documents a project map keeps in
// every directory: .pi-map.index.md, which routes, and .pi-map.md, which
// orients.
//
// Reading is lenient and names what it found wrong; writing is canonical, so
// that the same value always gives the same bytes. A value that was read and
// written again is read as the same value, whatever bytes a file name holds.
// Sections this package does not know are kept where they stood.
package artifact

import (
	"strings"
	"unicode/utf8"
)

// Kind tells the two documents apart.
type Kind int

const (
	MapKind Kind = iota
	IndexKind
)

// Names of the two documents.
const (
	MapName   = ".pi-map.md"
	IndexName = ".pi-map.index.md"
)

// File is one bullet under ## files.
type File struct {
	Name    string
	Purpose string
	Exports []string // signatures; "~" in front: inferred, not parsed
	Deps    []string // pkg/… inside the project, ext/… outside; "~" as above
	Note    string   // what a reader should know about the entry itself
}

// Symbol is one bullet under ## symbols.
type Symbol struct {
	Signature string
	File      string
}

// Workflow is one bullet under ## workflows: where to go for a task.
type Workflow struct {
	Task  string
	Files []string
}

// Link names a directory, its index and what it is for.
type Link struct {
	Dir    string
	Target string // path of the index; "" for a directory without one
	Role   string
}

// Extra is a section this package does not know. After is the known section it
// follows, "" for the head of the document.
type Extra struct {
	After string
	Name  string // "" for lines of the head that belong to no section
	Lines []string
}

// Block is a part of ## arch: text, or words of a person that survive.
type Block struct {
	Keep bool
	Text string // of a kept block, exactly what stands between the marks
}

// Map is a .pi-map.md.
type Map struct {
	Dir       string // "." for the root
	Index     string // path of the sibling index
	Role      string
	Files     []File
	Arch      []Block
	Tags      []string
	Symbols   []Symbol
	Workflows []Workflow
	Dirty     []string
	Extra     []Extra
}

// Index is a .pi-map.index.md.
type Index struct {
	Dir       string
	Role      string
	Parent    []Link
	Children  []Link
	Files     []File // names and purposes only
	SelfIndex string
	SelfMap   string
	Workflows []Workflow
	Dirty     []string
	Extra     []Extra
}

// Problem is something a reader had to forgive.
type Problem struct {
	Level   string // "error": something was lost; "warning": it was not
	Section string
	Line    int // 1-based
	Text    string
}

// MapPath and IndexPath are where the documents of a directory lie.
func MapPath(dir string) string   { return inDir(dir, MapName) }
func IndexPath(dir string) string { return inDir(dir, IndexName) }

func inDir(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// ArchText is the generated text of ## arch, without what people keep there.
func (m *Map) ArchText() string {
	var parts []string
	for _, b := range m.Arch {
		if !b.Keep {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// SetArch replaces the generated text and leaves kept blocks where they are.
func (m *Map) SetArch(text string) {
	text = trimLines(text)
	var blocks []Block
	placed := text == ""
	for _, b := range m.Arch {
		switch {
		case b.Keep:
			blocks = append(blocks, b)
		case !placed:
			blocks = append(blocks, Block{Text: text})
			placed = true
		}
	}
	if !placed {
		blocks = append([]Block{{Text: text}}, blocks...)
	}
	m.Arch = blocks
}

// trimLines drops empty lines and trailing blanks: a line is a statement.
func trimLines(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.Trim(line, " \t\r"); line != "" && line != "-" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// Valid reports whether a document is text every reader can take.
func Valid(text []byte) bool { return utf8.Valid(text) }
