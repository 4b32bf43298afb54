package ui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/mapgen"
	"growbench/theme"
	"growbench/theme/text"
	"growbench/views"
)

// Sheets of the preview.
const (
	tabAbout  = "about"
	tabSource = "source"
	tabMap    = "map"
	tabIndex  = "index"
	tabDiff   = "diff"
)

// mapPage is the sheet in the preview and whether another is being made.
type mapPage struct {
	key  pageKey
	line int // where a symbol was followed to, in spot
	spot views.Spot
	busy bool
}

// pageKey is everything a sheet depends on.
type pageKey struct {
	spot  views.Spot
	tab   string
	raw   bool
	width int // of what is rendered
	look  int
	line  int
	as    *views.MapData // what was known of the map
}

// sheetsOf are the sheets there are of a spot.
func sheetsOf(s views.Spot) []string {
	if s.File == "" {
		return []string{tabAbout, tabMap, tabIndex, tabDiff}
	}
	return []string{tabAbout, tabSource, tabMap, tabIndex, tabDiff}
}

// wantedPage is the sheet that should be in the preview.
func (m *model) wantedPage() (pageKey, bool) {
	c := &m.chart
	d, _, symbol := c.tree.Selected()
	if d == nil {
		return pageKey{}, false
	}
	key := pageKey{spot: c.tree.Spot(), tab: c.tab, raw: c.raw, as: c.data}
	if !slices.Contains(sheetsOf(key.spot), key.tab) {
		key.tab = tabAbout
	}
	if key.tab == tabSource {
		if symbol != nil {
			key.line = symbol.Line
		}
		if c.page.line > 0 && c.page.spot == key.spot {
			key.line = c.page.line
		}
	}
	if !c.raw && (key.tab == tabMap || key.tab == tabIndex) {
		key.width, key.look = c.preview.Width(), m.looks
	}
	return key, true
}

// pagedMsg is a sheet made ready.
type pagedMsg struct {
	key   pageKey
	sheet *views.MapSheet
}

// fetchPage has the sheet made that should be in the preview; one is made at
// any time.
func (m *model) fetchPage() tea.Cmd {
	c := &m.chart
	key, ok := m.wantedPage()
	if !ok || c.page.busy || key == c.page.key {
		return nil
	}
	c.page.busy = true
	d, f, _ := c.tree.Selected()
	th := m.theme.Theme
	return m.mapTask("reading the map of a directory", func(_ context.Context, p *mapgen.Project) tea.Msg {
		return pagedMsg{key, makeSheet(p, key, d, f, th)}
	}, func(err error) tea.Msg { return pagedMsg{key, words(err.Error())} })
}

func words(s string) *views.MapSheet {
	sheet := views.NewMapSheet()
	sheet.Note(s)
	return sheet
}

// paged shows a sheet. One that is the same but for what is known of the map
// leaves the window where it is.
func (m *model) paged(msg pagedMsg) {
	c := &m.chart
	c.page.busy = false
	before := c.page.key
	c.page.key = msg.key
	same := before.spot == msg.key.spot && before.tab == msg.key.tab && before.raw == msg.key.raw && before.line == msg.key.line
	c.preview.SetSheet(msg.sheet, same)
	c.preview.SetTabs(sheetNames(msg.key), slices.Index(sheetsOf(msg.key.spot), msg.key.tab))
	if msg.key.line > 0 && !same {
		c.preview.GoTo(msg.key.line)
	}
}

func sheetNames(key pageKey) []string {
	names := sheetsOf(key.spot)
	for i, name := range names {
		if key.raw && (name == tabMap || name == tabIndex) {
			names[i] += " raw"
		}
	}
	return names
}

func makeSheet(p *mapgen.Project, key pageKey, d *views.MapDir, f *views.MapFile, th theme.Theme) *views.MapSheet {
	switch key.tab {
	case tabSource:
		body, err := p.Source(joinPath(d.Path, f.Name))
		if err != nil {
			return words(err.Error())
		}
		return views.NewMapSource(body)
	case tabDiff:
		diff, what, err := p.LastDiff(d.Path)
		switch {
		case err != nil:
			return words(err.Error())
		case diff == "":
			return words("no change of this map is kept")
		}
		return views.NewMapDiff("last changed by: " + what + "\n" + diff)
	}
	page, err := p.Page(d.Path)
	if err != nil {
		return words(err.Error())
	}
	switch key.tab {
	case tabMap:
		return documentSheet(page.Map, key, th)
	case tabIndex:
		return documentSheet(page.Index, key, th)
	}
	return aboutSheet(page, d, f)
}

// maxRenderedDocument is from where a document is shown as it stands: beyond,
// rendering takes too long to wait for.
const maxRenderedDocument = 96 << 10

func documentSheet(body []byte, key pageKey, th theme.Theme) *views.MapSheet {
	switch {
	case body == nil:
		return words("there is no such document")
	case !key.raw && len(body) <= maxRenderedDocument && key.width > 20:
		if lines, err := th.RenderMarkdown(asMarkdown(string(body)), key.width-2, text.WcWidth); err == nil {
			return views.NewMapRendered(lines)
		}
	}
	return views.NewMapText(string(body))
}

// asMarkdown turns a document of the map into Markdown that renders to what it
// says, a line a line.
func asMarkdown(document string) string {
	var out strings.Builder
	for line := range strings.SplitSeq(document, "\n") {
		item, listed := strings.CutPrefix(line, "- ")
		head, _, _ := strings.Cut(line, " ")
		switch {
		case head == "#" || head == "##":
			out.WriteString("\n" + head + " " + markdownSigns.Replace(line[len(head)+1:]) + "\n\n")
		case listed:
			out.WriteString("- " + markdownSigns.Replace(item) + "\n")
		default:
			out.WriteString(markdownSigns.Replace(line) + "\n\n")
		}
	}
	return out.String()
}

// aboutSheet is what the map says of a directory, or of one file of it.
func aboutSheet(page mapgen.Page, d *views.MapDir, file *views.MapFile) *views.MapSheet {
	s := views.NewMapSheet()
	if file == nil {
		s.Head(d.Path)
	} else {
		s.Head(joinPath(d.Path, file.Name))
	}
	if len(d.States) > 0 {
		s.Warn(strings.Join(d.States, ", ") + ":")
	}
	for _, why := range d.Why {
		s.Warn("  " + why)
	}
	for _, problem := range page.Problems {
		s.Warn("  " + problem)
	}
	if file != nil {
		aboutFile(s, page, file)
		return s
	}
	if page.Role != "" {
		s.Say(page.Role)
	}
	if page.Map == nil && page.Index == nil {
		s.Note("r makes it")
	}
	if len(page.Files) > 0 {
		s.Head("files")
	}
	for _, f := range page.Files {
		listFile(s, f)
	}
	if len(page.Children) > 0 {
		s.Head("directories below")
	}
	for _, c := range page.Children {
		s.Lead("", c.Dir+"  "+c.Role, views.MapStop{Dep: "pkg/" + c.Dir})
	}
	return s
}

func aboutFile(s *views.MapSheet, page mapgen.Page, file *views.MapFile) {
	i := slices.IndexFunc(page.Files, func(f mapgen.PageFile) bool { return f.Name == file.Name })
	if i < 0 {
		s.Note("the map does not list it")
		s.Lead("", "its source", views.MapStop{File: file.Name, Line: 1})
		return
	}
	listFile(s, page.Files[i])
}

func listFile(s *views.MapSheet, f mapgen.PageFile) {
	s.File(f.Name, f.Purpose, views.MapStop{File: f.Name, Line: 1})
	if f.Note != "" {
		s.Note("    " + f.Note)
	}
	for _, x := range f.Symbols {
		s.Lead("exports", x.Text, views.MapStop{File: f.Name, Line: max(x.At, 1)})
	}
	for _, d := range f.Deps {
		s.Lead("uses", d, views.MapStop{Dep: d})
	}
}

// follows goes where the line at the preview's cursor leads.
func (m *model) follows() tea.Cmd {
	c := &m.chart
	stop := c.preview.Stop()
	switch {
	case stop == nil:
		m.notice = "this line leads nowhere"
	case stop.Dep != "":
		m.followDependency(stop.Dep)
	default:
		spot := views.Spot{Dir: c.page.key.spot.Dir, File: stop.File}
		if c.data.Find(spot.Dir) == nil {
			return nil
		}
		m.visitSpot(spot)
		c.tab, c.page.line, c.page.spot = tabSource, stop.Line, c.tree.Spot()
	}
	return nil
}

// followDependency goes to the directory a dependency lies in.
func (m *model) followDependency(dep string) {
	inside, ok := strings.CutPrefix(strings.TrimPrefix(dep, "~"), "pkg/")
	if !ok {
		m.notice = text.Visible(dep) + " lies outside of the project"
		return
	}
	spot, ok := m.chart.placeOf(inside)
	if !ok {
		m.notice = "the map has no " + text.Visible(inside)
		return
	}
	m.visitSpot(spot)
}

// placeOf is the directory a path of the map's is or lies in, and the file of
// it if one is meant: a dependency leaves out the ending.
func (c *chart) placeOf(path string) (views.Spot, bool) {
	if c.data.Find(path) != nil {
		return views.Spot{Dir: path}, true
	}
	dir, name := ".", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, name = path[:i], path[i+1:]
	}
	d := c.data.Find(dir)
	if d == nil {
		return views.Spot{}, false
	}
	for _, f := range d.Files {
		if f.Name == name || strings.HasPrefix(f.Name, name+".") {
			return views.Spot{Dir: dir, File: f.Name}, true
		}
	}
	return views.Spot{Dir: dir}, dir != "."
}

// visitSpot goes to a place and remembers the way back.
func (m *model) visitSpot(spot views.Spot) {
	const longest = 200
	c := &m.chart
	if here := c.tree.Spot(); here != spot {
		c.history, c.future = append(c.history, here), nil
		c.history = c.history[max(len(c.history)-longest, 0):]
	}
	m.goToSpot(spot)
}

func (m *model) goToSpot(spot views.Spot) {
	c := &m.chart
	c.page.line = 0
	if !c.tree.Go(spot) {
		m.notice = "the map has no " + text.Visible(spot.Dir) + " any more"
		return
	}
	m.dropFilter()
}

// dropFilter forgets a filter that was taken away because it hid a place.
func (m *model) dropFilter() {
	c := &m.chart
	if shown, all := c.tree.Filtered(); shown == all && c.query != "" {
		c.query = ""
		delete(m.filters, mapPane)
	}
}

// retrace goes along the places that were followed.
func (m *model) retrace(from, to *[]views.Spot) {
	if len(*from) == 0 {
		return
	}
	last := len(*from) - 1
	spot := (*from)[last]
	*from = (*from)[:last]
	*to = append(*to, m.chart.tree.Spot())
	if m.chart.tab == tabSource {
		m.chart.tab = tabAbout
	}
	m.goToSpot(spot)
}

// pickSheet shows a sheet of the preview.
func (m *model) pickSheet(i int) {
	c := &m.chart
	names := sheetsOf(c.tree.Spot())
	c.tab = names[(i+len(names))%len(names)]
}

func (m *model) nextSheet(step int) {
	key, _ := m.wantedPage()
	m.pickSheet(slices.Index(sheetsOf(key.spot), key.tab) + step)
}
