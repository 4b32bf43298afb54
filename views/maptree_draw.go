package views

import (
	"fmt"
	"strings"

	"growbench/theme/text"
)

// View draws the rows in the window.
func (v *MapTree) View() []string {
	if len(v.rows) == 0 {
		lines := v.empty
		if v.data != nil {
			lines = []string{"nothing matches"}
			if v.needing && v.sifted == nil {
				lines = []string{"every directory is described as it is"}
			}
		}
		var out []string
		for _, l := range lines {
			for _, w := range text.Wrap(l, max(v.width-2, 1)) {
				out = append(out, NewRow(v.width).Plain("  ").Add(v.look.Muted, w).String())
			}
		}
		return exactly(out, v.width, v.height)
	}
	v.at = max(min(v.at, len(v.rows)-1), 0)
	v.top = max(min(v.top, v.at, len(v.rows)-v.height), v.at-v.height+1, 0)
	lines := make([]string, 0, v.height)
	for i := v.top; i < min(v.top+v.height, len(v.rows)); i++ {
		lines = append(lines, v.row(i))
	}
	return exactly(lines, v.width, v.height)
}

// Above and Below are how many rows stand beyond the window.
func (v *MapTree) Above() int { return v.top }
func (v *MapTree) Below() int { return max(len(v.rows)-v.top-v.height, 0) }

func (v *MapTree) row(i int) string {
	r := v.rows[i]
	n := &v.data.nodes[r.node]
	row := NewRow(v.width)
	name := v.look.Text
	if i == v.at {
		name = v.look.Selection
		row.Add(v.look.Accent, v.look.Symbols.Cursor)
	} else {
		row.Plain(" ")
	}
	const deepest = 12 // beyond, more indent would push the names out
	indent := min(n.depth, deepest)
	switch {
	case r.symbol >= 0:
		s := v.sifted.symbols[r.symbol]
		row.Plain(strings.Repeat(" ", 2*indent+6)).Add(name, text.Visible(s.Text))
		if s.Line > 0 {
			row.Add(v.look.Muted, fmt.Sprintf(" :%d", s.Line))
		}
	case r.file >= 0:
		f := n.Files[r.file]
		pen, sign := v.look.Muted, " "
		if f.Change != "" {
			pen, sign = v.look.Warn, changeSigns[f.Change]
		}
		row.Plain(strings.Repeat(" ", 2*indent+4)).Add(pen, sign+" ").Add(name, text.Visible(f.Name))
		if f.Change != "" {
			row.Add(v.look.Warn, " "+f.Change)
		}
	default:
		v.dirRow(row, n, indent, name)
	}
	return row.String()
}

var changeSigns = map[string]string{"new": "+", "changed": "~", "gone": "-"}

// dirRow is a directory: fold sign, state, name, what is below, and how long
// it has not been right; in what room is left, what it is for.
func (v *MapTree) dirRow(row *Row, n *mapNode, indent int, pen Pen) {
	fold := " "
	if len(n.below)+len(n.Files) > 0 {
		fold = "+"
		if v.open[n.Path] || !v.folds() {
			fold = "-"
		}
	}
	sign, statePen, word := v.state(n)
	name := n.name + "/"
	if n.Path == "." {
		name = "./"
	}
	row.Plain(strings.Repeat(" ", 2*indent)).Add(v.look.Muted, fold+" ").Add(statePen, sign+" ").Add(pen, text.Visible(name))
	if word != "" {
		row.Add(statePen, " "+word)
	}
	if fold == "+" {
		below := n.rolled
		for i := range mapStates {
			if strings.Contains(" "+strings.Join(n.States, " ")+" ", " "+mapStates[i]+" ") {
				below[i]--
			}
		}
		if words := countWords(below, ", "); words != "" {
			row.Add(v.look.Warn, " ("+words+" below)")
		}
	}
	if n.Role != "" && len(n.States) == 0 && row.left > 12 {
		row.Add(v.look.Muted, "  "+text.Line(clip(n.Role)))
	}
}

// state is the sign, the pen and the words of a directory's state.
func (v *MapTree) state(n *mapNode) (sign string, pen Pen, word string) {
	s := v.look.Symbols
	switch {
	case v.busy[n.Path]:
		return s.Running, v.look.Running, "being described"
	case len(n.States) == 0:
		return s.Done, v.look.Good, ""
	}
	switch n.States[0] {
	case MapBroken:
		sign, pen = s.Failed, v.look.Bad
	case MapMissing:
		sign, pen = s.Pending, v.look.Warn
	case MapOrphaned:
		sign, pen = s.Stopped, v.look.Warn
	case MapStale:
		sign, pen = s.Affected, v.look.Warn
	default:
		sign, pen = s.Flagged, v.look.Waiting
	}
	word = strings.Join(n.States, ", ")
	if !n.Since.IsZero() && !v.now.IsZero() {
		word += " " + Age(v.now.Sub(n.Since))
	}
	return sign, pen, word
}

func countWords(rolled [len(mapStates)]int32, between string) string {
	var words []string
	for i, count := range rolled {
		if count > 0 {
			words = append(words, fmt.Sprintf("%s %s", Number(int(count)), mapStates[i]))
		}
	}
	return strings.Join(words, between)
}
