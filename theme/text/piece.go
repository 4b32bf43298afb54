package text

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// piece is what is never cut: a user-perceived character or a style sequence.
type piece struct {
	text  string
	width int
	style bool
}

const guard = string(zeroWidthSpace)

// pieces takes one line apart and adds up the widths. What is neither
// printable nor a style is left out; a newline or a tab counts as a space.
func (m Measure) pieces(s string) (pieces []piece, width int) {
	s = drawable(s)
	before := " "
	seam := true // before and the piece at hand may merge
	for len(s) > 0 {
		if n := styleLen(s); n > 0 {
			pieces = append(pieces, piece{text: s[:n], style: true})
			s = s[n:]
			continue
		}
		p, size, rewritten := m.next(s)
		s = s[size:]
		seam = seam || rewritten
		if p.text == "" {
			continue
		}
		if seam && merges(before, p.text) {
			p.text = guard + p.text
		}
		before, seam = p.text, rewritten
		pieces = append(pieces, p)
		width += p.width
	}
	for i := len(pieces) - 1; i >= 0; i-- {
		if p := &pieces[i]; !p.style {
			if merges(p.text, " ") {
				p.text += guard
			}
			break
		}
	}
	return pieces, width
}

// next returns the first cluster of s as it is to be drawn, and how many bytes
// of s it stands for. One that was rewritten does not merge with a space, but
// may with its neighbours.
func (m Measure) next(s string) (p piece, size int, rewritten bool) {
	if len(s) == 1 || s[0] < utf8.RuneSelf && s[1] < utf8.RuneSelf {
		return piece{text: s[:1], width: 1}, 1, false
	}
	cluster, width := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	if m == Grapheme || ansi.WcWidth.StringWidth(cluster) == width {
		return piece{text: cluster, width: width}, len(cluster), false
	}
	text := agreed(cluster)
	if text != "" && merges(" ", text) {
		text = guard + text
	}
	if text != "" && merges(text, " ") {
		text += guard
	}
	return piece{text: text, width: ansi.WcWidth.StringWidth(text)}, len(cluster), true
}

// drawable returns s as valid UTF-8 with no control but the ESC of a complete
// style. It comes before s is taken apart, for what is left moves together.
func drawable(s string) string {
	s = strings.ToValidUTF8(s, string(replacement))
	if strings.IndexFunc(s, func(r rune) bool { return classOf(r) == control }) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
		case r == esc:
			if size = styleLen(s); size > 0 {
				b.WriteString(s[:size])
			} else {
				size = sequenceLen(s)
			}
		case classOf(r) != control:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// styleLen returns the length of the complete SGR sequence s begins with, or 0.
func styleLen(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c < '0' || c > ';':
			return 0
		}
	}
	return 0
}

// sequenceLen returns the length of the sequence s begins with, whether it is
// complete or not.
func sequenceLen(s string) int {
	var e escape
	e.open()
	at := 1
	for at < len(s) && e.state != ground {
		r, size := utf8.DecodeRuneInString(s[at:])
		switch e.step(r, []byte(s[at:at+size])) {
		case rejected:
			return at
		case restarted:
			return at - 1
		case abandoned:
			return at + size
		}
		at += size
	}
	return at
}

// merges reports whether a and b, drawn beside each other, become one cluster
// across the seam.
func merges(a, b string) bool {
	if a[len(a)-1] < utf8.RuneSelf && b[0] < utf8.RuneSelf {
		return false
	}
	rest := a + b
	for at := 0; at < len(a); {
		cluster, _ := ansi.FirstGraphemeCluster(rest[at:], ansi.GraphemeWidth)
		at += len(cluster)
		if at > len(a) {
			return true
		}
	}
	return false
}
