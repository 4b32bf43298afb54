package ui

import (
	tea "charm.land/bubbletea/v2"

	"growbench/views"
)

// examine does what is done to look closer at one agent and its panes.
func (m *model) examine(a Action) tea.Cmd {
	switch a {
	case FoldAll:
		m.foldAll()
	case NextStop:
		return m.toStop(views.Call, 1)
	case PrevStop:
		return m.toStop(views.Call, -1)
	case NextFail:
		return m.step(views.Failure, 1)
	case PrevFail:
		return m.step(views.Failure, -1)
	case Search:
		m.line = &asking{}
	case NextMatch:
		m.nextMatch(1)
	case PrevMatch:
		m.nextMatch(-1)
	case Wide:
		m.wide = !m.wide
	}
	return nil
}

// open is what enter does: it goes to what is at hand.
func (m *model) open() tea.Cmd {
	switch m.focus {
	case chainPane:
		m.show(transcriptPane)
	case transcriptPane:
		if !m.board.transcript.Toggle() {
			m.notice = "there is no tool call to unfold"
		}
	}
	return nil
}

func (m *model) foldAll() {
	if m.focus == transcriptPane {
		m.board.transcript.FoldAll(!m.board.transcript.Folded())
	}
}

// toStop goes to what comes next in the focused pane.
func (m *model) toStop(s views.Stop, direction int) tea.Cmd {
	if m.focus == transcriptPane {
		return m.step(s, direction)
	}
	return nil
}
