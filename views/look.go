package views

import (
	"strings"

	"charm.land/lipgloss/v2"

	"growbench/engine/event"
	"growbench/theme"
)

// Pen is a style made ready: what stands before and after a styled word. It
// does what rendering with the style does, for words of one line and without
// padding, at a twentieth of the cost.
type Pen struct{ before, after string }

// NewPen makes a style ready.
func NewPen(style lipgloss.Style) Pen {
	before, after, _ := strings.Cut(style.Render("x"), "x")
	return Pen{before, after}
}

// Write returns a word in the style.
func (p Pen) Write(word string) string { return p.before + word + p.after }

// Look is a theme with its pens made ready. Panes keep a copy.
type Look struct {
	theme.Theme
	Text, Muted, Accent, Title, Good, Warn, Bad, Waiting, Running Pen
	Tool, Thinking, Border, BorderFocus, Selection                Pen
	DiffAdd, DiffDel, DiffHunk                                    Pen
	Match, Found                                                  Pen // of a search: any, and the one at hand

	marks map[string]mark
}

type mark struct {
	sign string
	pen  Pen
}

var states = []string{
	event.Pending, event.Running, event.WaitingFor, event.Done, event.Failed, event.Stopped,
	event.Interrupted, event.TimedOut, event.Stalled, event.Orphaned,
}

// NewLook makes a theme ready for drawing.
func NewLook(t theme.Theme) Look {
	marks := map[string]mark{}
	for _, s := range states {
		sign, style := t.State(s)
		marks[s] = mark{sign, NewPen(style)}
	}
	return Look{
		marks: marks,
		Theme: t,
		Text:  NewPen(t.Text), Muted: NewPen(t.Muted), Accent: NewPen(t.Accent), Title: NewPen(t.Title),
		Good: NewPen(t.Good), Warn: NewPen(t.Warn), Bad: NewPen(t.Bad), Waiting: NewPen(t.Waiting), Running: NewPen(t.Running),
		Tool: NewPen(t.Tool), Thinking: NewPen(t.Thinking), Border: NewPen(t.Border), BorderFocus: NewPen(t.BorderFocus),
		Selection: NewPen(t.Selection),
		DiffAdd:   NewPen(t.DiffAdd), DiffDel: NewPen(t.DiffDel), DiffHunk: NewPen(t.DiffHunk),
		Match: NewPen(t.Selected(t.Warn)), Found: NewPen(t.Selected(t.Accent).Underline(true).Bold(true)),
	}
}

// State returns the sign and the pen of a run's or a Worker's state.
func (l Look) State(state string) (sign string, pen Pen) {
	if state == event.StatusPassed {
		state = event.Done // a run that passed looks like a Worker that is done
	}
	if m, ok := l.marks[state]; ok {
		return m.sign, m.pen
	}
	sign, style := l.Theme.State(state)
	return sign, NewPen(style)
}

func (l Look) pen(state string) Pen {
	_, pen := l.State(state)
	return pen
}
