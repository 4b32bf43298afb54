package ui

import (
	"slices"
	"strings"

	"growbench/views"
)

// pane is one of the panes of the screen.
type pane int

const (
	chainPane pane = iota
	transcriptPane
	resultsPane
	ledgerPane
	mapPane
	previewPane
	paneCount

	// runsPane is the list of runs, which stands in the place of all of them.
	runsPane pane = paneCount
)

var paneNames = [paneCount]string{"chain", "transcript", "results", "ledger", "map", "preview"}

// Widths from which a second and a third column are shown, and the smallest
// screen anything is shown on, in cells.
const (
	twoColumns   = 80
	threeColumns = 120
	minWidth     = 40
	minHeight    = 10
	// splitHeight is from where results and ledger fit under each other.
	splitHeight = 30
)

// scope is the pane as keys know it.
func (p pane) scope() Scope { return Scope(paneNames[p]) }

// paneOf is the pane a scope stands for.
func paneOf(s Scope) (pane, bool) {
	i := slices.Index(paneNames[:], string(s))
	return pane(i), i >= 0
}

// area is a part of the screen that a pane was drawn on, in cells; its first
// row is the pane's title.
type area struct {
	pane                pane
	x, y, width, height int
}

func (a area) holds(x, y int) bool {
	return x >= a.x && x < a.x+a.width && y >= a.y && y < a.y+a.height
}

// heightOf is how many rows of a pane's content are on the screen.
func (m *model) heightOf(p pane) int {
	for _, a := range m.areas {
		if a.pane == p {
			return a.height - 1
		}
	}
	return 1
}

// frameRows are the rows around the panes: header, status, hints.
const frameRows = 3

// slot is where a pane goes. Its first row is its title.
type slot struct {
	pane          pane
	column        int
	width, height int
}

// arrange distributes the panes over a body of width × height. The focused
// pane is always shown; aside is what stands beside the chain.
func arrange(width, height int, focus, aside pane) []slot {
	switch {
	case isMap(focus) && width >= twoColumns:
		tree := width * 45 / 100
		return []slot{{mapPane, 0, tree, height}, {previewPane, 1, width - tree - 1, height}}
	case isMap(focus):
	case width >= threeColumns:
		chain := width * 32 / 100
		last := width * 30 / 100
		slots := []slot{
			{chainPane, 0, chain, height},
			{transcriptPane, 1, width - chain - last - 2, height},
		}
		if height >= splitHeight {
			low := height * 2 / 5
			return append(slots, slot{resultsPane, 2, last, height - low}, slot{ledgerPane, 2, last, low})
		}
		if aside != ledgerPane {
			aside = resultsPane
		}
		return append(slots, slot{aside, 2, last, height})
	case width >= twoColumns:
		chain := width * 42 / 100
		if aside == chainPane {
			aside = transcriptPane
		}
		return []slot{{chainPane, 0, chain, height}, {aside, 1, width - chain - 1, height}}
	}
	return []slot{{focus, 0, width, height}}
}

// face is what every pane can do.
type face interface {
	SetSize(width, height int)
	View() []string
}

// scroller is a pane that can be moved through.
type scroller interface {
	Scroll(rows int)
	Page(pages int)
	Home()
	End()
}

func (m *model) face(p pane) face {
	switch p {
	case mapPane:
		return &m.chart.tree
	case previewPane:
		return &m.chart.preview
	}
	return m.board.face(p)
}

func (m *model) scroller(p pane) scroller {
	switch p {
	case mapPane:
		return &m.chart.tree
	case previewPane:
		return &m.chart.preview
	}
	return m.board.scroller(p)
}

func (b *board) face(p pane) face {
	switch p {
	case transcriptPane:
		return &b.transcript
	case resultsPane:
		return &b.results
	case ledgerPane:
		return &b.ledger
	}
	return &b.chain
}

func (b *board) scroller(p pane) scroller {
	switch p {
	case transcriptPane:
		return &b.transcript
	case resultsPane:
		return &b.results
	}
	return &b.ledger
}

// marks are a few words beside a pane's name.
func (m *model) marks(p pane) string {
	if mark := m.filterMark(p); mark != "" {
		return mark
	}
	switch p {
	case chainPane:
		if m.state.Plan.N > 0 {
			return views.Progress(m.seen.DoneWorkers(), m.state.Plan.N)
		}
	case transcriptPane:
		return strings.TrimSpace(m.board.transcript.Mark() + " " + m.searchMark())
	case resultsPane:
		return views.Number(len(m.state.Results))
	case ledgerPane:
		return views.Number(len(m.state.Ledger))
	case mapPane:
		return m.mapMark()
	}
	return ""
}
