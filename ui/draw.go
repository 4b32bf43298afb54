package ui

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

// draw composes the whole frame: exactly as many lines as the screen has, none
// wider than it is.
func (m *model) draw() string {
	m.cursor, m.areas, m.sheet = nil, m.areas[:0], area{}
	w, h := m.screen.width, m.screen.height
	if w <= 0 || h <= 0 {
		return ""
	}
	if w < minWidth || h < minHeight {
		return strings.Join(m.tooSmall(), "\n")
	}
	lines := make([]string, 0, h)
	lines = append(lines, m.header())
	rows := h - frameRows
	if m.replaying() {
		rows--
	}
	var body []string
	if m.listing {
		body = m.listBody(w, rows)
	} else {
		body = m.body(w, rows)
	}
	if top := m.top(); top != nil {
		m.lay(top, body)
	}
	lines = append(lines, body...)
	if m.replaying() {
		lines = append(lines, m.timeBar())
	}
	lines = append(lines, m.status(), m.bottom())
	return strings.Join(lines, "\n")
}

// bottom is the last line: what is being typed, else hints.
func (m *model) bottom() string {
	if m.line != nil && m.top() == nil {
		return m.drawLine()
	}
	return m.hints()
}

// tooSmall says so, and how the run stands, in whatever room there is.
func (m *model) tooSmall() []string {
	w, h := m.screen.width, m.screen.height
	run := ""
	switch {
	case m.listing && len(m.pendings()) > 0:
		run = "; a run waits for you"
	case m.listing:
	case !m.seen.IsEnded() && m.owner && len(m.seen.Waits) > 0:
		run = "; the run waits for you"
	case !m.seen.IsEnded() && m.owner:
		run = "; the run goes on"
	}
	var words []string
	for _, say := range []string{
		"growbench: window too small, 40×10 at least" + run, "window too small, 40×10 at least" + run,
		"window too small" + run, "window too small", "too small", "small",
	} {
		longest := 0
		for word := range strings.FieldsSeq(say) {
			longest = max(longest, text.Width(word))
		}
		if words = text.Wrap(say, w); len(words) <= h && longest <= w {
			break
		}
	}
	if len(words) > h {
		words = words[:h]
	}
	lines := make([]string, h)
	top := (h - len(words)) / 2
	for i := range lines {
		lines[i] = views.Blank(w)
		if at := i - top; at >= 0 && at < len(words) {
			lines[i] = text.Pad(strings.Repeat(" ", (w-text.Width(words[at]))/2)+words[at], w)
		}
	}
	return lines
}

// header says what is shown. A long project name is cut first; then that the
// agents are scripted is said shorter, and the run's name and the note go. That
// they are scripted is always said.
func (m *model) header() string {
	const (
		lead   = "growbench  "
		enough = 12 // cells of the project's name
	)
	project := text.Line(projectName(m.state))
	long, short, run, note := "", "", "", text.Line(m.o.Note)
	if m.listing && m.o.Project != nil {
		project, note = text.Line(m.o.Project.Name), "runs"
	} else if m.onMap() && m.mapped() {
		project, note = text.Line(m.o.Project.Name), "map"
	} else if m.state.Scripted {
		long, short = "scripted agents: recorded steps, no model", "scripted agents"
	}
	if m.state.Run != "" && !m.listing && !m.onMap() {
		run = "run " + text.Line(m.state.Run)
	}
	waiting := ""
	if n := len(m.pendings()); n > 0 {
		waiting = fmt.Sprintf(" %s %d waiting, a answers", m.theme.Symbols.Waiting, n)
		if m.screen.width < twoColumns || m.takesText() {
			waiting = fmt.Sprintf(" %s %d waiting", m.theme.Symbols.Waiting, n)
		}
	}
	var facts []string
	room := 0
	for _, facts = range [][]string{{note, long, run}, {note, short, run}, {note, short, ""}, {"", short, ""}} {
		room = m.screen.width - text.Width(lead) - text.Width(waiting)
		for _, f := range facts {
			if f != "" {
				room -= text.Width(" · " + f)
			}
		}
		if room >= min(text.Width(project), enough) {
			break
		}
	}
	r := views.NewRow(m.screen.width).Add(m.theme.Title, "growbench").Plain("  ")
	r.Add(m.theme.Text, text.Truncate(project, max(room, 0), "…"))
	for i, look := range []views.Pen{m.theme.Warn, m.theme.Warn, m.theme.Muted} {
		if facts[i] != "" {
			r.Add(m.theme.Muted, " · ").Add(look, facts[i])
		}
	}
	if waiting != "" {
		r.End(m.theme.Waiting, waiting)
	}
	return r.String()
}

// projectName is the project's folder; its whole path would leave no room.
func projectName(s *event.State) string {
	if s.Project == "" {
		return ""
	}
	return filepath.Base(s.Project)
}

// body draws the panes side by side.
func (m *model) body(w, h int) []string {
	const top = 1 // below the header
	var columns [][]string
	x, next := 0, 0
	slots := arrange(w, h, m.focus, m.aside)
	if m.wide {
		slots = []slot{{m.focus, 0, w, h}}
	}
	for _, s := range slots {
		lines := m.slot(s)
		if s.column < len(columns) {
			m.areas = append(m.areas, area{s.pane, x, top + len(columns[s.column]), s.width, s.height})
			columns[s.column] = append(columns[s.column], lines...)
			continue
		}
		x, next = next, next+s.width+1
		m.areas = append(m.areas, area{s.pane, x, top, s.width, s.height})
		columns = append(columns, lines)
	}
	bar := m.theme.Border.Write(m.theme.Symbols.Frame.Left)
	body := make([]string, h)
	for i := range body {
		parts := make([]string, len(columns))
		for c := range columns {
			parts[c] = columns[c][i]
		}
		body[i] = strings.Join(parts, bar)
	}
	return body
}

// slot draws one pane under its title.
func (m *model) slot(s slot) []string {
	pane := m.face(s.pane)
	pane.SetSize(s.width, s.height-1)
	look, rule, cursor := m.theme.Muted, m.theme.Border, "  "
	if s.pane == m.focus {
		look, rule, cursor = m.theme.Title, m.theme.BorderFocus, m.theme.Symbols.Cursor+" "
	}
	name := paneNames[s.pane]
	if s.pane == transcriptPane {
		name += " of " + agentName(m.follow.agent)
	}
	if s.pane == mapPane {
		m.dressMap()
	}
	if s.pane == previewPane {
		name += m.previewOf()
	}
	content := pane.View()
	title := views.NewRow(s.width).Add(look, cursor+string(rune('1'+s.pane))+" "+name+" ")
	if marks := m.marks(s.pane); marks != "" {
		title.Add(m.theme.Accent, marks+" ")
	}
	return append([]string{title.Rule(rule, m.theme.Symbols.Frame.Top).String()}, content...)
}

// lay puts an overlay in the middle of the body, over whole lines.
func (m *model) lay(o overlay, body []string) {
	w := m.screen.width
	inner := min(w-4, o.width())
	content := o.lines(m, inner, len(body)-2)
	top := max((len(body)-len(content)-2)/2, 0)
	left := (w - inner - 4) / 2
	put := func(row int, line string) {
		if row < len(body) {
			body[row] = views.Blank(left) + line + views.Blank(w-left-inner-4)
		}
	}
	const header = 1
	m.sheet = area{x: left + 2, y: header + top + 1, width: inner, height: len(content)}
	if t, ok := o.(typist); ok {
		x, y := t.cursor()
		m.cursor = &tea.Position{X: m.sheet.x + x, Y: m.sheet.y + y}
	}
	title := " " + o.title() + " "
	frame, look := m.theme.Symbols.Frame, m.theme.BorderFocus
	put(top, views.NewRow(inner+4).Add(look, frame.TopLeft+frame.Top).Add(m.theme.Title, title).
		Rule(look, frame.Top).End(look, frame.TopRight).String())
	for i, l := range content {
		put(top+1+i, look.Write(frame.Left)+" "+text.Pad(l, inner)+" "+look.Write(frame.Right))
	}
	bottom := views.NewRow(inner+4).Add(look, frame.BottomLeft+frame.Bottom)
	if r, ok := o.(reader); ok {
		bottom.Add(m.theme.Accent, more(r))
	}
	put(top+1+len(content), bottom.Rule(look, frame.Bottom).End(look, frame.BottomRight).String())
}
