package views

import (
	"strings"

	"growbench/theme/text"
)

// MapPreview shows one sheet beside the tree, under a line that names all the
// sheets there are. Where its lines lead somewhere there is a cursor.
type MapPreview struct {
	look          Look
	width, height int
	tabs          []string
	tab           int
	sheet         *MapSheet
	rows          []sheetRow // of the sheet at this width
	laid          int        // the width they were laid for
	top, at       int        // first row of the window; row of the cursor
	marked        int        // line set off, from 1; 0 is none
}

// sheetRow is a row of a line; the first row carries what the line leads to.
type sheetRow struct {
	text  string
	line  int
	first bool
}

// NewMapPreview is an empty preview.
func NewMapPreview(look Look) MapPreview { return MapPreview{look: look} }

// SetLook changes the colours.
func (v *MapPreview) SetLook(look Look) { v.look = look }

// SetSize sets the size in cells.
func (v *MapPreview) SetSize(width, height int) { v.width, v.height = max(width, 0), max(height, 0) }

// Width is the width in cells.
func (v *MapPreview) Width() int { return v.width }

// SetTabs names the sheets there are, and which is shown.
func (v *MapPreview) SetTabs(tabs []string, shown int) { v.tabs, v.tab = tabs, shown }

// SetSheet shows a sheet from its start; nil shows nothing. With keep the
// window stays where it is: it is the same sheet, come anew.
func (v *MapPreview) SetSheet(s *MapSheet, keep bool) {
	v.sheet, v.laid, v.marked = s, -1, 0
	if !keep {
		v.top, v.at = 0, 0
	}
}

// Sheet is the sheet that is shown.
func (v *MapPreview) Sheet() *MapSheet { return v.sheet }

// GoTo sets a line off, from 1, and brings it into the window.
func (v *MapPreview) GoTo(line int) {
	v.lay()
	v.marked = line
	for i, r := range v.rows {
		if r.line == line-1 {
			v.at = i
			v.top = max(i-v.room()/3, 0)
			return
		}
	}
}

func (v *MapPreview) room() int { return max(v.height-1, 1) }

// lay wraps the sheet to the width.
func (v *MapPreview) lay() {
	if v.laid == v.width {
		return
	}
	v.laid, v.rows = v.width, v.rows[:0]
	if v.sheet == nil {
		return
	}
	for i, l := range v.sheet.lines {
		if v.sheet.cut || l.styled || len(l.text) <= v.width-2 {
			v.rows = append(v.rows, sheetRow{l.text, i, true})
			continue
		}
		for k, w := range text.Wrap(l.text, max(v.width-2-l.indent, 8)) {
			if k > 0 {
				w = strings.Repeat(" ", l.indent) + w
			}
			v.rows = append(v.rows, sheetRow{w, i, k == 0})
		}
	}
	v.at = max(min(v.at, len(v.rows)-1), 0)
}

// stops tells whether lines of the sheet lead somewhere.
func (v *MapPreview) stops() bool {
	if v.sheet == nil {
		return false
	}
	for i := range v.sheet.lines {
		if v.sheet.lines[i].stop != nil {
			return true
		}
	}
	return false
}

// Stop is where the line at the cursor leads, nil when nowhere.
func (v *MapPreview) Stop() *MapStop {
	v.lay()
	if v.at >= len(v.rows) {
		return nil
	}
	return v.sheet.lines[v.rows[v.at].line].stop
}

// Scroll moves by rows: the cursor where there is one, else the window.
func (v *MapPreview) Scroll(rows int) {
	v.lay()
	if v.stops() {
		v.at = max(min(v.at+rows, len(v.rows)-1), 0)
		return
	}
	v.top = max(min(v.top+rows, len(v.rows)-v.room()), 0)
	v.at = v.top
}

// Page moves by whole windows.
func (v *MapPreview) Page(pages int) { v.Scroll(pages * max(v.room()-1, 1)) }

// Home and End go to the first and the last row.
func (v *MapPreview) Home() { v.top, v.at = 0, 0 }
func (v *MapPreview) End()  { v.lay(); v.Scroll(len(v.rows)) }

// NextStop moves the cursor to the next line, or the one before, that leads
// somewhere.
func (v *MapPreview) NextStop(direction int) bool {
	v.lay()
	for i := v.at + direction; i >= 0 && i < len(v.rows); i += direction {
		if r := v.rows[i]; r.first && v.sheet.lines[r.line].stop != nil {
			v.at = i
			return true
		}
	}
	return false
}

// Click puts the cursor on a row of the window; on the row it is on already it
// tells that what it leads to is meant.
func (v *MapPreview) Click(row int) (follow bool) {
	v.lay()
	i := v.top + row - 1
	if row < 1 || i >= len(v.rows) || !v.stops() {
		return false
	}
	follow = v.at == i && v.Stop() != nil
	v.at = i
	return follow
}

// Tab is the sheet whose name was drawn at a cell of the first row; -1 is none.
func (v *MapPreview) Tab(x int) int {
	at := 2
	for i, name := range v.tabs {
		if x >= at && x < at+len(name) {
			return i
		}
		at += len(name) + 2
	}
	return -1
}

// Place tells which part is in the window.
func (v *MapPreview) Place() Place {
	v.lay()
	shown := min(v.top+v.room(), len(v.rows))
	return Place{Shown: shown, All: len(v.rows), Above: v.top > 0, Below: shown < len(v.rows)}
}

// View draws the names of the sheets and the rows in the window.
func (v *MapPreview) View() []string {
	v.lay()
	head := NewRow(v.width).Plain("  ")
	for i, name := range v.tabs {
		pen := v.look.Muted
		if i == v.tab {
			pen = v.look.Selection
		}
		head.Add(pen, name).Plain("  ")
	}
	lines := []string{head.String()}
	room := v.room()
	cursor := v.stops()
	if cursor {
		v.top = max(min(v.top, v.at), v.at-room+1)
	}
	v.top = max(min(v.top, len(v.rows)-room), 0)
	for i := v.top; i < min(v.top+room, len(v.rows)); i++ {
		lines = append(lines, v.row(i, cursor && i == v.at))
	}
	return exactly(lines, v.width, v.height)
}

func (v *MapPreview) row(i int, at bool) string {
	r := v.rows[i]
	l := v.sheet.lines[r.line]
	row := NewRow(v.width)
	if l.styled {
		return text.Pad(text.Truncate(" "+l.text, v.width, "…"), v.width)
	}
	pen := l.tone.style(v.look)
	switch {
	case at || v.marked == r.line+1:
		pen = v.look.Selection
		row.Add(v.look.Accent, v.look.Symbols.Cursor+" ")
	default:
		row.Plain("  ")
	}
	return row.safe(pen, r.text).String()
}
