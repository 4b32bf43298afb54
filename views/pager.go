package views

import "strings"

// maxBytes is how much a pager keeps; sheets far from its window are dropped
// and asked for again.
const maxBytes = 16 << 20

// ahead is how many sheets are asked for at once when one is missing.
const ahead = 4

// tone says how a line is meant; the theme in force when it is drawn decides
// how that looks.
type tone uint8

const (
	toneText tone = iota
	toneDim
	toneTool
	toneThinking
	toneBad
	toneTurn
	toneAdded
	toneRemoved
	toneHunk
	toneFile
)

func (t tone) style(th Look) Pen {
	switch t {
	case toneDim, toneTurn:
		return th.Muted
	case toneTool:
		return th.Tool
	case toneThinking:
		return th.Thinking
	case toneBad:
		return th.Bad
	case toneAdded:
		return th.DiffAdd
	case toneRemoved:
		return th.DiffDel
	case toneHunk:
		return th.DiffHunk
	case toneFile:
		return th.Title
	}
	return th.Text
}

// line is one logical line; its text is safe to draw.
type line struct {
	text string
	tone tone
	head bool  // the line that stands for its call while that is folded
	call int64 // of the tool call it belongs to, 0 for none
}

// unknownCall is whose lines are shown only when all are.
const unknownCall = -1

// place is a line of a text: its sheet, and its number there.
type place struct{ sheet, line int }

func (a place) before(b place) bool {
	return a.sheet < b.sheet || a.sheet == b.sheet && a.line < b.line
}

// pager shows many logical lines through a small window. Only rows in the
// window are ever wrapped: its place is a line and a row within it, never a
// row number of the whole. The lines come in sheets; those it lacks it asks
// for, and shows what it has until they come.
type pager struct {
	width, height int
	sheets        map[int]*Sheet
	count         int // sheets there are, here or not
	counted       int // of them, those whose lines are no news
	bytes         int
	top           place
	sub           int // the window's first row: row within the line top
	follow        bool
	unfolded      bool           // calls are shown with all that belongs to them
	picked        map[int64]bool // but for these, which are shown the other way
	fresh         int            // lines that came while not following
	wrapped       map[place][]string
	missing       map[int]bool
	lacks         bool   // a walk ended at a sheet that is not here
	ahead         int    // how many sheets such a walk asks for
	target        *place // where to go as soon as it is here
}

func newPager() pager {
	return pager{
		follow: true, ahead: ahead, sheets: map[int]*Sheet{}, wrapped: map[place][]string{},
		missing: map[int]bool{}, picked: map[int64]bool{},
	}
}

func (p *pager) setSize(width, height int) {
	if width != p.width {
		clear(p.wrapped)
		p.sub = 0
	}
	p.width, p.height = max(width, 0), max(height, 0)
	p.settle()
}

// put takes a sheet. One that was read from an older state of the file than
// the one it has is of no use.
func (p *pager) put(s *Sheet) {
	old := p.sheets[s.number]
	if old != nil && old.size > s.size {
		return
	}
	if !p.follow && (old != nil || s.number >= p.counted) {
		p.fresh += max(p.visible(s)-p.visible(old), 0)
	}
	if old != nil {
		p.bytes -= old.bytes
	}
	p.bytes += s.bytes
	p.sheets[s.number] = s
	delete(p.missing, s.number)
	clear(p.wrapped)
	for p.bytes > maxBytes {
		far := p.farthest()
		if far < 0 {
			break
		}
		p.bytes -= p.sheets[far].bytes
		delete(p.sheets, far)
	}
}

// farthest is the sheet to let go of first; the last one is needed to see what
// comes.
func (p *pager) farthest() int {
	far, distance := -1, 1
	for n := range p.sheets {
		d := min(max(n-p.top.sheet, p.top.sheet-n), p.count-1-n)
		if n != p.count-1 && (d > distance || d == distance && n > far) {
			far, distance = n, d
		}
	}
	return far
}

func (p *pager) visible(s *Sheet) int {
	if s == nil {
		return 0
	}
	n := 0
	for _, l := range s.lines {
		if !p.hides(l) {
			n++
		}
	}
	return n
}

// wish asks for a sheet, if it is not here.
func (p *pager) wish(n int) {
	if n >= 0 && n < p.count && p.sheets[n] == nil {
		p.missing[n] = true
	}
}

func (p *pager) miss(n, direction int) {
	p.lacks = true
	for range p.ahead {
		p.wish(n)
		n += direction
	}
}

func (p *pager) shows(call int64) bool { return p.unfolded != p.picked[call] }

func (p *pager) hides(l line) bool { return l.call != 0 && !l.head && !p.shows(l.call) }

func (p *pager) line(at place) (line, bool) {
	s := p.sheets[at.sheet]
	if s == nil || at.line < 0 || at.line >= len(s.lines) {
		return line{}, false
	}
	return s.lines[at.line], true
}

// seek finds the closest line in a direction for which want holds.
func (p *pager) seek(at place, direction int, want func(line) bool) (place, bool) {
	p.lacks = false
	at.line += direction
	for at.sheet >= 0 && at.sheet < p.count {
		s := p.sheets[at.sheet]
		if s == nil {
			p.miss(at.sheet, direction)
			return at, false
		}
		if direction < 0 {
			at.line = min(at.line, len(s.lines)-1)
		}
		for ; at.line >= 0 && at.line < len(s.lines); at.line += direction {
			if want(s.lines[at.line]) {
				return at, true
			}
		}
		at.sheet += direction
		if at.line = 0; direction < 0 {
			at.line = 1 << 30
		}
	}
	return at, false
}

func (p *pager) shown(l line) bool { return !p.hides(l) }

func (p *pager) next(at place) (place, bool)     { return p.seek(at, 1, p.shown) }
func (p *pager) previous(at place) (place, bool) { return p.seek(at, -1, p.shown) }

func (p *pager) end() place { return place{p.count, 0} }

// last is the last line there is.
func (p *pager) last() (place, bool) { return p.previous(place{p.count - 1, 1 << 30}) }

// rows wraps one line to the width.
func (p *pager) rows(at place) []string {
	l, _ := p.line(at)
	if l.head && !p.shows(l.call) {
		return []string{l.text}
	}
	if rows, ok := p.wrapped[at]; ok {
		return rows
	}
	width := p.width - l.indent()
	rows := measure.Wrap(l.text, max(width, 1))
	if len(rows) == 0 {
		rows = []string{""}
	}
	if len(p.wrapped) > 512 {
		clear(p.wrapped)
	}
	p.wrapped[at] = rows
	return rows
}

// indent is how many cells stand before the rows of a line.
func (l line) indent() int {
	switch {
	case l.head, l.call != 0:
		return 2
	case l.tone == toneTurn:
		return 3
	}
	return 0
}

// bottom is the window's place when its last row is the last there is; whole
// is false when sheets are missing to tell.
func (p *pager) bottom() (top place, sub int, whole bool) {
	left := p.height
	at, ok := p.last()
	top = at
	if !ok {
		top = place{}
	}
	for ; ok; at, ok = p.previous(at) {
		rows := len(p.rows(at))
		if rows >= left {
			return at, rows - left, true
		}
		left -= rows
		top = at
	}
	return top, 0, !p.lacks
}

// settle keeps the window inside the text, at its end when it follows.
func (p *pager) settle() {
	p.arrive()
	if !p.follow { // where the end lies matters only when it is near, and so here
		p.ahead = 0
	}
	top, sub, whole := p.bottom()
	p.ahead = ahead
	if p.follow || whole && p.target == nil && (top.before(p.top) || p.top == top && p.sub >= sub) {
		p.top, p.sub, p.follow, p.fresh = top, sub, true, 0
	}
}

// goTo shows a line, a third from the top where it was not to be seen.
func (p *pager) goTo(at place) {
	p.target, p.follow = &at, false
	p.settle()
}

// arrive is the end of going somewhere, once the place is here.
func (p *pager) arrive() {
	if p.target == nil {
		return
	}
	at := *p.target
	s := p.sheets[at.sheet]
	if s == nil {
		p.miss(at.sheet, 1)
		return
	}
	p.target = nil
	if len(s.lines) == 0 {
		return
	}
	at.line = min(at.line, len(s.lines)-1)
	if l := s.lines[at.line]; p.hides(l) {
		if l.call == unknownCall {
			p.unfolded = true
			clear(p.picked)
		} else {
			p.pick(l.call)
		}
	}
	if p.inWindow(at) {
		return
	}
	p.top, p.sub = at, 0
	p.up(p.height / 3)
}

// pick shows one call the other way.
func (p *pager) pick(call int64) {
	if p.picked[call] = !p.picked[call]; !p.picked[call] {
		delete(p.picked, call)
	}
}

// inWindow tells whether a line's first row is in the window.
func (p *pager) inWindow(at place) bool {
	found := false
	p.window(func(n place, row int, _ string) { found = found || n == at && row == 0 })
	return found
}

// window goes through the rows that are shown.
func (p *pager) window(do func(at place, row int, s string)) {
	at, ok := p.top, true
	if l, here := p.line(at); !here || p.hides(l) {
		at, ok = p.next(at)
	}
	left, skip := p.height, p.sub
	for ; ok && left > 0; at, ok = p.next(at) {
		for i, s := range p.rows(at) {
			if i >= skip && left > 0 {
				do(at, i, s)
				left--
			}
		}
		skip = 0
	}
}

// scroll moves the window by rows; positive is towards the end. Moving up
// ends following, reaching the end takes it up again.
func (p *pager) scroll(rows int) {
	p.target = nil
	if rows < 0 {
		if p.follow {
			p.top, p.sub, _ = p.bottom()
		}
		from, sub := p.top, p.sub
		p.up(-rows)
		if p.top != from || p.sub != sub {
			p.follow = false
		}
		return
	}
	for ; rows > 0; rows-- {
		if p.sub+1 < len(p.rows(p.top)) {
			p.sub++
			continue
		}
		at, ok := p.next(p.top)
		if !ok {
			break
		}
		p.top, p.sub = at, 0
	}
	p.settle()
}

func (p *pager) up(rows int) {
	for ; rows > 0; rows-- {
		if p.sub > 0 {
			p.sub--
			continue
		}
		at, ok := p.previous(p.top)
		if !ok {
			break
		}
		p.top, p.sub = at, len(p.rows(at))-1
	}
}

func (p *pager) home() {
	p.top, p.sub, p.follow, p.target = place{}, 0, false, nil
	if at, ok := p.next(place{0, -1}); ok {
		p.top = at
	}
	p.settle()
}

func (p *pager) toEnd() {
	p.follow, p.target = true, nil
	p.settle()
}

// fold hides or shows what belongs to calls; the line at the top stays where
// it can.
func (p *pager) fold(unfolded bool) {
	p.unfolded = unfolded
	clear(p.picked)
	p.refold()
}

// refold brings the window to where it can stand after a fold.
func (p *pager) refold() {
	clear(p.wrapped)
	if l, ok := p.line(p.top); ok && p.hides(l) {
		if at, ok := p.previous(p.top); ok {
			p.top = at
		}
		p.sub = 0
	}
	if l, ok := p.line(p.top); ok && p.sub >= len(p.rows(p.top)) || !ok || l.head {
		p.sub = 0
	}
	p.settle()
}

// view draws the window.
func (p *pager) view(th Look, mark marker) []string {
	lines := make([]string, 0, p.height)
	low := p.top.sheet
	p.window(func(at place, row int, s string) {
		l, _ := p.line(at)
		r := NewRow(p.width)
		pen := l.tone.style(th)
		if mark.cursor != nil && *mark.cursor == at {
			pen = th.Selection
		}
		switch {
		case l.head && row == 0:
			r.safe(pen, th.Symbols.Running+" ")
		case l.tone == toneTurn && row == 0:
			r.safe(pen, strings.Repeat(th.Symbols.Frame.Top, 2)+" ")
		default:
			r.To(p.width - l.indent())
		}
		mark.draw(r, th, pen, at, s)
		lines = append(lines, r.String())
		low = at.sheet
	})
	if len(lines) == 0 && len(p.missing) > 0 {
		lines = append(lines, NewRow(p.width).Add(th.Muted, "reading…").String())
	}
	p.wish(p.top.sheet - 1)
	p.wish(low + 1)
	return exactly(lines, p.width, p.height)
}

// Place is what part of a text its window shows, in lines as they were
// written: a line of which anything is shown counts as shown.
type Place struct {
	Shown, All   int  // the number of the last line shown, and of the last there is
	Above, Below bool // whether rows are left beyond the window's edges
}

// place tells which part of a text of one sheet is shown.
func (p *pager) place() Place {
	s := p.sheets[0]
	at := Place{All: len(s.lines), Above: p.top.line > 0 || p.sub > 0}
	left, skip := p.height, p.sub
	for n := p.top.line; n < len(s.lines); n++ {
		rows := len(p.rows(place{0, n})) - skip
		if left > 0 {
			at.Shown = n + 1
		}
		if rows > left {
			at.Below = true
			return at
		}
		left, skip = left-rows, 0
	}
	return at
}
