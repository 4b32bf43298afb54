package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// begunMsg says that the run's owner is at work, or why it is not.
type begunMsg struct {
	err error
	ago bool // that was a while ago
}

// beginRun starts the owner of the run shown first, where that is asked for.
func (m *model) beginRun() tea.Cmd {
	if !m.begins {
		return nil
	}
	return task("starting the run's owner", func() tea.Msg { return begunMsg{err: m.o.Begin()} })
}

// begun waits for what the owner tells of itself: until then the run looks as
// it did when it stood still.
func (m *model) begun(msg begunMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return tea.Quit
	case msg.ago: // it was killed before it said a word
		m.begins = false
		return nil
	}
	return tea.Tick(patience, func(time.Time) tea.Msg { return begunMsg{ago: true} })
}
