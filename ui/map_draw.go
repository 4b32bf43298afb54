package ui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/theme/text"
	"growbench/views"
)

// firstLook is how long after the start the map is looked at where nobody has
// asked for it yet: the screen comes first.
const firstLook = 700 * time.Millisecond

type firstLookMsg struct{}

func (m *model) firstLookAtMap() tea.Cmd {
	if !m.mapped() || m.onMap() {
		return nil
	}
	return tea.Tick(firstLook, func(time.Time) tea.Msg { return firstLookMsg{} })
}

// paneAfter is the pane next to the focused one; those that have nothing to
// show here are passed over.
func (m *model) paneAfter(step pane) pane {
	p := m.focus
	for {
		p = (p + step + paneCount) % paneCount
		switch {
		case isMap(p) && m.mapped(), !isMap(p) && (m.hasRun() || !m.mapped()):
			return p
		}
	}
}

// mapMark stands beside the tree's name.
func (m *model) mapMark() string {
	c := &m.chart
	var words []string
	if c.survey != nil && c.data != nil {
		words = append(words, m.freshness())
	}
	if c.order != views.ByName {
		words = append(words, "by "+c.order.String())
	}
	if c.tree.Needing() {
		words = append(words, "only what is not clean")
	}
	if n := c.tree.Below(); n > 0 {
		words = append(words, fmt.Sprintf("%d below", n))
	}
	return strings.TrimPrefix(strings.Join(words, " · "), "map ")
}

// previewOf names what is in the preview.
func (m *model) previewOf() string {
	s := m.chart.page.key.spot
	switch {
	case s.Dir == "":
		return ""
	case s.File != "" && s.Dir != ".":
		return " of " + text.Visible(s.Dir+"/"+s.File)
	case s.File != "":
		return " of " + text.Visible(s.File)
	}
	return " of " + text.Visible(s.Dir)
}

func (m *model) freshPen() views.Pen {
	if m.chart.data != nil && m.chart.data.Need() > 0 {
		return m.theme.Warn
	}
	return m.theme.Muted
}

// mapStanding says in one line what is being done to the map, or what it calls
// for.
func (m *model) mapStanding() (views.Pen, string) {
	c := &m.chart
	switch {
	case c.work != nil:
		return m.theme.Running, c.work.words(m.o.Clock())
	case len(c.others) > 0:
		w := c.others[0]
		return m.theme.Waiting, fmt.Sprintf("process %d works on the map for %s: %s", w.PID, views.Duration(m.o.Clock().Sub(w.Since)), text.Visible(w.What))
	case c.failed != "":
		return m.theme.Bad, "the map cannot be looked at: " + c.failed
	case c.survey == nil:
		return m.theme.Muted, "looking at the map…"
	}
	if words := m.advice(); words != "" {
		return m.theme.Warn, words
	}
	if c.data.Need() > 0 {
		return m.theme.Text, "R on the root reconciles all of it; n goes to the next"
	}
	words := "every directory is described as it is"
	if !c.survey.Scanned.IsZero() {
		words += " · last full scan " + views.Age(m.o.Clock().Sub(c.survey.Scanned)) + " ago"
	}
	return m.theme.Good, words
}

// clickMap does what was clicked in one of the map's panes.
func (m *model) clickMap(p pane, x, row int) tea.Cmd {
	c := &m.chart
	if p == mapPane {
		c.tree.Click(row)
		return nil
	}
	if row == 0 {
		if i := c.preview.Tab(x); i >= 0 {
			m.pickSheet(i)
		}
		return nil
	}
	if c.preview.Click(row) {
		return m.follows()
	}
	return nil
}

// mapCopies are what can be taken along from the map.
func (m *model) mapCopies() []views.Copy {
	d, f, s := m.chart.tree.Selected()
	if d == nil {
		return nil
	}
	var all []views.Copy
	add := func(name, s string) {
		if s != "" {
			all = append(all, views.Copy{Name: name, Text: s})
		}
	}
	path := d.Path
	if f != nil {
		path = joinPath(d.Path, f.Name)
	}
	if s != nil {
		add("symbol", s.Text)
	}
	add("path", path)
	add("role", d.Role)
	add("why it is not clean", strings.Join(d.Why, "\n"))
	add(m.chart.tab, m.chart.preview.Sheet().Text())
	return all
}

func joinPath(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// dressMap tells the tree what depends on the moment.
func (m *model) dressMap() {
	c := &m.chart
	c.tree.SetNow(m.o.Clock())
	c.tree.SetBusy(nil)
	if w := c.work; w != nil && !w.planning {
		c.tree.SetBusy(w.act.planned)
	}
	switch {
	case c.failed != "":
		c.tree.SetEmpty("The map cannot be looked at: "+c.failed, "ctrl+r looks again.")
	case c.survey == nil:
		c.tree.SetEmpty("Looking at the map…")
	}
}
