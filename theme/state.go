package theme

import (
	"strings"

	"charm.land/lipgloss/v2"

	"growbench/theme/text"
)

// State returns the sign and the style of a run's or a worker's state. A state
// it does not know has a sign of its own.
func (t Theme) State(state string) (sign string, style lipgloss.Style) {
	s := t.Symbols
	switch state {
	case "done":
		return s.Done, t.Good
	case "failed", "timed_out":
		return s.Failed, t.Bad
	case "running":
		return s.Running, t.Running
	case "waiting":
		return s.Waiting, t.Waiting
	case "pending":
		return s.Pending, t.Muted
	case "stopped", "interrupted":
		return s.Stopped, t.Warn
	case "stalled", "orphaned":
		return s.Flagged, t.Warn
	case "affected":
		return s.Affected, t.Warn
	case "flagged":
		return s.Flagged, t.Warn
	}
	return s.Unknown, t.Muted
}

// Badge returns a state as its sign and its word, styled: "✓ done".
func (t Theme) Badge(state string) string {
	sign, style := t.State(state)
	word := text.Steady(text.Line(strings.ReplaceAll(state, "_", " ")))
	return style.Render(sign + " " + word)
}
