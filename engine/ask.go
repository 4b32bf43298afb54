package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"growbench/engine/event"
)

// asked is a question the run waits with.
type asked struct {
	reply chan answered
	// accept says why an answer cannot be taken, and the wait goes on. Nil
	// takes any choice, without text.
	accept func(Command) error
}

// answered is what was chosen, by whom, and what was written with it.
type answered struct{ choice, text, by string }

// ask waits for the operator, or, when the wait has an end of its own, until
// then: its first choice is taken. The wait ends with the context too.
func (o *owner) ask(ctx context.Context, w event.Waiting) (string, error) {
	a, err := o.askFor(ctx, w, nil)
	return a.choice, err
}

// askFor is ask for answers that may come with a text.
func (o *owner) askFor(ctx context.Context, w event.Waiting, accept func(Command) error) (answered, error) {
	reply := make(chan answered, 1)
	o.mu.Lock()
	o.answers[w.ID] = asked{reply, accept}
	o.mu.Unlock()
	if err := o.append(true, w); err != nil {
		return answered{}, err
	}
	var over <-chan time.Time
	if !w.Until.IsZero() {
		timer := time.NewTimer(w.Until.Sub(o.Now()))
		defer timer.Stop()
		over = timer.C
	}
	var a answered
	select {
	case a = <-reply:
	case <-over:
		a = answered{choice: w.Choices[0], by: "time"}
		o.mu.Lock()
		_, open := o.answers[w.ID]
		delete(o.answers, w.ID)
		o.mu.Unlock()
		if !open {
			a = <-reply // it came in the same moment
		}
	case <-ctx.Done():
		return answered{}, context.Cause(ctx)
	}
	return a, o.append(true, event.Answered{ID: w.ID, Choice: a.choice, By: a.by})
}

// answer takes an operator's answer, or says why not; then nothing is lost and
// the wait goes on.
func (o *owner) answer(c Command) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	question, open := o.answers[c.ID]
	at := slices.IndexFunc(o.state.Waits, func(w event.Waiting) bool { return w.ID == c.ID })
	if !open || at < 0 {
		return fmt.Errorf("%w: %q", ErrNotWaiting, c.ID)
	}
	if choices := o.state.Waits[at].Choices; !slices.Contains(choices, c.Choice) {
		return fmt.Errorf("%q is no choice of %q; choose one of %s", c.Choice, c.ID, strings.Join(choices, ", "))
	}
	switch {
	case question.accept != nil:
		if err := question.accept(c); err != nil {
			return err
		}
	case c.Text != "":
		return fmt.Errorf("%q of %q takes no text", c.Choice, c.ID)
	}
	delete(o.answers, c.ID)
	question.reply <- answered{c.Choice, c.Text, cmp.Or(c.By, "operator")}
	return nil
}
