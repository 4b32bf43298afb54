package ui

import (
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme/text"
)

// pending is one thing a run of the project waits for.
type pending struct {
	dir, run, goal string
	wait           event.Waiting
}

func (p pending) key() string { return p.dir + "\x00" + p.wait.ID }

// pendings are everything that waits for an answer that can be given from
// here, over all runs of the project: those of the run on the screen first,
// then the newest run's.
func (m *model) pendings() []pending {
	var list []pending
	add := func(dir, run, goal string, waits []event.Waiting) {
		for _, w := range waits {
			p := pending{dir, run, goal, w}
			if !m.answered[p.key()] {
				list = append(list, p)
			}
		}
	}
	own := m.hasRun() && m.visit.mode == Live
	if own && m.owner && !m.state.IsEnded() {
		add(m.visit.dir, m.state.Run, m.state.Task0.Goal, m.state.Waits)
	}
	for _, s := range m.runs.roll.Runs {
		if s.Owner == "alive" && s.State != nil && !(own && m.shows(s.Dir)) {
			add(s.Dir, s.Run, s.Goal, s.State.Waits)
		}
	}
	return list
}

// sendAnswer gives a choice to the owner of the run that asked.
func (m *model) sendAnswer(p pending, choice string) tea.Cmd {
	if m.answered == nil {
		m.answered = map[string]bool{}
	}
	m.answered[p.key()] = true
	ctx, source := m.ctx, m.visit.source
	if !m.shows(p.dir) && p.dir != "" {
		source = m.o.Project.Watch(p.dir)
	}
	c := engine.Command{Do: "answer", ID: p.wait.ID, Choice: choice, By: "operator"}
	return task("answering", func() tea.Msg {
		return answeredMsg{p, choice, source.Do(ctx, c)}
	})
}

// answeredMsg is what became of an answer.
type answeredMsg struct {
	pending pending
	choice  string
	err     error
}

// answerGiven says what became of an answer. One that came too late is no
// fault: somebody else was faster.
func (m *model) answerGiven(msg answeredMsg) tea.Cmd {
	switch {
	case msg.err == nil:
		m.notice = "answered: " + text.Visible(msg.choice)
	case tooLate(msg.err):
		m.notice = "that was answered elsewhere, its time was up, or its run has ended"
	default:
		delete(m.answered, msg.pending.key())
		return tea.Batch(m.attend(), m.surface(m.report("could not answer", msg.err.Error())))
	}
	return m.attend()
}

// attend shows the next question when the one on the screen needs no answer
// any more, and forgets answers that have arrived.
func (m *model) attend() tea.Cmd {
	m.forgetAnswered()
	if q, open := m.top().(*answers); open {
		return q.settle(m)
	}
	return nil
}

// forgetAnswered drops what is known of answers whose questions are gone.
func (m *model) forgetAnswered() {
	if len(m.answered) == 0 {
		return
	}
	asked := map[string]bool{}
	for _, s := range m.runs.roll.Runs {
		if s.State != nil {
			for _, w := range s.State.Waits {
				asked[pending{dir: s.Dir, wait: w}.key()] = true
			}
		}
	}
	for _, w := range m.state.Waits {
		asked[pending{dir: m.visit.dir, wait: w}.key()] = true
	}
	for key := range m.answered {
		if !asked[key] {
			delete(m.answered, key)
		}
	}
}

// countsDown tells whether a question is open that ends by itself.
func (m *model) countsDown() bool {
	q, open := m.top().(*answers)
	if !open {
		return false
	}
	p, ok := q.current(m)
	return ok && !p.wait.Until.IsZero()
}

// runName is a run's name as it is typed.
func (p pending) runName() string {
	if p.run != "" {
		return p.run
	}
	return filepath.Base(p.dir)
}
