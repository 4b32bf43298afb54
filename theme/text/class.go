package text

import (
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// class says what a decoded rune is to a reader of a screen.
type class uint8

const (
	visible   class = iota // takes one or two cells
	mark                   // combines with the rune before it
	variation              // chooses a glyph for the rune before it
	joiner                 // joins or parts two letters or emoji
	separator              // ends a line without being a newline
	hidden                 // takes no cell and only deceives: bidi, tags, fillers
	broken                 // not a character at all
	control                // C0, DEL, C1
)

const (
	zeroWidthSpace     = '\u200b'
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	replacement        = '\ufffd'
)

// firstJoining is where scripts begin that use joiners in honest text; before
// it (Latin, Greek, Cyrillic, Armenian) a joiner only makes two strings differ
// that look the same.
const firstJoining = '\u0590'

func classOf(r rune) class {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return control
	case r < 0x7f:
		return visible
	case r < 0x300 && r != '\u00ad' || ideograph(r):
		return visible
	case r == zeroWidthJoiner || r == zeroWidthNonJoiner:
		return joiner
	case r == '\u2028' || r == '\u2029':
		return separator
	case r >= 0xe0000 && r <= 0xe0fff:
		return hidden // tags and the variation selectors used to smuggle bytes
	case r >= 0xfdd0 && r <= 0xfdef || r&0xfffe == 0xfffe:
		return broken
	case unicode.Is(unicode.Variation_Selector, r):
		return variation
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return hidden
	case runeWidth(r) == 0:
		return mark
	}
	return visible
}

// ideograph reports whether r is a common Han or Hangul character: two cells,
// no need to ask the tables.
func ideograph(r rune) bool {
	return r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3
}

// runeWidth is the number of cells a single rune advances the cursor.
func runeWidth(r rune) int {
	switch {
	case r >= 0x20 && r < 0x7f:
		return 1
	case ideograph(r):
		return 2
	}
	return ansi.WcWidth.StringWidth(string(r))
}

// maxMarks is how many marks a base may carry. Real orthographies stay below;
// stacks beyond it climb over neighbouring rows and slow renderers down.
const maxMarks = 8

// attach decides, one rune after another, which runes of no width may stay:
// a mark needs a base, a base takes a bounded number of them, and a joiner or
// a variation selector stands alone and only where it has a meaning.
type attach struct {
	base rune // 0: nothing to attach to
	n    int
	last class
}

func (a *attach) reset() { *a = attach{} }

func (a *attach) on(base rune) { *a = attach{base: base} }

// allows reports whether r of class c may follow, and counts it if so.
func (a *attach) allows(c class) bool {
	if a.base == 0 || a.base == ' ' || a.n >= maxMarks {
		return false
	}
	switch c {
	case joiner:
		if a.base < firstJoining || a.last == joiner {
			return false
		}
	case variation:
		if a.last == variation || a.last == joiner {
			return false
		}
	}
	a.n++
	a.last = c
	return true
}
