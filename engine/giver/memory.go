package giver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"growbench/engine/workspace"
)

// Memory is what a conversation has come to: it outlives the messages, and the
// operator may edit it. Every item is one line.
type Memory struct {
	Decisions   []string
	Constraints []string
	Failures    []Failure
	Questions   []string
	// Preamble is what stands before the first section, Other what belongs to
	// none of ours. Both are kept as they are.
	Preamble string
	Other    []Section
}

// Failure is one failed attempt and what it teaches.
type Failure struct {
	Run        string `json:"run"`
	Class      string `json:"class"` // Strategic, Tactical, Operational or ""
	What       string `json:"what"`
	Cause      string `json:"cause"`
	Avoid      string `json:"avoid"`
	Direction  string `json:"direction"`
	Correction string `json:"correction"` // what the Giver itself does differently
}

// Section is a part of the memory that somebody else has put there.
type Section struct{ Heading, Text string }

// Kinds of a line that is remembered.
const (
	Decision   = "decision"
	Constraint = "constraint"
	Question   = "question"
)

// Remember adds a line, unless it is there. False: nothing was added.
func (m *Memory) Remember(kind, text string) bool {
	list := map[string]*[]string{Decision: &m.Decisions, Constraint: &m.Constraints, Question: &m.Questions}[kind]
	text = oneLine(text)
	if list == nil || text == "" || slices.Contains(*list, text) {
		return false
	}
	*list = append(*list, text)
	return true
}

// Record puts a failure in the place of what is known of the same run. What the
// new entry does not say stays.
func (m *Memory) Record(f Failure) {
	for _, field := range f.fields() {
		*field.value = oneLine(*field.value)
	}
	f.Run, f.Class = oneLine(f.Run), class(f.Class)
	i := slices.IndexFunc(m.Failures, func(old Failure) bool { return f.Run != "" && old.Run == f.Run })
	if i < 0 {
		m.Failures = append(m.Failures, f)
		return
	}
	old := &m.Failures[i]
	fresh := f.fields()
	for n, field := range old.fields() {
		if *fresh[n].value != "" {
			*field.value = *fresh[n].value
		}
	}
	if f.Class != "" {
		old.Class = f.Class
	}
}

// Failure finds what is known of a run's failure.
func (m *Memory) Failure(run string) (Failure, bool) {
	i := slices.IndexFunc(m.Failures, func(f Failure) bool { return f.Run == run })
	if i < 0 {
		return Failure{}, false
	}
	return m.Failures[i], true
}

type field struct {
	label string // as it is written
	names []string
	value *string
}

func (f *Failure) fields() []field {
	return []field{
		{"what happened", []string{"what", "happened"}, &f.What},
		{"root cause", []string{"cause"}, &f.Cause},
		{"avoid", []string{"what to avoid"}, &f.Avoid},
		{"correct direction", []string{"direction"}, &f.Direction},
		{"correction", []string{"giver's correction", "giver correction"}, &f.Correction},
	}
}

// oneLine folds a text's white space.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
}

// LoadMemory reads the memory in a session's directory; without a file there is
// none yet.
func LoadMemory(path string) (Memory, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Memory{}, nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxMemory) {
		return Memory{}, fmt.Errorf("read the memory %s: it must be a file of at most %d bytes; make it smaller", path, maxMemory)
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return Memory{}, fmt.Errorf("read the conversation's memory: %w", err)
	}
	return ParseMemory(string(data)), nil
}

const maxMemory = 4 << 20

// Save replaces the memory on disk.
func (m Memory) Save(path string) error {
	if err := workspace.AtomicWrite(path, []byte(m.String()), 0o600); err != nil {
		return fmt.Errorf("keep the conversation's memory: %w", err)
	}
	return nil
}
