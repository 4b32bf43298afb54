package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

// twice is how close a second Ctrl-C must follow to leave at once.
const twice = 2 * time.Second

func (m *model) situation() Situation {
	s := Situation{
		State: m.seen, Selected: m.board.chain.Selected(), Stopping: m.stopping,
		Focus: m.scope(), Filtered: m.filters[m.inFocus()] != nil, Searches: m.searching(), Waits: len(m.pendings()),
		Map: m.mapSituation(), Talk: m.talkSituation(),
		Project: m.o.Project != nil, Listing: m.listing, Replay: m.replaying(),
		ReadOnly: m.visit.mode == ReadOnly && !m.listing, NoRun: !m.hasRun(),
		Talks: m.o.Talk != nil, Loop: m.grow.view.Status.State, Elsewhere: m.grow.elsewhere(),
	}
	dir := m.visit.dir
	if m.listing {
		picked, ok := m.pickedRun()
		s.State, s.Stopping, s.NoRun, dir = picked.State, false, !ok, picked.Dir
		if s.State == nil {
			s.State = event.NewState()
			s.State.Owner = picked.Owner
		}
	}
	if u := m.errands[dir]; u != nil && dir != "" {
		s.Busy = u.doing
	}
	return s
}

// key routes one key: Ctrl-C, Ctrl-Z and what is over all first, then what is open
// on top, then the line being typed, then the bindings. typed is the text the key stands
// for, "" for keys that stand for none.
func (m *model) key(key, typed string) tea.Cmd {
	switch key {
	case "ctrl+c":
		return m.interrupt()
	case "ctrl+z":
		return m.suspend()
	}
	if b, ok := find(Bindings(), key, Everywhere); ok && b.Over && b.Action != Close {
		m.notice = ""
		return m.bound(key)
	}
	if m.settling() && key != "esc" {
		return nil // typed before this could be read
	}
	m.notice = ""
	if m.takesText() && views.Writes(key, typed) {
		m.spoke()
	}
	if top := m.top(); top != nil {
		if key == "esc" {
			m.pop()
			return nil
		}
		if t, ok := top.(typist); ok {
			return t.typed(m, key, typed)
		}
		return top.key(m, key)
	}
	if m.line != nil {
		return m.typeKey(key, typed)
	}
	return m.bound(key)
}

// bound does what a key is bound to, or says why it does nothing.
func (m *model) bound(key string) tea.Cmd {
	b, ok := m.lookup(key)
	if !ok {
		return nil
	}
	if reason := b.reason(m.situation()); reason != "" {
		m.notice = key + " does nothing now: " + reason
		return nil
	}
	return m.act(b, key)
}

// act does what a binding says; key is the one it was reached by.
// lookup finds what a key does here: a replay's keys come before all others.
func (m *model) lookup(key string) (Binding, bool) {
	if m.replaying() {
		if b, ok := find(Bindings(), key, InReplay); ok && b.In == InReplay {
			return b, true
		}
	}
	return find(Bindings(), key, m.scope())
}

// scope is what the keys of the place at hand belong to.
func (m *model) scope() Scope {
	if m.listing {
		return InRuns
	}
	return m.focus.scope()
}

// act does what a binding says; key is the one it was reached by.
func (m *model) act(b Binding, key string) tea.Cmd {
	if m.listing {
		if cmd, done := m.actInList(b); done {
			return cmd
		}
	}
	if cmd, done := m.actOnMap(b); done {
		return cmd
	}
	k := m.board.chain.Selected()
	switch a := b.Action; a {
	case Leave:
		return tea.Quit
	case Stop:
		m.push(&confirmStop{})
	case Talk:
		return m.openTalk()
	case LoopHistory, CancelLoop, HurryLoop:
		m.onLoop(a)
	case Help:
		m.push(&help{of: m.typing()})
	case HelpHere:
		m.switchHelp()
	case Answer:
		return m.pushAnswer()
	case List, Resume, Retry, Rollback, Merge, RunDiff, Prune, PruneOld, Again:
		return m.onRun(a)
	case Pause, StepOn, StepBack, Faster, Slower, NextStart, PrevStart, ToStart, ToFirst, ToLast, CutPauses:
		return m.onReplay(a)
	case Prompt:
		return m.fetchDocument(a, "the prompt of "+agentName(k), promptOf(m.state, k).Path)
	case Task:
		return m.fetchDocument(a, "the task of "+agentName(k), taskFile(k))
	case Diff, Result, FoldAll, NextStop, PrevStop, NextFail, PrevFail, Search, NextMatch, PrevMatch, Wide:
		return m.examine(a)
	case NextPane:
		m.show(m.paneAfter(1))
	case PrevPane:
		m.show(m.paneAfter(-1))
	case PickPane:
		m.show(pane(key[0] - '1'))
	case Open:
		return m.open()
	case Palette:
		m.push(&palette{})
	case Filter:
		return m.openFilter()
	case Copy:
		return m.copy()
	case Edit:
		return m.edit()
	case Mouse:
		m.switchMouse()
	case Look:
		m.push(newLookMenu(m))
	case Suspend:
		return m.suspend()
	case Repaint:
		return tea.ClearScreen
	case Close:
		return m.close()
	default:
		return m.move(a)
	}
	return nil
}

// close is esc where nothing is open: it takes a filter or a search away.
func (m *model) close() tea.Cmd {
	if p := m.inFocus(); m.filters[p] != nil {
		return m.clearFilter(p)
	}
	if m.seek != nil {
		m.seek()
	}
	m.endSearch()
	return nil
}

func (m *model) show(p pane) {
	m.focus = p
	if isMap(p) {
		m.listing = false
		return
	}
	if p != chainPane {
		m.aside = p
	}
}

// move goes through the focused pane.
func (m *model) move(a Action) tea.Cmd {
	switch {
	case m.listing:
		moveIn(&m.runs.view, a, m.runs.view.Listed())
		return nil
	case m.focus == chainPane:
		return m.pick(a)
	}
	moveIn(m.scroller(m.focus), a, m.heightOf(m.focus))
	return nil
}

// moveIn moves through a pane; half a page is half of its height.
func moveIn(s scroller, a Action, height int) {
	half := max(height/2, 1)
	switch a {
	case Up:
		s.Scroll(-1)
	case Down:
		s.Scroll(1)
	case HalfUp:
		s.Scroll(-half)
	case HalfDown:
		s.Scroll(half)
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
	const page, half = 5, 3
	chain := &m.board.chain
	m.pinned = true
	switch a {
	case Up:
		return m.selectAgent(chain.Step(-1))
	case Down:
		return m.selectAgent(chain.Step(1))
	case HalfUp:
		return m.selectAgent(chain.Step(-half))
	case HalfDown:
		return m.selectAgent(chain.Step(half))
	case PageUp:
		return m.selectAgent(chain.Step(-page))
	case PageDown:
		return m.selectAgent(chain.Step(page))
	case Home:
		return m.selectAgent(chain.Step(-len(m.state.Workers)))
	case End:
		m.pinned = m.filters[chainPane] != nil
		if m.pinned {
			return m.selectAgent(chain.Step(len(m.state.Workers)))
		}
		return m.selectAgent(m.ofInterest())
	}
	return nil
}

// interrupt is Ctrl-C: it offers, and a second one soon after leaves.
func (m *model) interrupt() tea.Cmd {
	now := m.o.Clock()
	soon := !m.ctrlC.IsZero() && now.Sub(m.ctrlC) <= twice
	m.ctrlC = now
	if soon || m.atHome() || m.replay != nil || m.state.IsEnded() {
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

// actInList does what a key says in the list of runs; false when it does there
// what it does everywhere.
func (m *model) actInList(b Binding) (cmd tea.Cmd, done bool) {
	if p, ok := paneOf(b.In); ok && !isMap(p) {
		m.notice = aboutOneRun
		return nil, true
	}
	switch a := b.Action; a {
	case Open:
		return m.openPicked(Live), true
	case Close:
		if m.filters[runsPane] != nil {
			return m.clearFilter(runsPane), true
		}
		return m.fromList(), true
	case Stop:
		return m.stopPicked(), true
	case NextPane, PrevPane:
		if m.mapped() {
			m.show(mapPane)
			return nil, true
		}
		m.notice = aboutOneRun
		return nil, true
	case Prompt, Task, PickPane, Wide, Copy, Edit:
		m.notice = aboutOneRun
		return nil, true
	}
	return nil, false
}

// errandNews takes what comes of errands and answers.
func (m *model) errandNews(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case lookedMsg:
		return m.looked(msg)
	case stepMsg:
		return m.stepped(msg)
	case doneMsg:
		return m.finished(msg)
	case answeredMsg:
		return m.answerGiven(msg)
	}
	return nil
}

// back is what to type to see the same again.
func (m *model) back() string {
	if m.atHome() {
		return m.o.Project.Here
	}
	return m.visit.back
}
