package ui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/mapgen"
	"growbench/theme/text"
	"growbench/views"
)

// Project is the runs of one project: what the list of runs, the answers and
// the acts on runs work with.
type Project struct {
	Name      string // of its folder, as it is shown
	StateRoot string
	ID        string // of its folder in the state root
	Runs      interface {
		// Next blocks until a run has come, gone or changed; the first call
		// returns as soon as something is known.
		Next(ctx context.Context) (engine.Roll, error)
	}
	// Watch opens a run of the project.
	Watch func(runDir string) Source
	// Start gives a run that stands still an owner.
	Start func(ctx context.Context, runDir string, again *event.RunResumed) error
	// Map opens the project's map for one piece of work; done ends what was
	// started for it. Nil where there is no map to be shown.
	Map func() (p *mapgen.Project, done func(), err error)
	// Agents are the names a Worker can be given to.
	Agents []string
	// Program is how this growbench is typed, Here what opens this list again.
	Program, Here string
}

// runsList is the list of the project's runs.
type runsList struct {
	view  views.Runs
	roll  engine.Roll
	known bool // something has been read
}

// rollMsg is what the list of runs has become, or why it is not known.
type rollMsg struct {
	roll engine.Roll
	err  error
}

// askRuns waits for news of the project's runs; one ask is under way at any
// time.
func (m *model) askRuns(after time.Duration) tea.Cmd {
	if m.o.Project == nil {
		return nil
	}
	ctx, list := m.ctx, m.o.Project.Runs
	return task("following the project's runs", func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(after):
		}
		roll, err := list.Next(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return rollMsg{roll, err}
	})
}

// rolled takes a new list.
func (m *model) rolled(msg rollMsg) tea.Cmd {
	if msg.err != nil {
		m.notice = "no news of the project's runs: " + text.Line(msg.err.Error())
		return m.askRuns(retryAfter)
	}
	m.runs.roll, m.runs.known = msg.roll, true
	m.lookAtRuns()
	return tea.Batch(m.askRuns(streamEvery), m.tick(), m.attend())
}

// lookAtRuns hands the list to its pane.
func (m *model) lookAtRuns() {
	rows := make([]views.RunRow, 0, len(m.runs.roll.Runs))
	for _, s := range m.runs.roll.Runs {
		row := views.RunRow{
			Name: s.Run, Status: s.Status, Verified: s.Verified, Ended: s.State != nil && s.State.IsEnded(),
			Started: s.Started, Done: s.Done, N: s.N, Goal: s.Goal, Branch: s.Branch, Agents: s.Agents, Cost: s.Cost, Dir: s.Dir,
		}
		if row.Started.IsZero() {
			row.Started = engine.RunTime(s.Run)
		}
		if s.State != nil {
			row.Reason = s.State.Reason
		}
		if s.Owner == "alive" {
			row.Waiting = s.Waiting
		}
		if u := m.errands[s.Dir]; u != nil {
			row.Busy = u.doing
		}
		rows = append(rows, row)
	}
	m.runs.view.SetRows(rows, m.o.Clock())
	m.runs.view.SetEmpty(m.firstSteps()...)
}

// firstSteps are what stands in the place of no runs.
func (m *model) firstSteps() []string {
	if !m.runs.known {
		return []string{"Reading the runs…", ""}
	}
	p := m.o.Project.Program
	return []string{
		"No runs in this project yet. In another terminal, or after leaving with q:", "",
		p + " demo", "see a whole run on a sample project; needs no model and no account",
		p + " doctor", "what is missing on this machine, and what to type about it",
		p + " agents", "which agents can be named as --worker and --planner",
		p + " lint task0.md", "check a Task #0 before anything is run",
		p + " run --task0 task0.md", "start a run; it shows up here, wherever it was started",
		"Task #0 is one file with six sections: Goal, Background, Past failures, Constraints, Target Files, Signatures.", "",
	}
}

// picked is the run the list stands on.
func (m *model) pickedRun() (engine.Summary, bool) {
	at := m.runs.view.Picked()
	if at < 0 || at >= len(m.runs.roll.Runs) {
		return engine.Summary{}, false
	}
	return m.runs.roll.Runs[at], true
}

// atHand is the run that acts are about: the one picked in the list, else the
// one on the screen.
func (m *model) atHand() (engine.Summary, bool) {
	if m.listing {
		return m.pickedRun()
	}
	for _, s := range m.runs.roll.Runs {
		if m.shows(s.Dir) {
			return s, true
		}
	}
	if m.visit.dir == "" {
		return engine.Summary{}, false
	}
	return engine.Summary{Run: m.state.Run, Dir: m.visit.dir, State: m.seen, Status: m.state.Status}, m.state.Run != ""
}

// toList shows the list of runs, standing on the run that was on the screen.
func (m *model) toList() tea.Cmd {
	m.listing = true
	m.runs.view.Pick(m.state.Run)
	m.lookAtRuns()
	return m.tick()
}

// fromList goes back to the run that was on the screen before, if any was.
func (m *model) fromList() tea.Cmd {
	if m.hasRun() {
		m.listing = false
		m.look()
		return m.tick()
	}
	return nil
}

// hasRun tells whether there is a run to go back to.
func (m *model) hasRun() bool {
	_, none := m.visit.source.(nowhere)
	return !none
}

// openPicked shows the run picked in the list.
func (m *model) openPicked(mode Mode) tea.Cmd {
	s, ok := m.pickedRun()
	switch {
	case !ok:
		return nil
	case m.shows(s.Dir) && m.visit.mode == mode && mode == Live:
		return m.fromList()
	}
	return m.enter(s.Dir, s.Run, mode)
}

// living is how many of the project's runs are at work.
func (m *model) living() int {
	n := 0
	for _, s := range m.runs.roll.Runs {
		if s.Owner == "alive" && s.Status == event.StatusRunning {
			n++
		}
	}
	return n
}

// listBody draws the list in the place of the panes.
func (m *model) listBody(w, h int) []string {
	m.areas = append(m.areas, area{runsPane, 0, 1, w, h})
	m.runs.view.SetSize(w, h-1)
	m.runs.view.SetNow(m.o.Clock())
	title := views.NewRow(w).Add(m.theme.Title, m.theme.Symbols.Cursor+" runs ")
	content := m.runs.view.View()
	if n := len(m.runs.roll.Runs); n > 0 {
		title.Add(m.theme.Accent, views.Number(n)+" ")
	}
	switch above, below := m.runs.view.Above(), m.runs.view.Below(); {
	case above > 0 && below > 0:
		title.Add(m.theme.Muted, fmt.Sprintf("%d above, %d below ", above, below))
	case above > 0:
		title.Add(m.theme.Muted, fmt.Sprintf("%d above ", above))
	case below > 0:
		title.Add(m.theme.Muted, fmt.Sprintf("%d below ", below))
	}
	if mark := m.filterMark(runsPane); mark != "" {
		title.Add(m.theme.Accent, mark+" ")
	}
	if n := m.runs.roll.Unread; n > 0 {
		title.Add(m.theme.Muted, fmt.Sprintf("reading %d more ", n))
	}
	return append([]string{title.Rule(m.theme.BorderFocus, m.theme.Symbols.Frame.Top).String()}, content...)
}

// listStanding says in one line how the project's runs stand.
func (m *model) listStanding() (views.Pen, string) {
	if !m.runs.known {
		return m.theme.Muted, "reading the runs…"
	}
	counts := map[string]int{}
	for _, s := range m.runs.roll.Runs {
		counts[s.Status]++
	}
	words := ""
	for _, status := range []string{event.StatusRunning, event.Orphaned, event.StatusPassed, event.StatusFailed, event.StatusStopped} {
		if n := counts[status]; n > 0 {
			if words != "" {
				words += " · "
			}
			words += fmt.Sprintf("%d %s", n, status)
		}
	}
	if words == "" {
		return m.theme.Muted, "nothing runs here"
	}
	if counts[event.StatusRunning] > 0 {
		return m.theme.Running, words
	}
	return m.theme.Text, words
}
