package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"growbench/views"
)

// search looks through the whole transcript in the background, a piece at a
// time, beginning with what is on the screen.
type search struct {
	ctx     context.Context // done when the search is ended
	cancel  context.CancelFunc
	from    int  // the page it began with
	begun   int  // pages there were then
	done    int  // pages looked through
	looking bool // a piece is under way
	jump    bool // the first match is still to be shown
}

// hitsMsg is what a piece of the search found.
type hitsMsg struct {
	ctx   context.Context
	pages []int
	lines [][]int32
	err   error
}

// piece is how many pages one piece of a search takes.
const piece = 24

// startSearch looks for what was typed.
func (m *model) startSearch(typed string) tea.Cmd {
	m.endSearch()
	q := views.NewQuery(typed)
	if q.Empty() {
		return nil
	}
	ctx, cancel := context.WithCancel(m.follow.ctx)
	m.search = search{ctx: ctx, cancel: cancel, from: m.board.transcript.Window(), begun: m.board.transcript.Count(), jump: true}
	m.board.transcript.Search(q)
	return m.searchOn()
}

// endSearch forgets what was looked for.
func (m *model) endSearch() {
	if m.search.cancel != nil {
		m.search.cancel()
	}
	m.search = search{}
	m.board.transcript.Search(views.Query{})
}

func (m *model) searching() bool { return !m.board.transcript.Query().Empty() }

// searchOn looks through the next piece.
func (m *model) searchOn() tea.Cmd {
	count := m.board.transcript.Count()
	if m.search.ctx == nil || m.search.looking || m.search.done >= count {
		return nil
	}
	var numbers []int
	for i := m.search.done; i < count && len(numbers) < piece; i++ {
		numbers = append(numbers, m.search.page(i))
	}
	m.search.looking = true
	m.search.done += len(numbers)
	ctx, pages, q := m.search.ctx, m.follow.pages, m.board.transcript.Query()
	return task("searching a transcript", func() tea.Msg {
		msg := hitsMsg{ctx: ctx, pages: numbers}
		for _, n := range numbers {
			if ctx.Err() != nil {
				return nil
			}
			sheets, err := readSheets(pages, []int{n})
			if err != nil {
				msg.err = err
				return msg
			}
			msg.lines = append(msg.lines, q.Matches(sheets[0]))
		}
		return msg
	})
}

// page is the i-th page to look through: on from the first, then those before
// it, then those that have come since.
func (s search) page(i int) int {
	switch ahead := s.begun - s.from; {
	case i < ahead:
		return s.from + i
	case i < s.begun:
		return i - ahead
	}
	return i
}

// gatherHits takes what a piece of the search found.
func (m *model) gatherHits(msg hitsMsg) tea.Cmd {
	if msg.ctx != m.search.ctx {
		return nil
	}
	m.search.looking = false
	if msg.err != nil {
		m.notice = "the search ended: the transcript cannot be read"
		return nil
	}
	for i, n := range msg.pages {
		m.board.transcript.Found(n, msg.lines[i])
	}
	if m.search.jump && m.board.transcript.NextMatch(1) {
		m.search.jump = false
	}
	return m.searchOn()
}

// searchMark says how far a search is and what it found.
func (m *model) searchMark() string {
	if !m.searching() {
		return ""
	}
	at, all := m.board.transcript.Matches()
	mark := fmt.Sprintf("%d/%d", at, all)
	if count := m.board.transcript.Count(); m.search.done < count || m.search.looking {
		mark += fmt.Sprintf(" (%d%% searched)", m.search.done*100/max(count, 1))
	}
	return mark
}

// nextMatch is n and N.
func (m *model) nextMatch(direction int) {
	if !m.board.transcript.NextMatch(direction) {
		m.notice = "no match"
		if m.search.looking {
			m.notice = "no match so far"
		}
		return
	}
	m.search.jump = false
}

// seekMsg is where a stop was found beyond what the pane holds.
type seekMsg struct {
	ctx        context.Context
	page, line int
	found      bool
}

// step goes to the next or previous tool call, or failed one, also where the
// transcript must be read for it.
func (m *model) step(s views.Stop, direction int) tea.Cmd {
	moved, n := m.board.transcript.Step(s, direction)
	if moved {
		return nil
	}
	m.notice = "looking for it…"
	if m.seek != nil {
		m.seek()
	}
	ctx, cancel := context.WithCancel(m.follow.ctx)
	m.seek = cancel
	pages, count := m.follow.pages, m.board.transcript.Count()
	return task("looking for a tool call", func() tea.Msg {
		for ; n >= 0 && n < count; n += direction {
			if ctx.Err() != nil {
				return nil
			}
			sheets, err := readSheets(pages, []int{n})
			if err != nil {
				break
			}
			if line, ok := s.Within(sheets[0], direction); ok {
				return seekMsg{ctx: ctx, page: n, line: line, found: true}
			}
		}
		return seekMsg{ctx: ctx}
	})
}

func (m *model) arrive(msg seekMsg) {
	if msg.ctx.Err() != nil {
		return
	}
	if m.notice = ""; !msg.found {
		m.notice = "there is no further one in this direction"
		return
	}
	m.board.transcript.GoTo(msg.page, msg.line)
}

// asking is what is typed after / in a transcript. Matches on the screen are
// set off with every key, enter looks through all of it.
type asking struct{ typed views.Input }

func (*asking) label() string         { return "/" }
func (a *asking) input() *views.Input { return &a.typed }
func (*asking) note(*model) string    { return "enter search  esc leave" }

func (a *asking) changed(m *model) tea.Cmd {
	m.endSearch()
	m.board.transcript.Search(views.NewQuery(a.typed.Text()))
	return nil
}

func (a *asking) key(m *model, key string) (tea.Cmd, bool) {
	switch key {
	case "enter":
		return m.startSearch(a.typed.Text()), true
	case "esc":
		m.endSearch()
		return nil, true
	}
	return nil, false
}
