package ui

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/mapgen"
	"growbench/theme/text"
	"growbench/views"
)

// chart is the map of the project on the screen.
type chart struct {
	tree    views.MapTree
	preview views.MapPreview

	survey  *mapgen.Survey // nil: not known yet
	data    *views.MapData // of it, in the order asked for
	failed  string         // why the last survey gave nothing
	order   views.MapOrder
	looked  int  // surveys asked for; the answer to an earlier one is dropped
	looking bool // one is under way
	again   bool // and another is wanted when it is done
	seen    time.Time

	query string
	sifts *atomic.Int64 // filters asked for: an earlier one is given up
	names views.MapNames

	page    mapPage
	tab     string // of the preview, by name
	raw     bool   // documents as they stand, not rendered
	history []views.Spot
	future  []views.Spot

	work     *mapWork  // nil: nothing is being done
	findings *findings // of the last validation, nil before
	kept     string    // what undo would take back
	others   []mapgen.Working
	asking   bool // who else is at work is being looked at
}

func newChart(look views.Look) chart {
	return chart{
		tree: views.NewMapTree(look), preview: views.NewMapPreview(look),
		sifts: &atomic.Int64{}, tab: tabAbout,
	}
}

// SetFilter notes what is looked for; sift finds it.
func (c *chart) SetFilter(query string) { c.query = query }

// Filtered is how much of the map is shown.
func (c *chart) Filtered() (shown, all int) { return c.tree.Filtered() }

func (c *chart) setLook(look views.Look) {
	c.tree.SetLook(look)
	c.preview.SetLook(look)
}

func isMap(p pane) bool { return p == mapPane || p == previewPane }

// onMap tells whether the map is what the keys are about.
func (m *model) onMap() bool { return !m.listing && isMap(m.focus) }

// mapped tells whether there is a project whose map could be shown.
func (m *model) mapped() bool { return m.o.Project != nil && m.o.Project.Map != nil }

// replaying tells whether a replay is on the screen.
func (m *model) replaying() bool { return m.replay != nil && !m.listing && !m.onMap() }

// atHome tells whether what is on the screen is about the project, no run.
func (m *model) atHome() bool { return m.listing || m.onMap() && !m.hasRun() }

// mapTask runs work that reads the map; the parsers it starts are ended when it
// is done or m ends.
func (m *model) mapTask(name string, do func(ctx context.Context, p *mapgen.Project) tea.Msg, failed func(error) tea.Msg) tea.Cmd {
	ctx, open := m.ctx, m.o.Project.Map
	return task(name, func() tea.Msg {
		p, done, err := open()
		if err != nil {
			return failed(err)
		}
		defer done()
		return do(ctx, p)
	})
}

// surveyedMsg is the map as it stands, or why it is not known.
type surveyedMsg struct {
	number int
	survey *mapgen.Survey
	data   *views.MapData
	kept   string
	err    error
}

// lookAtMap looks how the map stands beside the files; one look is under way at
// any time.
func (m *model) lookAtMap() tea.Cmd {
	if !m.mapped() {
		return nil
	}
	c := &m.chart
	if c.looking {
		c.again = true
		return nil
	}
	c.looked++
	c.looking, c.again = true, false
	number, order := c.looked, c.order
	return m.mapTask("looking at the map", func(ctx context.Context, p *mapgen.Project) tea.Msg {
		s, err := p.Survey(ctx)
		if err != nil {
			return surveyedMsg{number: number, err: err}
		}
		what, _, _ := p.LastKept()
		return surveyedMsg{number, s, views.NewMapData(mapDirs(s), order), what, nil}
	}, func(err error) tea.Msg { return surveyedMsg{number: number, err: err} })
}

// mapDirs is a survey as the tree shows it.
func mapDirs(s *mapgen.Survey) []views.MapDir {
	out := make([]views.MapDir, len(s.Dirs))
	for i, d := range s.Dirs {
		files := make([]views.MapFile, len(d.Files))
		for k, f := range d.Files {
			files[k] = views.MapFile{Name: f.Name, Change: f.Change, Size: f.Size}
		}
		out[i] = views.MapDir{Path: d.Dir, Role: d.Role, States: d.State, Why: d.Why, Since: d.Since, At: d.At, Files: files}
	}
	return out
}

// surveyed shows what a look at the map has found.
func (m *model) surveyed(msg surveyedMsg) tea.Cmd {
	c := &m.chart
	if msg.number != c.looked {
		return nil
	}
	c.looking = false
	var next tea.Cmd
	if c.again {
		next = m.lookAtMap()
	}
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			c.failed = text.Line(msg.err.Error())
		}
		return next
	}
	first := c.survey == nil
	c.survey, c.kept, c.failed, c.seen, c.others = msg.survey, msg.kept, "", m.o.Clock(), msg.survey.Others
	c.survey.Dirs = nil // the tree has them
	c.names = nil
	return tea.Batch(next, m.showData(msg.data, first))
}

// showData shows the map in the order it was made in, through the filter if
// there is one.
func (m *model) showData(data *views.MapData, first bool) tea.Cmd {
	c := &m.chart
	c.data = data
	if c.query != "" {
		return m.sift()
	}
	c.tree.SetData(data)
	if first && data.Need() > 0 {
		c.tree.NextNeed(1)
	}
	return nil
}

// sortedMsg is the map in another order.
type sortedMsg struct{ data, of *views.MapData }

// reorder sorts the tree another way.
func (m *model) reorder() tea.Cmd {
	c := &m.chart
	c.order = c.order.Next()
	m.notice = "sorted by " + c.order.String()
	data, order := c.data, c.order
	if data == nil {
		return nil
	}
	return task("sorting the map", func() tea.Msg { return sortedMsg{views.NewMapData(data.Dirs(), order), data} })
}

// siftedMsg is what a filter lets through.
type siftedMsg struct {
	number int64
	data   *views.MapData
	sifted *views.Sifted
	names  views.MapNames // read on the way, nil if not
}

// sift looks for what was typed; what an earlier filter finds is dropped.
func (m *model) sift() tea.Cmd {
	c := &m.chart
	number := c.sifts.Add(1)
	if c.query == "" {
		if c.tree.Data() != c.data {
			c.tree.SetData(c.data)
		}
		c.tree.SetSifted(nil)
		return nil
	}
	data, query, names, sifts := c.data, c.query, c.names, c.sifts
	if data == nil {
		return nil
	}
	find := task("filtering the map", func() tea.Msg {
		return siftedMsg{number, data, data.Sift(query, names, func() bool { return sifts.Load() != number }), nil}
	})
	if names != nil {
		return find
	}
	// The paths at once, the symbols when they have been read.
	return tea.Batch(find, m.mapTask("reading the map's symbols", func(ctx context.Context, p *mapgen.Project) tea.Msg {
		list, err := p.Names(ctx)
		if err != nil {
			return nil
		}
		names := namesOf(list)
		return siftedMsg{sifts.Load(), data, nil, names}
	}, func(error) tea.Msg { return nil }))
}

func namesOf(list []mapgen.DirNames) views.MapNames {
	names := views.MapNames{}
	for _, d := range list {
		for _, f := range d.Files {
			symbols := make([]views.MapSymbol, len(f.Symbols))
			for i, s := range f.Symbols {
				symbols[i] = views.MapSymbol{Text: s.Text, Line: s.At}
			}
			names.Add(d.Dir, f.Name, symbols)
		}
	}
	return names
}

func (m *model) siftedThrough(msg siftedMsg) tea.Cmd {
	c := &m.chart
	if msg.names != nil {
		if c.data != msg.data {
			return nil
		}
		c.names = msg.names
		if c.query == "" {
			return nil
		}
		return m.sift()
	}
	if msg.number != c.sifts.Load() || msg.sifted == nil {
		return nil
	}
	if c.tree.Data() != msg.data {
		c.tree.SetData(msg.data)
	}
	c.tree.SetSifted(msg.sifted)
	return nil
}

// mapNews takes what comes of work on the map.
func (m *model) mapNews(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case surveyedMsg:
		return m.surveyed(msg)
	case sortedMsg:
		if msg.of == m.chart.data {
			return m.showData(msg.data, false)
		}
	case siftedMsg:
		return m.siftedThrough(msg)
	case pagedMsg:
		m.paged(msg)
	case plannedMsg:
		return m.mapPlanned(msg)
	case mapDoneMsg:
		return m.mapDone(msg)
	case othersMsg:
		return m.othersSeen(msg)
	case mapEditedMsg:
		return m.mapEdited(msg)
	}
	return nil
}

// tendMap asks for whatever the map panes lack.
func (m *model) tendMap() tea.Cmd {
	if !m.mapped() || !m.onMap() {
		return nil
	}
	var cmds []tea.Cmd
	if m.chart.survey == nil && m.chart.failed == "" && !m.chart.looking {
		cmds = append(cmds, m.lookAtMap())
	}
	return tea.Batch(append(cmds, m.fetchPage(), m.tick())...)
}

// othersMsg is who else is at work on the map.
type othersMsg struct{ others []mapgen.Working }

// lookForOthers looks who else is at work on the map, once a second while it is
// on the screen.
func (m *model) lookForOthers() tea.Cmd {
	if !m.mapped() || !m.onMap() || m.chart.asking {
		return nil
	}
	m.chart.asking = true
	return m.mapTask("looking who works on the map", func(_ context.Context, p *mapgen.Project) tea.Msg {
		return othersMsg{p.Others()}
	}, func(error) tea.Msg { return othersMsg{} })
}

// othersSeen shows them; what one of them did when it has gone is looked at.
func (m *model) othersSeen(msg othersMsg) tea.Cmd {
	before := len(m.chart.others)
	m.chart.asking, m.chart.others = false, msg.others
	if len(msg.others) < before {
		return m.lookAtMap()
	}
	return nil
}

// freshness says in a few words how the map stands; "" when that is not known.
func (m *model) freshness() string {
	c := &m.chart
	switch {
	case !m.mapped() || c.survey == nil:
		return ""
	case !c.survey.Exists:
		return "no map"
	case c.data.Need() == 0:
		return "map clean"
	}
	return "map " + c.data.Counts()
}

// advice is what the map's state calls for.
func (m *model) advice() string {
	c := &m.chart
	switch {
	case c.survey == nil:
		return ""
	case !c.survey.Exists:
		return "i makes the map"
	case c.survey.Recommend == mapgen.RecommendReinit:
		return fmt.Sprintf("re-init recommended: %d directories, i on the root", c.data.Need())
	}
	return ""
}
