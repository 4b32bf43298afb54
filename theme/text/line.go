package text

import "unicode/utf8"

// MaxLine is how many cells a line may take before it is broken in two.
const MaxLine = 64 << 10

const tabStop = 8

// line is the line being received. It is plain text until something moves the
// cursor back; from then on it is a row of cells that can be overwritten.
type line struct {
	plain  []byte
	col    int // cursor
	attach attach

	// returned is a carriage return not yet acted upon: before a newline, as
	// in a CRLF file, it never has to be.
	returned bool

	moved bool   // cells hold the line, not plain
	cells []cell // one a column
	erase bool   // the line was erased, and nothing written since
}

// cell is one column. A wide rune owns its column and the one after it, which
// holds the zero rune.
type cell struct {
	r     rune
	marks string
}

var blank = cell{r: ' '}

// ascii appends printable ASCII to a line neither moved nor returned.
func (l *line) ascii(b []byte) {
	l.plain = append(l.plain, b...)
	l.col += len(b)
	l.attach.on(rune(b[len(b)-1]))
	l.erase = false
}

// put writes r, which takes width cells, at the cursor.
func (l *line) put(r rune, width int) {
	l.goHome()
	l.erase = false
	l.attach.on(r)
	if !l.moved {
		l.plain = utf8.AppendRune(l.plain, r)
		l.col += width
		return
	}
	for len(l.cells) < l.col+width {
		l.cells = append(l.cells, blank)
	}
	l.clear(l.col)
	l.clear(l.col + width - 1)
	l.cells[l.col] = cell{r: r}
	for i := 1; i < width; i++ {
		l.cells[l.col+i] = cell{}
	}
	l.col += width
}

// clear empties column i, and the other half of a wide rune that stood there.
func (l *line) clear(i int) {
	if l.cells[i].r == 0 {
		l.cells[i-1] = blank
	} else if i+1 < len(l.cells) && l.cells[i+1].r == 0 {
		l.cells[i+1] = blank
	}
	l.cells[i] = blank
}

// combine adds r, which takes no cell, to the rune before the cursor.
func (l *line) combine(r rune, c class) {
	if l.returned || !l.attach.allows(c) {
		return
	}
	if !l.moved {
		l.plain = utf8.AppendRune(l.plain, r)
		return
	}
	i := l.col - 1
	if l.cells[i].r == 0 {
		i--
	}
	l.cells[i].marks += string(r)
}

func (l *line) tab() {
	l.goHome()
	next := l.col + tabStop - l.col%tabStop
	l.attach.reset()
	l.erase = false
	if l.moved {
		for len(l.cells) < next {
			l.cells = append(l.cells, blank)
		}
		l.col = next
		return
	}
	for ; l.col < next; l.col++ {
		l.plain = append(l.plain, ' ')
	}
}

// back moves the cursor one cell to the left.
func (l *line) back() {
	if l.col == 0 || l.returned {
		return
	}
	l.split()
	l.col--
	l.attach.reset()
}

// home moves the cursor to the start of the line.
func (l *line) home() { l.returned = l.col > 0 }

// goHome acts upon a carriage return.
func (l *line) goHome() {
	if !l.returned {
		return
	}
	l.returned = false
	l.split()
	l.col = 0
	l.attach.reset()
	if l.erase {
		l.cells = l.cells[:0]
		l.erase = false
	}
}

// eraseRight empties what stands at and after the cursor.
func (l *line) eraseRight() {
	l.goHome()
	if l.moved && l.col < len(l.cells) {
		l.clear(l.col)
		l.cells = l.cells[:l.col]
	}
}

// eraseLine empties the line as soon as something shows that it is going to be
// written anew: what a stray erase command stands behind stays readable.
func (l *line) eraseLine() {
	l.goHome()
	if l.moved && l.col == 0 {
		l.cells = l.cells[:0]
		return
	}
	l.eraseRight()
	l.erase = true
}

// split turns the plain line into cells.
func (l *line) split() {
	if l.moved {
		return
	}
	l.moved = true
	l.cells = l.cells[:0]
	for _, r := range string(l.plain) {
		width := runeWidth(r)
		if width == 0 && len(l.cells) > 0 {
			i := len(l.cells) - 1
			if l.cells[i].r == 0 {
				i--
			}
			l.cells[i].marks += string(r)
			continue
		}
		l.cells = append(l.cells, cell{r: r})
		for i := 1; i < width; i++ {
			l.cells = append(l.cells, cell{})
		}
	}
	l.plain = l.plain[:0]
}

// appendTo appends the line as it reads now.
func (l *line) appendTo(b []byte) []byte {
	if !l.moved {
		return append(b, l.plain...)
	}
	for _, c := range l.cells {
		if c.r != 0 {
			b = utf8.AppendRune(b, c.r)
			b = append(b, c.marks...)
		}
	}
	return b
}

// reset empties the line; a buffer that one overlong line blew up is let go.
func (l *line) reset() {
	plain, cells := l.plain[:0], l.cells[:0]
	if cap(cells) > MaxLine/16 {
		cells = nil
	}
	*l = line{plain: plain, cells: cells}
}
