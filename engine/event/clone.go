package event

import "slices"

// Clone returns a state that shares nothing with s that folding on changes.
// What an event brings is never changed after it, and stays shared.
func (s *State) Clone() *State {
	c := *s
	c.Base.Notes = slices.Clone(s.Base.Notes)
	c.Base.Lineage = slices.Clone(s.Base.Lineage)
	c.Base.Chosen = slices.Clone(s.Base.Chosen)
	c.Problems = slices.Clone(s.Problems)
	c.Workers = slices.Clone(s.Workers)
	for i := range c.Workers {
		w := &c.Workers[i]
		w.Affected = slices.Clone(w.Affected)
		w.Files = slices.Clone(w.Files)
		w.Flagged = slices.Clone(w.Flagged)
		w.Checks = slices.Clone(w.Checks)
		w.Outside.Paths = slices.Clone(w.Outside.Paths)
	}
	c.Results = slices.Clone(s.Results)
	c.Ledger = slices.Clone(s.Ledger)
	c.Setup = slices.Clone(s.Setup)
	c.Verify.Ran = slices.Clone(s.Verify.Ran)
	c.Verify.Found = slices.Clone(s.Verify.Found)
	c.Waits = slices.Clone(s.Waits)
	c.Blame = slices.Clone(s.Blame)
	c.Decisions = slices.Clone(s.Decisions)
	c.attempts = slices.Clone(s.attempts)
	c.sizes.tasks = slices.Clone(s.sizes.tasks)
	return &c
}
