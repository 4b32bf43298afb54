package views

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"growbench/engine/event"
	"growbench/theme/text"
)

// Chain shows the planner, every Worker by layer, and the check of the whole.
type Chain struct {
	look          Look
	width, height int
	state         *event.State
	now           time.Time
	selected      int // 0 is the planner, k Worker k
	top           int // first entry drawn
	drawn         []entry
	filter        string
}

// NewChain returns the pane of a run that has not begun.
func NewChain(t Look) Chain { return Chain{look: t, state: event.NewState()} }

// SetLook changes the colours.
func (c *Chain) SetLook(t Look) { c.look, c.drawn = t, nil }

// SetSize sets the pane's size in cells.
func (c *Chain) SetSize(width, height int) {
	if width != c.width {
		c.drawn = nil
	}
	c.width, c.height = width, height
}

// SetState shows a state as it looks at now. The pane keeps the pointer until
// the next call and only reads.
func (c *Chain) SetState(s *event.State, now time.Time) {
	c.state, c.now, c.drawn = s, now, nil
	c.selected = min(c.selected, len(s.Workers))
}

// Select picks an agent: 0 is the planner, k Worker k.
func (c *Chain) Select(k int) { c.selected, c.drawn = min(max(k, 0), len(c.state.Workers)), nil }

// Selected is the agent picked: 0 is the planner, k Worker k.
func (c *Chain) Selected() int { return c.selected }

// entry is one agent, heading or outcome: some lines that belong together.
type entry struct {
	agent int // of an agent's entry, else -1
	lines []string
}

// View draws the pane so that the selected agent can be seen.
func (c *Chain) View() []string {
	if c.drawn == nil {
		c.drawn = c.entries()
	}
	entries := c.drawn
	c.place(entries)
	lines := make([]string, 0, c.height)
	for _, e := range entries[c.top:] {
		if len(lines) >= c.height {
			break
		}
		lines = append(lines, e.lines...)
	}
	return exactly(lines, c.width, c.height)
}

// place moves the window so that the selected agent is in it, and leaves no
// room below the last entry while there is something above.
func (c *Chain) place(entries []entry) {
	at := slices.IndexFunc(entries, func(e entry) bool { return e.agent == c.selected })
	c.top = min(c.top, max(at, 0))
	for c.top < at && rows(entries[c.top:at+1]) > c.height {
		c.top++
	}
	for c.top > 0 && rows(entries[c.top-1:]) <= c.height {
		c.top--
	}
}

func rows(entries []entry) int {
	n := 0
	for _, e := range entries {
		n += len(e.lines)
	}
	return n
}

func (c *Chain) entries() []entry {
	entries := make([]entry, 0, 2*len(c.state.Workers)+3)
	if c.shows(0) {
		entries = append(entries, entry{agent: 0, lines: c.planner()})
	}
	for _, layer := range c.state.Plan.Layers {
		layer = slices.DeleteFunc(slices.Clone(layer), func(k int) bool { return !c.shows(k) })
		if len(layer) == 0 {
			continue
		}
		if first := c.state.Worker(layer[0]); first != nil && len(c.state.Plan.Layers) > 1 {
			head := fmt.Sprintf("  layer %d", first.Layer)
			entries = append(entries, entry{agent: -1, lines: []string{NewRow(c.width).Add(c.look.Muted, head).String()}})
		}
		for _, k := range layer {
			if w := c.state.Worker(k); w != nil {
				entries = append(entries, entry{agent: k, lines: c.worker(w)})
			}
		}
	}
	return append(entries, entry{agent: -1, lines: c.outcome()})
}

// head is an agent's first line: its mark, name and state as a word; of a
// Worker that is done, how its RESULT stands.
func (c *Chain) head(agent int, state, name string) string {
	r := NewRow(c.width)
	pen, cursor := c.look.Text, "  "
	if agent == c.selected {
		pen, cursor = c.look.Selection, c.look.Symbols.Cursor+" "
	}
	word := StateWord(state)
	sign, look := c.look.State(state)
	if w := c.state.Worker(agent); w != nil && w.State == event.Done && state == event.Done {
		// Done is not yet believed.
		switch w.Standing {
		case event.Accepted:
			word = event.Accepted
		case event.Contested:
			word, sign, look = event.Contested, c.look.Symbols.Flagged, c.look.Warn
		}
	}
	r.Add(c.look.Accent, cursor).Add(look, sign+" ")
	nameRoom := r.left - measure.Width(word) - 1
	if nameRoom < 8 {
		return r.Add(pen, name).String()
	}
	r.Add(pen, measure.Truncate(text.Line(name), nameRoom, "…"))
	return r.To(measure.Width(word)).Add(look, word).String()
}

func (c *Chain) planner() []string {
	p := c.state.Planner
	state := p.State
	switch {
	case state == "" && c.state.Plan.N > 0:
		return []string{c.head(0, event.Done, "plan given, "+plural(c.state.Plan.N, "Worker"))}
	case state == "" && c.state.IsEnded():
		return []string{c.head(0, c.state.Status, "no plan was made")}
	case state == "":
		return []string{c.head(0, event.Pending, "planner: not started yet")}
	case state == event.Running && c.state.Owner == "gone":
		state = event.Orphaned
	}
	name := "planner " + p.Agent
	if p.State == event.Running {
		name = "planning… " + p.Agent
	}
	figures := PlannerFigures(c.state, c.now)
	if p.Attempts > 1 {
		figures = append(figures, Figure{Text: plural(p.Attempts, "attempt")})
	}
	lines := append([]string{c.head(0, state, name)}, c.figureRows(figures, c.figureLines(state == event.Running))...)
	if state == event.Running && p.Tool != "" {
		lines = append(lines, c.tool(p.Tool, p.ToolArgs))
	}
	return lines
}

// tool is the line of the call that runs now.
func (c *Chain) tool(name, args string) string {
	return NewRow(c.width).Plain("    ").
		Add(c.look.Accent, c.look.Symbols.Running+" "+text.Visible(name)+" ").
		Add(c.look.Muted, text.Visible(args)).String()
}

func (c *Chain) worker(w *event.Worker) []string {
	lines := []string{c.head(w.K, w.State, fmt.Sprintf("%d %s", w.K, w.Title))}
	figures := append(WorkerFigures(c.state, w, c.now), workerFacts(w)...)
	lines = append(lines, c.figureRows(figures, c.figureLines(w.Active()))...)
	if w.Tool != "" {
		lines = append(lines, c.tool(w.Tool, w.ToolArgs))
	}
	if w.Reason != "" {
		lines = append(lines, NewRow(c.width).Plain("    ").Add(c.look.pen(w.State), w.Reason).String())
	}
	return append(lines, c.marks(w)...)
}

// figureLines is how many lines an agent's figures may take: one that works
// has two where the pane is high enough.
func (c *Chain) figureLines(works bool) int {
	const high = 15
	if works && c.height >= high {
		return 2
	}
	return 1
}

// workerFacts are what is to be known of a Worker beside its figures.
func workerFacts(w *event.Worker) []Figure {
	var facts []Figure
	add := func(words string) { facts = append(facts, Figure{Text: words}) }
	if w.Attempts > 1 {
		add("attempt " + fmt.Sprint(w.Attempts))
	}
	switch {
	case w.Started.IsZero():
	case !w.Sandboxed:
		add("no sandbox")
	case strings.HasPrefix(w.SandboxNote, "Landlock"): // it takes the place of a stronger one
		add("weaker sandbox")
	case w.Active():
		add("sandboxed")
	}
	if w.Network == event.NetworkOff {
		add("no network")
	}
	if w.Result && w.ResultFrom == "observed" {
		add("RESULT observed")
	}
	for _, check := range w.Checks {
		if !check.Passed {
			add("check failed")
			break
		}
	}
	return facts
}

// marks are what an operator should look at: waits, broken ground, strays.
func (c *Chain) marks(w *event.Worker) []string {
	var marks []string
	for _, wait := range c.state.Waits {
		if wait.K != w.K {
			continue
		}
		mark := "waits: " + text.Line(wait.Kind)
		if wait.Kind == "limit" {
			mark = "waits: its usage limit"
		}
		if left := wait.Until.Sub(c.now); !wait.Until.IsZero() && left > 0 {
			mark += ", " + Duration(left+time.Second-1) + " left"
		}
		marks = append(marks, mark)
	}
	if w.Network == event.NetworkUnheld {
		marks = append(marks, "its network is not held off: no sandbox")
	}
	if (w.K == c.selected || w.Active()) && !w.Started.IsZero() && !w.Sandboxed && w.SandboxNote != "" {
		marks = append(marks, "no sandbox: "+text.Visible(strings.TrimPrefix(w.SandboxNote, "no sandbox: ")))
	}
	for i, a := range w.Affected {
		if i == 2 {
			marks = append(marks, fmt.Sprintf("affected by %d more", len(w.Affected)-2))
			break
		}
		mark := fmt.Sprintf("affected by %d: %s", a.By, text.Visible(a.Symbol))
		if a.Possible {
			mark += " (possible)"
		}
		marks = append(marks, mark)
	}
	for _, d := range c.state.Decisions {
		if d.K == w.K {
			marks = append(marks, decided(d))
		}
	}
	for i, d := range w.Differences {
		if i == 2 {
			marks = append(marks, plural(len(w.Differences)-2, "more difference"))
			break
		}
		marks = append(marks, "contested: "+text.Visible(d.Text))
	}
	aside := len(w.Outside.Paths)
	if n := len(w.Flagged) - aside; n > 0 {
		marks = append(marks, plural(n, "change")+" out of scope")
	}
	if aside > 0 {
		marks = append(marks, plural(aside, "change")+" set aside")
	}
	lines := make([]string, 0, len(marks))
	for _, m := range marks {
		lines = append(lines, NewRow(c.width).Plain("    ").Add(c.look.Warn, c.look.Symbols.Flagged+" "+m).String())
	}
	return lines
}

// outcome says what was checked at the end, or that nothing was.
func (c *Chain) outcome() []string {
	var lines []string
	for _, check := range c.state.Verify.Ran {
		state := event.Failed
		if check.Passed {
			state = event.Done
		}
		sign, look := c.look.State(state)
		lines = append(lines, NewRow(c.width).Plain("  ").
			Add(look, sign+" ").
			Add(c.look.Text, "verify: "+text.Visible(check.Command)).String())
	}
	if len(lines) == 0 && c.state.IsEnded() {
		lines = append(lines, NewRow(c.width).Plain("  ").Add(c.look.Warn, "verified: none — nothing was checked").String())
	}
	for _, command := range c.state.Verify.Found {
		lines = append(lines, NewRow(c.width).Plain("  ").Add(c.look.Muted, "found, not run: "+text.Visible(command)).String())
	}
	return lines
}

func endOr(end, now time.Time) time.Time {
	if end.IsZero() {
		return now
	}
	return end
}

// StateWord is a Worker's state as a person reads it.
func StateWord(state string) string {
	return measure.Truncate(strings.ReplaceAll(text.Line(state), "_", " "), maxStateWord, "…")
}

// maxStateWord is the width of the longest state there is.
const maxStateWord = len(event.Interrupted)
