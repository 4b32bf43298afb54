package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/theme/text"
	"growbench/views"
)

// help is every key, and why one does nothing now.
type help struct{ top, height, rows int }

func (*help) title() string           { return "keys" }
func (*help) width() int              { return 84 }
func (*help) opener() Action          { return Help }
func (h *help) hints(m *model) []hint { return m.readerHints(h) }

func (h *help) key(m *model, key string) tea.Cmd { return m.read(h, key) }

func (h *help) lines(m *model, width, height int) []string {
	const column = 18 // of the keys
	situation := m.situation()
	var lines []string
	group := Group("")
	for _, b := range rows() {
		if b.Group != group {
			group = b.Group
			lines = append(lines, views.NewRow(width).Add(m.theme.Title, string(group)).String())
		}
		words, pen := b.Description, m.theme.Text
		if reason := b.reason(situation); reason != "" {
			words, pen = words+" — "+reason, m.theme.Muted
		}
		keys := strings.Join(b.Keys, " ")
		if keys == "" {
			keys = "in the palette"
		}
		for _, l := range text.Wrap(words, width-column-2) {
			lines = append(lines, views.NewRow(width).Plain("  ").Add(m.theme.Accent, text.Pad(keys, column)).Add(pen, l).String())
			keys = ""
		}
	}
	h.height, h.rows = max(height, 0), len(lines)
	h.Scroll(0)
	return lines[h.top:min(len(lines), h.top+h.height)]
}

// Scroll moves the window by rows, Page by whole windows.
func (h *help) Scroll(rows int) { h.top = max(0, min(h.top+rows, h.rows-h.height)) }
func (h *help) Page(pages int)  { h.Scroll(pages * max(h.height-1, 1)) }

// Home and End go to the first and to the last row.
func (h *help) Home() { h.top = 0 }
func (h *help) End()  { h.Scroll(h.rows) }

func (h *help) place() views.Place {
	shown := min(h.rows, h.top+h.height)
	return views.Place{Shown: shown, All: h.rows, Above: h.top > 0, Below: shown < h.rows}
}
