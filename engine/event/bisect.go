package event

import "slices"

// BisectRan is one run of a failing check at the commit of a Worker (K = 0:
// at the base).
type BisectRan struct {
	Command  string    `json:"command"`
	K        int       `json:"k"`
	Commit   string    `json:"commit"`
	Passed   bool      `json:"passed"`
	Exit     int       `json:"exit"`
	MS       int64     `json:"ms"`
	Failures []Failure `json:"failures"`
}

// What a bisection comes to.
const (
	BisectWorker = "worker" // K's commit is the first that fails
	BisectBase   = "base"   // it fails before the first Worker
	BisectPasses = "passes" // it passes at the end now
)

// Bisected is whose commit first fails a check.
type Bisected struct {
	Command string `json:"command"`
	Verdict string `json:"verdict"`
	K       int    `json:"k"`
	Commit  string `json:"commit,omitempty"`
	Title   string `json:"title,omitempty"`
	// Flaky is true when the check gave different answers at one commit, or
	// passed at one after failing at an earlier one and fails at the end.
	Flaky    bool      `json:"flaky"`
	Why      string    `json:"why"` // in words
	Failures []Failure `json:"failures"`
}

// Type is the event's name in the log.
func (BisectRan) Type() string { return "bisect.ran" }

// Type is the event's name in the log.
func (Bisected) Type() string { return "bisected" }

var (
	_ = register[BisectRan]()
	_ = register[Bisected]()
)

// bisected keeps the last answer about each check.
func (s *State) bisected(b Bisected) {
	s.Blame = append(slices.DeleteFunc(slices.Clone(s.Blame), func(old Bisected) bool { return old.Command == b.Command }), b)
}
