package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"growbench/views"
)

// filtered is a pane that can show only the part of its list that matches.
type filtered interface {
	// SetFilter shows only what matches the query; "" shows all.
	SetFilter(query string)
	// Filtered is how many entries are shown, and of how many.
	Filtered() (shown, all int)
}

// filter is what is typed after / in a list. It narrows the list with every
// key, enter keeps it, esc takes it away.
type filter struct {
	typed views.Input
	pane  pane
}

func (f *filter) label() string       { return "/" }
func (f *filter) input() *views.Input { return &f.typed }

func (f *filter) note(m *model) string {
	shown, all := m.list(f.pane).Filtered()
	return fmt.Sprintf("%d of %d  enter keep  esc clear", shown, all)
}

func (f *filter) changed(m *model) tea.Cmd {
	m.list(f.pane).SetFilter(f.typed.Text())
	return m.followFilter(f.pane)
}

func (f *filter) key(m *model, key string) (tea.Cmd, bool) {
	switch key {
	case "enter":
		if f.typed.Text() == "" {
			delete(m.filters, f.pane)
		}
		return nil, true
	case "esc":
		return m.clearFilter(f.pane), true
	case "up", "down", "pgup", "pgdown":
		b, _ := find(Bindings(), key, Everywhere)
		return m.move(b.Action), false
	}
	return nil, false
}

// inFocus is the pane keys are for.
func (m *model) inFocus() pane {
	if m.listing {
		return runsPane
	}
	return m.focus
}

// list is the pane as a list that can be filtered, nil when it is none.
func (m *model) list(p pane) filtered {
	switch p {
	case chainPane:
		return &m.board.chain
	case ledgerPane:
		return &m.board.ledger
	case runsPane:
		return &m.runs.view
	case mapPane:
		return &m.chart
	}
	return nil
}

// openFilter begins to filter the focused list, or goes on with its filter.
func (m *model) openFilter() tea.Cmd {
	p := m.inFocus()
	if p == previewPane {
		m.show(mapPane)
		p = mapPane
	}
	if m.list(p) == nil {
		return nil
	}
	f := m.filters[p]
	if f == nil {
		f = &filter{pane: p}
		if m.filters == nil {
			m.filters = map[pane]*filter{}
		}
		m.filters[p] = f
	}
	m.line = f
	return nil
}

// clearFilter shows all of a list again.
func (m *model) clearFilter(p pane) tea.Cmd {
	delete(m.filters, p)
	m.list(p).SetFilter("")
	return m.followFilter(p)
}

// followFilter shows the transcript of the agent a filter left selected.
func (m *model) followFilter(p pane) tea.Cmd {
	if p == mapPane {
		return m.sift()
	}
	if p != chainPane {
		return nil
	}
	m.pinned = m.pinned || m.filters[p] != nil
	return m.selectAgent(m.board.chain.Selected())
}

// filterMark says in a pane's title that it shows only a part.
func (m *model) filterMark(p pane) string {
	f := m.filters[p]
	if f == nil || f.typed.Text() == "" {
		return ""
	}
	shown, all := m.list(p).Filtered()
	return fmt.Sprintf("/%s %d of %d", f.typed.Text(), shown, all)
}
