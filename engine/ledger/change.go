package ledger

import "growbench/mapgen/symbols"

// Change is one exported symbol that differs between two versions of the code.
type Change struct {
	Symbol string // with the types around it: Config.Type
	Kind   string // removed, renamed, signature changed, moved, added
	Class  string
	File   string // where it was; of an added one, where it is
	To     string // renamed: the new name; moved: the new file
	// Before and After are its signatures, "" where it is not.
	Before, After string
	Language      string
	Package       string // it was declared in, where its language has that
	// space: the first part of Symbol is no type but a name its file gives to
	// all of another one.
	space bool
}

// Version is a file as it is on one side of a Worker's work.
type Version struct {
	Text string
	Code symbols.File // its Path is the file's
}

// FileChange is a file a Worker touched. Before is nil when it was not there,
// After when it is gone.
type FileChange struct{ Before, After *Version }

// Observation is what was seen to change.
type Observation struct {
	Changes []Change
	// Read are the files whose exports were read on every side they have.
	Read map[string]bool
	// Text holds the code of those files as it is now.
	Text map[string]string
	// Notes name the files of which nothing but claims is known, and why.
	Notes []string
}
