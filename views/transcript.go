package views

import (
	"fmt"
	"slices"
	"sort"
)

// Transcript shows what one agent did, line by line, as it happens. Tool calls
// are folded to one line; it follows the end only while it stands there. It
// holds the sheets near its window and says which others it needs.
type Transcript struct {
	look    Look
	pager   pager
	note    string
	cursor  *place // the call the keys act upon
	query   Query
	current *place // of the match one stands on
	found   map[int][]int32
	matches int
}

// NewTranscript returns an empty transcript.
func NewTranscript(t Look) Transcript { return Transcript{look: t, pager: newPager()} }

// SetLook changes the colours.
func (t *Transcript) SetLook(l Look) { t.look = l }

// SetSize sets the pane's size in cells.
func (t *Transcript) SetSize(width, height int) {
	if width != t.pager.width || height != t.pager.height {
		t.pager.setSize(width, height)
	}
}

// Reset empties the pane for another agent. Note is shown while there is
// nothing.
func (t *Transcript) Reset(note string) {
	width, height, unfolded := t.pager.width, t.pager.height, t.pager.unfolded
	*t = NewTranscript(t.look)
	t.note = note
	t.pager.width, t.pager.height, t.pager.unfolded = width, height, unfolded
}

// Grow tells how many pages there are now, and hands in the sheets of those
// that are new or have changed.
func (t *Transcript) Grow(pages int, sheets ...*Sheet) {
	begun := t.pager.count > 0
	if t.pager.count = max(pages, t.pager.count); !begun {
		t.pager.counted = t.pager.count
	}
	t.Put(sheets...)
	t.pager.counted = t.pager.count
}

// Count is how many pages there are.
func (t *Transcript) Count() int { return t.pager.count }

// Put hands in sheets, asked for or new.
func (t *Transcript) Put(sheets ...*Sheet) {
	for _, s := range sheets {
		t.pager.put(s)
		if !t.query.Empty() {
			t.Found(s.number, t.query.Matches(s))
		}
	}
	t.pager.settle()
}

// Wants are the pages it lacks to show what it should, each asked for once.
func (t *Transcript) Wants() []int {
	if len(t.pager.missing) == 0 {
		return nil
	}
	wanted := make([]int, 0, len(t.pager.missing))
	for n := range t.pager.missing {
		if t.pager.sheets[n] == nil {
			wanted = append(wanted, n)
		}
	}
	clear(t.pager.missing)
	slices.Sort(wanted)
	return wanted
}

// Unfinished are the pages it holds that change when the transcript grows.
func (t *Transcript) Unfinished() []int {
	var open []int
	for n, s := range t.pager.sheets {
		if s.open {
			open = append(open, n)
		}
	}
	slices.Sort(open)
	return open
}

// Scroll moves the window by rows, Page by whole windows.
func (t *Transcript) Scroll(rows int) { t.pager.scroll(rows) }

// Page moves the window by a number of windows.
func (t *Transcript) Page(pages int) { t.pager.scroll(pages * max(t.pager.height-1, 1)) }

// Home goes to the very first line.
func (t *Transcript) Home() { t.pager.home() }

// End goes to the end and follows it.
func (t *Transcript) End() { t.pager.toEnd() }

// Following tells whether the pane stands at its end.
func (t *Transcript) Following() bool { return t.pager.follow }

// Above tells whether something stands above the window.
func (t *Transcript) Above() bool {
	_, above := t.pager.previous(t.pager.top)
	return above || t.pager.sub > 0 || t.pager.top.sheet > 0
}

// FoldAll shows (false) or hides what all tools were given and gave back.
func (t *Transcript) FoldAll(folded bool) { t.pager.fold(!folded) }

// Folded tells whether calls are one line each, but for those picked.
func (t *Transcript) Folded() bool { return !t.pager.unfolded }

// Toggle unfolds or folds the call at the cursor; without one in the window
// that is the last call in it, or the closest above.
func (t *Transcript) Toggle() bool {
	at, ok := t.atHand()
	if !ok {
		return false
	}
	t.cursor = &at
	l, _ := t.pager.line(at)
	t.pager.pick(l.call)
	t.pager.follow = false
	t.pager.refold()
	return true
}

func (t *Transcript) atHand() (at place, ok bool) {
	t.pager.window(func(n place, row int, _ string) {
		l, _ := t.pager.line(n)
		if t.cursor != nil && (n == *t.cursor || ok && at == *t.cursor) {
			at, ok = *t.cursor, true
			return
		}
		if l.head && row == 0 {
			at, ok = n, true
		}
	})
	if !ok {
		at, ok = t.pager.seek(t.pager.top, -1, func(l line) bool { return l.head })
	}
	return at, ok
}

// Stop is a kind of line to go to.
type Stop int

// What the cursor goes to.
const (
	Call    Stop = iota // any tool call
	Failure             // a call that failed
)

func (s Stop) is(l line) bool { return l.head && (s == Call || l.tone == toneBad) }

// Step moves the cursor to the next (1) or the previous (-1) stop. Beyond what
// is here it gives the page to look on from, in that direction.
func (t *Transcript) Step(s Stop, direction int) (moved bool, lookOn int) {
	from := t.pager.top
	switch {
	case t.cursor != nil && t.pager.inWindow(*t.cursor):
		from = *t.cursor
	case direction > 0:
		from.line--
	default:
		t.pager.window(func(at place, _ int, _ string) { from = at })
		from.line++
	}
	at, ok := t.pager.seek(from, direction, s.is)
	if !ok {
		return false, at.sheet
	}
	t.GoTo(at.sheet, at.line)
	return true, 0
}

// Within returns the first stop of a sheet in a direction.
func (s Stop) Within(sheet *Sheet, direction int) (line int, ok bool) {
	for i := range sheet.lines {
		if direction < 0 {
			i = len(sheet.lines) - 1 - i
		}
		if s.is(sheet.lines[i]) {
			return i, true
		}
	}
	return 0, false
}

// GoTo puts the cursor on a line and shows it.
func (t *Transcript) GoTo(sheet, line int) {
	at := place{sheet, line}
	t.cursor = &at
	t.pager.goTo(at)
}

// Search begins to look for something; an empty query ends it.
func (t *Transcript) Search(q Query) {
	t.query, t.current, t.matches, t.found = q, nil, 0, map[int][]int32{}
	if q.Empty() {
		return
	}
	for n, s := range t.pager.sheets {
		t.Found(n, q.Matches(s))
	}
}

// Query is what is looked for.
func (t *Transcript) Query() Query { return t.query }

// Found hands in the lines of a page that match.
func (t *Transcript) Found(page int, lines []int32) {
	t.matches += len(lines) - len(t.found[page])
	if len(lines) == 0 {
		delete(t.found, page)
		return
	}
	t.found[page] = lines
}

// Matches is how many lines match, as far as they are known, and the number of
// the one at hand among them, from 1, or 0.
func (t *Transcript) Matches() (at, all int) {
	if t.current != nil {
		for page, lines := range t.found {
			switch {
			case page < t.current.sheet:
				at += len(lines)
			case page == t.current.sheet:
				at += sort.Search(len(lines), func(i int) bool { return int(lines[i]) > t.current.line })
			}
		}
	}
	return at, t.matches
}

// NextMatch goes to the next (1) or previous (-1) line that matches; at the
// last it goes on from the other end.
func (t *Transcript) NextMatch(direction int) bool {
	from := t.pager.top
	if t.current != nil {
		from = *t.current
	} else if direction > 0 {
		from.line--
	}
	at, ok := t.match(from, direction)
	if !ok {
		edge := place{-1, 0}
		if direction < 0 {
			edge = t.pager.end()
		}
		if at, ok = t.match(edge, direction); !ok {
			return false
		}
	}
	t.current = &at
	t.pager.goTo(at)
	return true
}

func (t *Transcript) match(from place, direction int) (place, bool) {
	for n := from.sheet; n >= -1 && n <= t.pager.count; n += direction {
		lines := t.found[n]
		for i := range lines {
			if direction < 0 {
				i = len(lines) - 1 - i
			}
			at := place{n, int(lines[i])}
			if direction > 0 && from.before(at) || direction < 0 && at.before(from) {
				return at, true
			}
		}
	}
	return place{}, false
}

// Window is the page at the top of the window.
func (t *Transcript) Window() int { return t.pager.top.sheet }

// Mark says in a few words what is below the window, or where it stands.
func (t *Transcript) Mark() string {
	p := &t.pager
	if p.follow {
		return ""
	}
	mark := "more ↓"
	if p.count > 1 {
		mark = fmt.Sprintf("%d%% ↓", p.top.sheet*100/p.count)
	}
	if p.fresh > 0 {
		mark = fmt.Sprintf("%d new ↓", p.fresh)
	}
	return mark
}

// View draws the pane.
func (t *Transcript) View() []string {
	if t.pager.count == 0 {
		out := NewRow(t.pager.width).Add(t.look.Muted, t.note).String()
		return exactly([]string{out}, t.pager.width, t.pager.height)
	}
	return t.pager.view(t.look, marker{cursor: t.cursor, query: t.query, current: t.current})
}
