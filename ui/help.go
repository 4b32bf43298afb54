package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/theme/text"
	"growbench/views"
)

// help is every key of a place, and why one does nothing now.
type help struct {
	top, height, rows int
	of                typist // the conversation or the form it is about, nil for the panes
}

func (h *help) title() string {
	if h.of != nil {
		return "keys: " + h.of.title()
	}
	return "keys"
}

func (*help) width() int              { return 84 }
func (*help) opener() Action          { return Help }
func (h *help) hints(m *model) []hint { return m.readerHints(h) }

func (h *help) key(m *model, key string) tea.Cmd { return m.read(h, key) }

// switchHelp opens the help on what is open, or closes it.
func (m *model) switchHelp() {
	if _, open := m.top().(*help); open {
		m.pop()
		return
	}
	m.push(&help{of: m.typing()})
}

// typing is the conversation or the form that is open, under whatever is read.
func (m *model) typing() typist {
	for _, o := range slices.Backward(m.stack) {
		switch o := o.(type) {
		case *talk:
			return o
		case *form:
			return o
		}
	}
	return nil
}

// bindings are those that work where it was asked for.
func (h *help) bindings() []Binding {
	scopes := []Scope{InText}
	switch of := h.of.(type) {
	case *talk:
		scopes = append(scopes, InTalk)
	case *form:
		scopes = append(scopes, InForm, of.work.scope())
	}
	if h.of == nil {
		return slices.DeleteFunc(Bindings(), Binding.typed)
	}
	own := slices.DeleteFunc(Bindings(), func(b Binding) bool { return !slices.Contains(scopes, b.In) })
	return append(own, slices.DeleteFunc(Bindings(), func(b Binding) bool { return !b.Over })...)
}

func (h *help) lines(m *model, width, height int) []string {
	const column = 18 // of the keys
	situation := m.situation()
	var lines []string
	group := Group("")
	for _, b := range rows(h.bindings()) {
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
		left, right := text.Wrap(keys, column-1), text.Wrap(words, width-column-2)
		for i := range max(len(left), len(right)) {
			lines = append(lines, views.NewRow(width).Plain("  ").Add(m.theme.Accent, text.Pad(at(left, i), column)).Add(pen, at(right, i)).String())
		}
	}
	h.height, h.rows = max(height, 0), len(lines)
	h.Scroll(0)
	return lines[h.top:min(len(lines), h.top+h.height)]
}

// at is a line, or an empty one beyond the last.
func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
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
