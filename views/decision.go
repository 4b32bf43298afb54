package views

import (
	"growbench/engine/event"
	"growbench/theme/text"
)

// decided says what was done about a task that relied on what was broken, and
// who wanted it so.
func decided(d event.Decision) string {
	words := map[string]string{
		event.AffectedContinue: "continued",
		event.AffectedEdit:     "task edited",
		event.AffectedAdd:      "task added before it",
		event.AffectedReplan:   "planned anew",
	}[d.Choice]
	if words == "" {
		words = text.Line(d.Choice)
	}
	switch {
	case d.Carried:
	case d.Choice == event.AffectedReplan:
		words = "being " + words
	default:
		words += " (not yet)"
	}
	switch d.By {
	case "policy":
		return words + ", as set"
	case "time":
		return words + ": no answer in time"
	}
	return words + ", by " + text.Line(d.By)
}
