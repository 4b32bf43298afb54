package ui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/event"
	"growbench/theme/text"
)

// Attention is what may be done to call the operator, each way by itself.
type Attention struct {
	Title  bool // the window's title says how the run stands
	Notify bool // a notification of the desktop
	Bell   bool
	Status bool // the program's status and progress, for terminals that show them
}

// FullAttention is every way.
func FullAttention() Attention { return Attention{true, true, true, true} }

// away is how long the keyboard must have been quiet where the terminal does
// not report its focus: whoever has just typed is there.
const away = 15 * time.Second

// attention knows whether the operator looks at the screen and of what they
// were told.
type attention struct {
	reports bool // the terminal reports its focus
	focused bool
	touched time.Time // the last key, click or paste
	begun   bool      // what was so when the screen opened is no news
	told    map[string]bool
	calling bool // the title says that the operator was called
}

// seen notes that the operator did something.
func (a *attention) seen(now time.Time) { a.touched, a.calling = now, false }

// focus notes what the terminal reports.
func (a *attention) focus(on bool) {
	a.reports, a.focused = true, on
	if on {
		a.calling = false
	}
}

// there tells whether the operator is taken to look at the screen.
func (a *attention) there(now time.Time) bool {
	if a.reports {
		return a.focused
	}
	return now.Sub(a.touched) < away
}

// mark stands before the window's title while the operator is called.
func (a *attention) mark() string {
	if a.calling {
		return "! "
	}
	return ""
}

// call tells the operator once of each thing the run waits for and of its end,
// unless they are looking.
func (m *model) call() tea.Cmd {
	first := !m.attention.begun
	m.attention.begun = true
	if m.attention.told == nil {
		m.attention.told = map[string]bool{}
	}
	news := ""
	note := func(id, words string) {
		if !m.attention.told[id] {
			m.attention.told[id] = true
			news = words
		}
	}
	for _, w := range m.state.Waits {
		note("wait "+w.ID, waits(w, 200))
	}
	if m.state.IsEnded() {
		// A run that is resumed can end again.
		note(fmt.Sprintf("end %d", m.state.LastSeq), m.state.Status+", verified: "+m.state.Verified)
	}
	if news == "" || first || m.attention.there(m.o.Clock()) {
		return nil
	}
	m.attention.calling = true
	m.look()
	return m.alarm(news)
}

// alarm writes what calls the operator, past the screen.
func (m *model) alarm(words string) tea.Cmd {
	out := ""
	if m.o.Attention.Notify {
		out += notification(m.o.Getenv, "growbench "+projectName(m.state), words)
	}
	if m.o.Attention.Bell {
		out += "\a"
	}
	if out == "" {
		return nil
	}
	return tea.Raw(out)
}

// maxNotice is how many cells of a notification are worth reading.
const maxNotice = 160

// notification is a notification as the terminal at hand knows it: most know
// one of two sequences, and those that know both would show it twice.
func notification(getenv func(string) string, title, body string) string {
	title, body = text.Notice(title, 0), text.Notice(body, maxNotice)
	term := getenv("TERM")
	c := clipboard{getenv: getenv}
	switch {
	case term == "linux", term == "dumb":
		return ""
	case getenv("VTE_VERSION") != "", strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "rxvt"):
		return c.through("\x1b]777;notify;" + title + ";" + body + "\x1b\\")
	}
	// Some read a number at the start as another command.
	return c.through("\x1b]9;" + title + ": " + body + "\x1b\\")
}

// dressWindow says how the run stands where the terminal shows it outside of
// the screen.
func (m *model) dressWindow(v *tea.View) {
	if m.o.Attention.Title {
		v.WindowTitle = m.title
	}
	if m.o.Attention.Status {
		v.ProgramStatus = m.programStatus()
		if drawsProgress(m.o.Getenv) {
			v.ProgressBar = m.progress()
		}
	}
}

// programStatus is how the run stands in the terms terminals know.
func (m *model) programStatus() *tea.ProgramStatus {
	status := &tea.ProgramStatus{App: "growbench", Title: text.Title(projectName(m.state), 0)}
	switch s := m.state; {
	case s.IsEnded() && s.Status == event.StatusPassed && s.Verified != event.VerifiedFailed:
		status.State = tea.ProgramStateDone
	case s.IsEnded() && s.Status == event.StatusStopped:
		status.State = tea.ProgramStateIdle
	case s.IsEnded() || !m.owner:
		status.State = tea.ProgramStateError
	case len(s.Waits) > 0:
		status.State, status.Kind = tea.ProgramStateBlocked, tea.ProgramStatusKindQuestion
		if s.Waits[0].Kind == "permission" {
			status.Kind = tea.ProgramStatusKindPermission
		}
		status.Message = text.Title(waits(s.Waits[0], 200), maxNotice)
	default:
		status.State = tea.ProgramStateWorking
		if n := s.Plan.N; n > 0 {
			status.HasProgress, status.Progress = true, s.DoneWorkers()*100/n
		}
	}
	return status
}

// progress is how far the chain has come, for the taskbar.
func (m *model) progress() *tea.ProgressBar {
	n := m.state.Plan.N
	if n == 0 || m.state.IsEnded() {
		return nil
	}
	state := tea.ProgressBarDefault
	if len(m.state.Waits) > 0 {
		state = tea.ProgressBarWarning
	}
	return tea.NewProgressBar(state, m.state.DoneWorkers()*100/n)
}

// drawsProgress tells whether the terminal is one that knows the sequence for
// progress. Others would show it as a notification.
func drawsProgress(getenv func(string) string) bool {
	switch getenv("TERM_PROGRAM") {
	case "ghostty", "WezTerm":
		return true
	}
	return getenv("WT_SESSION") != "" || getenv("ConEmuANSI") == "ON"
}
