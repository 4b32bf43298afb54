package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"growbench/theme/text"
	"growbench/views"
)

// menu offers a few things to do, one of which is picked.
type menu struct {
	name   string
	items  []item
	picked int
	top    int
}

// item is one thing a menu offers. Why says why it cannot be had now, or "".
type item struct {
	words string
	why   string
	do    func(m *model) tea.Cmd
}

func (n *menu) title() string { return n.name }

func (n *menu) width() int {
	width := text.Width(n.name) + 4
	for _, i := range n.items {
		width = max(width, text.Width(i.words)+text.Width(i.why)+8)
	}
	return min(width, 90)
}

func (*menu) hints(*model) []hint {
	return []hint{{"enter", "take it"}, {"j/k", "pick"}, {"esc", "close"}}
}

func (n *menu) lines(m *model, width, height int) []string {
	height = max(height, 0)
	n.top = max(min(n.top, n.picked), n.picked-height+1, 0)
	var lines []string
	for i := n.top; i < min(len(n.items), n.top+height); i++ {
		item := n.items[i]
		pen, cursor := m.theme.Text, "  "
		if i == n.picked {
			pen, cursor = m.theme.Selection, m.theme.Symbols.Cursor+" "
		}
		number := "  "
		if i < 9 {
			number = fmt.Sprintf("%d ", i+1)
		}
		row := views.NewRow(width).Add(m.theme.Accent, cursor+number).Add(pen, item.words)
		if item.why != "" {
			row.Add(m.theme.Muted, " — "+item.why)
		}
		lines = append(lines, row.String())
	}
	return lines
}

func (n *menu) key(m *model, key string) tea.Cmd {
	b, _ := find(Bindings(), key, Everywhere)
	switch {
	case key == "q":
		m.pop()
	case key == "enter":
		return n.take(m, n.picked)
	case len(key) == 1 && key >= "1" && key <= "9":
		return n.take(m, int(key[0]-'1'))
	case b.Action == Up:
		n.wheel(m, -1)
	case b.Action == Down:
		n.wheel(m, 1)
	case b.Action == Home:
		n.picked = 0
	case b.Action == End:
		n.picked = len(n.items) - 1
	}
	return nil
}

// take does the item of that number; one that cannot be had says why.
func (n *menu) take(m *model, number int) tea.Cmd {
	if number < 0 || number >= len(n.items) {
		return nil
	}
	n.picked = number
	if why := n.items[number].why; why != "" {
		m.notice = why
		return nil
	}
	m.pop()
	return n.items[number].do(m)
}

func (n *menu) click(m *model, row int) tea.Cmd { return n.take(m, n.top+row) }

func (n *menu) wheel(_ *model, rows int) {
	n.picked = max(min(n.picked+rows, len(n.items)-1), 0)
}
