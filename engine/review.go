package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// settlePlan ends with a plan in force: made, and approved where the operator
// is to see it first.
func (o *owner) settlePlan(ctx context.Context) error {
	for {
		if o.state.Plan.N == 0 {
			if err := o.plan(ctx); err != nil {
				return err
			}
		}
		if !o.spec.Review || o.state.Plan.Approved {
			return nil
		}
		if err := o.writeTasks(); err != nil {
			return err // they are what is looked at
		}
		if err := o.review(ctx); err != nil {
			return err
		}
	}
}

// review waits for the operator's word on the plan in force.
func (o *owner) review(ctx context.Context) error {
	if !o.spec.Attended {
		return &failure{reason: "the plan is to be reviewed before the first Worker, and nobody is there to ask; `growbench resume " +
			o.spec.Run + "` on a screen asks"}
	}
	choices := []string{event.ReviewApprove, event.ReviewEdit}
	meanings := []string{"run its Workers as they are", "put another plan in its place"}
	if o.cannotPlan() == nil {
		choices = append(choices, event.ReviewAgain)
		meanings = append(meanings, "tell the Planner what to change")
	}
	var replaced event.PlanAccepted
	got, err := o.askFor(ctx, event.Waiting{
		ID: fmt.Sprintf("review-%d", o.state.LastSeq), Kind: "review", Text: o.reviewText(),
		File:    fmt.Sprintf("plan.%d.md", len(o.state.Plan.Earlier)+1),
		Choices: append(choices, event.ReviewStop), Meanings: append(meanings, "end the run here; resume asks again"),
	}, func(c Command) (err error) {
		replaced, err = o.reviewed(c)
		return err
	})
	switch {
	case err != nil:
		return err
	case got.choice == event.ReviewStop:
		return &stopped{by: got.by}
	}
	bodies := []event.Body{event.PlanReviewed{Choice: got.choice, By: got.by}}
	switch got.choice {
	case event.ReviewEdit:
		bodies = append([]event.Body{replaced}, bodies...)
	case event.ReviewAgain:
		bodies = []event.Body{event.PlanReviewed{Choice: got.choice, By: got.by, Text: got.text}}
	}
	return o.append(true, bodies...)
}

// reviewed says why an answer cannot be taken; for an edit it returns the plan
// that is put in place.
func (o *owner) reviewed(c Command) (event.PlanAccepted, error) {
	empty := strings.TrimSpace(c.Text) == ""
	switch c.Choice {
	case event.ReviewEdit:
		if empty {
			return event.PlanAccepted{}, errors.New("the plan to put in place is missing: give it with --file FILE, in JSON or with \"## Task k\" headings")
		}
		plan, problems := CheckPlan(o.state.Task0, c.Text, o.knows)
		if doc.HasErrors(problems) {
			return event.PlanAccepted{}, refusedText("the plan", problems)
		}
		return accepted("operator", plan, problems, 0), nil
	case event.ReviewAgain:
		if empty {
			return event.PlanAccepted{}, errors.New("say what the Planner is to change: give the words with --file FILE (- is standard input)")
		}
		return event.PlanAccepted{}, nil
	}
	if !empty {
		return event.PlanAccepted{}, fmt.Errorf("%q takes no text; only edit and again do", c.Choice)
	}
	return event.PlanAccepted{}, nil
}

// reviewText is the plan in short: each task with its layer, agent, targets
// and size.
func (o *owner) reviewText() string {
	plan := o.state.Plan.Tasks
	var b strings.Builder
	fmt.Fprintf(&b, "The plan has %s.", tasksOf(len(plan.Tasks)))
	for i, t := range plan.Tasks {
		fmt.Fprintf(&b, "\n#%d  layer %d  %s", i+1, t.Layer, t.Title)
		if t.Agent != "" {
			fmt.Fprintf(&b, "  (agent %s)", t.Agent)
		}
		fmt.Fprintf(&b, "\n    %s · %s · %d bytes", strings.Join(t.TargetFiles, ", "), signaturesOf(len(t.Signatures)), len(doc.FormatTask(plan.Task(i+1))))
	}
	for _, p := range o.state.Plan.Problems {
		fmt.Fprintf(&b, "\n%s: %s", p.Level, p.Text)
	}
	return b.String()
}

func tasksOf(n int) string {
	if n == 1 {
		return "one task"
	}
	return fmt.Sprintf("%d tasks", n)
}

func signaturesOf(n int) string {
	if n == 1 {
		return "1 signature"
	}
	return fmt.Sprintf("%d signatures", n)
}
