package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"growbench/engine/agent"
	"growbench/engine/doc"
	"growbench/engine/event"
)

// planAttempts is how often a Planner is asked: a refused plan goes back once
// with the lint's words.
const planAttempts = 2

// plan fixes N: from the plan the run was given, or from the Planner.
func (o *owner) plan(ctx context.Context) error {
	if o.spec.Plan != "" {
		plan, problems := CheckPlan(o.state.Task0, o.spec.Plan, o.knows)
		if doc.HasErrors(problems) {
			return planRefused(problems)
		}
		return o.acceptPlan("file", plan, problems, 0)
	}
	var problems []doc.Problem
	for attempt := 1; attempt <= planAttempts; attempt++ {
		reply, read, err := o.askPlanner(ctx, attempt, problems)
		if err != nil {
			return err
		}
		var plan doc.Plan
		plan, problems = CheckPlan(o.state.Task0, reply, o.knows)
		if !doc.HasErrors(problems) {
			return o.acceptPlan("planner", plan, problems, read)
		}
	}
	return planRefused(problems)
}

// CheckPlan reads a plan and lints it against Task #0. knows tells whether an
// agent of that name is configured.
func CheckPlan(task0 doc.Task, text string, knows func(agent string) bool) (doc.Plan, []doc.Problem) {
	plan, problems := doc.LintPlanText(text, &task0)
	for i, t := range plan.Tasks {
		if t.Agent != "" && !knows(t.Agent) {
			problems = append(problems, doc.Problem{Level: doc.Error, Section: fmt.Sprintf("Task %d", i+1),
				Text: fmt.Sprintf("agent %q is not configured", t.Agent)})
		}
	}
	return plan, problems
}

func (o *owner) knows(name string) bool {
	_, ok := o.spec.Config.Agents[name]
	return ok
}

func planRefused(problems []doc.Problem) error {
	reason := "the plan was refused"
	for _, p := range problems {
		if p.Level == doc.Error {
			reason += "; " + p.Text
		}
	}
	return &failure{reason: reason}
}

func (o *owner) acceptPlan(source string, plan doc.Plan, problems []doc.Problem, read int64) error {
	accepted := event.PlanAccepted{Source: source, Plan: plan, Problems: append([]doc.Problem{}, problems...), ReadBytes: read}
	for k := 1; k <= len(plan.Tasks); k++ {
		text := doc.FormatTask(plan.Task(k))
		accepted.SHA256 = append(accepted.SHA256, hash(text))
		accepted.Bytes = append(accepted.Bytes, len(text))
	}
	return o.append(true, accepted)
}

// askPlanner runs the Planner once and returns its plan as text, and how much
// it read and wrote on the way, in bytes.
func (o *owner) askPlanner(ctx context.Context, attempt int, again []doc.Problem) (string, int64, error) {
	task0, err := os.ReadFile(filepath.Join(o.dirs.Run, fileTask0))
	if err != nil {
		return "", 0, fmt.Errorf("read Task #0: %w", err)
	}
	prompt, ref, err := o.savePrompt(0, attempt, plannerPrompt(string(task0), again))
	if err != nil {
		return "", 0, err
	}
	if err := o.append(true, event.PlanRequested{Agent: o.spec.Planner, Prompt: ref, Attempt: attempt}); err != nil {
		return "", 0, err
	}
	out, size, err := o.runAgent(ctx, o.spec.Planner, agent.Request{
		Role: agent.Planner, Attempt: attempt, Prompt: prompt, Dir: o.tree.Root(),
	})
	if reset := o.tree.Reset(context.WithoutCancel(ctx), o.state.Base.Commit); err == nil && reset != nil {
		err = reset // a Planner changes nothing, whatever it tried
	}
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return "", 0, cause
		}
		return "", 0, &failure{reason: "the Planner ended without a plan: " + err.Error()}
	}
	if len(out.Plan) > 0 {
		return string(out.Plan), size - int64(len(task0)), nil
	}
	return out.Message, size - int64(len(task0)), nil
}

// savePrompt keeps the exact bytes an agent is given.
func (o *owner) savePrompt(k, attempt int, prompt string) (string, event.Prompt, error) {
	name := event.AgentFile(k)
	if attempt > 1 {
		name = fmt.Sprintf("%s.%d", name, attempt)
	}
	path := filepath.Join(dirPrompts, name+".md")
	ref := event.Prompt{Path: path, SHA256: hash(prompt), Bytes: len(prompt)}
	full := filepath.Join(o.dirs.Run, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		return "", ref, fmt.Errorf("keep the prompt of %s: %w", name, err)
	}
	if err := writeFile(full, []byte(prompt)); err != nil {
		return "", ref, fmt.Errorf("keep the prompt of %s: %w", name, err)
	}
	return prompt, ref, nil
}
