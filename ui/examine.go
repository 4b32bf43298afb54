package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"growbench/views"
)

// examine does what is done to look closer at one agent and its panes.
func (m *model) examine(a Action) tea.Cmd {
	k := m.board.chain.Selected()
	switch a {
	case Diff:
		return m.fetchDiff(k, "")
	case Result:
		if k == 0 {
			return m.fetchDocument(Result, "the plan", "plan.md")
		}
		m.show(resultsPane)
		m.board.results.GoTo(k)
	case FoldAll:
		m.foldAll()
	case NextStop:
		return m.toStop(1)
	case PrevStop:
		return m.toStop(-1)
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
	case resultsPane:
		if !m.board.results.Toggle() {
			m.notice = "there is no RESULT to fold"
		}
	case ledgerPane:
		e := m.board.ledger.Selected()
		if e == nil {
			m.notice = "there is no entry to open"
			return nil
		}
		m.push(&breakage{*e})
	}
	return nil
}

func (m *model) foldAll() {
	switch m.focus {
	case transcriptPane:
		m.board.transcript.FoldAll(!m.board.transcript.Folded())
	case resultsPane:
		m.board.results.ToggleAll()
	}
}

// toStop goes to what comes next in the focused pane.
func (m *model) toStop(direction int) tea.Cmd {
	if m.focus == transcriptPane {
		return m.step(views.Call, direction)
	}
	if !m.board.results.Step(direction) {
		m.notice = "there is no further RESULT in this direction"
	}
	return nil
}

// taskFile is where an agent's task stands in the run's directory.
func taskFile(k int) string { return fmt.Sprintf("task%d.md", k) }
