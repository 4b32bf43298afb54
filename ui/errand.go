package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/theme/text"
	"growbench/views"
)

// errand is something done to a run that takes its time: it is looked first
// what it would touch, then asked, then done, all in the background.
type errand struct {
	verb, doing string // "merge", "merging"
	run, dir    string
	// look tells what it would touch. Nil: there is nothing to look at.
	look func(ctx context.Context) (string, error)
	// do does it and tells what it did; nil when looking was all. It may tell
	// of steps on the way.
	do func(ctx context.Context, step func(string)) (string, error)
	// patch is true when what was looked at is to be read, not confirmed.
	patch bool
	// gone is true when there is no run any more once it is done.
	gone bool
}

// underway is an errand in the works.
type underway struct {
	errand
	doing string
	since time.Time
	steps chan string
	step  string
}

type (
	// lookedMsg is what an errand would touch.
	lookedMsg struct {
		errand errand
		text   string
		err    error
	}
	// stepMsg is how far an errand is.
	stepMsg struct {
		of   *underway
		step string
		more bool
	}
	// doneMsg is what became of an errand.
	doneMsg struct {
		errand errand
		text   string
		err    error
	}
)

// begin looks what an errand would touch.
func (m *model) begin(e errand) tea.Cmd {
	if m.errands[e.dir] != nil {
		m.notice = "wait: it is " + m.errands[e.dir].doing
		return nil
	}
	m.errands[e.dir] = &underway{errand: e, doing: "being looked at", since: m.o.Clock()}
	m.lookAtRuns()
	ctx := m.ctx
	return tea.Batch(m.tick(), task("looking what to "+e.verb, func() tea.Msg {
		told, err := e.look(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return lookedMsg{e, told, err}
	}))
}

// looked asks whether to go on, or says why that is not possible.
func (m *model) looked(msg lookedMsg) tea.Cmd {
	delete(m.errands, msg.errand.dir)
	m.lookAtRuns()
	e := msg.errand
	switch {
	case msg.err != nil:
		return m.surface(m.report("cannot "+e.verb+e.of(), msg.err.Error()))
	case e.patch:
		return m.surface(newPatch(m, strings.TrimSpace(e.verb+e.of()), msg.text))
	case e.do == nil:
		return m.surface(m.report(e.verb+e.of(), msg.text))
	}
	return m.surface(newConfirm(e, msg.text))
}

// of names the errand's run.
func (e errand) of() string {
	if e.run == "" {
		return ""
	}
	return " run " + text.Visible(e.run)
}

// carryOut does an errand.
func (m *model) carryOut(e errand) tea.Cmd {
	u := &underway{errand: e, doing: "being " + e.doing, since: m.o.Clock(), steps: make(chan string, 1)}
	m.errands[e.dir] = u
	m.lookAtRuns()
	ctx := m.ctx
	do := task("to "+e.verb, func() tea.Msg {
		defer close(u.steps)
		told, err := e.do(ctx, func(step string) {
			select {
			case u.steps <- step:
			default: // only the newest matters, and soon there is another
			}
		})
		return doneMsg{e, told, err}
	})
	return tea.Batch(do, nextStep(u), m.tick())
}

func nextStep(u *underway) tea.Cmd {
	return task("following an errand", func() tea.Msg {
		step, more := <-u.steps
		return stepMsg{u, step, more}
	})
}

// stepped takes how far an errand is.
func (m *model) stepped(msg stepMsg) tea.Cmd {
	if !msg.more {
		return nil
	}
	msg.of.step = msg.step
	return nextStep(msg.of)
}

// finished says what became of an errand; what failed stays until it is closed.
func (m *model) finished(msg doneMsg) tea.Cmd {
	e := msg.errand
	delete(m.errands, e.dir)
	m.lookAtRuns()
	if msg.err != nil {
		return m.surface(m.report("could not "+e.verb+e.of(), msg.err.Error()))
	}
	if e.gone && m.shows(e.dir) {
		m.goTo(nowhere{}, Live, "", nil)
		m.listing = true
	}
	if strings.Contains(strings.TrimSpace(msg.text), "\n") {
		return m.surface(m.report(e.verb+e.of(), msg.text))
	}
	m.notice = text.Line(msg.text)
	return nil
}

// errandLine tells of the errands under way in one line.
func (m *model) errandLine() string {
	var first *underway
	for _, u := range m.errands {
		if first == nil || u.since.Before(first.since) || u.since.Equal(first.since) && u.dir < first.dir {
			first = u
		}
	}
	if first == nil {
		return ""
	}
	words := strings.TrimSpace(first.verb+first.of()) + "… " + views.Duration(m.o.Clock().Sub(first.since))
	if first.step != "" {
		words += " · " + text.Line(first.step)
	}
	if n := len(m.errands) - 1; n > 0 {
		words += fmt.Sprintf(" · %d more", n)
	}
	return words
}

// surface opens an overlay nobody just asked for: what is typed at that moment
// was meant for something else and does nothing.
func (m *model) surface(o overlay) tea.Cmd {
	m.push(o)
	m.unasked, m.risen = o, m.o.Clock()
	return tea.Tick(grace, func(time.Time) tea.Msg { return repaintMsg{} })
}

// settling tells whether an overlay has come up so lately that keys do not
// count yet.
func (m *model) settling() bool {
	since := m.o.Clock().Sub(m.risen)
	return m.unasked != nil && m.top() == m.unasked && since >= 0 && since < grace
}

// confirm asks before an errand is carried out; everything but yes means no.
type confirm struct {
	sheet
	errand errand
}

func newConfirm(e errand, touches string) *confirm {
	return &confirm{sheet: sheet{body: touches}, errand: e}
}

// newPatch shows a patch to be read.
func newPatch(m *model, title, body string) overlay {
	return &paper{Document: views.NewPatch(m.theme, body), name: title, action: RunDiff}
}

func (c *confirm) title() string { return c.errand.verb + c.errand.of() + "?" }
func (*confirm) width() int      { return 100 }

func (c *confirm) lines(m *model, width, height int) []string {
	return c.ask(m, width, height, "y", c.errand.verb, "n", "no (also enter, esc)")
}

// ask shows the sheet and below it the keys that answer, once they count.
func (s *sheet) ask(m *model, width, height int, pairs ...string) []string {
	const keys = 3 // rows of the keys and what stands above them
	var lines []string
	for _, row := range s.view(width, height-keys) {
		lines = append(lines, views.NewRow(width).Add(m.theme.Text, row).String())
	}
	lines = append(lines, m.scrollNote(s.place(), width))
	if m.settling() {
		return append(lines, choices(m, width, 1, "", "…", "a moment, then the keys count")...)
	}
	return append(lines, choices(m, width, 2, "", pairs...)...)
}

// scrollNote says that there is more than the window shows.
func (m *model) scrollNote(p views.Place, width int) string {
	words := ""
	if p.Above || p.Below {
		words = fmt.Sprintf("%d of %d lines; j and k scroll", p.Shown, p.All)
	}
	return views.NewRow(width).Add(m.theme.Accent, words).String()
}

func (c *confirm) hints(*model) []hint { return []hint{{"y", c.errand.verb}, {"esc", "no"}} }

func (c *confirm) key(m *model, key string) tea.Cmd {
	switch key {
	case "y":
		m.pop()
		return m.carryOut(c.errand)
	case "n", "enter", "q":
		m.pop()
	default:
		if b, ok := find(Bindings(), key, Everywhere); ok {
			moveIn(c, b.Action, c.height)
		}
	}
	return nil
}

// reportView is a text to be read: why something was refused, what was done.
type reportView struct {
	sheet
	name string
}

func (m *model) report(title, body string) overlay { return &reportView{sheet{body: body}, title} }

func (r *reportView) title() string         { return r.name }
func (*reportView) width() int              { return 100 }
func (*reportView) opener() Action          { return "" }
func (r *reportView) hints(m *model) []hint { return m.readerHints(r) }

func (r *reportView) lines(m *model, width, height int) []string {
	var lines []string
	for _, row := range r.view(width, height) {
		lines = append(lines, views.NewRow(width).Add(m.theme.Text, row).String())
	}
	return lines
}

func (r *reportView) key(m *model, key string) tea.Cmd {
	if key == "enter" {
		m.pop()
		return nil
	}
	return m.read(r, key)
}

// tooLate tells whether an answer failed because it was not needed any more.
func tooLate(err error) bool {
	return errors.Is(err, engine.ErrNotWaiting) || errors.Is(err, engine.ErrNoOwner)
}
