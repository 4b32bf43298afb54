package giver

import (
	"hash/maphash"
	"slices"
	"strings"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// State is the fold of a conversation's messages. The zero value is one that
// has not begun.
type State struct {
	Messages []event.Event // all of them, in order
	From     int           // where what the model is still sent begins
	LastSeq  uint64
	// Bytes is the size of the conversation with what its tools returned.
	Bytes int64
	Draft Draft
	Run   Run
	// Failed are the runs that failed since one passed, oldest first.
	Failed []string
	// Scope is what a loop may change without a question.
	Scope []string
	// ScopeAsked is what the operator is asked to approve so; nil: nothing.
	ScopeAsked []string
	// Unanswered: the last words of a user have no whole answer.
	Unanswered bool
	// Open are calls that nothing was returned for.
	Open []Call
	// Mapped is what the model has of the project's map.
	Mapped Mapped
	// Usage of the last answer.
	Usage Usage
	// Report is true once a user reports that something is broken, until
	// somebody has looked.
	Report bool
	copied map[uint64]bool // long lines that tools returned
}

// Draft is Task #0 as it stands.
type Draft struct {
	SHA256   string
	By       string
	Bytes    int
	Goal     string
	Targets  []string
	Problems []doc.Problem
	Denied   bool
	// Approved holds the word for this draft, until its run has started.
	Approved *Approved
	Used     string // the run it became
	// Conversation is how many bytes it was made from.
	Conversation int64
}

// Waits tells whether the operator is asked to approve it.
func (d Draft) Waits() bool {
	return d.SHA256 != "" && !doc.HasErrors(d.Problems) && !d.Denied && d.Approved == nil && d.Used == ""
}

// ID names the question about it.
func (d Draft) ID() string { return "draft-" + d.SHA256[:min(8, len(d.SHA256))] }

// Isolation is 1 − transmitted / un-isolated bytes from the conversation to
// Task #0; false while there is nothing to measure.
func (d Draft) Isolation() (float64, bool) {
	if d.Bytes == 0 || d.Conversation == 0 {
		return 0, false
	}
	return max(0, 1-float64(d.Bytes)/float64(d.Conversation)), true
}

// Run is the run at hand: the last one that was started from here.
type Run struct {
	ID       string
	Started  bool
	Ended    bool
	Status   string
	Verified string
}

// Fold is the state after some messages.
func Fold(messages []event.Event) *State {
	s := &State{}
	for _, m := range messages {
		s.Apply(m)
	}
	return s
}

// Apply takes one message in.
func (s *State) Apply(m event.Event) {
	s.Messages = append(s.Messages, m)
	s.LastSeq = m.Seq
	switch b := m.Body.(type) {
	case Said:
		s.Bytes += int64(len(b.Text))
		s.Unanswered, s.Open = true, nil
		if b.By == ByOperator {
			s.Report = reportsBug(b.Text)
		}
	case Answered:
		s.Bytes += int64(len(b.Text))
		for _, c := range b.Calls {
			s.Bytes += int64(len(c.Arguments))
		}
		s.Open = slices.Clone(b.Calls)
		s.Unanswered = b.Error != "" && s.Unanswered
		if b.Usage.Context > 0 {
			s.Usage = b.Usage
		}
	case Returned:
		s.Bytes += int64(len(b.Text))
		s.Open = slices.DeleteFunc(slices.Clone(s.Open), func(c Call) bool { return c.ID == b.ID })
		if looks[b.Name] && b.Error == "" {
			s.Report = false
		}
		if b.Name != toolDraft {
			s.remember(b.Text)
		}
	case Told:
		s.Bytes += int64(len(b.Text))
	case Drafted:
		s.Draft = Draft{SHA256: b.SHA256, By: b.By, Bytes: b.Bytes, Goal: b.Goal, Targets: b.Targets, Problems: b.Problems, Conversation: s.Bytes}
	case Approved:
		s.Draft.Approved, s.Draft.Conversation = &b, b.Conversation
		s.Run = Run{ID: b.Run}
	case Denied:
		s.Draft.Denied = s.Draft.Denied || b.SHA256 == s.Draft.SHA256
		s.Bytes += int64(len(b.Why))
	case Ran:
		s.ran(b)
	case Compacted:
		s.From = max(s.From, s.index(b.UpTo+1))
		s.Usage.Context = 0
	case Mapped:
		s.Mapped = b
	case Scoped:
		s.Scope, s.ScopeAsked = b.Targets, nil
	case ScopeAsked:
		s.ScopeAsked = b.Targets
	}
}

func (s *State) ran(b Ran) {
	if b.Run != s.Run.ID {
		return
	}
	switch b.State {
	case RunStarted:
		s.Run.Started = true
		s.Draft.Approved, s.Draft.Used = nil, b.Run
	case RunNotStarted:
		s.Run = Run{}
		s.Draft.Approved = nil
	case RunEnded:
		s.Run.Ended, s.Run.Status, s.Run.Verified = true, b.Status, b.Verified
		switch b.Status {
		case event.StatusPassed:
			s.Failed = nil
		case event.StatusFailed:
			if !slices.Contains(s.Failed, b.Run) {
				s.Failed = append(slices.Clone(s.Failed), b.Run)
			}
		}
	}
}

// index is where the message of a number stands, or the first after it.
func (s *State) index(seq uint64) int {
	i, _ := slices.BinarySearchFunc(s.Messages, seq, func(m event.Event, seq uint64) int {
		switch {
		case m.Seq < seq:
			return -1
		case m.Seq > seq:
			return 1
		}
		return 0
	})
	return i
}

// longLine is from how many bytes on a line says where it was copied from.
const longLine = 40

var lineSeed = maphash.MakeSeed()

// remember keeps the long lines of what a tool returned: Task #0 must not
// repeat them.
func (s *State) remember(text string) {
	for line := range strings.Lines(text) {
		if line = bareLine(line); len(line) >= longLine {
			if s.copied == nil {
				s.copied = map[uint64]bool{}
			}
			s.copied[maphash.String(lineSeed, line)] = true
		}
	}
}

// Copied tells whether a line was returned by a tool.
func (s *State) Copied(line string) bool {
	line = bareLine(line)
	return len(line) >= longLine && s.copied[maphash.String(lineSeed, line)]
}

func bareLine(line string) string {
	return strings.TrimSpace(strings.TrimLeft(oneLine(line), "-*•> "))
}
