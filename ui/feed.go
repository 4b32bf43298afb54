package ui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme/text"
)

// retryAfter is how long a source that failed is left alone.
const retryAfter = 2 * time.Second

// updateMsg is what came from the run, or why nothing did.
type updateMsg struct {
	ctx    context.Context // of the visit that asked
	update engine.Update
	err    error
}

// ask waits for news of the run. Only one ask is under way at any time, and
// the next begins a little later, so that a flood comes in few large pieces.
func (m *model) ask(after time.Duration) tea.Cmd {
	ctx, source := m.visit.ctx, m.visit.source
	return task("following the run", func() tea.Msg {
		select {
		case <-ctx.Done():
			letGo(source)
			return nil
		case <-time.After(after):
		}
		u, err := source.Next(ctx)
		if ctx.Err() != nil {
			letGo(source)
			return nil
		}
		return updateMsg{ctx, u, err}
	})
}

// receive folds news in, by sequence number and not by arrival.
func (m *model) receive(msg updateMsg) tea.Cmd {
	if msg.ctx != m.visit.ctx {
		return nil // of a run that was on the screen before
	}
	if msg.err != nil {
		m.notice = "no news of the run: " + text.Line(msg.err.Error())
		return m.ask(retryAfter)
	}
	events := msg.update.Events
	bySeq := func(a, b event.Event) int { return cmp.Compare(a.Seq, b.Seq) }
	if !slices.IsSortedFunc(events, bySeq) {
		events = slices.Clone(events)
		slices.SortStableFunc(events, bySeq)
	}
	m.visit.known = m.visit.known || len(events) < engine.MaxBatch
	if m.replay != nil {
		return m.record(events, msg.update.OwnerAlive)
	}
	m.follow.look()
	for _, e := range events {
		m.state.Apply(e)
	}
	m.begins = m.begins && !msg.update.OwnerAlive && len(events) == 0
	m.owner = msg.update.OwnerAlive
	m.look()
	if m.state.IsEnded() {
		m.stopping = m.stopping && m.state.Status == event.StatusStopped
		if m.quit {
			return tea.Quit
		}
	}
	pause := streamEvery
	if len(events) == engine.MaxBatch {
		pause = 0 // there is more
	}
	var looks tea.Cmd
	if m.chart.survey != nil && afterWorker(events) {
		looks = m.lookAtMap()
	}
	return tea.Batch(m.ask(pause), m.tick(), m.followChain(), m.attend(), m.call(), looks)
}

// followChain keeps the selection on the agent at work until the operator
// picks one, and opens a transcript that was begun anew.
func (m *model) followChain() tea.Cmd {
	k := m.board.chain.Selected()
	if !m.pinned {
		k = m.ofInterest()
	}
	if k == m.board.chain.Selected() && m.attempt(k) == m.follow.attempt {
		return nil
	}
	return m.selectAgent(k)
}

// ofInterest is the agent at work; without one the last that was.
func (m *model) ofInterest() int {
	if w := m.seen.Current(); w != nil {
		return w.K
	}
	last := 0
	for _, w := range m.seen.Workers {
		if !w.Started.IsZero() {
			last = w.K
		}
	}
	return last
}

// selectAgent picks an agent and opens its transcript.
func (m *model) selectAgent(k int) tea.Cmd {
	m.board.chain.Select(k)
	if k = m.board.chain.Selected(); k == m.follow.agent && m.attempt(k) == m.follow.attempt {
		return nil
	}
	return m.openTranscript(k)
}

func (m *model) attempt(k int) int {
	if w := m.state.Worker(k); w != nil {
		return w.Attempts
	}
	return m.state.Planner.Attempts
}

// send carries a command to the run's owner.
func (m *model) send(c engine.Command, done string) tea.Cmd {
	ctx, source, visit := m.ctx, m.visit.source, m.visit.ctx
	c.By = "operator"
	return task("sending a command", func() tea.Msg {
		return sentMsg{visit: visit, command: c, done: done, err: source.Do(ctx, c)}
	})
}

// sentMsg is what became of a command.
type sentMsg struct {
	visit   context.Context
	command engine.Command
	done    string
	err     error
}

func (m *model) sent(msg sentMsg) {
	m.notice = msg.done
	if msg.err != nil {
		m.notice = fmt.Sprintf("could not %s: %s", msg.command.Do, text.Line(msg.err.Error()))
		if msg.command.Do == "stop" && msg.visit == m.visit.ctx {
			m.stopping, m.quit = false, false
		}
	}
}
