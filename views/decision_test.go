package views

import (
	"testing"

	"growbench/engine/event"
)

func TestADecisionSaysWhatAndWho(t *testing.T) {
	for _, c := range []struct {
		choice, by string
		carried    bool
		want       string
	}{
		{event.AffectedContinue, "policy", true, "continued, as set"},
		{event.AffectedContinue, "time", true, "continued: no answer in time"},
		{event.AffectedEdit, "ann", true, "task edited, by ann"},
		{event.AffectedAdd, "ann", true, "task added before it, by ann"},
		{event.AffectedReplan, "ann", true, "planned anew, by ann"},
		{event.AffectedReplan, "policy", false, "being planned anew, as set"},
		{event.AffectedAdd, "ann", false, "task added before it (not yet), by ann"},
	} {
		d := event.Decision{AffectedDecided: event.AffectedDecided{Choice: c.choice, By: c.by}, Carried: c.carried}
		if got := decided(d); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
