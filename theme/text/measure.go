package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Measure is a rule for how many cells text takes. A view carries the one the
// terminal is known to follow; the zero value is right for every terminal that
// has not said otherwise.
//
// Width, Truncate and Pad accept text styled by us: SGR sequences take no cell
// and survive. Wrap and Steady are for plain text, before it is styled. Text
// from outside is cleaned before it gets here; what is not printable is left
// out in any case.
type Measure uint8

const (
	// WcWidth adds up the widths of the single runes: what the renderer does
	// until the terminal confirms mode 2027.
	WcWidth Measure = iota
	// Grapheme gives each user-perceived character one width: what the
	// renderer does after that.
	Grapheme
)

// Width is WcWidth.Width.
func Width(s string) int { return WcWidth.Width(s) }

// Truncate is WcWidth.Truncate.
func Truncate(s string, cells int, tail string) string { return WcWidth.Truncate(s, cells, tail) }

// Pad is WcWidth.Pad.
func Pad(s string, cells int) string { return WcWidth.Pad(s, cells) }

// Wrap is WcWidth.Wrap.
func Wrap(s string, cells int) []string { return WcWidth.Wrap(s, cells) }

// Steady is WcWidth.Steady.
func Steady(s string) string { return WcWidth.Steady(s) }

// Width returns how many cells the renderer advances for one line s.
func (m Measure) Width(s string) int {
	if isVisible(s) {
		return len(s)
	}
	return m.method().StringWidth(s)
}

func (m Measure) method() ansi.Method {
	if m == Grapheme {
		return ansi.GraphemeWidth
	}
	return ansi.WcWidth
}

// Truncate returns one line no wider than cells: s itself, or as much of it as
// fits before tail. A wide character that would cross the edge is left out. A
// tail that does not fit is left out too.
func (m Measure) Truncate(s string, cells int, tail string) string {
	if cells <= 0 {
		return ""
	}
	if isVisible(s) && len(s) <= cells {
		return s
	}
	pieces, width := m.pieces(s)
	if width <= cells {
		return join(pieces)
	}
	tail = m.Steady(tail)
	room := cells - m.Width(tail)
	if room < 0 {
		tail, room = "", cells
	}
	var b strings.Builder
	used, cut := 0, false
	for _, p := range pieces {
		if !cut && used+p.width > room {
			cut = true
			b.WriteString(tail)
		}
		if !cut || p.style {
			b.WriteString(p.text)
			used += p.width
		}
	}
	return b.String()
}

// Pad returns one line exactly cells wide: s filled up with spaces, or cut
// without a tail.
func (m Measure) Pad(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	if isVisible(s) && len(s) <= cells {
		return s + strings.Repeat(" ", cells-len(s))
	}
	s = m.Truncate(s, cells, "")
	return s + strings.Repeat(" ", max(0, cells-m.Width(s)))
}

// Steady returns s, of one or more lines, so that no two rules in use count a
// line differently: joiners and glyph selectors that change a width are
// dropped, Hangul letters are composed, letters of other scripts that a
// terminal may or may not merge are kept apart. Under [Grapheme] the rules
// agree already, and only the ends of a line are guarded against merging with
// what is drawn beside them.
func (m Measure) Steady(s string) string {
	if isVisible(s) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if !isVisible(line) {
			pieces, _ := m.pieces(line)
			lines[i] = join(pieces)
		}
	}
	return strings.Join(lines, "\n")
}

func join(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return b.String()
}
