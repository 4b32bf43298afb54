package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/ledger"
)

// affected is what is done about a task that certainly relies on what an
// earlier Worker broke: asked about where somebody can answer, else left.
func (s Spec) affected() string {
	switch {
	case s.Config.Affected != "":
		return s.Config.Affected
	case s.Attended:
		return affectedAsk
	}
	return event.AffectedContinue
}

const affectedAsk = "ask"

// SetAffected changes, for a run that stands still, what is done about affected
// tasks when it goes on; what is empty stays as it is.
func SetAffected(runDir, policy, delay string) error {
	if policy == "" && delay == "" {
		return nil
	}
	spec, err := LoadSpec(runDir)
	if err != nil {
		return err
	}
	if policy != "" {
		if allowed := config.Choices("affected"); !slices.Contains(allowed, policy) {
			return fmt.Errorf("affected %q is none of%s", policy, strings.Join(allowed, " "))
		}
		spec.Config.Affected = policy
	}
	if delay != "" {
		if err := spec.Config.AffectedDelay.UnmarshalText([]byte(delay)); err != nil {
			return fmt.Errorf("affected delay: %w", err)
		}
	}
	return saveSpec(runDir, spec)
}

// heed sees to it that Worker k does not start on a task that relies on broken
// exports before the policy, or the operator, has said what to do about it. A
// task added before it becomes task k.
func (o *owner) heed(ctx context.Context, k int) error {
	for !o.state.Worker(k).Result {
		d, undone := o.state.Undone(k)
		if !undone {
			hits := o.state.Unheeded(k)
			if len(hits) == 0 {
				return nil
			}
			if err := o.decide(ctx, k, hits, ""); err != nil {
				return err
			}
			continue
		}
		if err := o.carryOut(ctx, k, d); err != nil {
			return err
		}
	}
	return nil
}

// decide logs what is done about the hits on task k. tried says what was
// decided before and could not be done.
func (o *owner) decide(ctx context.Context, k int, hits []event.Hit, tried string) error {
	policy := o.spec.affected()
	if policy == event.AffectedReplan {
		if cannot := o.cannotPlan(); tried == "" && cannot != nil {
			tried = "no Planner can plan anew: " + cannot.Error()
		}
		switch {
		case tried == "":
		case o.spec.Attended:
			policy = affectedAsk
		default:
			policy = event.AffectedContinue
		}
	}
	decided := event.AffectedDecided{K: k, Choice: policy, By: "policy", Hits: hits, Why: tried}
	if policy == affectedAsk {
		got, err := o.askAffected(ctx, k, hits, tried)
		if err != nil {
			return err
		}
		if got.choice == event.AffectedStop {
			return &stopped{by: got.by}
		}
		decided.Choice, decided.By, decided.Text = got.choice, got.by, got.text
	}
	return o.append(true, decided)
}

// askAffected waits for the operator. A wait with an end of its own needs
// nobody: it goes on as it is.
func (o *owner) askAffected(ctx context.Context, k int, hits []event.Hit, tried string) (answered, error) {
	delay := time.Duration(o.spec.Config.AffectedDelay)
	if !o.spec.Attended && delay == 0 {
		return answered{}, o.endWorker(ctx, k, fmt.Errorf(
			"its task relies on what was broken (%s), and nobody is there to ask; `growbench resume %s` on a screen asks, `--affected continue` goes on",
			hitNames(hits), o.spec.Run))
	}
	choices := []string{event.AffectedContinue, event.AffectedEdit, event.AffectedAdd}
	if o.cannotPlan() == nil && tried == "" {
		choices = append(choices, event.AffectedReplan)
	}
	w := event.Waiting{
		ID: fmt.Sprintf("affected-%d-%d", k, o.state.LastSeq), Kind: "affected", K: k,
		Text: o.affectedText(k, hits, tried), Choices: append(choices, event.AffectedStop),
	}
	if delay > 0 {
		w.Until = o.Now().Add(delay).UTC()
	}
	return o.askFor(ctx, w, func(c Command) error {
		_, err := o.revision(k, c.Choice, c.Text)
		return err
	})
}

// affectedText shows the operator each entry and the words of the task that
// rely on it.
func (o *owner) affectedText(k int, hits []event.Hit, tried string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Task #%d relies on what was broken since it was written.", k)
	for _, h := range hits {
		fmt.Fprintf(&b, "\nWorker %d: %s — %s", h.By, h.Symbol, h.File)
		e, ok := o.entry(h)
		if ok {
			fmt.Fprintf(&b, " (%s, %s)", e.Kind, e.Source)
			switch {
			case e.Observed != "": // what is the case, whatever was said of it
				fmt.Fprintf(&b, "\n  now: %s", e.Observed)
			case e.Text != "":
				fmt.Fprintf(&b, "\n  its Worker says: %s", e.Text)
			}
		}
		for _, at := range append([]event.Through{{Symbol: h.Symbol, File: h.File}}, e.Through...) {
			for _, line := range ledger.Naming(o.state.Plan.Tasks.Tasks[k-1], at.Symbol, at.File) {
				fmt.Fprintf(&b, "\n  task #%d says: %s", k, line)
			}
		}
	}
	if tried != "" {
		fmt.Fprintf(&b, "\nTried before: %s", tried)
	}
	b.WriteString("\nWhatever is chosen, its Worker is given the RESULTs before it.")
	return b.String()
}

func (o *owner) entry(h event.Hit) (event.LedgerEntry, bool) {
	for _, e := range o.state.Ledger {
		if e.K == h.By && e.Symbol == h.Symbol && e.File == h.File {
			return e, true
		}
	}
	return event.LedgerEntry{}, false
}

func hitNames(hits []event.Hit) string {
	var names []string
	for _, h := range hits {
		names = append(names, fmt.Sprintf("%s by Worker %d", h.Symbol, h.By))
	}
	return strings.Join(names, ", ")
}

// carryOut does to the plan what was decided about task k.
func (o *owner) carryOut(ctx context.Context, k int, d event.Decision) error {
	if d.Choice == event.AffectedReplan {
		err := o.replan(ctx, k)
		var failed *failure
		if errors.As(err, &failed) {
			return o.decide(ctx, k, d.Hits, failed.Error())
		}
		return err
	}
	body, err := o.revision(k, d.Choice, d.Text)
	if err != nil {
		return err
	}
	switch b := body.(type) {
	case event.TaskEdited:
		b.By = d.By
		body = b
	case event.PlanRevised:
		b.By = d.By
		body = b
	}
	if err := o.append(true, body); err != nil {
		return err
	}
	return o.writeTasks()
}

// cannotPlan says why nobody can plan the rest anew, or nil.
func (o *owner) cannotPlan() error { return CanRun(o.spec.Config, o.spec.Planner) }

// ErrRefused means that an operator's text for a plan was refused by the lint;
// nothing was changed.
var ErrRefused = errors.New("refused")

func refusedText(what string, problems []doc.Problem) error {
	var lines []string
	for _, p := range problems {
		if p.Level != doc.Error {
			continue
		}
		line := p.Text
		if p.Line > 0 {
			line = fmt.Sprintf("line %d: %s", p.Line, line)
		}
		lines = append(lines, line)
	}
	return fmt.Errorf("%s is %w: %s", what, ErrRefused, strings.Join(lines, "; "))
}
