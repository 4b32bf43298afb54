package event

import (
	"slices"
	"time"

	"growbench/engine/doc"
)

// What can be done about a task that was written against an export that is
// broken since.
const (
	AffectedContinue = "continue" // as it is
	AffectedEdit     = "edit"     // the task's text is changed
	AffectedAdd      = "add"      // a task is put before it
	AffectedReplan   = "replan"   // the Planner plans the rest anew
	AffectedStop     = "stop"
)

// AffectedDecided says what is done about the broken exports that task K
// certainly relies on, before its Worker starts.
type AffectedDecided struct {
	K      int    `json:"k"`
	Choice string `json:"choice"`
	By     string `json:"by"` // policy, time, or who answered
	Hits   []Hit  `json:"hits"`
	// Text is what the operator wrote: the task as edited, or the one to add.
	Text string `json:"text,omitempty"`
	// Why says more than the choice does, such as what was tried before.
	Why string `json:"why,omitempty"`
}

// Hit is one broken export a task relies on.
type Hit struct {
	By     int    `json:"by"` // the Worker that broke it
	Symbol string `json:"symbol"`
	File   string `json:"file"`
}

// Type is the event's name in the log.
func (AffectedDecided) Type() string { return "affected.decided" }

var _ = register[AffectedDecided]()

// Decision is an AffectedDecided as the state keeps it. K follows its task
// when another one is put before it.
type Decision struct {
	AffectedDecided
	At time.Time `json:"at"`
	// Carried is true once the plan is as the decision wants it.
	Carried bool `json:"carried"`
}

// Unheeded are the certain hits on task k nobody has decided about yet.
func (s *State) Unheeded(k int) []Hit {
	w := s.Worker(k)
	if w == nil {
		return nil
	}
	var hits []Hit
	for _, a := range w.Affected {
		hit := Hit{By: a.By, Symbol: a.Symbol, File: a.File}
		if !a.Possible && !s.decided(k, hit) && !slices.Contains(hits, hit) {
			hits = append(hits, hit)
		}
	}
	return hits
}

func (s *State) decided(k int, hit Hit) bool {
	return slices.ContainsFunc(s.Decisions, func(d Decision) bool {
		return d.K == k && slices.Contains(d.Hits, hit)
	})
}

// Undone is the last decision about task k when it is still to be carried out.
func (s *State) Undone(k int) (Decision, bool) {
	for _, d := range slices.Backward(s.Decisions) {
		if d.K == k {
			return d, !d.Carried
		}
	}
	return Decision{}, false
}

func (s *State) decide(b AffectedDecided, e Event) {
	b.Hits = slices.Clone(b.Hits)
	s.Decisions = append(s.Decisions, Decision{
		AffectedDecided: b, At: e.At, Carried: b.Choice == AffectedContinue,
	})
}

// carried closes the last decision about task k.
func (s *State) carried(k int) {
	for i := len(s.Decisions) - 1; i >= 0; i-- {
		if d := &s.Decisions[i]; d.K == k {
			d.Carried = true
			return
		}
	}
}

// revise puts a revised plan in force: tasks from b.From on are new, or, when
// one was added, moved on by one with all that is known of them.
func (s *State) revise(b PlanRevised, e Event) {
	s.Plan.Earlier = append(slices.Clone(s.Plan.Earlier), s.Plan.Tasks)
	s.Plan.Revision++
	s.carried(b.From)
	var moved []Worker
	if b.Added > 0 {
		moved = slices.Clone(s.Workers[min(b.Added-1, len(s.Workers)):])
	}
	s.setTasks(b.Plan, b.From)
	for _, w := range moved {
		if to := s.Worker(w.K + 1); to != nil {
			to.Affected = w.Affected
		}
	}
	if b.Added > 0 {
		s.renumber(b.Added)
	} else {
		s.forgetAffected(b.From)
	}
	if len(b.Bytes) > 0 {
		s.sizes.tasks = s.sizes.tasks[:0]
		for _, n := range b.Bytes {
			s.sizes.tasks = append(s.sizes.tasks, int64(n))
		}
		s.sizes.read += b.ReadBytes
		s.measure()
	}
	s.Phase = PhaseWorking
	if p := &s.Planner; p.State == Running {
		p.State, p.Ended, p.Tool, p.ToolArgs = Done, e.At, "", ""
	}
}

// renumber moves what is said about task k and later on by one.
func (s *State) renumber(k int) {
	for i := range s.Decisions {
		if d := &s.Decisions[i]; d.K >= k {
			d.K++
		}
	}
	for i := range s.Ledger {
		affected := slices.Clone(s.Ledger[i].Affected)
		for j := range affected {
			if affected[j].K >= k {
				affected[j].K++
			}
		}
		s.Ledger[i].Affected = affected
	}
}

// forgetAffected takes out of the ledger the tasks that are no more: from k on
// they were written anew.
func (s *State) forgetAffected(k int) {
	for i := range s.Ledger {
		s.Ledger[i].Affected = slices.DeleteFunc(slices.Clone(s.Ledger[i].Affected), func(a Affected) bool { return a.K >= k })
	}
}

// undecide drops decisions about what Workers from k on broke, which they are
// about to do again, or not.
func (s *State) undecide(k int) {
	kept := []Decision{}
	for _, d := range s.Decisions {
		d.Hits = slices.DeleteFunc(slices.Clone(d.Hits), func(h Hit) bool { return h.By >= k })
		if len(d.Hits) > 0 {
			kept = append(kept, d)
		}
	}
	s.Decisions = kept
}

// edit puts an edited task in force.
func (s *State) edit(b TaskEdited) {
	if b.K < 1 || b.K > len(s.Plan.Tasks.Tasks) {
		return
	}
	tasks := slices.Clone(s.Plan.Tasks.Tasks)
	tasks[b.K-1] = b.Task
	s.Plan.Tasks = doc.Plan{Tasks: tasks}
	if w := s.Worker(b.K); w != nil && !w.Active() {
		w.Title, w.Layer = b.Task.Title, b.Task.Layer
	}
	if d, undone := s.Undone(b.K); undone && d.Choice == AffectedEdit {
		s.carried(b.K)
	}
}
