package views

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"growbench/engine/event"
	"growbench/theme/text"
)

// RunRow is one run of the list. What came from outside is as it came.
type RunRow struct {
	Name     string
	Status   string // running, passed, failed, stopped, orphaned
	Waiting  int    // things it waits for
	Verified string
	Ended    bool
	Reason   string
	Started  time.Time
	Done, N  int
	Goal     string
	Branch   string
	Agents   []string
	Cost     float64
	Busy     string // what is being done to it now
	Dir      string
}

// state is the run's state as it is shown: what waits for a person first.
func (r RunRow) state() string {
	if r.Waiting > 0 && r.Status == event.StatusRunning {
		return event.WaitingFor
	}
	return r.Status
}

// checked says what was verified; nothing of a run that has not ended.
func (r RunRow) checked() string {
	if !r.Ended {
		return ""
	}
	return r.Verified
}

func (r RunRow) progress() string {
	if r.N == 0 {
		return "no plan"
	}
	return fmt.Sprintf("%d/%d", r.Done, r.N)
}

func (r RunRow) cost() string {
	if r.Cost <= 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", r.Cost)
}

// Runs is the list of a project's runs, newest first, with all that is known
// of the one picked below it.
type Runs struct {
	look          Look
	width, height int
	all, rows     []RunRow // all there are, and those that match the filter
	filter        string
	empty         []string
	now           time.Time
	picked        string // name of the run picked
	at, top       int
}

// NewRuns is an empty list.
func NewRuns(look Look) Runs { return Runs{look: look} }

// SetLook changes the colours.
func (v *Runs) SetLook(look Look) { v.look = look }

// SetSize sets the size in cells.
func (v *Runs) SetSize(width, height int) { v.width, v.height = max(width, 0), max(height, 0) }

// SetRows shows rows as they are at now. The run picked stays picked wherever
// it has moved to.
func (v *Runs) SetRows(rows []RunRow, now time.Time) {
	v.all, v.now = rows, now
	v.sift()
}

// SetNow brings the ages up to now.
func (v *Runs) SetNow(now time.Time) { v.now = now }

// SetEmpty is what stands in the place of no runs: pairs of what to type and
// what it does; a lone sentence has an empty second.
func (v *Runs) SetEmpty(pairs ...string) { v.empty = pairs }

// Pick picks the run of that name; when it is gone, whichever took its place.
func (v *Runs) Pick(name string) {
	for i, r := range v.rows {
		if r.Name == name {
			v.picked, v.at = name, i
			return
		}
	}
	v.move(v.at)
}

// Picked is the place of the run picked among all rows, -1 when none is.
func (v *Runs) Picked() int {
	return slices.IndexFunc(v.all, func(r RunRow) bool { return r.Name == v.picked })
}

func (v *Runs) move(to int) {
	v.at = max(min(to, len(v.rows)-1), 0)
	v.picked = ""
	if v.at < len(v.rows) {
		v.picked = v.rows[v.at].Name
	}
}

// Scroll moves the pick by rows, Page by whole windows.
func (v *Runs) Scroll(rows int) { v.move(v.at + rows) }
func (v *Runs) Page(pages int)  { v.move(v.at + pages*max(v.Listed()-1, 1)) }

// Home and End pick the newest and the oldest run.
func (v *Runs) Home() { v.move(0) }
func (v *Runs) End()  { v.move(len(v.rows) - 1) }

// detailRows are the lines about the run picked; none on a low screen.
func (v *Runs) detailRows() int {
	switch {
	case v.height >= 14:
		return 6
	case v.height >= 9:
		return 3
	}
	return 0
}

// Listed is how many runs are in the window.
func (v *Runs) Listed() int { return max(v.height-1-v.detailRows(), 1) }

// columns are the widths of what fits; the goal has the rest.
type columns struct{ state, age, done, verified, agents, cost, branch, name int }

func (v *Runs) columns() columns {
	c := columns{state: 11, age: 6, done: 8}
	if v.width >= 70 {
		c.verified = 9
	}
	if v.width >= 96 {
		c.agents = 13
	}
	if v.width >= 110 {
		c.cost = 7
	}
	if v.width >= 130 {
		c.branch = 26
	}
	if v.width >= 155 {
		c.name = 25
	}
	return c
}

// View draws the list and, below it, the run picked.
func (v *Runs) View() []string {
	switch {
	case len(v.all) > 0 && len(v.rows) == 0:
		line := NewRow(v.width).Plain("  ").Add(v.look.Muted, "no run matches").String()
		return exactly([]string{Blank(v.width), line}, v.width, v.height)
	case len(v.rows) == 0:
		return exactly(v.nothing(), v.width, v.height)
	}
	c := v.columns()
	lines := []string{v.head(c)}
	shown := v.Listed()
	v.top = max(min(v.top, v.at, len(v.rows)-shown), v.at-shown+1, 0)
	for i := v.top; i < min(v.top+shown, len(v.rows)); i++ {
		lines = append(lines, v.row(c, i))
	}
	lines = exactly(lines, v.width, 1+shown)
	if v.detailRows() > 0 {
		lines = append(lines, v.details()...)
	}
	return exactly(lines, v.width, v.height)
}

// Below is how many runs stand below the window, Above how many above it.
func (v *Runs) Below() int { return max(len(v.rows)-v.top-v.Listed(), 0) }
func (v *Runs) Above() int { return v.top }

func (v *Runs) nothing() []string {
	lines := []string{Blank(v.width)}
	const column = 44
	for i := 0; i+1 < len(v.empty); i += 2 {
		typed, does := v.empty[i], v.empty[i+1]
		pen, indent := v.look.Accent, "    "
		if does == "" {
			pen, indent = v.look.Text, "  "
		}
		first := text.Wrap(typed, max(v.width-len(indent), 1))
		wide := does != "" && v.width >= column+30 && measure.Width(typed) < column-1
		if wide {
			for j, l := range text.Wrap(does, v.width-len(indent)-column) {
				key := ""
				if j == 0 {
					key = typed
				}
				lines = append(lines, NewRow(v.width).Plain(indent).Add(pen, text.Pad(key, column)).Add(v.look.Muted, l).String())
			}
			continue
		}
		for _, l := range first {
			lines = append(lines, NewRow(v.width).Plain(indent).Add(pen, l).String())
		}
		if does != "" {
			for _, l := range text.Wrap(does, max(v.width-8, 1)) {
				lines = append(lines, NewRow(v.width).Plain("        ").Add(v.look.Muted, l).String())
			}
		}
	}
	return lines
}

func (v *Runs) head(c columns) string {
	r := NewRow(v.width).Plain("  ")
	for _, h := range []struct {
		word  string
		width int
	}{{"state", c.state}, {"age", c.age}, {"done", c.done}, {"verified", c.verified}} {
		if h.width > 0 {
			r.Add(v.look.Muted, text.Pad(h.word, h.width))
		}
	}
	r.Add(v.look.Muted, text.Pad("goal", v.goalRoom(c)))
	for _, h := range []struct {
		word  string
		width int
	}{{"agent", c.agents}, {"cost", c.cost}, {"branch", c.branch}, {"run", c.name}} {
		if h.width > 0 {
			r.Add(v.look.Muted, " "+text.Pad(h.word, h.width-1))
		}
	}
	return r.String()
}

func (v *Runs) goalRoom(c columns) int {
	return max(v.width-2-c.state-c.age-c.done-c.verified-c.agents-c.cost-c.branch-c.name, 0)
}

func (v *Runs) row(c columns, i int) string {
	run := v.rows[i]
	r := NewRow(v.width)
	goalPen := v.look.Text
	if i == v.at {
		goalPen = v.look.Selection
		r.Add(v.look.Accent, v.look.Symbols.Cursor+" ")
	} else {
		r.Plain("  ")
	}
	sign, pen := v.look.State(run.state())
	word := StateWord(run.state())
	if run.Busy != "" {
		word, pen = run.Busy, v.look.Running
	}
	r.Add(pen, cell(sign+" "+word, c.state))
	r.Add(v.look.Muted, cell(Age(v.now.Sub(run.Started)), c.age))
	r.Add(v.look.Text, cell(run.progress(), c.done))
	if c.verified > 0 {
		r.Add(v.verifiedPen(run), cell(run.checked(), c.verified))
	}
	room := v.goalRoom(c)
	goal := measure.Truncate(text.Line(clip(run.Goal)), room, "…")
	r.Add(goalPen, goal).Plain(strings.Repeat(" ", max(room-measure.Width(goal), 0)))
	for _, o := range []struct {
		word  string
		width int
	}{{strings.Join(run.Agents, ", "), c.agents}, {run.cost(), c.cost}, {run.Branch, c.branch}, {run.Name, c.name}} {
		if o.width > 0 {
			r.Add(v.look.Muted, " "+cell(text.Visible(clip(o.word)), o.width-1))
		}
	}
	return r.String()
}

// cell is a word in a column, with a space after it.
func cell(s string, width int) string {
	return text.Pad(measure.Truncate(text.Line(clip(s)), max(width-1, 0), "…"), width)
}

// clip cuts what no list has room for before each of its signs is measured;
// a goal may be a whole document.
func clip(s string) string {
	const most = 2048 // bytes
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

func (v *Runs) verifiedPen(run RunRow) Pen {
	switch run.checked() {
	case event.VerifiedPassed:
		return v.look.Good
	case event.VerifiedFailed:
		return v.look.Bad
	}
	return v.look.Warn
}

// details tell all that is known of the run picked.
func (v *Runs) details() []string {
	run := v.rows[v.at]
	rows := v.detailRows()
	title := NewRow(v.width).Add(v.look.Border, "  ").Add(v.look.Title, "run "+text.Visible(run.Name)+" ")
	lines := []string{title.Rule(v.look.Border, v.look.Symbols.Frame.Top).String()}
	goal := text.Wrap(text.Line(clip(run.Goal)), max(v.width-4, 1))
	if most := rows - 2; len(goal) > most || rows > 3 && len(goal) > 2 {
		goal = goal[:min(len(goal), most, 2)]
		last := len(goal) - 1
		goal[last] = measure.Truncate(goal[last]+" …", v.width-4, "…")
	}
	for _, l := range goal {
		lines = append(lines, NewRow(v.width).Plain("  ").Add(v.look.Text, l).String())
	}
	facts := []string{StateWord(run.state())}
	if run.Waiting > 0 {
		facts[0] = "waits for you: " + plural(run.Waiting, "question")
	}
	if run.Reason != "" {
		facts[0] += ": " + text.Line(clip(run.Reason))
	}
	if run.Ended {
		words := "verified: " + run.Verified
		if run.Verified == event.VerifiedNone {
			words += " (nothing was checked)"
		}
		facts = append(facts, words)
	}
	lines = append(lines, NewRow(v.width).Plain("  ").Add(v.look.pen(run.state()), strings.Join(facts, " · ")).String())
	facts = facts[:0]
	if len(run.Agents) > 0 {
		facts = append(facts, "agent "+text.Visible(clip(strings.Join(run.Agents, ", "))))
	}
	if run.Cost > 0 {
		facts = append(facts, "cost "+run.cost())
	}
	if run.Branch != "" {
		facts = append(facts, "branch "+text.Visible(clip(run.Branch)))
	}
	lines = append(lines, NewRow(v.width).Plain("  ").Add(v.look.Muted, strings.Join(facts, " · ")).String(),
		NewRow(v.width).Plain("  ").Add(v.look.Muted, text.Visible(run.Dir)).String())
	return exactly(lines, v.width, rows)
}

// Age writes how long ago something was, in one unit: 5s, 12m, 3h, 9d.
func Age(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}
