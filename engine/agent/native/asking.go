package native

import (
	"errors"
	"fmt"

	"growbench/engine/model"
	"growbench/engine/tool"
)

// Bounds on how often a model is asked for what its answer lacks.
const (
	maxRow = 2  // answers without text or call, one after another
	maxAsk = 12 // of all kinds in one conversation
)

// asking counts what a model was asked again for.
type asking struct {
	row   int  // unusable answers since the last usable one
	calls bool // asked for a call since the last one
	all   int
}

func (a *asking) answered() { a.row, a.calls = 0, false }

// forCall tells whether the model may be asked for a call once more.
func (a *asking) forCall() bool {
	if a.calls || a.all >= maxAsk {
		return false
	}
	a.row, a.calls = 0, true
	a.all++
	return true
}

// again tells whether the model may be asked again after an unusable answer.
func (a *asking) again() bool {
	a.row++
	a.all++
	return a.row <= maxRow && a.all <= maxAsk
}

// askFor asks again after an answer that cannot be used, or ends the work in
// words.
func (t *talk) askFor(why error, answer model.Answer) error {
	if u := answer.Usage; answer.Reason == model.ReasonLength && u.Window > 0 && u.Context >= u.Window-1 {
		return fmt.Errorf("its context is full before it has handed in: %w", why)
	}
	if !t.asked.again() {
		return fmt.Errorf("no usable answer %d times in a row: %w", t.asked.row, why)
	}
	hand := t.handInName()
	switch {
	case answer.Reason == model.ReasonLength:
		t.ask("Your answer was cut at its limit and nothing of it was done. Take smaller steps: think briefly, make one call, and write a long file in parts.")
	case answer.Lost, errors.Is(why, errTorn):
		t.ask("Your last tool call could not be read and was not done. Make it again: one call, its arguments one plain JSON object.")
	default:
		t.ask("Your answer was empty. Go on with a tool call; when all is done call " + hand + ".")
	}
	return nil
}

func (t *talk) handInName() string {
	for _, name := range t.set.Names() {
		if tool.HandsIn(name) {
			return name
		}
	}
	return "no tool"
}
