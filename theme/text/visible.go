package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns s on one line with nothing left out: controls, characters
// that take no cell and bytes that are not UTF-8 are spelled as in a string
// literal (`\n`, `\x1b`, `\u202e`). It is for what a person judges before it
// happens: a command, a path, a question of permission.
//
// A backslash is left as it is, so that an ordinary command reads as typed.
// Visible is therefore not meant to be undone.
func Visible(s string) string {
	if isVisible(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	var a attach
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch c := classOf(r); {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
			a.reset()
		case c == visible:
			b.WriteRune(r)
			a.on(r)
		case c == mark && a.allows(c):
			b.WriteRune(r)
		default:
			b.WriteString(spell(r))
			a.reset()
		}
		i += size
	}
	return b.String()
}

func isVisible(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

func spell(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	case '\b':
		return `\b`
	}
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// Line returns s cleaned and on one line: line ends become one space each,
// those at the end are dropped.
func Line(s string) string {
	clean := strings.TrimRight(Clean(s), "\n")
	return strings.ReplaceAll(clean, "\n", " ")
}

// MaxTitle is the width of a window title in cells where none is given.
const MaxTitle = 60

// Title returns s fit for the window title: printable characters on one line,
// white space collapsed, at most cells wide ([MaxTitle] if cells is not
// positive). Nothing in it can end the sequence that carries it.
func Title(s string, cells int) string {
	if cells <= 0 {
		cells = MaxTitle
	}
	s = strings.Join(strings.Fields(Line(s)), " ")
	return strings.Map(printable, WcWidth.Truncate(s, cells, "…"))
}

func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return -1
}

// Notice is [Title] for a desktop notification, whose sequence has fields
// parted by semicolons: those of s become commas.
func Notice(s string, cells int) string {
	return strings.ReplaceAll(Title(s, cells), ";", ",")
}
