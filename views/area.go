package views

import (
	"strings"

	"growbench/theme/text"
)

// maxArea bounds what an area holds, in bytes.
const maxArea = 256 << 10

// Area is text of several lines being typed. It keeps its text whatever size it
// is drawn in. The zero value is empty and ready.
type Area struct {
	Input
	width int // it was drawn in last: where its rows break
	top   int // the first row shown
}

// SetText replaces the text; the cursor goes to its end.
func (a *Area) SetText(s string) { a.left, a.right = "", ""; a.Insert(s) }

// Insert puts text at the cursor and keeps its lines. Other controls are
// spelled out, so that what was pasted can be read and does nothing.
func (a *Area) Insert(s string) {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	s = strings.ReplaceAll(s, "\t", "    ")
	if room := maxArea - len(a.left) - len(a.right); len(s) > room {
		s = strings.ToValidUTF8(s[:max(room, 0)], "")
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = text.Visible(line)
	}
	a.left += strings.Join(lines, "\n")
}

// Press does what a key does in a text of several lines and tells whether it
// did something; up and down do nothing beyond the first and last row.
func (a *Area) Press(key, typed string) bool {
	switch key {
	case "alt+enter", "ctrl+j", "shift+enter":
		a.Insert("\n")
	case "up":
		return a.row(-1)
	case "down":
		return a.row(1)
	case "home", "ctrl+a":
		a.moveBack(len(a.left) - a.lineStart())
	case "end", "ctrl+e":
		a.moveForth(a.lineEnd())
	case "ctrl+u":
		a.left = a.left[:a.lineStart()]
	case "ctrl+k":
		a.right = a.right[a.lineEnd():]
	default:
		if _, edits := edits[key]; edits {
			return a.Input.Press(key, typed)
		}
		if typed == "" || strings.HasPrefix(key, "alt+") {
			return false
		}
		a.Insert(typed)
	}
	return true
}

func (a *Area) lineStart() int { return strings.LastIndexByte(a.left, '\n') + 1 }

func (a *Area) lineEnd() int {
	if end := strings.IndexByte(a.right, '\n'); end >= 0 {
		return end
	}
	return len(a.right)
}

// row moves the cursor to a row above or below, to the cell nearest.
func (a *Area) row(by int) bool {
	whole, rows := a.Text(), a.rows()
	at := a.at(rows)
	to := at + by
	if to < 0 || to >= len(rows) {
		return false
	}
	x := measure.Width(whole[rows[at].start:len(a.left)])
	target := whole[rows[to].start:rows[to].end]
	i := 0
	for rest := target; rest != ""; {
		next := i + len(firstCluster(rest))
		// The end of a row that wraps is the beginning of the next.
		if measure.Width(target[:next]) > x || next == len(target) && rows[to].wraps {
			break
		}
		i, rest = next, target[next:]
	}
	split := rows[to].start + i
	a.left, a.right = whole[:split], whole[split:]
	return true
}

// span is a row: bytes of the text, without the line's end.
type span struct {
	start, end int
	wraps      bool // its line goes on in the next row
}

// rows break the text where it was drawn to break: after words, where there
// are any. The last cell of a row is left to the cursor.
func (a *Area) rows() (rows []span) {
	whole, cells := a.Text(), max(a.width-1, 1)
	for start := 0; start <= len(whole); {
		line := whole[start:]
		end := strings.IndexByte(line, '\n')
		if end < 0 {
			end = len(line)
		}
		for line = line[:end]; ; {
			n := fits(line, cells)
			rows = append(rows, span{start, start + n, n < len(line)})
			start += n
			if line = line[n:]; line == "" {
				break
			}
		}
		start++ // the line's end
	}
	return rows
}

// fits is how many bytes of a line go into a row of so many cells.
func fits(line string, cells int) int {
	width, word, n := 0, 0, 0
	for n < len(line) {
		cluster := firstCluster(line[n:])
		if width += measure.Width(cluster); width > cells && n > 0 {
			if word > 0 {
				return word
			}
			return n
		}
		n += len(cluster)
		if cluster == " " {
			word = n
		}
	}
	return n
}

// at is the row the cursor stands in.
func (a *Area) at(rows []span) int {
	at := 0
	for i, r := range rows {
		if r.start <= len(a.left) {
			at = i
		}
	}
	return at
}

// Rows is how many rows the text has in width cells.
func (a *Area) Rows(width int) int {
	a.width = width
	return len(a.rows())
}

// View is the text in width cells and at most height rows, and where the cursor
// stands in them. Of a text that is longer the part around the cursor is shown.
func (a *Area) View(width, height int) (lines []string, x, y int) {
	if width <= 0 || height <= 0 {
		return nil, 0, 0
	}
	a.width = width
	whole, rows := a.Text(), a.rows()
	at := a.at(rows)
	a.top = min(max(a.top, at-height+1), at, max(len(rows)-height, 0))
	for _, r := range rows[a.top:min(a.top+height, len(rows))] {
		lines = append(lines, measure.Pad(measure.Truncate(whole[r.start:r.end], width, ""), width))
	}
	return lines, min(measure.Width(whole[rows[at].start:len(a.left)]), width-1), at - a.top
}
