package giver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/tool"
	"growbench/engine/workspace"
)

// The Giver's tools. None writes a file of the project, none runs a command.
const (
	toolScout   = "scout"
	toolContext = "map_context"
	toolReadMap = "read_map"
	toolKeep    = "remember"
	toolFailure = "record_failure"
	toolDraft   = "draft_task0"
	toolStart   = "start_chain"
	toolStatus  = "run_status"
	toolResults = "results"
)

func text(name, about string) tool.Param { return tool.Param{Name: name, Type: "string", About: about} }

func maybe(p tool.Param) tool.Param { p.Optional = true; return p }

func list(name, about string) tool.Param {
	return tool.Param{Name: name, Type: "strings", About: about}
}

func choice(name string, of ...string) tool.Param {
	shape, _ := json.Marshal(map[string]any{"type": "string", "enum": of})
	return tool.Param{Name: name, Type: "string", Shape: shape}
}

func (s *Session) tools() []tool.Tool {
	all := []tool.Tool{
		tool.New(toolScout, "Have a fresh agent look at the project and answer: files, signatures, notes. It takes minutes.",
			[]tool.Param{text("question", "all it has to know; it sees nothing of this conversation")}, s.scout),
		tool.New(toolContext, "Find in the project map what a question is about: likely directories, files and symbols.",
			[]tool.Param{text("question", "in the words of the code or of the task")}, s.mapContext),
		tool.New(toolReadMap, "Read the project map of a directory: what is in it and what it exports.",
			[]tool.Param{text("dir", "relative to the project, . for its root")}, s.readMap),
		tool.New(toolKeep, "Keep one line: a decision, a constraint or an open question.",
			[]tool.Param{choice("kind", Decision, Constraint, Question), text("text", "one line")}, s.keepLine),
		tool.New(toolFailure, "Record what a failed run teaches.",
			[]tool.Param{
				text("run", "its name"), choice("class", engine.Strategic, engine.Tactical, engine.Operational),
				text("what", "what happened"), text("cause", "the root cause"), text("avoid", "what to avoid"),
				text("direction", "the correct direction"), maybe(text("correction", "what you yourself do differently")),
			}, s.recordFailure),
		tool.New(toolDraft, "Draft Task #0, whole. It is checked; when it passes, the operator is asked to approve it.",
			[]tool.Param{
				text("goal", "one sentence: what and why"), text("background", "decisions only"),
				maybe(text("past_failures", "what failed before")), list("constraints", "what must not change"),
				list("target_files", "one path each, relative; dir/ for new files below it"),
				list("signatures", "what the work relies on, each as: signature — path"),
			}, s.draftTool),
		tool.New(toolStart, "Start the chain for Task #0 as it was drafted. The operator is asked.", nil, s.startTool),
		tool.New(toolStatus, "How a run stands.", []tool.Param{maybe(text("run", "its name; the last one if left out"))}, s.statusTool),
		tool.New(toolResults, "The RESULTs of a run.", []tool.Param{maybe(text("run", "its name; the last one if left out")), maybe(tool.Param{Name: "k", Type: "integer", About: "one Worker's alone"})}, s.resultsTool),
	}
	return slices.Concat(all, s.loopTools(), s.Tools)
}

// canLook tells whether there is anything to look with.
func (s *Session) canLook() bool {
	name, a, _ := s.Spec.Config.AgentFor("scout")
	return a.Kind != "script" && engine.CanRun(s.Spec.Config, name) == nil
}

func (s *Session) scout(ctx context.Context, a tool.Args) (string, error) {
	question := strings.TrimSpace(a.String("question"))
	if question == "" {
		return "", errors.New("the question is empty")
	}
	name, _, _ := s.Spec.Config.AgentFor("scout")
	if !s.canLook() {
		return "", errors.New("no agent can scout here (roles.scout); ask the operator, or read_map")
	}
	project, err := workspace.FindProject(s.Project.Root) // as it stands by now
	if err != nil {
		return "", err
	}
	answer, err := engine.Scout(ctx, engine.ScoutRequest{
		Lineage:   s.loopBase(ctx).lineage,
		StateRoot: s.StateRoot, Project: project, Config: s.Spec.Config, Agent: name, Question: question, Grace: s.Grace,
	})
	if err != nil {
		return "", fmt.Errorf("the Scout gave no answer: %w", err)
	}
	var b strings.Builder
	b.WriteString(answer.Answer)
	for _, f := range answer.Files {
		switch {
		case f.Lines < 0:
			fmt.Fprintf(&b, "(host: %s is no file)\n", f.Path)
		case f.Lines > longFile:
			fmt.Fprintf(&b, "(host: %s has %d lines)\n", f.Path, f.Lines)
		}
	}
	return b.String(), nil
}

func (s *Session) keepLine(_ context.Context, a tool.Args) (string, error) {
	kind, line := a.String("kind"), oneLine(a.String("text"))
	words := "kept\n"
	err := s.withMemory(func(m *Memory) error {
		switch {
		case line == "":
			return errors.New("the text is empty")
		case kind != Decision && kind != Constraint && kind != Question:
			return fmt.Errorf("kind must be %s, %s or %s", Decision, Constraint, Question)
		case !m.Remember(kind, clip(line, 500)):
			words = "it is there already\n"
		}
		return nil
	})
	return words, err
}

func (s *Session) recordFailure(_ context.Context, a tool.Args) (string, error) {
	f := Failure{
		Run: a.String("run"), Class: class(a.String("class")), What: a.String("what"), Cause: a.String("cause"),
		Avoid: a.String("avoid"), Direction: a.String("direction"), Correction: a.String("correction"),
	}
	if f.Class == "" {
		return "", fmt.Errorf("class must be %s, %s or %s", engine.Strategic, engine.Tactical, engine.Operational)
	}
	for _, field := range f.fields() {
		*field.value = clip(oneLine(*field.value), 400)
	}
	return "recorded; the next Task #0 will hold it\n", s.withMemory(func(m *Memory) error { m.Record(f); return nil })
}

func (s *Session) draftTool(ctx context.Context, a tool.Args) (string, error) {
	task := doc.Task{
		Goal: a.String("goal"), Background: a.String("background"), PastFailures: a.String("past_failures"),
		Constraints: a.Strings("constraints"), TargetFiles: a.Strings("target_files"),
	}
	if strings.TrimSpace(task.PastFailures) == "" {
		task.PastFailures = doc.None
	}
	one := doc.Plan{Tasks: []doc.PlanTask{{Signatures: a.Strings("signatures")}}}
	task.Signatures = one.Task(1).Signatures
	return s.draftFrom(ctx, task)
}

func (s *Session) startTool(context.Context, tool.Args) (string, error) {
	s.mu.Lock()
	d, lives := s.state.Draft, viewOf(s.run, s.alive).Lives()
	s.mu.Unlock()
	switch {
	case d.SHA256 == "" || d.Used != "":
		return "", errors.New("there is no Task #0 to start; draft it first")
	case doc.HasErrors(d.Problems):
		return "", errors.New("Task #0 does not pass; draft it again without these faults:" + listed(d.Problems, doc.Error))
	case d.Denied:
		return "", errors.New("the operator refused this Task #0; change it first")
	case lives:
		return "", errors.New("a run is still at work; its end is reported here")
	}
	started, err := s.startWithin()
	if err != nil {
		return "", err
	}
	if started {
		return "started: it is within what the operator has approved\n", nil
	}
	return "the operator is asked; end your turn\n", nil
}

// loadRun is a run of this project by its name, or the last one.
func (s *Session) loadRun(name string) (*event.State, error) {
	if name = strings.TrimSpace(name); name == "" {
		s.mu.Lock()
		name = s.state.Run.ID
		s.mu.Unlock()
	}
	if name == "" {
		name = engine.Latest
	}
	if strings.ContainsAny(name, `/\`) {
		return nil, fmt.Errorf("%q is no run's name", clip(name, 60))
	}
	dir, err := engine.FindRun(s.StateRoot, s.Project.Name, name)
	if err != nil {
		return nil, err
	}
	run, _, err := engine.Load(dir, time.Now())
	return run, err
}

func (s *Session) statusTool(_ context.Context, a tool.Args) (string, error) {
	run, err := s.loadRun(a.String("run"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	v := viewOf(run, run.Owner == "alive")
	fmt.Fprintf(&b, "Run %s: %s", run.Run, v.Status)
	if run.IsEnded() {
		fmt.Fprintf(&b, ", verified: %s. %s", run.Verified, clip(oneLine(run.Reason), 300))
	} else {
		fmt.Fprintf(&b, ", %s, %d of %d Workers done", run.Phase, v.Done, v.N)
	}
	b.WriteString("\n")
	for _, w := range run.Workers {
		fmt.Fprintf(&b, "#%d %s: %s %s\n", w.K, clip(oneLine(w.Title), 80), w.State, clip(oneLine(w.Reason), 200))
	}
	for _, w := range run.Waits {
		fmt.Fprintf(&b, "It waits for the operator: %s\n", clip(oneLine(w.Text), 200))
	}
	return b.String(), nil
}

func (s *Session) resultsTool(_ context.Context, a tool.Args) (string, error) {
	run, err := s.loadRun(a.String("run"))
	if err != nil {
		return "", err
	}
	k := a.Int("k")
	for _, r := range run.Results {
		if r.K == k {
			return doc.FormatResult(r), nil
		}
	}
	switch {
	case k != 0:
		return "", fmt.Errorf("run %s has no RESULT #%d", run.Run, k)
	case len(run.Results) == 0:
		return "Run " + run.Run + " has no RESULT yet\n", nil
	}
	return doc.FormatResults(run.Results), nil
}
