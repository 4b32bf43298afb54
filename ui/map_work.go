package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/mapgen"
	"growbench/theme/text"
	"growbench/views"
)

// mapAct is something done to the map: it is looked first what it touches,
// then asked, then done, all in the background.
type mapAct struct {
	verb, doing string          // "reconcile src", "reconciling src"; paths as they are
	keep        bool            // undo can take it back
	again       bool            // the map is checked once more afterwards
	only        string          // what is checked is shown of this directory alone
	planned     map[string]bool // directories whose documents are still to be written
	// touches tells what it will touch; nil: what do would write is found by
	// doing it without writing. first is what it does beside writing documents.
	touches func(ctx context.Context, p *mapgen.Project) (string, error)
	first   func(p *mapgen.Project) (string, error)
	reads   bool // it writes nothing, so nothing is asked
	do      func(ctx context.Context, p *mapgen.Project) (mapOutcome, error)
}

// mapOutcome is what came of an act beside the documents it wrote.
type mapOutcome struct {
	told       string
	validation *mapgen.Validation
}

// mapWork is an act under way.
type mapWork struct {
	act      mapAct
	planning bool
	cancel   context.CancelFunc
	stopped  bool
	since    time.Time
	steps    chan mapStep
	step     mapStep
	begun    atomic.Bool
	ended    chan struct{}
}

// mapStep is how far an act is.
type mapStep struct {
	dir      string
	dirs     int // begun so far
	progress mapgen.Progress
	changed  []string // since the last step that was taken
}

type (
	plannedMsg struct {
		work    *mapWork
		changes []mapgen.Change
		told    string
		words   string // what the changes are, to be confirmed
		err     error
	}
	mapStepMsg struct {
		work *mapWork
		step mapStep
		more bool
	}
	mapDoneMsg struct {
		work    *mapWork
		changes []mapgen.Change
		out     mapOutcome
		diff    string
		err     error
	}
)

// stop ends an act; what it has written stays.
func (w *mapWork) stop() {
	w.stopped = true
	w.cancel()
}

// leave ends what is being done and waits for it a little, so that its parsers
// and documents are in order.
func (c *chart) leave() {
	w := c.work
	if w == nil {
		return
	}
	w.cancel()
	if w.begun.Load() {
		select {
		case <-w.ended:
		case <-time.After(patience):
		}
	}
}

// beginMap looks what an act would touch.
func (m *model) beginMap(act mapAct) tea.Cmd {
	if act.reads {
		return m.carryOutMap(act)
	}
	return m.startMap(act, true, func(ctx context.Context, p *mapgen.Project, w *mapWork) tea.Msg {
		msg := plannedMsg{work: w}
		if act.first != nil {
			if msg.told, msg.err = act.first(p); msg.err != nil {
				return msg
			}
		}
		if act.touches != nil {
			msg.told, msg.err = act.touches(ctx, p)
			return msg
		}
		a := w.watch(&msg.changes)
		a.Dry = true
		var out mapOutcome
		out, msg.err = act.do(ctx, p.With(a))
		msg.told = strings.TrimSpace(msg.told + "\n" + out.told)
		msg.words = changesWords(msg.changes)
		return msg
	})
}

// carryOutMap does an act.
func (m *model) carryOutMap(act mapAct) tea.Cmd {
	return m.startMap(act, false, func(ctx context.Context, p *mapgen.Project, w *mapWork) tea.Msg {
		msg := mapDoneMsg{work: w}
		a := w.watch(&msg.changes)
		if act.keep {
			a.Keep = act.verb
		}
		msg.out, msg.err = act.do(ctx, p.With(a))
		msg.diff = diffOf(msg.changes, msg.out.told, act.keep)
		return msg
	})
}

// startMap runs work on the map, of which there is one at any time.
func (m *model) startMap(act mapAct, planning bool, do func(context.Context, *mapgen.Project, *mapWork) tea.Msg) tea.Cmd {
	if w := m.chart.work; w != nil {
		m.notice = "wait: " + text.Visible(w.act.doing) + "; c cancels it"
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	w := &mapWork{act: act, planning: planning, cancel: cancel, since: m.o.Clock(), steps: make(chan mapStep, 1), ended: make(chan struct{})}
	m.chart.work = w
	run := task("to "+act.verb, func() tea.Msg {
		w.begun.Store(true)
		defer close(w.ended)
		defer close(w.steps)
		p, done, err := m.o.Project.Map()
		if err != nil {
			return mapDoneMsg{work: w, err: err}
		}
		defer done()
		return do(ctx, p, w)
	})
	return tea.Batch(run, w.next(), m.tick())
}

// watch tells of an act on the way and gathers what it changes.
func (w *mapWork) watch(changes *[]mapgen.Change) mapgen.Act {
	var mu sync.Mutex
	var at mapStep
	tell := func(edit func()) {
		mu.Lock()
		defer mu.Unlock()
		at.changed = nil
		select {
		case last := <-w.steps: // only the newest matters, and what all have changed
			at.changed = last.changed
		default:
		}
		edit()
		w.steps <- at
	}
	return mapgen.Act{
		Begun:    func(dir string) { tell(func() { at.dir, at.dirs = dir, at.dirs+1 }) },
		Progress: func(p mapgen.Progress) { tell(func() { at.progress = p }) },
		Changed: func(c mapgen.Change) {
			*changes = append(*changes, c)
			tell(func() { at.changed = append(at.changed, c.Dir) })
		},
	}
}

// next waits for the next step of an act.
func (w *mapWork) next() tea.Cmd {
	return task("following work on the map", func() tea.Msg {
		step, more := <-w.steps
		return mapStepMsg{w, step, more}
	})
}

func (m *model) mapStepped(msg mapStepMsg) tea.Cmd {
	if !msg.more {
		return nil
	}
	w := msg.work
	w.step = msg.step
	for _, dir := range msg.step.changed {
		delete(w.act.planned, dir)
	}
	return w.next()
}

// words say in one line what is being done.
func (w *mapWork) words(now time.Time) string {
	doing := text.Visible(w.act.doing)
	if w.planning {
		doing = "looking what to " + text.Visible(w.act.verb)
	}
	if w.stopped {
		doing = "cancelling: " + doing
	}
	out := doing + "… " + views.Duration(now.Sub(w.since))
	if p := w.step.progress; p.Total > 0 {
		out += fmt.Sprintf(" · %d of %d files", p.Done, p.Total)
	}
	if w.step.dir != "" {
		out += " · " + text.Visible(w.step.dir)
	}
	return out + " · c cancels"
}

// mapPlanned asks whether to go on, or says why that is not possible.
func (m *model) mapPlanned(msg plannedMsg) tea.Cmd {
	c := &m.chart
	if msg.work != c.work {
		return nil
	}
	c.work = nil
	act := msg.work.act
	switch {
	case msg.work.stopped || errors.Is(msg.err, context.Canceled):
		m.notice = "cancelled; nothing was written"
		return nil
	case msg.err != nil:
		return m.surface(m.report("cannot "+text.Visible(act.verb), msg.err.Error()))
	case act.touches == nil && len(msg.changes) == 0 && msg.told == "":
		m.notice = "nothing to do: the map says already what it should"
		return nil
	}
	act.planned = map[string]bool{}
	for _, ch := range msg.changes {
		act.planned[ch.Dir] = true
	}
	return m.surface(newMapConfirm(act, msg.told, msg.words, msg.changes))
}

// mapDone shows what an act has changed. What was cut off shows what it did.
func (m *model) mapDone(msg mapDoneMsg) tea.Cmd {
	c := &m.chart
	if msg.work != c.work {
		return nil
	}
	c.work = nil
	c.page.key = pageKey{}
	act := msg.work.act
	look := m.lookAtMap()
	cancelled := msg.work.stopped || errors.Is(msg.err, context.Canceled)
	title := text.Visible(act.verb)
	switch {
	case cancelled && len(msg.changes) == 0:
		m.notice = "cancelled; nothing was written"
		return look
	case cancelled:
		title = "cancelled: " + title
	case msg.err != nil:
		return tea.Batch(look, m.surface(m.report("could not "+title, msg.err.Error())))
	case msg.out.validation != nil:
		return tea.Batch(look, m.showFindings(*msg.out.validation, act.only))
	case act.again && !cancelled:
		m.notice = title + ": " + dirsCounted(len(msg.changes)) + " written; u undoes it"
		return tea.Batch(look, m.beginValidation(""))
	case len(msg.changes) == 0 && msg.out.told == "":
		m.notice = "nothing changed: the map says already what it should"
		return look
	}
	return tea.Batch(look, m.surface(newPatch(m, title, msg.diff)))
}

// maxShownDiff is how much of a diff is shown at once, in bytes.
const maxShownDiff = 1 << 20

// diffOf is what was written as a diff. Making one takes a while: not in Update.
func diffOf(changes []mapgen.Change, told string, kept bool) string {
	var b strings.Builder
	if told != "" {
		b.WriteString(told + "\n")
	}
	fmt.Fprintf(&b, "%s changed", dirsCounted(len(changes)))
	if kept {
		b.WriteString("; u brings back what was there before")
	}
	b.WriteString("\n\n")
	for i, c := range changes {
		if b.Len() > maxShownDiff {
			fmt.Fprintf(&b, "… and %s more\n", dirsCounted(len(changes)-i))
			break
		}
		b.WriteString(c.Diff())
	}
	return b.String()
}
