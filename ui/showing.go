package ui

import (
	"context"
	"io"
	"maps"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
)

// Mode is how a run is shown.
type Mode int

const (
	Live     Mode = iota // commands go to its owner
	ReadOnly             // it is only watched
	Replay               // it is played again from its record
)

// showing is the run on the screen. What was asked for in an earlier one and
// comes late is known by its context and dropped.
type showing struct {
	source Source
	mode   Mode
	back   string // what to type to see this again
	dir    string // "" where nobody needs it
	known  bool   // what there was of it has been read
	ctx    context.Context
	leave  context.CancelFunc
}

// nowhere is the source before a run was opened.
type nowhere struct{}

func (nowhere) Next(ctx context.Context) (engine.Update, error) {
	<-ctx.Done()
	return engine.Update{}, ctx.Err()
}
func (nowhere) Do(context.Context, engine.Command) error { return engine.ErrNoOwner }
func (nowhere) Dir() string                              { return "" }

// goTo makes a source the run on the screen; start asks it for news.
func (m *model) goTo(source Source, mode Mode, back string, state *event.State) {
	if m.visit.leave != nil {
		m.visit.leave()
	}
	if m.follow.cancel != nil {
		m.follow.cancel()
	}
	ctx, leave := context.WithCancel(m.ctx)
	m.visit = showing{source: source, mode: mode, back: back, ctx: ctx, leave: leave}
	if m.o.Project != nil {
		m.visit.dir = source.Dir()
	}
	if state == nil {
		state = event.NewState()
	}
	m.state, m.owner = state, true
	m.pinned, m.stopping, m.quit = false, false, false
	m.focus, m.aside = chainPane, transcriptPane
	m.board = newBoard(m.theme)
	m.paper, m.follow, m.replay = rendering{}, follower{}, nil
	m.search, m.line, m.wide = search{}, nil, false
	maps.DeleteFunc(m.filters, func(p pane, _ *filter) bool { return p != runsPane && p != mapPane })
	if mode == Replay {
		m.replay = newReplay(m.theme)
	}
	m.look()
	m.board.chain.Select(m.ofInterest())
}

// start begins to follow the run on the screen.
func (m *model) start() tea.Cmd {
	if !m.hasRun() {
		return nil
	}
	return tea.Batch(m.ask(0), m.openTranscript(m.board.chain.Selected()), m.tick())
}

// enter leaves the list for a run of the project.
func (m *model) enter(dir, run string, mode Mode) tea.Cmd {
	command := " attach "
	if mode == Replay {
		command = " replay "
	}
	m.goTo(m.o.Project.Watch(dir), mode, m.o.Project.Program+command+run, nil)
	m.listing = false
	return m.start()
}

// shows tells whether the run on the screen is the one in dir.
func (m *model) shows(dir string) bool { return m.visit.dir != "" && m.visit.dir == dir }

// letGo closes a source nobody follows any more. Only the one Cmd that asks it
// for news may do that.
func letGo(source Source) {
	if c, ok := source.(io.Closer); ok {
		c.Close()
	}
}
