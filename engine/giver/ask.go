package giver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"growbench/engine"
	"growbench/engine/event"
)

// Waiting is a question to the operator: about Task #0, or of the run at hand.
type Waiting struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"` // draft, or the kind of the run's question
	Run      string   `json:"run,omitempty"`
	Text     string   `json:"text"`
	Choices  []string `json:"choices"`
	Meanings []string `json:"meanings,omitempty"`
	File     string   `json:"file,omitempty"` // what an edit begins from
}

// Names that stand for the question at hand.
const (
	AnyDraft = "draft"
	AnyPlan  = "plan"
	AnyScope = "scope"
)

const (
	choiceApprove = "approve"
	choiceDeny    = "deny"
)

// questions are what the operator is asked now. The caller holds mu.
func (s *Session) questions() (all []Waiting) {
	if d := s.state.Draft; d.Waits() && (s.turn == nil || !s.within()) {
		all = append(all, Waiting{
			ID: d.ID(), Kind: AnyDraft, Text: "Task #0: " + d.Goal, File: s.path(fileDraft),
			Choices: []string{choiceApprove, choiceDeny}, Meanings: []string{"start the chain with it", "say what is to change"},
		})
	}
	if asked := s.state.ScopeAsked; asked != nil {
		all = append(all, Waiting{
			ID: AnyScope, Kind: AnyScope, Text: "The loop may change without a question: " + strings.Join(asked, ", "),
			Choices: []string{choiceApprove, choiceDeny}, Meanings: []string{"a Task #0 within it starts by itself, until the loop ends", "ask about each Task #0"},
		})
	}
	if s.run == nil || !s.alive {
		return all
	}
	for _, w := range s.run.Waits {
		if s.answered == s.run.Run+"/"+w.ID {
			continue
		}
		file := ""
		if w.File != "" {
			file = s.runDirs(s.run.Run).Run + "/" + w.File
		}
		all = append(all, Waiting{ID: w.ID, Kind: w.Kind, Run: s.run.Run, Text: w.Text, Choices: w.Choices, Meanings: w.Meanings, File: file})
	}
	return all
}

// Find is the question of an id, or the one that a name stands for.
func Find(waits []Waiting, id string) (Waiting, bool) {
	i := slices.IndexFunc(waits, func(w Waiting) bool {
		return w.ID == id || id == AnyDraft && w.Kind == AnyDraft || id == AnyPlan && w.Kind == "review"
	})
	if i < 0 {
		return Waiting{}, false
	}
	return waits[i], true
}

// Approve says yes: to Task #0, which starts the chain at once, with a plan
// where one is given, or to a question of the run.
func (s *Session) Approve(id, plan string) error {
	w, ok := Find(s.Look().Waits, id)
	switch {
	case !ok:
		return fmt.Errorf("approve %q: %w", id, ErrNotWaiting)
	case w.Kind == AnyDraft:
		return s.approveDraft(w.ID, plan, ByOperator)
	case w.Kind == AnyScope:
		return s.ApproveScope(s.Look().State.ScopeAsked)
	case plan != "" && !slices.Contains(w.Choices, event.ReviewEdit):
		return fmt.Errorf("approve %q: it takes no plan", id)
	case plan != "":
		return s.Answer(w.ID, event.ReviewEdit, plan)
	}
	return s.choose(w, "", choiceApprove, "allow", "yes", event.AffectedContinue, "widen", "keep", "again")
}

// Deny says no, and why: the model is told, or whoever made the plan.
func (s *Session) Deny(id, why string) error {
	w, ok := Find(s.Look().Waits, id)
	switch {
	case !ok:
		return fmt.Errorf("deny %q: %w", id, ErrNotWaiting)
	case w.Kind == AnyDraft:
		return s.denyDraft(w.ID, why)
	case w.Kind == AnyScope:
		return s.denyScope(why)
	case w.Kind == "review" && strings.TrimSpace(why) != "" && slices.Contains(w.Choices, event.ReviewAgain):
		return s.Answer(w.ID, event.ReviewAgain, why)
	}
	return s.choose(w, "", choiceDeny, "no", event.ReviewStop, "undo", "fail")
}

func (s *Session) choose(w Waiting, text string, wanted ...string) error {
	for _, c := range wanted {
		if slices.Contains(w.Choices, c) {
			return s.Answer(w.ID, c, text)
		}
	}
	return fmt.Errorf("%q asks for one of %s: answer it with {\"answer\":%q,\"choice\":…}", w.ID, strings.Join(w.Choices, ", "), w.ID)
}

// Answer answers a question of the run.
func (s *Session) Answer(id, choice, text string) error {
	w, ok := Find(s.Look().Waits, id)
	if !ok || w.Run == "" {
		return fmt.Errorf("answer %q: %w", id, ErrNotWaiting)
	}
	err := engine.Send(s.ctx, s.runDirs(w.Run).Run, engine.Command{Do: "answer", ID: w.ID, Choice: choice, Text: text, By: ByOperator})
	if err == nil {
		s.mu.Lock()
		s.answered = w.Run + "/" + w.ID // it is taken; the run's log will say so
		s.change()
		s.mu.Unlock()
	}
	return err
}

func (s *Session) denyDraft(id, why string) error {
	s.acting.Lock()
	defer s.acting.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.state.Draft
	if !d.Waits() || d.ID() != id {
		return fmt.Errorf("deny %q: %w: it has changed", id, ErrNotWaiting)
	}
	why = s.Hide(strings.TrimSpace(why))
	err := s.appendLocked(true, Denied{SHA256: d.SHA256, By: ByOperator, Why: why})
	if err == nil && s.Client != nil && why != "" {
		err = s.enqueueLocked(turn{})
	}
	return err
}

// ApproveScope lets Task #0s within these targets start without a question,
// until EndScope.
func (s *Session) ApproveScope(targets []string) error {
	if len(targets) == 0 {
		return errors.New("approve a scope: name at least one target")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.state.ScopeAsked != nil
	return s.scoped(Scoped{Targets: targets, By: ByOperator}, asked,
		"The operator approved changes within: "+strings.Join(targets, ", "))
}

func (s *Session) denyScope(why string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.ScopeAsked == nil {
		return fmt.Errorf("deny %q: %w", AnyScope, ErrNotWaiting)
	}
	return s.scoped(Scoped{By: ByOperator}, true, strings.TrimSpace("The operator approved no scope and is asked about each Task #0. "+s.Hide(why)))
}

// scoped takes the operator's word; where it was asked for, the model goes on.
func (s *Session) scoped(word Scoped, asked bool, words string) error {
	if !asked || s.Client == nil {
		return s.appendLocked(true, word)
	}
	s.reporting = true
	err := s.appendLocked(true, word, Told{Text: words})
	s.reporting = false
	if err == nil {
		err = s.enqueueLocked(turn{})
	}
	return err
}

// EndScope takes that back.
func (s *Session) EndScope() error { return s.append(true, Scoped{By: ByOperator}) }
