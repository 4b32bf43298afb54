package giver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"growbench/engine/tool"
	"growbench/loop"
)

// The loop's tools. Which of them a turn has is how the rules are kept: a
// single pass cannot schedule anything.
const (
	toolGrow    = "grow_loop"
	toolHandoff = "hand_off"
	toolScope   = "loop_scope"
)

const (
	aboutGrow = "Schedule one more visible pass, after all is quiet. Call it once, when something within the loop's scope can be done without a person."
	aboutMay  = "Go on by yourself with another visible turn. Only for a concrete outcome with several parts that are useful and checked each by itself; one coherent change needs no loop."
)

// loopTools are the loop's tools of the pass at hand.
func (s *Session) loopTools() []tool.Tool {
	s.mu.Lock()
	p := s.grow.pass
	s.mu.Unlock()
	about := aboutMay
	if p.loops() {
		about = aboutGrow
	}
	shape, _ := json.Marshal(map[string]any{"type": "integer", "minimum": loop.MinDelay, "maximum": loop.MaxDelay})
	grow := tool.New(toolGrow, about, []tool.Param{
		maybe(tool.Param{Name: "after_seconds", Type: "free", Shape: shape}),
	}, s.growTool)
	handoff := tool.New(toolHandoff, "Hand off what this pass did and where things stand: names and results, no output.", []tool.Param{
		text("selected", "the item or cohort worked on"), list("surfaces", "what changed: files, lists, services"),
		text("validation", "what the check said"), maybe(text("blocker", "what is in the way")), maybe(text("plan", "how the plan moved")),
		maybe(text("evidence", "where things stand")), maybe(text("remains", "what is left and whom it waits for")),
		maybe(text("restart", "what would make a restart useful")),
	}, s.handoffTool)
	scope := tool.New(toolScope, "Ask the operator, once, for what this loop may change without a question.", []tool.Param{
		list("targets", "paths, or dir/ for all below it"),
	}, s.scopeTool)
	switch {
	case p.loops():
		return []tool.Tool{grow, handoff, scope}
	case p.works():
		return []tool.Tool{handoff}
	}
	return []tool.Tool{grow}
}

// growTool schedules the next turn. In an ordinary turn it begins a loop whose
// scope are the operator's last words.
func (s *Session) growTool(_ context.Context, a tool.Args) (string, error) {
	var arguments struct {
		After json.RawMessage `json:"after_seconds"`
	}
	if raw := a.JSON(); len(raw) > 0 {
		if err := json.Unmarshal(raw, &arguments); err != nil {
			return "", err
		}
	}
	seconds, err := loop.ParseDelay(arguments.After)
	if err != nil {
		return "", err
	}
	surface := s.findSurface("", loop.Route{Kind: loop.Loop, Skill: defaultWorker})
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.grow.pass
	if p == nil {
		return "", loop.ErrTurnOver
	}
	status, err := p.turn.Arm(seconds)
	if err != nil {
		return "", err
	}
	p.armed = true
	if lock := s.grow.lock; !p.loops() && (lock == nil || lock.Stop != nil) {
		s.lockLoop(defaultWorker, s.state.lastWords(), surface)
		if s.grow.lock.Runs = slices.Clone(p.started); s.run != nil {
			s.holds(s.run)
		}
		s.saveLock()
	}
	p.grew = true
	s.showLoop()
	return fmt.Sprintf("scheduled: iteration %d, %d s after all is quiet; end your turn\n", status.N, seconds), nil
}

// defaultWorker is the skill of a loop that names none.
const defaultWorker = "while-true"

// lastWords are what the operator said last.
func (s *State) lastWords() string {
	for _, m := range slices.Backward(s.Messages) {
		if said, ok := m.Body.(Said); ok && said.By == ByOperator {
			return said.Text
		}
	}
	return ""
}

func (s *Session) handoffTool(_ context.Context, a tool.Args) (string, error) {
	h, err := loop.ParseHandoff(a.JSON())
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.grow.pass
	if !p.works() {
		return "", errors.New("there is no pass to hand off")
	}
	p.handoff = &h
	words := "kept\n"
	if lock := s.grow.lock; p.loops() && len(lock.Passes) > 0 && lock.Passes[len(lock.Passes)-1].Signature == h.Signature() {
		words = "kept; it ends where the pass before ended, so the loop ends with this turn\n"
	}
	return words, nil
}

func (s *Session) scopeTool(_ context.Context, a tool.Args) (string, error) {
	targets := a.Strings("targets")
	for _, t := range targets {
		if !filepath.IsLocal(strings.TrimSuffix(t, "/")) {
			return "", fmt.Errorf("the target %q is no path inside the project", clip(oneLine(t), 80))
		}
	}
	if len(targets) == 0 {
		return "", errors.New("name at least one target")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if have := s.state.Scope; len(have) > 0 {
		return "", errors.New("the operator has approved a scope already: " + strings.Join(have, ", "))
	}
	if err := s.appendLocked(true, ScopeAsked{Targets: targets}); err != nil {
		return "", err
	}
	return "the operator is asked; end your turn\n", nil
}
