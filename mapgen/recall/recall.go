// Package recall finds the directories, files and symbols a question is about,
// in what a project map says and what the project's history tells.
//
// It reads nothing and knows no clock: the same source and question give the
// same answer. Everything is worked out per question; nothing is kept.
package recall

// Source is what is searched.
type Source struct {
	Dirs    []Dir
	Commits []Commit // the newest first
}

// Dir is one directory of the map.
type Dir struct {
	Path  string // "." for the root
	Index string // path of the document that routes
	Map   string // path of the document that orients
	// Package is the directory of the package it belongs to; "" for none.
	Package string
	Role    string
	Arch    string
	Tags    []string
	Files   []File
}

// File is one file of a directory.
type File struct {
	Name    string
	Purpose string
	Symbols []string // signatures
	Deps    []string
}

// Commit is one change of the project's past.
type Commit struct {
	When    int64 // seconds since 1970
	Hash    string
	Subject string
	Files   []string
}

// Weights say what counts how much. They were fixed on one repository's
// history and hold for all.
type Weights struct {
	// Fields of a file: how much a word in each counts.
	Path, Name, Symbols, Purpose, Role, Tags float64
	K1, B                                    float64 // of BM25F

	Text     float64 // of the words' score
	Similar  float64 // of earlier commits whose subject is like the question
	Popular  float64 // of being changed often
	Boost    float64 // of being changed often, where words match
	Pair     float64 // share a test and its source have of each other's score
	Together float64 // share of what was changed together
	Named    float64 // of a path the question names

	HalfLife   float64 // days after which a commit counts half
	Spread     float64 // how a commit of many files counts less for each: n^-Spread
	Neighbours int     // earlier commits that are heard at most
	Sharp      float64 // exponent of a file's score in its directory's sum
	Sum        int     // files whose scores a directory sums, at most
}

// DefaultWeights are those of `map context`.
func DefaultWeights() Weights {
	return Weights{
		Path: 1, Name: 5, Symbols: 2, Purpose: 2, Role: 0.2, Tags: 0.4, K1: 1.2, B: 0.45,
		Text: 1.3, Similar: 1.3, Popular: 0.033, Boost: 0.15, Pair: 0.2, Together: 0.2, Named: 1,
		HalfLife: 1000, Spread: 0.25, Neighbours: 50, Sharp: 2, Sum: 100,
	}
}
