package engine

import (
	"fmt"
	"slices"
	"strings"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// revision is the event that puts an operator's choice about task k in force:
// a task.edited, a plan.revised, or nil where the plan stays.
func (o *owner) revision(k int, choice, text string) (event.Body, error) {
	switch choice {
	case event.AffectedEdit:
		return o.edited(k, text)
	case event.AffectedAdd:
		return o.added(k, text)
	}
	if text != "" {
		return nil, fmt.Errorf("%q takes no text; only edit and add do", choice)
	}
	return nil, nil
}

// edited is task k with the operator's text in its place.
func (o *owner) edited(k int, text string) (event.Body, error) {
	what := fmt.Sprintf("the new text of task #%d", k)
	if strings.TrimSpace(text) == "" {
		return nil, fmt.Errorf("%s is missing: give it with --file FILE (it begins as %s)", what, taskFile(k))
	}
	task, problems := doc.LintTaskText(text, doc.LintOptions{})
	if task.K != 0 && task.K != k {
		return nil, fmt.Errorf("%s is %w: it is headed Task #%d", what, ErrRefused, task.K)
	}
	plan := doc.Plan{Tasks: slices.Clone(o.state.Plan.Tasks.Tasks)}
	old := plan.Tasks[k-1]
	plan.Tasks[k-1] = planTask(task, old.Title, old.Layer, old.Agent)
	if problems = append(problems, o.placed(plan, k, k)...); doc.HasErrors(problems) {
		return nil, refusedText(what, problems)
	}
	return event.TaskEdited{K: k, Task: plan.Tasks[k-1], SHA256: hash(doc.FormatTask(plan.Task(k))), By: "operator"}, nil
}

// added is the plan with the operator's task before task k.
func (o *owner) added(k int, text string) (event.Body, error) {
	const what = "the task to add"
	if strings.TrimSpace(text) == "" {
		return nil, fmt.Errorf("%s is missing: give it with --file FILE, in the form of %s or as a plan of one task", what, taskFile(k))
	}
	before := o.state.Plan.Tasks.Tasks
	one, problems := o.oneTask(k, text)
	plan := doc.Plan{Tasks: slices.Insert(slices.Clone(before), k-1, one)}
	if problems = append(problems, o.placed(plan, k, k)...); doc.HasErrors(problems) {
		return nil, refusedText(what, problems)
	}
	revised := o.revised(k, plan, problems)
	revised.By, revised.Added = "operator", k
	return revised, nil
}

// oneTask reads a task on its own, or a plan of one, which has a title, a
// layer and perhaps an agent too.
func (o *owner) oneTask(k int, text string) (doc.PlanTask, []doc.Problem) {
	next := o.state.Plan.Tasks.Tasks[k-1]
	if doc.Lint("", text).Kind == doc.KindPlan {
		plan, problems := doc.LintPlanText(text, nil)
		problems = append(problems, doc.LintAgents(text, o.knows)...)
		if len(plan.Tasks) == 1 {
			return plan.Tasks[0], problems
		}
		return doc.PlanTask{}, append(problems, doc.Problem{
			Level: doc.Error, Text: fmt.Sprintf("it has %d tasks; one is added at a time", len(plan.Tasks)),
		})
	}
	task, problems := doc.LintTaskText(text, doc.LintOptions{})
	title := []rune(strings.Join(strings.Fields(task.Goal), " "))
	if len(title) > maxTitle {
		title = append(title[:maxTitle-1], '…')
	}
	return planTask(task, strings.TrimRight(string(title), "."), next.Layer, ""), problems
}

// maxTitle bounds a title that is made from a goal, in runes.
const maxTitle = 60

// planTask is a task as a plan holds it.
func planTask(t doc.Task, title string, layer int, agent string) doc.PlanTask {
	p := doc.PlanTask{
		Title: title, Layer: layer, Agent: agent, Goal: t.Goal, Background: t.Background, PastFailures: t.PastFailures,
		Constraints: t.Constraints, TargetFiles: t.TargetFiles, Signatures: []string{},
	}
	for _, s := range t.Signatures {
		line := s.Signature
		if s.Path != "" {
			line += " — " + s.Path
		}
		p.Signatures = append(p.Signatures, line)
	}
	return p
}

// placed lints tasks from..to by their place in a plan. A file that the plan
// in force has been given, by a widened task say, is a target like Task #0's.
func (o *owner) placed(plan doc.Plan, from, to int) []doc.Problem {
	var also []string
	for _, t := range o.state.Plan.Tasks.Tasks {
		also = append(also, t.TargetFiles...)
	}
	return doc.LintPlaces(o.state.Task0, also, plan, from, to)
}

// revised is the event of a plan whose tasks from number from on are new.
func (o *owner) revised(from int, plan doc.Plan, problems []doc.Problem) event.PlanRevised {
	r := event.PlanRevised{From: from, Plan: plan, Problems: problems}
	for k := 1; k <= len(plan.Tasks); k++ {
		text := doc.FormatTask(plan.Task(k))
		r.SHA256, r.Bytes = append(r.SHA256, hash(text)), append(r.Bytes, len(text))
	}
	return r
}
