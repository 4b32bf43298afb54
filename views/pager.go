package views

// Limits of what a pager keeps; what is dropped stays on the disk.
const (
	maxLines = 200_000
	maxBytes = 64 << 20
	// slack is how far beyond a limit it may grow, so that dropping is rare.
	slack = 16
)

// tone says how a line is meant; the theme in force when it is drawn decides
// how that looks.
type tone uint8

const (
	toneText tone = iota
	toneDim
	toneTool
	toneThinking
	toneBad
)

func (t tone) style(th Look) Pen {
	switch t {
	case toneDim:
		return th.Muted
	case toneTool:
		return th.Tool
	case toneThinking:
		return th.Thinking
	case toneBad:
		return th.Bad
	}
	return th.Text
}

// line is one logical line; its text is safe to draw.
type line struct {
	text   string
	tone   tone
	detail bool // hidden while folded
	clip   bool // one row while folded
}

// pager shows many logical lines through a small window. Only rows in the
// window are ever wrapped: its place is a line and a row within it, never a
// row number of the whole.
type pager struct {
	width, height int
	lines         []line
	first         int // number of lines[0]; lines before it were dropped
	bytes         int
	top, sub      int // the window's first row: line number and row within it
	follow        bool
	unfolded      bool
	fresh         int // lines that came while not following
	wrapped       map[int][]string
}

func newPager() pager { return pager{follow: true, wrapped: map[int][]string{}} }

func (p *pager) setSize(width, height int) {
	if width != p.width {
		clear(p.wrapped)
		p.sub = 0
	}
	p.width, p.height = max(width, 0), max(height, 0)
	p.settle()
}

func (p *pager) end() int { return p.first + len(p.lines) }

func (p *pager) push(l line) {
	p.lines = append(p.lines, l)
	p.bytes += len(l.text)
	if !p.follow && !p.hides(l) {
		p.fresh++
	}
	if len(p.lines) > maxLines+maxLines/slack || p.bytes > maxBytes+maxBytes/slack {
		p.drop()
	}
}

// replace changes the line of that number, if it is still kept.
func (p *pager) replace(number int, l line) {
	i := number - p.first
	if i < 0 || i >= len(p.lines) {
		return
	}
	p.bytes += len(l.text) - len(p.lines[i].text)
	p.lines[i] = l
	delete(p.wrapped, number)
}

// drop forgets the oldest lines beyond the limits.
func (p *pager) drop() {
	n := 0
	for n < len(p.lines)-1 && (len(p.lines)-n > maxLines || p.bytes > maxBytes) {
		p.bytes -= len(p.lines[n].text)
		n++
	}
	kept := make([]line, len(p.lines)-n, maxLines+maxLines/slack+1)
	copy(kept, p.lines[n:])
	p.lines = kept
	p.first += n
	clear(p.wrapped)
	if p.top < p.first {
		p.top, p.sub = p.first, 0
	}
}

func (p *pager) hides(l line) bool { return l.detail && !p.unfolded }

// rows wraps one line to the width.
func (p *pager) rows(number int) []string {
	l := p.lines[number-p.first]
	if l.clip && !p.unfolded {
		return []string{l.text}
	}
	if rows, ok := p.wrapped[number]; ok {
		return rows
	}
	rows := measure.Wrap(l.text, max(p.width, 1))
	if len(rows) == 0 {
		rows = []string{""}
	}
	if len(p.wrapped) > 512 {
		clear(p.wrapped)
	}
	p.wrapped[number] = rows
	return rows
}

// next and previous find the closest line that is not hidden, or -1.
func (p *pager) next(number int) int {
	for number++; number < p.end(); number++ {
		if !p.hides(p.lines[number-p.first]) {
			return number
		}
	}
	return -1
}

func (p *pager) previous(number int) int {
	for number--; number >= p.first; number-- {
		if !p.hides(p.lines[number-p.first]) {
			return number
		}
	}
	return -1
}

// bottom is the window's place when its last row is the last there is.
func (p *pager) bottom() (top, sub int) {
	top, left := p.first, p.height
	for n := p.previous(p.end()); n >= 0; n = p.previous(n) {
		rows := len(p.rows(n))
		if rows >= left {
			return n, rows - left
		}
		left -= rows
		top = n
	}
	return top, 0
}

// settle keeps the window inside the text, at its end when it follows.
func (p *pager) settle() {
	top, sub := p.bottom()
	if p.follow || p.top > top || p.top == top && p.sub >= sub {
		p.top, p.sub, p.follow, p.fresh = top, sub, true, 0
	}
}

// scroll moves the window by rows; positive is towards the end. Moving up
// ends following, reaching the end takes it up again.
func (p *pager) scroll(rows int) {
	if rows < 0 {
		p.up(-rows)
		return
	}
	for ; rows > 0 && p.top < p.end(); rows-- {
		if p.sub+1 < len(p.rows(p.top)) {
			p.sub++
			continue
		}
		n := p.next(p.top)
		if n < 0 {
			break
		}
		p.top, p.sub = n, 0
	}
	p.settle()
}

func (p *pager) up(rows int) {
	if len(p.lines) == 0 {
		return
	}
	if p.follow {
		p.top, p.sub = p.bottom()
	}
	from, at := p.top, p.sub
	for ; rows > 0; rows-- {
		if p.sub > 0 {
			p.sub--
			continue
		}
		n := p.previous(p.top)
		if n < 0 {
			break
		}
		p.top, p.sub = n, len(p.rows(n))-1
	}
	if p.top != from || p.sub != at {
		p.follow = false
	}
}

func (p *pager) home() {
	if n := p.next(p.first - 1); n >= 0 {
		p.top, p.sub, p.follow = n, 0, false
	}
	p.settle()
}

func (p *pager) toEnd() {
	p.follow = true
	p.settle()
}

// Place is what part of a text its window shows, in lines as they were
// written: a line of which anything is shown counts as shown.
type Place struct {
	Shown, All   int  // the number of the last line shown, and of the last there is
	Above, Below bool // whether rows are left beyond the window's edges
}

// place tells which part is shown, details included.
func (p *pager) place() Place {
	at := Place{All: len(p.lines), Above: p.top > p.first || p.sub > 0}
	left, skip := p.height, p.sub
	for n := p.top; n < p.end(); n++ {
		rows := len(p.rows(n)) - skip
		if left > 0 {
			at.Shown = n - p.first + 1
		}
		if rows > left {
			at.Below = true
			return at
		}
		left, skip = left-rows, 0
	}
	return at
}

// fold hides or shows details; the line at the top stays where it can.
func (p *pager) fold(unfolded bool) {
	p.unfolded = unfolded
	p.sub = 0
	if i := p.top - p.first; i >= 0 && i < len(p.lines) && p.hides(p.lines[i]) {
		p.top = max(p.previous(p.top), p.first)
	}
	p.settle()
}

// view draws the window.
func (p *pager) view(th Look) []string {
	lines := make([]string, 0, p.height)
	n := p.top
	if n < p.end() && p.hidesAt(n) {
		n = p.next(n)
	}
	for skip := p.sub; n >= 0 && n < p.end() && len(lines) < p.height; n = p.next(n) {
		rows := p.rows(n)
		for _, s := range rows[min(skip, len(rows)):] {
			if len(lines) == p.height {
				break
			}
			lines = append(lines, NewRow(p.width).safe(p.lines[n-p.first].tone.style(th), s).String())
		}
		skip = 0
	}
	return exactly(lines, p.width, p.height)
}

func (p *pager) hidesAt(number int) bool {
	i := number - p.first
	return i >= 0 && i < len(p.lines) && p.hides(p.lines[i])
}
