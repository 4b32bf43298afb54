package ui

import (
	"path/filepath"
	"strings"

	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

// draw composes the whole frame: exactly as many lines as the screen has, none
// wider than it is.
func (m *model) draw() string {
	w, h := m.screen.width, m.screen.height
	if w <= 0 || h <= 0 {
		return ""
	}
	if w < minWidth || h < minHeight {
		return strings.Join(tooSmall(w, h), "\n")
	}
	lines := make([]string, 0, h)
	lines = append(lines, m.header())
	body := m.body(w, h-frameRows)
	if len(m.stack) > 0 {
		m.lay(m.stack[len(m.stack)-1], body)
	}
	lines = append(lines, body...)
	lines = append(lines, m.status(), m.hints())
	return strings.Join(lines, "\n")
}

// tooSmall says so in whatever room there is.
func tooSmall(w, h int) []string {
	words := text.Wrap("growbench: window too small, 40×10 at least", w)
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

func (m *model) header() string {
	s := m.state
	r := views.NewRow(m.screen.width)
	r.Add(m.theme.Title, "growbench").Add(m.theme.Muted, "  ")
	r.Add(m.theme.Text, projectName(s))
	if m.o.Note != "" {
		r.Add(m.theme.Muted, " · ").Add(m.theme.Warn, m.o.Note)
	}
	if s.Scripted {
		r.Add(m.theme.Muted, " · ").Add(m.theme.Warn, "scripted agents: recorded steps, no model")
	}
	if s.Run != "" {
		r.Add(m.theme.Muted, " · run "+s.Run)
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
	var columns [][]string
	for _, s := range arrange(w, h, m.focus, m.aside) {
		lines := m.slot(s)
		if s.column < len(columns) {
			columns[s.column] = append(columns[s.column], lines...)
			continue
		}
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
	pane := m.board.face(s.pane)
	pane.SetSize(s.width, s.height-1)
	look, rule, cursor := m.theme.Muted, m.theme.Border, "  "
	if s.pane == m.focus {
		look, rule, cursor = m.theme.Title, m.theme.BorderFocus, m.theme.Symbols.Cursor+" "
	}
	name := paneNames[s.pane]
	if s.pane == transcriptPane {
		name += " of " + agentName(m.follow.agent)
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
	title := " " + o.title() + " "
	frame, look := m.theme.Symbols.Frame, m.theme.BorderFocus
	put(top, views.NewRow(inner+4).Add(look, frame.TopLeft+frame.Top).Add(m.theme.Title, title).
		Rule(look, frame.Top).End(look, frame.TopRight).String())
	for i, l := range content {
		put(top+1+i, look.Write(frame.Left)+" "+text.Pad(l, inner)+" "+look.Write(frame.Right))
	}
	put(top+1+len(content), views.NewRow(inner+4).Add(look, frame.BottomLeft).
		Rule(look, frame.Bottom).End(look, frame.BottomRight).String())
}
