package giver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"growbench/engine/doc"
)

// fileTaskForm is Task #0 as it is being typed and not saved.
const fileTaskForm = "form-task0.json"

// TaskForm is Task #0 while the operator types it, section by section.
type TaskForm struct {
	Fields doc.Fields `json:"fields"`
	// Base is the draft that it began from, by its hash.
	Base string `json:"base"`
}

// TaskForm is what was typed and not saved, else the draft as it lies on disk.
// The problems say what of that draft is in no section.
func (s *Session) TaskForm() (f TaskForm, unsaved bool, left []doc.Problem, err error) {
	if json.Unmarshal(s.typed(fileTaskForm), &f) == nil {
		return f, true, nil, nil
	}
	text, err := s.loadDraft()
	if err != nil || strings.TrimSpace(text) == "" {
		return TaskForm{Fields: doc.Fields{2: doc.None}}, false, nil, err
	}
	f = TaskForm{Base: hash(text)}
	f.Fields, left = doc.TaskFields(text)
	return f, false, left, nil
}

// KeepTaskForm keeps what is being typed beside the draft. Of two the one with
// the greater number counts.
func (s *Session) KeepTaskForm(number uint64, f TaskForm) error {
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return s.keepTyped(fileTaskForm, number, data)
}

// DropTaskForm forgets what was typed and not saved.
func (s *Session) DropTaskForm(number uint64) error {
	return s.keepTyped(fileTaskForm, number, nil)
}

// SaveTaskForm makes it the draft.
func (s *Session) SaveTaskForm(number uint64, f TaskForm) error {
	if err := s.SetDraft(f.Fields.Text()); err != nil {
		return err
	}
	return s.DropTaskForm(number)
}

// Judged is what is to be said of Task #0 while it is typed.
type Judged struct {
	Problems []doc.Problem
	Places   []Place // of its targets, then of its signatures
}

// Place is a file that Task #0 names.
type Place struct {
	Path   string
	Exists bool
	Lines  int
}

// JudgeTask checks Task #0 as it is typed: the lint, and the code.
func (s *Session) JudgeTask(ctx context.Context, f doc.Fields) Judged {
	task, problems := s.Check(ctx, f.Text(), false)
	j := Judged{Problems: problems}
	code, err := s.openCode()
	if err != nil {
		return j
	}
	defer code.close()
	paths := slices.Clone(task.TargetFiles)
	for _, sig := range task.Signatures {
		paths = append(paths, sig.Path)
	}
	for i, p := range paths {
		if p == "" || strings.HasSuffix(p, "/") || slices.Contains(paths[:i], p) || !filepath.IsLocal(p) {
			continue
		}
		lines, exists := code.lines(p)
		j.Places = append(j.Places, Place{p, exists, lines})
	}
	return j
}

// String says it in a line.
func (p Place) String() string {
	switch {
	case !p.Exists:
		return p.Path + ": new"
	case p.Lines > longFile:
		return fmt.Sprintf("%s: %d lines, long", p.Path, p.Lines)
	}
	return fmt.Sprintf("%s: %d lines", p.Path, p.Lines)
}

// errNoTask is why a plan cannot be used yet.
var errNoTask = errors.New("a plan is for a Task #0 that passes and waits for you, or for a run whose plan is asked about")
