package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/giver"
	"growbench/loop"
)

// elsewhere is the grow loop of a conversation that another process has: it is
// shown, and nothing can be done to it.
type elsewhere struct {
	view    giver.LoopView
	history []giver.LoopEntry
}

func (e *elsewhere) Loop() giver.LoopView        { return e.view }
func (e *elsewhere) Handoffs() []giver.LoopEntry { return e.history }
func (*elsewhere) Typed()                        {}
func (*elsewhere) CancelLoop()                   {}
func (*elsewhere) HurryLoop()                    {}

// elsewhereMsg is news of it.
type elsewhereMsg struct {
	ctx  context.Context // done when it is followed no more
	from *giver.LoopFollower
	elsewhere
}

// watchLoop follows the loop until this process has the conversation itself.
func (m *model) watchLoop() tea.Cmd {
	if m.o.OverhearLoop == nil {
		return nil
	}
	var ctx context.Context
	ctx, m.grow.leave = context.WithCancel(m.ctx)
	return hearLoop(ctx, m.o.OverhearLoop())
}

func hearLoop(ctx context.Context, f *giver.LoopFollower) tea.Cmd {
	return task("following the grow loop", func() tea.Msg {
		view, history, err := f.Next(ctx)
		if err != nil {
			_ = f.Close() // it was only read
			return nil
		}
		return elsewhereMsg{ctx, f, elsewhere{view, history}}
	})
}

const droppedElsewhere = "elsewhere, the grow loop's next turn was dropped"

// heardLoop shows what came of a loop elsewhere.
func (m *model) heardLoop(msg elsewhereMsg) tea.Cmd {
	switch e, known := m.grow.by.(*elsewhere); {
	case m.grow.by == nil: // how an earlier loop ended is no news
		m.grow.by, m.grow.view = &msg.elsewhere, msg.view
		m.fillHistory()
	case known:
		before := e.view.Status.State
		*e = msg.elsewhere
		m.followLoop()
		switch now := e.view; {
		case now.Status.State != loop.Idle && m.notice == droppedElsewhere:
			m.notice = ""
		case now.Status.State == loop.Idle && now.Proof == nil && (before == loop.Countdown || before == loop.Deferred):
			m.notice = droppedElsewhere
		}
	}
	return hearLoop(msg.ctx, msg.from)
}

// own puts the loop of this process's conversation in the place of one that was
// watched. How an earlier loop ended is no news.
func (m *model) own(by grower) {
	if m.grow.leave != nil {
		m.grow.leave()
	}
	m.grow = growing{by: by, view: by.Loop()}
}

// elsewhere tells that the loop on the screen is another process's.
func (g growing) elsewhere() bool {
	_, is := g.by.(*elsewhere)
	return is
}
