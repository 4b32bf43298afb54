package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

const (
	// pagesAtOnce bounds one piece of a transcript, so that it never takes
	// long until something is shown.
	pagesAtOnce = 16
	// newPages is how many pages that came at once are read unasked.
	newPages = 32
	// lookOften and lookSeldom are the pauses between looks at a transcript
	// whose growth nothing tells of, or does.
	lookOften  = 100 * time.Millisecond
	lookSeldom = time.Second
)

// follower reads the transcript of one agent at a time.
type follower struct {
	agent, attempt int
	cancel         context.CancelFunc
	ctx            context.Context // of this transcript; done when another is opened
	pages          event.Pages
	size           int64         // of what has been read
	reading        bool          // a piece that was asked for is under way
	news           chan struct{} // something came from the run: look now
}

// look has the reader look at the transcript now.
func (f *follower) look() {
	select {
	case f.news <- struct{}{}:
	default: // not open, or it will look anyway
	}
}

// sheetsMsg is a piece of a transcript. Size is that of the file when it has
// changed, else -1.
type sheetsMsg struct {
	ctx    context.Context
	size   int64
	sheets []*views.Sheet
	err    error
}

// openTranscript shows agent k's transcript at its end.
func (m *model) openTranscript(k int) tea.Cmd {
	if m.follow.cancel != nil {
		m.follow.cancel()
	}
	ctx, cancel := context.WithCancel(m.visit.ctx)
	m.follow = follower{
		agent: k, attempt: m.attempt(k), cancel: cancel, ctx: ctx,
		pages: m.pagesOf(k), news: make(chan struct{}, 1),
	}
	m.endSearch()
	m.board.transcript.Reset("nothing from " + agentName(k) + " yet")
	return m.readOn(0)
}

// readOn waits until the transcript is no longer size bytes long, and reads
// what that changes.
func (m *model) readOn(size int64) tea.Cmd {
	pause := lookSeldom
	if m.replay != nil {
		pause = lookOften
	}
	ctx, pages, news := m.follow.ctx, m.follow.pages, m.follow.news
	numbers := m.board.transcript.Unfinished()
	return task("reading a transcript", func() tea.Msg {
		for {
			now, err := pages.Size()
			switch {
			case ctx.Err() != nil:
				return nil
			case err != nil:
				return sheetsMsg{ctx: ctx, err: err}
			case now != size:
				still := pages.Still() // a replay may move on meanwhile
				if now, err = still.Size(); err != nil {
					return sheetsMsg{ctx: ctx, err: err}
				}
				known, count := event.PageCount(size), event.PageCount(now)
				for n := max(known, count-newPages); n < count; n++ {
					numbers = append(numbers, n)
				}
				if size == 0 && len(numbers) > pagesAtOnce { // the rest is read when it is looked at
					numbers = numbers[len(numbers)-pagesAtOnce/8:]
				}
				sheets, err := readSheets(still, numbers)
				return sheetsMsg{ctx, now, sheets, err}
			}
			select {
			case <-ctx.Done():
			case <-news:
			case <-time.After(pause):
			}
		}
	})
}

// fetchSheets reads what the transcript pane lacks.
func (m *model) fetchSheets() tea.Cmd {
	if m.follow.reading || m.follow.ctx == nil {
		return nil
	}
	numbers := m.board.transcript.Wants()
	if len(numbers) == 0 {
		return nil
	}
	m.follow.reading = true
	ctx, pages := m.follow.ctx, m.follow.pages
	return task("reading a piece of a transcript", func() tea.Msg {
		sheets, err := readSheets(pages, numbers)
		return sheetsMsg{ctx, -1, sheets, err}
	})
}

func readSheets(pages event.Pages, numbers []int) ([]*views.Sheet, error) {
	read, err := pages.Read(numbers...)
	sheets := make([]*views.Sheet, 0, len(read))
	for _, p := range read {
		sheets = append(sheets, views.NewSheet(p))
	}
	return sheets, err
}

// gather takes a piece of the transcript that is open; one of another agent
// came too late.
func (m *model) gather(msg sheetsMsg) tea.Cmd {
	if msg.ctx != m.follow.ctx {
		return nil
	}
	m.follow.reading = m.follow.reading && msg.size >= 0
	if msg.err != nil {
		m.notice = "the transcript cannot be read: " + text.Line(msg.err.Error())
		return nil
	}
	if msg.size < 0 {
		m.board.transcript.Put(msg.sheets...)
		return nil
	}
	count := event.PageCount(msg.size)
	if msg.size < m.follow.size || count < m.board.transcript.Count() { // it was begun anew, or a replay went back
		return m.openTranscript(m.follow.agent)
	}
	m.follow.size = msg.size
	m.board.transcript.Grow(count, msg.sheets...)
	return tea.Batch(m.readOn(msg.size), m.searchOn())
}
