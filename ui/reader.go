package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

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

var readers = map[Action]string{Prompt: "prompt", Task: "task", Diff: "diff", Help: "keys"}

func (m *model) read(r reader, key string) tea.Cmd {
	b, ok := find(Bindings(), key, Everywhere)
	switch {
	case key == "q" || ok && b.Action == r.opener():
		m.pop()
	case ok && b.Action == Result && b.reason(m.situation()) == "":
		m.pop()
		return m.bound(key)
	case ok && readers[b.Action] != "":
		return m.bound(key)
	case ok && (b.Action == Copy || b.Action == Edit || b.Action == Palette):
		return m.bound(key)
	case ok:
		moveIn(r, b.Action, m.screen.height-frameRows-2)
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
		if name == "" || b.Action == r.opener() || b.reason(situation) != "" {
			continue
		}
		hints = append(hints, hint{b.key(), name})
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

// paper is a prompt or a task.
type paper struct {
	views.Document
	name   string
	action Action
}

func newPaper(m *model, d documentMsg) *paper {
	body := d.body
	if d.action == File {
		// Code is read, not judged byte for byte: a tab indents it.
		body = strings.ReplaceAll(body, "\t", "    ")
	}
	return &paper{Document: views.NewDocument(m.theme, body), name: d.title, action: d.action}
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
