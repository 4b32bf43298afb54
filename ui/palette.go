package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/theme/text"
	"growbench/views"
)

// palette finds a binding by what it does and runs it.
type palette struct {
	query  views.Input
	picked int // of the entries that match
	top    int
	at     int // the cursor's cell
}

// entry is a binding as the palette shows it.
type entry struct {
	Binding
	why   string // it does nothing now, or ""
	score int
}

func (*palette) title() string { return "actions" }
func (*palette) width() int    { return 84 }
func (*palette) hints(*model) []hint {
	return []hint{{"enter", "run it"}, {"↑/↓", "pick"}, {"esc", "close"}}
}
func (p *palette) cursor() (x, y int) { return p.at, 0 }
func (p *palette) paste(_ *model, s string) tea.Cmd {
	p.query.Insert(s)
	p.picked = 0
	return nil
}

// entries are the bindings that match, the best first; those that do nothing
// now come after all others.
func (p *palette) entries(m *model) []entry {
	situation := m.situation()
	var found []entry
	for _, b := range Bindings() {
		if b.Action == Palette || b.Action == HelpHere || b.typed() {
			continue
		}
		score, ok := views.Match(p.query.Text(), b.describe()+" "+string(b.Group))
		if !ok {
			continue
		}
		there := situation
		if b.In != Everywhere {
			there.Focus = b.In
		}
		found = append(found, entry{b, b.reason(there), score})
	}
	if strings.TrimSpace(p.query.Text()) != "" {
		slices.SortStableFunc(found, func(a, b entry) int {
			if (a.why == "") != (b.why == "") {
				if a.why == "" {
					return -1
				}
				return 1
			}
			return b.score - a.score
		})
	}
	p.picked = max(min(p.picked, len(found)-1), 0)
	return found
}

func (p *palette) lines(m *model, width, height int) []string {
	const mark = "> "
	typed, at := p.query.View(width - len(mark))
	p.at = len(mark) + at
	lines := []string{views.NewRow(width).Add(m.theme.Accent, mark).Plain(typed).String()}
	found := p.entries(m)
	if len(found) == 0 {
		return append(lines, views.NewRow(width).Add(m.theme.Muted, "nothing is called that").String())[:max(min(2, height), 0)]
	}
	rows := max(height-len(lines), 1)
	p.top = max(min(p.top, p.picked), p.picked-rows+1)
	p.top = max(min(p.top, len(found)-rows), 0)
	for i := p.top; i < min(len(found), p.top+rows); i++ {
		lines = append(lines, p.row(m, found[i], i == p.picked, width))
	}
	return lines[:min(len(lines), max(height, 0))]
}

// row is one entry: what it does, why it does nothing now, its key.
func (p *palette) row(m *model, e entry, picked bool, width int) string {
	const keys = 10
	pen, cursor := m.theme.Text, "  "
	if picked {
		pen, cursor = m.theme.Selection, m.theme.Symbols.Cursor+" "
	}
	words := e.describe()
	if e.why != "" {
		words += " — " + e.why
		if !picked {
			pen = m.theme.Muted
		}
	}
	room := width - keys - text.Width(cursor) - 1
	return views.NewRow(width).Add(m.theme.Accent, cursor).
		Add(pen, text.Truncate(words, room, "…")).
		To(keys).Add(m.theme.Accent, shortKeys(e.Keys, keys)).String()
}

// shortKeys are as many of a binding's keys as find room.
func shortKeys(keys []string, width int) string {
	shown := ""
	for _, k := range keys {
		if longer := joinWords(shown, k); text.Width(longer) <= width {
			shown = longer
		}
	}
	return shown
}

func (p *palette) key(m *model, key string) tea.Cmd { return p.typed(m, key, "") }

func (p *palette) typed(m *model, key, typed string) tea.Cmd {
	found := p.entries(m)
	switch key {
	case "enter":
		if len(found) == 0 {
			return nil
		}
		return p.run(m, found[p.picked])
	case "up", "ctrl+p", "shift+tab":
		p.picked = max(p.picked-1, 0)
	case "down", "ctrl+n", "tab":
		p.picked = min(p.picked+1, len(found)-1)
	case "pgup":
		p.picked = max(p.picked-10, 0)
	case "pgdown":
		p.picked = min(p.picked+10, len(found)-1)
	default:
		before := p.query.Text()
		if p.query.Press(key, typed); p.query.Text() != before {
			p.picked, p.top = 0, 0
		}
	}
	return nil
}

// run does what an entry says, in its own pane; one that does nothing now says
// why and stays.
func (p *palette) run(m *model, e entry) tea.Cmd {
	if e.why != "" {
		m.notice = e.why
		return nil
	}
	m.pop()
	if pane, ok := paneOf(e.In); ok {
		m.show(pane)
	}
	return m.act(e.Binding, e.key())
}

// click runs the entry on that line.
func (p *palette) click(m *model, row int) tea.Cmd {
	found := p.entries(m)
	if i := p.top + row - 1; row > 0 && i < len(found) {
		p.picked = i
		return p.run(m, found[i])
	}
	return nil
}

// wheel moves the pick.
func (p *palette) wheel(m *model, rows int) {
	p.picked = max(min(p.picked+rows, len(p.entries(m))-1), 0)
}
