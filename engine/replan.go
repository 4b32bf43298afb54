package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"growbench/engine/agent"
	"growbench/engine/doc"
)

const replanContract = `You are the Planner. You start fresh: the documents below are all you know, and nobody can be asked. You plan; you change nothing.

Of a plan for Task #0, tasks #1 to #%d are done and stay as they are. What they broke (ledger.md) makes the rest wrong. Plan the rest anew: the tasks from #%d on, as many as are needed, at least one. Keep what still holds of remaining.json and mend what relies on something broken. RESULTs describe the code as it now is. Together with what is done, every target file of Task #0 must belong to a task. No layer below %d.
Name no command that builds or tests the project.
`

const replanByText = `
Answer with JSON alone, the tasks from #%d on:
{"tasks": [{"title": "", "layer": %d, "goal": "", "background": "", "past_failures": "None — first attempt", "constraints": [""], "target_files": [""], "signatures": ["signature — path"]}]}
`

const replanByTool = `
End with one call of submit_plan with the tasks from #%d on, their layer %d or above. What is wrong with them is told to you then.
`

// replan has the Planner write the tasks from number k on anew. A plan the
// lint refuses goes back once with its words; a *failure says that none came.
func (o *owner) replan(ctx context.Context, k int) error {
	var problems []doc.Problem
	for asked := 0; asked < planAttempts; {
		got, err := o.askPlanner(ctx, planning{
			attempt: o.state.Planner.Attempts + 1, from: k, again: problems, at: o.before(k),
			judge: func(plan string) []doc.Problem { _, problems := o.rest(k, plan); return problems },
		})
		var limit *agent.UsageLimit
		if errors.As(err, &limit) {
			if err := o.waitForLimit(ctx, 0, limit); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		asked++
		var plan doc.Plan
		plan, problems = o.rest(k, got.plan)
		if doc.HasErrors(problems) {
			if got.asked {
				break
			}
			continue
		}
		revised := o.revised(k, plan, problems)
		revised.By, revised.ReadBytes = "planner", got.read
		if err := o.append(true, revised); err != nil {
			return err
		}
		return o.writeTasks()
	}
	return planRefused(problems)
}

// rest reads a Planner's tasks from number k on and puts them after what is
// done.
func (o *owner) rest(k int, reply string) (doc.Plan, []doc.Problem) {
	rest, problems := doc.LintPlanText(reply, nil)
	if len(rest.Tasks) == 0 {
		return rest, problems
	}
	problems = append(problems, doc.LintAgents(reply, o.knows)...)
	plan := doc.Plan{Tasks: slices.Concat(o.state.Plan.Tasks.Tasks[:k-1], rest.Tasks)}
	return plan, append(problems, o.placed(plan, k, len(plan.Tasks))...)
}

// replanPrompt is all the Planner is given to plan the rest anew.
func (o *owner) replanPrompt(byTool bool, task0 string, p planning) string {
	layer := 0
	remaining := doc.Plan{Tasks: o.state.Plan.Tasks.Tasks[p.from-1:]}
	if p.from > 1 {
		layer = o.state.Plan.Tasks.Tasks[p.from-2].Layer
	}
	var b strings.Builder
	fmt.Fprintf(&b, replanContract, p.from-1, p.from, layer)
	ending := replanByText
	if byTool {
		ending = replanByTool
	}
	fmt.Fprintf(&b, ending, p.from, layer)
	b.WriteString(refusedBefore(p.again))
	fmt.Fprintf(&b, "\n[Read from: %s, %s, ledger.md, remaining.json]\n\n", fileTask0, fileResults)
	b.WriteString(fileBlock(fileTask0, task0))
	b.WriteString(fileBlock(fileResults, injectedResults(together(remaining), o.earlier(p.from))))
	b.WriteString(fileBlock("ledger.md", o.ledgerText(p.from)))
	b.WriteString(fileBlock("remaining.json", doc.FormatPlan(remaining)))
	return b.String()
}

// together is what all tasks of a plan have to do with.
func together(plan doc.Plan) doc.Task {
	var t doc.Task
	for k := 1; k <= len(plan.Tasks); k++ {
		one := plan.Task(k)
		t.TargetFiles = append(t.TargetFiles, one.TargetFiles...)
		t.Signatures = append(t.Signatures, one.Signatures...)
	}
	return t
}

// ledgerText is what is broken, and which tasks from number k on that affects.
func (o *owner) ledgerText(k int) string {
	var b strings.Builder
	for _, e := range o.state.Ledger {
		fmt.Fprintf(&b, "- Worker %d: %s (%s, %s) — %s", e.K, orDash(e.Symbol), e.Kind, e.Source, orDash(e.File))
		if e.Text != "" {
			fmt.Fprintf(&b, ": %s", strings.Join(strings.Fields(e.Text), " "))
		}
		for _, t := range e.Through {
			fmt.Fprintf(&b, "; also through %s", t)
		}
		var affects []string
		for _, a := range e.Affected {
			if a.K >= k {
				affects = append(affects, fmt.Sprintf("#%d", a.K))
			}
		}
		if len(affects) > 0 {
			fmt.Fprintf(&b, " (named by task %s)", strings.Join(affects, ", "))
		}
		b.WriteString("\n")
	}
	return b.String()
}
