package ui

import (
	"context"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/event"
	"growbench/theme/text"
)

const (
	// itemsAtOnce bounds one piece of a transcript, so that a long one does
	// not hold up the keys.
	itemsAtOnce = 2000
	// lookOften and lookSeldom are the pauses between looks at a transcript
	// whose agent is at work, or is not.
	lookOften  = 100 * time.Millisecond
	lookSeldom = time.Second
)

// follower reads the transcript of one agent at a time.
type follower struct {
	agent, attempt int
	cancel         context.CancelFunc
	ctx            context.Context // of this transcript; done when another is opened
}

// itemsMsg is the next piece of a transcript.
type itemsMsg struct {
	ctx    context.Context
	reader *event.ItemReader
	items  []event.Item
	err    error
}

// openTranscript shows agent k's transcript from its start.
func (m *model) openTranscript(k int) tea.Cmd {
	if m.follow.cancel != nil {
		m.follow.cancel()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.follow = follower{agent: k, attempt: m.attempt(k), cancel: cancel, ctx: ctx}
	file := filepath.Join("transcripts", event.AgentFile(k)+".jsonl")
	m.board.transcript.Reset(file, "nothing from "+agentName(k)+" yet")
	return m.readOn(ctx, event.ReadTranscript(m.o.Source.Dir(), k))
}

// readOn waits for the next piece. The reader belongs to the one Cmd that has
// it; whoever ends up with it when ctx is done lets go of it.
func (m *model) readOn(ctx context.Context, reader *event.ItemReader) tea.Cmd {
	pause := lookSeldom
	if m.atWork(m.follow.agent) {
		pause = lookOften
	}
	return task("reading a transcript", func() tea.Msg {
		for {
			if ctx.Err() != nil {
				reader.Close()
				return nil
			}
			items, err := reader.Next(itemsAtOnce)
			if len(items) > 0 || err != nil {
				return itemsMsg{ctx, reader, items, err}
			}
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
		}
	})
}

func (m *model) atWork(k int) bool {
	if w := m.state.Worker(k); w != nil {
		return w.Active()
	}
	return m.state.Planner.State == event.Running
}

// gather takes a piece of the transcript that is open; one of another agent
// came too late and only gives its reader back.
func (m *model) gather(msg itemsMsg) tea.Cmd {
	if msg.ctx != m.follow.ctx {
		return task("closing a transcript", func() tea.Msg { msg.reader.Close(); return nil })
	}
	m.board.transcript.Append(msg.items)
	if msg.err != nil {
		m.notice = "the transcript cannot be read: " + text.Line(msg.err.Error())
		return task("closing a transcript", func() tea.Msg { msg.reader.Close(); return nil })
	}
	return m.readOn(msg.ctx, msg.reader)
}
