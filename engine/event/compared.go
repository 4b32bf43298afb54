package event

import (
	"slices"

	"growbench/engine/doc"
)

// How a RESULT stands. A Worker that is done may well be contested: its work
// is there, but is not what it said.
const (
	Reported  = "reported"  // handed in, not compared yet
	Accepted  = "accepted"  // it says what was seen to change
	Contested = "contested" // it does not
)

// ResultCompared is written once everything Worker k did is held against what
// its RESULT claims: after its ledger entries, before its end.
type ResultCompared struct {
	K       int    `json:"k"`
	Verdict string `json:"verdict"` // accepted or contested
	// Differences are why it is contested.
	Differences []Difference `json:"differences"`
	// Result is what is handed on: the claim, and what was seen beside it,
	// marked as observed.
	Result doc.Result `json:"result"`
	// Notes name what could not be compared, and why: there claims are all
	// there is.
	Notes []string `json:"notes"`
}

// What a Difference is about.
const (
	AboutFile      = "file"
	AboutBreaking  = "breaking"
	AboutSignature = "signature"
)

// Difference is one thing that was claimed and not seen, or seen and not
// claimed.
type Difference struct {
	About  string `json:"about"`  // file, breaking or signature
	Side   string `json:"side"`   // claimed: it was not seen; observed: it was not claimed
	Symbol string `json:"symbol"` // "" of a file
	Path   string `json:"path"`
	Text   string `json:"text"` // for people
}

// Where a ledger entry or a Difference comes from.
const (
	SourceClaimed  = "claimed"
	SourceObserved = "observed"
	SourceBoth     = "both"
)

// Type returns result.compared.
func (ResultCompared) Type() string { return "result.compared" }

var _ = register[ResultCompared]()

func (s *State) compare(w *Worker, b ResultCompared) {
	w.Standing = b.Verdict
	w.Differences = append([]Difference{}, b.Differences...)
	w.Uncompared = append([]string{}, b.Notes...)
	w.Files = append([]string{}, b.Result.Files.All()...)
	s.putResult(b.Result, b.K)
}

// putResult keeps one RESULT a Worker, in order, whatever comes twice.
func (s *State) putResult(result doc.Result, k int) {
	at, found := slices.BinarySearchFunc(s.Results, k, func(r doc.Result, k int) int { return r.K - k })
	if found {
		s.Results[at] = result
		return
	}
	s.Results = slices.Insert(s.Results, at, result)
}
