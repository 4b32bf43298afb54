package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/theme/text"
	"growbench/views"
)

// reader is an overlay that is only read: it scrolls, and the keys that open
// one go from one to the other.
type reader interface {
	overlay
	scroller
	// opener is what the key that opens it does; that key closes it too.
	opener() Action
	place() views.Place
}

var readers = map[Action]string{Prompt: "prompt", Task: "task", Help: "keys"}

func (m *model) read(r reader, key string) tea.Cmd {
	b, ok := find(Bindings(), key)
	switch {
	case key == "q" || ok && b.Action == r.opener():
		m.pop()
	case ok && readers[b.Action] != "":
		return m.bound(key)
	case ok:
		moveIn(r, b.Action)
	}
	return nil
}

func (m *model) readerHints(r reader) []hint {
	hints := []hint{{"esc", "close"}}
	if p := r.place(); p.Above || p.Below {
		hints = append(hints, hint{"j/k", "scroll"})
	}
	situation := m.situation()
	for _, b := range Bindings() {
		name := readers[b.Action]
		if name == "" || b.Action == r.opener() || b.Disabled != nil && b.Disabled(situation) != "" {
			continue
		}
		hints = append(hints, hint{b.Keys[0], name})
	}
	return hints
}

// where says how far a reader has come: the last line shown, and of how many.
func where(r reader) string {
	p := r.place()
	return fmt.Sprintf("%d/%d", p.Shown, p.All)
}

// more says that there is something beyond a reader's edges.
func more(r reader) string {
	switch p := r.place(); {
	case p.Above && p.Below:
		return " ↑ more ↓ "
	case p.Below:
		return " more ↓ "
	case p.Above:
		return " ↑ more "
	}
	return ""
}

// help is every key, and why one does nothing now.
type help struct{ top, height, rows int }

func (*help) title() string           { return "keys" }
func (*help) width() int              { return 76 }
func (*help) opener() Action          { return Help }
func (h *help) hints(m *model) []hint { return m.readerHints(h) }

func (h *help) key(m *model, key string) tea.Cmd { return m.read(h, key) }

func (h *help) lines(m *model, width, height int) []string {
	const column = 12 // of the keys
	situation := m.situation()
	var lines []string
	for _, b := range Bindings() {
		words, pen := b.Description, m.theme.Text
		if b.Disabled != nil {
			if reason := b.Disabled(situation); reason != "" {
				words, pen = words+" — "+reason, m.theme.Muted
			}
		}
		keys := strings.Join(b.Keys, " ")
		for _, l := range text.Wrap(words, width-column) {
			lines = append(lines, views.NewRow(width).Add(m.theme.Accent, text.Pad(keys, column)).Add(pen, l).String())
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

// paper is a prompt or a task.
type paper struct {
	views.Document
	name   string
	action Action
}

func newPaper(m *model, d documentMsg) *paper {
	return &paper{Document: views.NewDocument(m.theme, d.body), name: d.title, action: d.action}
}

func (p *paper) title() string         { return p.name }
func (*paper) width() int              { return 100 }
func (p *paper) opener() Action        { return p.action }
func (p *paper) place() views.Place    { return p.Place() }
func (p *paper) hints(m *model) []hint { return m.readerHints(p) }

func (p *paper) lines(_ *model, width, height int) []string {
	p.SetSize(width, height)
	return p.View()
}

func (p *paper) key(m *model, key string) tea.Cmd { return m.read(p, key) }
