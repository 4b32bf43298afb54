package giver

import (
	"encoding/json"
	"fmt"
	"slices"
)

// fileMemoryForm is the memory as it is being typed and not saved.
const fileMemoryForm = "form-memory.json"

// MemoryForm is the memory while the operator types it.
type MemoryForm struct {
	Text string `json:"text"`
	// Base is the memory that it began from.
	Base string `json:"base"`
}

// MemoryForm is what was typed and not saved, else the memory as it is.
func (s *Session) MemoryForm() (f MemoryForm, unsaved bool, err error) {
	if json.Unmarshal(s.typed(fileMemoryForm), &f) == nil {
		return f, true, nil
	}
	m, err := LoadMemory(s.path(fileMemory))
	return MemoryForm{m.String(), m.String()}, false, err
}

// KeepMemoryForm keeps what is being typed. Of two the one with the greater
// number counts.
func (s *Session) KeepMemoryForm(number uint64, f MemoryForm) error {
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return s.keepTyped(fileMemoryForm, number, data)
}

// SaveMemoryForm puts it in the place of the memory. What was added to the
// memory while it was typed stays.
func (s *Session) SaveMemoryForm(number uint64, f MemoryForm) error {
	base, typed := ParseMemory(f.Base), ParseMemory(f.Text)
	err := s.withMemory(func(m *Memory) error {
		typed.addSince(base, *m)
		*m = typed
		return nil
	})
	if err != nil {
		return err
	}
	return s.keepTyped(fileMemoryForm, number, nil)
}

// addSince adds what now has and base had not.
func (m *Memory) addSince(base, now Memory) {
	for _, l := range []struct {
		kind      string
		base, now []string
	}{{Decision, base.Decisions, now.Decisions}, {Constraint, base.Constraints, now.Constraints}, {Question, base.Questions, now.Questions}} {
		for _, line := range l.now {
			if !slices.Contains(l.base, line) {
				m.Remember(l.kind, line)
			}
		}
	}
	for _, f := range now.Failures {
		if !slices.Contains(base.Failures, f) {
			m.Record(f)
		}
	}
}

// Counts says in a line what a memory's text holds.
func (f MemoryForm) Counts() string {
	m := ParseMemory(f.Text)
	return fmt.Sprintf("%d decisions, %d constraints, %d failures, %d open questions", len(m.Decisions), len(m.Constraints), len(m.Failures), len(m.Questions))
}
