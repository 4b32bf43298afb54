package ui

import (
	tea "charm.land/bubbletea/v2"

	"growbench/theme/text"
	"growbench/views"
)

// overlay is something open on top of the panes. Esc closes it and Ctrl-C
// works in it, whatever it is; all other keys are its own.
type overlay interface {
	title() string
	// width is how many cells it would like.
	width() int
	// lines draws it in at most height lines of that width.
	lines(m *model, width, height int) []string
	key(m *model, key string) tea.Cmd
	// hints are the keys named at the bottom of the screen while it is on top.
	hints(m *model) []hint
}

// push opens o. What is only read gives way to what is only read.
func (m *model) push(o overlay) {
	_, reads := o.(reader)
	if _, read := m.top().(reader); reads && read {
		m.pop()
	}
	m.stack = append(m.stack, o)
}

func (m *model) pop() {
	if len(m.stack) > 0 {
		m.stack = m.stack[:len(m.stack)-1]
	}
	if q, open := m.top().(*answers); open {
		q.since = m.o.Clock() // it is on the screen again only now
	}
}

func (m *model) top() overlay {
	if len(m.stack) == 0 {
		return nil
	}
	return m.stack[len(m.stack)-1]
}

// confirmStop asks before the run is stopped; everything but yes means no.
type confirmStop struct{}

func (*confirmStop) title() string { return "stop the run?" }
func (*confirmStop) width() int    { return 64 }

func (*confirmStop) lines(m *model, width, height int) []string {
	return choices(m, width, height, "The Worker at work is ended; what is finished is kept and can be resumed.",
		"y", "stop it", "n", "no, it goes on (also enter, esc)")
}

func (*confirmStop) hints(*model) []hint { return []hint{{"y", "stop"}, {"esc", "close"}} }

func (*confirmStop) key(m *model, key string) tea.Cmd {
	m.pop()
	if key == "y" && cannotStop(m.situation()) == "" {
		return m.stop(false)
	}
	return nil
}

// offer is what Ctrl-C opens.
type offer struct{}

func (*offer) title() string { return "leave, stop or stay?" }
func (*offer) width() int    { return 90 }

func (*offer) lines(m *model, width, height int) []string {
	list := []string{"l", "leave; the run goes on (also ctrl+c again)"}
	if cannotStop(m.situation()) == "" {
		list = append(list, "s", "stop the run and leave")
	}
	list = append(list, "esc", "stay")
	lead := "Leaving does not end the run."
	if back := m.back(); back != "" {
		lead += " Back here with:\n" + text.Visible(back)
	}
	return choices(m, width, height, lead, list...)
}

func (*offer) hints(m *model) []hint {
	list := []hint{{"l", "leave"}}
	if cannotStop(m.situation()) == "" {
		list = append(list, hint{"s", "stop"})
	}
	return append(list, hint{"esc", "stay"})
}

func (*offer) key(m *model, key string) tea.Cmd {
	switch key {
	case "l":
		return tea.Quit
	case "s":
		if cannotStop(m.situation()) == "" {
			m.pop()
			return m.stop(true)
		}
	case "n":
		m.pop()
	}
	return nil
}

// choices draws a sentence and keys with what they do.
func choices(m *model, width, height int, lead string, pairs ...string) []string {
	var lines []string
	for _, l := range text.Wrap(lead, width) {
		lines = append(lines, views.NewRow(width).Add(m.theme.Text, l).String())
	}
	if room := height - len(pairs)/2; len(lines) > room {
		lines = lines[:max(room, 0)]
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		lines = append(lines, views.NewRow(width).
			Add(m.theme.Accent, text.Pad(pairs[i], 4)).Add(m.theme.Text, pairs[i+1]).String())
	}
	return lines[:min(len(lines), max(height, 0))]
}
