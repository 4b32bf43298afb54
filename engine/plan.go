package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"growbench/engine/agent"
	"growbench/engine/doc"
	"growbench/engine/event"
)

// planAttempts is how often a Planner is asked before the operator is: a
// refused plan goes back once with the lint's words.
const planAttempts = 2

// plan fixes N: from the plan the run was given, or from the Planner.
func (o *owner) plan(ctx context.Context) error {
	returned := o.state.Plan.Returned
	if o.spec.Plan != "" && returned == nil {
		plan, problems := CheckPlan(o.state.Task0, o.spec.Plan, o.knows)
		if doc.HasErrors(problems) {
			return planRefused(problems)
		}
		return o.acceptPlan("file", plan, problems, 0)
	}
	var problems []doc.Problem
	for asked := 1; ; asked++ {
		attempt := asked
		if returned != nil {
			attempt = o.state.Planner.Attempts + 1
		}
		got, err := o.askPlanner(ctx, planning{attempt: attempt, again: problems, at: o.state.Base.Commit, judge: o.judge})
		var limit *agent.UsageLimit
		if errors.As(err, &limit) {
			if err := o.waitForLimit(ctx, 0, limit); err != nil {
				return err
			}
			asked-- // it has not been asked yet
			continue
		}
		if err != nil {
			return err
		}
		var plan doc.Plan
		plan, problems = CheckPlan(o.state.Task0, got.plan, o.knows)
		if !doc.HasErrors(problems) {
			return o.acceptPlan("planner", plan, problems, got.read)
		}
		if !got.asked && asked%planAttempts != 0 {
			continue
		}
		choice, err := o.askAboutPlan(ctx, problems)
		if err != nil {
			return err
		}
		if choice == choiceSingle {
			plan, problems := CheckPlan(o.state.Task0, SinglePlan(o.state.Task0), o.knows)
			return o.acceptPlan("operator", plan, problems, 0)
		}
	}
}

// What an operator may do when the Planner hands in no plan that can be used.
const (
	choiceAgain  = "again"
	choiceSingle = "single"
)

// askAboutPlan is what to do after the Planner was refused twice: ask it again,
// or go on with one task; everything else is an error.
func (o *owner) askAboutPlan(ctx context.Context, problems []doc.Problem) (string, error) {
	refused := planRefused(problems)
	if !o.spec.Attended {
		return "", &failure{reason: refused.Error() + "; give a plan with --plan FILE, name another Planner with --planner, or give all of it to one agent with --single"}
	}
	choice, err := o.ask(ctx, event.Waiting{
		ID: fmt.Sprintf("plan-%d", o.state.LastSeq), Kind: "plan", Text: "The Planner was asked twice; " + refused.Error() + ".",
		Choices: []string{choiceAgain, choiceSingle, choiceFail},
		Meanings: []string{
			"it is told what was wrong and asked twice more",
			"one Worker is given all of Task #0 as one task",
			"the run ends; a plan can be given to the next with --plan FILE",
		},
	})
	if err == nil && choice == choiceFail {
		err = refused
	}
	return choice, err
}

// SinglePlan is Task #0 as one task, for one agent in one go.
func SinglePlan(task0 doc.Task) string {
	one := doc.PlanTask{
		Title: "all of it", Goal: task0.Goal, Background: task0.Background, PastFailures: task0.PastFailures,
		Constraints: task0.Constraints, TargetFiles: task0.TargetFiles, Signatures: []string{},
	}
	for _, s := range task0.Signatures {
		one.Signatures = append(one.Signatures, s.Signature+" — "+s.Path)
	}
	return doc.FormatPlan(doc.Plan{Tasks: []doc.PlanTask{one}})
}

// CheckPlan reads a plan and lints it against Task #0. knows tells whether an
// agent of that name is configured.
func CheckPlan(task0 doc.Task, text string, knows func(agent string) bool) (doc.Plan, []doc.Problem) {
	plan, problems := doc.LintPlanText(text, &task0)
	return plan, append(problems, doc.LintAgents(text, knows)...)
}

// judge says what is wrong with a plan of everything.
func (o *owner) judge(plan string) []doc.Problem {
	_, problems := CheckPlan(o.state.Task0, plan, o.knows)
	return problems
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
	return o.append(true, accepted(source, plan, problems, read))
}

// accepted is the event that puts a whole plan in force.
func accepted(source string, plan doc.Plan, problems []doc.Problem, read int64) event.PlanAccepted {
	accepted := event.PlanAccepted{Source: source, Plan: plan, Problems: append([]doc.Problem{}, problems...), ReadBytes: read}
	for k := 1; k <= len(plan.Tasks); k++ {
		text := doc.FormatTask(plan.Task(k))
		accepted.SHA256 = append(accepted.SHA256, hash(text))
		accepted.Bytes = append(accepted.Bytes, len(text))
	}
	return accepted
}

// planning is one time a Planner is asked.
type planning struct {
	attempt int
	from    int           // the first task to plan; 0: all of them
	again   []doc.Problem // what was wrong with its last plan
	at      string        // the commit it sees
	judge   func(plan string) []doc.Problem
}

// planned is what a Planner ended with.
type planned struct {
	plan  string
	read  int64 // what it read and wrote on the way, in bytes
	asked bool  // it was told what is wrong as often as it may be
}

// askPlanner runs the Planner once.
func (o *owner) askPlanner(ctx context.Context, p planning) (planned, error) {
	task0, err := os.ReadFile(filepath.Join(o.dirs.Run, fileTask0))
	if err != nil {
		return planned{}, fmt.Errorf("read Task #0: %w", err)
	}
	byTool := o.isNative(o.spec.Planner)
	text := plannerPrompt(byTool, string(task0), o.state.Plan.Returned, p.again)
	if p.from > 0 {
		text = o.replanPrompt(byTool, string(task0), p)
	}
	prompt, ref, err := o.savePrompt(promptName(0, p.attempt), o.asSent(ctx, o.spec.Planner, text))
	if err != nil {
		return planned{}, err
	}
	if err := o.append(true, event.PlanRequested{Agent: o.spec.Planner, Prompt: ref, Attempt: p.attempt, From: p.from}); err != nil {
		return planned{}, err
	}
	out, size, err := o.runAgent(ctx, o.spec.Planner, agent.Request{
		Role: agent.Planner, Attempt: p.attempt, Prompt: prompt, Dir: o.tree.Root(),
		Reads: o.state.Task0.TargetFiles, Judge: p.judge, Sent: o.keepRequest(promptName(0, p.attempt)),
	})
	o.at = ""
	if reset := o.tree.Reset(context.WithoutCancel(ctx), p.at); err == nil && reset != nil {
		err = reset // a Planner changes nothing, whatever it tried
	}
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return planned{}, cause
		}
		var limit *agent.UsageLimit
		if errors.As(err, &limit) {
			return planned{}, limit
		}
		return planned{}, &failure{reason: "the Planner ended without a plan: " + err.Error()}
	}
	got := planned{plan: out.Message, read: size - int64(len(task0)), asked: out.Asked}
	if len(out.Plan) > 0 {
		got.plan = string(out.Plan)
	}
	return got, nil
}

// promptName is the file of an agent's prompt: worker-2, and worker-2.3 for its
// third attempt.
func promptName(k, attempt int) string {
	if attempt > 1 {
		return fmt.Sprintf("%s.%d", event.AgentFile(k), attempt)
	}
	return event.AgentFile(k)
}

// savePrompt keeps the exact bytes an agent is given.
func (o *owner) savePrompt(name, prompt string) (string, event.Prompt, error) {
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
