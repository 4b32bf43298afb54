package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"growbench/views"
)

// history is what the passes of the loop handed over, and why loops ended. It
// grows while it is open.
type history struct {
	views.Passes
	looks int // changes of the theme it was drawn with
}

// switchHistory opens it, or closes it where it is open.
func (m *model) switchHistory() {
	if _, open := m.top().(*history); open {
		m.pop()
		return
	}
	m.push(&history{Passes: views.NewPasses(m.theme), looks: m.looks})
	m.fillHistory()
}

// fillHistory shows what has been handed over so far, the newest first.
func (m *model) fillHistory() {
	h, open := m.top().(*history)
	if !open {
		return
	}
	var entries []views.PassEntry
	for _, e := range slices.Backward(m.grow.by.Handoffs()) {
		entries = append(entries, views.PassEntry(e))
	}
	h.Set(m.grow.view.Lock, m.grow.view.Surface, entries)
}

func (*history) title() string           { return "grow loop" }
func (*history) width() int              { return 100 }
func (*history) opener() Action          { return LoopHistory }
func (h *history) place() views.Place    { return h.Place() }
func (h *history) hints(m *model) []hint { return m.readerHints(h) }

func (h *history) lines(m *model, width, height int) []string {
	if h.looks != m.looks {
		h.SetLook(m.theme)
		h.looks = m.looks
	}
	h.SetSize(width, height)
	return h.View()
}

func (h *history) key(m *model, key string) tea.Cmd { return m.read(h, key) }
