package giver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"growbench/engine/doc"
	"growbench/engine/workspace"
)

const maxDraft = 1 << 20

// draftText is Task #0 as it lies on disk, empty without one.
func (s *Session) draftText() string {
	text, _ := s.loadDraft()
	return text
}

// Draft is Task #0 as it lies on disk; "" when there is none.
func (s *Session) Draft() (string, error) { return s.loadDraft() }

func (s *Session) loadDraft() (string, error) {
	info, err := os.Stat(s.path(fileDraft))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxDraft) {
		err = fmt.Errorf("it must be a file of at most %d bytes", maxDraft)
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(s.path(fileDraft))
	}
	if err != nil {
		return "", fmt.Errorf("read the draft of Task #0: %w", err)
	}
	return string(data), nil
}

// SetDraft takes Task #0 as the operator has written it.
func (s *Session) SetDraft(text string) error {
	s.acting.Lock()
	defer s.acting.Unlock()
	if strings.TrimSpace(text) == "" {
		return errors.New("the draft of Task #0 is empty")
	}
	if len(text) > maxDraft {
		return fmt.Errorf("the draft of Task #0 has %d bytes; %d are the most", len(text), maxDraft)
	}
	task, _ := doc.ParseTask(text)
	if filled, more := s.withFailures(task); more {
		text = doc.FormatTask(filled)
	}
	return s.saveDraft(text, ByOperator)
}

// saveDraft puts a draft in the place of the one before, checks it and says so.
func (s *Session) saveDraft(text, by string) error {
	if err := workspace.AtomicWrite(s.path(fileDraft), []byte(text), 0o600); err != nil {
		return fmt.Errorf("keep the draft of Task #0: %w", err)
	}
	return s.append(true, s.drafted(text, by))
}

func (s *Session) drafted(text, by string) Drafted {
	task, problems := s.Check(s.ctx, text, by == ByGiver)
	return Drafted{SHA256: hash(text), By: by, Bytes: len(text), Goal: task.Goal, Targets: task.TargetFiles, Problems: append([]doc.Problem{}, problems...)}
}

// readDraft takes in what somebody has changed in the draft's file beside us.
func (s *Session) readDraft() error {
	text, err := s.loadDraft()
	if err != nil || strings.TrimSpace(text) == "" {
		return err
	}
	s.mu.Lock()
	known := s.state.Draft.SHA256
	s.mu.Unlock()
	if hash(text) == known {
		return nil
	}
	return s.append(true, s.drafted(text, ByFile))
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// draftFrom takes Task #0 from the model: completed by what the host knows,
// checked, kept. The words say what is wrong, or that it waits.
func (s *Session) draftFrom(ctx context.Context, task doc.Task) (string, error) {
	s.mu.Lock()
	look := s.state.Report && s.canLook()
	s.mu.Unlock()
	if look {
		return "", errors.New("the operator reports that something does not work, and nobody has looked since: call scout (or read_map) first, then draft with what was found")
	}
	task, _ = s.withFailures(task)
	text := doc.FormatTask(s.withSizes(task))
	if found := s.leaks(text, task); len(found) > 0 {
		return "", errors.New("it was not kept: " + strings.Join(found, "; "))
	}
	if err := s.saveDraft(text, ByGiver); err != nil {
		return "", err
	}
	s.mu.Lock()
	draft, within := s.state.Draft, s.within()
	s.mu.Unlock()
	if doc.HasErrors(draft.Problems) {
		return "", errors.New("Task #0 is kept, but does not pass; draft it again, whole, without these faults:" + listed(draft.Problems, doc.Error))
	}
	words := "Task #0 passes"
	if warnings := listed(draft.Problems, doc.Warning); warnings != "" {
		words += ", with remarks:" + warnings + "\nIt"
	} else {
		words += " and"
	}
	if within {
		return words + " is within what the operator has approved: start_chain starts it.\n", nil
	}
	return words + " waits for the operator's approval; tell them in a sentence what it says.\n", nil
}

func listed(problems []doc.Problem, level doc.Level) string {
	var b strings.Builder
	for _, p := range problems {
		if p.Level == level {
			fmt.Fprintf(&b, "\n- %s", strings.TrimPrefix(p.Section+": "+p.Text, ": "))
		}
	}
	return b.String()
}
