package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// wheelRows is how far one step of the wheel scrolls.
const wheelRows = 3

// clicked is an overlay that does something where it is clicked. Rows count
// from its first line.
type clicked interface {
	click(m *model, row int) tea.Cmd
}

// wheeled is an overlay without a text to scroll that heeds the wheel.
type wheeled interface {
	wheel(m *model, rows int)
}

// pressed is a pane that does something where it is clicked, beyond getting
// the focus. Rows count from the first below its title.
type pressed interface {
	Click(row int) bool
}

// mouse does what was done with the mouse: a click focuses and selects, the
// wheel scrolls what is under the pointer.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseClickMsg:
		m.attention.seen(m.o.Clock())
		if at.Button == tea.MouseLeft {
			m.moved, m.notice = true, ""
			return m.click(at.X, at.Y)
		}
	case tea.MouseWheelMsg:
		m.attention.seen(m.o.Clock())
		rows := wheelRows
		switch at.Button {
		case tea.MouseWheelUp:
			rows = -wheelRows
		case tea.MouseWheelDown:
		default:
			return nil
		}
		m.moved = true
		return m.roll(at.X, at.Y, rows)
	}
	return nil
}

func (m *model) click(x, y int) tea.Cmd {
	if top := m.top(); top != nil {
		if c, ok := top.(clicked); ok && m.sheet.holds(x, y) {
			return c.click(m, y-m.sheet.y)
		}
		return nil
	}
	i := slices.IndexFunc(m.areas, func(a area) bool { return a.holds(x, y) })
	if i < 0 {
		return nil
	}
	a := m.areas[i]
	m.line = nil // a filter that was being typed is kept, as enter keeps it
	row := y - a.y - 1
	if a.pane == runsPane {
		m.runs.view.Click(row)
		return nil
	}
	m.show(a.pane)
	if a.pane == chainPane {
		if k, ok := m.board.chain.At(row); ok {
			m.pinned = true
			return m.selectAgent(k)
		}
		return nil
	}
	if isMap(a.pane) {
		return m.clickMap(a.pane, x-a.x, row)
	}
	if p, ok := m.board.face(a.pane).(pressed); ok && row >= 0 {
		p.Click(row)
	}
	return nil
}

func (m *model) roll(x, y, rows int) tea.Cmd {
	if top := m.top(); top != nil {
		switch o := top.(type) {
		case scroller:
			o.Scroll(rows)
		case wheeled:
			o.wheel(m, rows/wheelRows)
		}
		return nil
	}
	i := slices.IndexFunc(m.areas, func(a area) bool { return a.holds(x, y) })
	switch {
	case i < 0:
	case m.areas[i].pane == runsPane:
		m.runs.view.Scroll(rows / wheelRows)
	case m.areas[i].pane == chainPane:
		m.pinned = true
		return m.selectAgent(m.board.chain.Step(rows / wheelRows))
	default:
		m.scroller(m.areas[i].pane).Scroll(rows)
	}
	return nil
}

// switchMouse gives the mouse to the terminal, which selects text with it, or
// takes it back.
func (m *model) switchMouse() {
	m.unmoused = !m.unmoused
	m.notice = "the mouse clicks and scrolls here again; m gives it to the terminal"
	if m.unmoused {
		m.notice = "the mouse is the terminal's now: it selects text; m takes it back"
	}
}
