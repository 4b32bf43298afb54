// Package describe says in words what files and directories are for.
//
// The offline describer takes everything from what a project says of itself:
// package comments, module docstrings, READMEs, manifests, comments above
// symbols, names of tests, entry points and imports. It invents nothing, needs
// no model, and gives the same words for the same content: a file's text
// depends on its path and content alone, a directory's on its files, on the
// roles of the directories directly below, and on what its package says whose
// main source it is.
package describe

// Version names the state of the offline describer: texts cached under another
// version are stale.
const Version = "4"

// OfflineTag stands in ## tags of a directory described without a model.
const OfflineTag = "offline"

// Symbol is an exported symbol of a file.
type Symbol struct {
	Name      string
	Kind      string
	Signature string
	Bases     []string // what it extends and implements
	Line      int      // 1-based
}

// FileInput is what is known about a file.
type FileInput struct {
	Path     string // relative to the project, slashes
	Language string // "" when no extractor reads it
	Doc      string // first paragraph of what the file says about itself
	Package  string
	Exports  []Symbol
	Members  []Member // of the exports
	Content  []byte   // UTF-8 text, possibly cut; nil when the file is none
}

// Grades of a purpose.
const (
	FromNames   = 1 // nothing but names
	FromDeeds   = 2 // what its main type or its program does, by names
	FromInside  = 3 // a comment or a test somewhere in the file
	FromSubject = 4 // the comment of the type or symbol the file is about
	FromItself  = 5 // the file's own words on itself
)

// Ranks from which on a file's words are on what it lies in.
const (
	OfReader  = 70 // a directory, for who comes to read it
	OfPackage = 94 // a package
)

// Kinds of files.
const (
	Code   = "code"
	Test   = "test"
	Docs   = "docs"
	Config = "config"
	Build  = "build"
	Data   = "data"
	Asset  = "asset"
)

// FileText is what a file is for.
type FileText struct {
	Purpose string   `json:"p,omitempty"`
	Quality int      `json:"q,omitempty"` // how well it is known: one of the grades below
	About   string   `json:"a,omitempty"` // what it says about its whole directory
	Rank    int      `json:"r,omitempty"` // how much About counts; 0: nothing
	Kind    string   `json:"k,omitempty"`
	Entry   bool     `json:"e,omitempty"` // a program starts here
	Topics  []string `json:"t,omitempty"`
	Package string   `json:"n,omitempty"` // the name a manifest gives its package
}

// File is a file as a directory's description sees it.
type File struct {
	Name     string
	Language string
	Note     string
	Text     FileText
	Exports  []Symbol
	Deps     []string // pkg/… and ext/…
}

// Child is a directory directly below.
type Child struct {
	Name string
	Role string
	Tags []string
}

// DirInput is what is known about a directory.
type DirInput struct {
	Path     string // "." for the root
	Name     string // of the directory; of the project for the root
	Files    []File // by name
	Children []Child
	Package  string // what the package says whose main source this is, or ""
}

// DirText is what a directory is for.
type DirText struct {
	Role      string // one sentence
	Deps      []string
	Arch      string
	Tags      []string
	Workflows []Workflow
	Likely    []int // indexes of files, the most telling first
}

// Workflow names the files a task leads to.
type Workflow struct {
	Task  string
	Files []string
}
