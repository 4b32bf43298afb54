package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/theme/text"
)

// twice is how close a second Ctrl-C must follow to leave at once.
const twice = 2 * time.Second

func (m *model) situation() Situation {
	return Situation{State: m.seen, Selected: m.board.chain.Selected(), Stopping: m.stopping}
}

// key routes one key: Ctrl-C always, then what is open on top, then the
// bindings.
func (m *model) key(key string) tea.Cmd {
	if key == "ctrl+c" {
		return m.interrupt()
	}
	m.notice = ""
	if top := m.top(); top != nil {
		if key == "esc" {
			m.pop()
			return nil
		}
		return top.key(m, key)
	}
	return m.bound(key)
}

// bound does what a key is bound to, or says why it does nothing.
func (m *model) bound(key string) tea.Cmd {
	b, ok := find(Bindings(), key)
	if !ok {
		return nil
	}
	if b.Disabled != nil {
		if reason := b.Disabled(m.situation()); reason != "" {
			m.notice = key + " does nothing now: " + reason
			return nil
		}
	}
	return m.act(b.Action, key)
}

func (m *model) act(a Action, key string) tea.Cmd {
	k := m.board.chain.Selected()
	switch a {
	case Leave:
		return tea.Quit
	case Stop:
		m.push(&confirmStop{})
	case Help:
		m.push(&help{})
	case Answer:
		return m.pushAnswer()
	case Prompt:
		return m.fetchDocument(a, "the prompt of "+agentName(k), promptOf(m.state, k).Path)
	case Task:
		return m.fetchDocument(a, "the task of "+agentName(k), fmt.Sprintf("task%d.md", k))
	case NextPane:
		m.show((m.focus + 1) % paneCount)
	case PrevPane:
		m.show((m.focus + paneCount - 1) % paneCount)
	case PickPane:
		m.show(pane(key[0] - '1'))
	case Open:
		return m.open()
	default:
		return m.move(a)
	}
	return nil
}

func (m *model) show(p pane) {
	m.focus = p
	if p != chainPane {
		m.aside = p
	}
}

func (m *model) open() tea.Cmd {
	switch m.focus {
	case chainPane:
		m.show(transcriptPane)
	case transcriptPane:
		m.board.transcript.Fold(!m.board.transcript.Unfolded())
	}
	return nil
}

// move goes through the focused pane.
func (m *model) move(a Action) tea.Cmd {
	if m.focus == chainPane {
		return m.pick(a)
	}
	moveIn(m.board.scroller(m.focus), a)
	return nil
}

func moveIn(s scroller, a Action) {
	switch a {
	case Up:
		s.Scroll(-1)
	case Down:
		s.Scroll(1)
	case PageUp:
		s.Page(-1)
	case PageDown:
		s.Page(1)
	case Home:
		s.Home()
	case End:
		s.End()
	}
}

// pick changes the selected agent; the end goes back to following the chain.
func (m *model) pick(a Action) tea.Cmd {
	const page = 5
	k := m.board.chain.Selected()
	m.pinned = true
	switch a {
	case Up:
		k--
	case Down:
		k++
	case PageUp:
		k -= page
	case PageDown:
		k += page
	case Home:
		k = 0
	case End:
		m.pinned = false
		k = m.ofInterest()
	}
	return m.selectAgent(k)
}

// interrupt is Ctrl-C: it offers, and a second one soon after leaves.
func (m *model) interrupt() tea.Cmd {
	now := m.o.Clock()
	soon := !m.ctrlC.IsZero() && now.Sub(m.ctrlC) <= twice
	m.ctrlC = now
	if soon || m.state.IsEnded() {
		return tea.Quit
	}
	if _, open := m.top().(*offer); !open {
		m.push(&offer{})
	}
	return nil
}

// stop sends the stop; with thenLeave the workbench closes when it is done.
func (m *model) stop(interrupted bool) tea.Cmd {
	m.stopping, m.quit = true, interrupted
	return m.send(engine.Command{Do: "stop", Interrupt: interrupted}, "")
}

func (m *model) showDocument(msg documentMsg) {
	if msg.err != nil {
		m.notice = "cannot show " + msg.title + ": " + text.Line(msg.err.Error())
		return
	}
	m.push(newPaper(m, msg))
}
