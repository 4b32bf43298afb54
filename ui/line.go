package ui

import (
	tea "charm.land/bubbletea/v2"

	"growbench/theme/text"
	"growbench/views"
)

// line is one line being typed at the bottom of the screen, in the place of
// the hints: a filter, a search. It stays as it is under whatever opens on top
// of it.
type line interface {
	// label stands before what is typed.
	label() string
	// input is what is typed.
	input() *views.Input
	// note stands at the right edge: how many were found.
	note(m *model) string
	// changed is called after the text has become another.
	changed(m *model) tea.Cmd
	// key takes every key that is no editing; enter and esc close the line
	// unless it says false.
	key(m *model, key string) (cmd tea.Cmd, closes bool)
}

// typeKey hands a key to the line that is being typed.
func (m *model) typeKey(key, typed string) tea.Cmd {
	l := m.line
	before := l.input().Text()
	if l.input().Press(key, typed) {
		if l.input().Text() == before {
			return nil
		}
		return l.changed(m)
	}
	cmd, closes := l.key(m, key)
	if closes && m.line == l {
		m.line = nil
	}
	return cmd
}

// paste puts text into whatever is being typed.
func (m *model) paste(s string) tea.Cmd {
	if m.takesText() && s != "" {
		m.spoke()
	}
	if top := m.top(); top != nil {
		if t, ok := top.(typist); ok {
			return t.paste(m, s)
		}
		return nil
	}
	if m.line == nil {
		m.notice = "nothing is being typed here; the paste was left out"
		return nil
	}
	m.line.input().Insert(s)
	return m.line.changed(m)
}

// typist is an overlay in which text is typed. Where its cursor stands counts
// from its first line and cell.
type typist interface {
	overlay
	typed(m *model, key, typed string) tea.Cmd
	paste(m *model, s string) tea.Cmd
	cursor() (x, y int)
}

// drawLine draws the line being typed and notes where its cursor stands.
func (m *model) drawLine() string {
	label, note := m.line.label(), m.line.note(m)
	room := m.screen.width - text.Width(label) - text.Width(note) - 1
	const enough = 10
	if room < enough {
		note = ""
		room = m.screen.width - text.Width(label)
	}
	typed, x := m.line.input().View(room)
	if len(m.stack) == 0 {
		m.cursor = &tea.Position{X: text.Width(label) + x, Y: m.screen.height - 1}
	}
	return views.NewRow(m.screen.width).Add(m.theme.Accent, label).Plain(typed).End(m.theme.Muted, note).String()
}
