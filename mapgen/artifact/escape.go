package artifact

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// escape writes a field so that no content of it can be taken for the
// document's own marks, drive a terminal, or be lost at the ends of a line.
// also lists further bytes that mean something where the field stands.
func escape(s, also string) string {
	if plain(s, also) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		c := s[i]
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c == '\\' || c == '|' || c < 0x80 && strings.IndexByte(also, c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < 0x20 || c == 0x7f || c == ' ' && (i == 0 || i == len(s)-1):
			fmt.Fprintf(&b, `\x%02x`, c)
		case c == '>' && i > 0 && s[i-1] == '-' && strings.Contains(also, arrow):
			b.WriteString(`\>`)
		case invisible(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// arrow in escape's second argument protects "->".
const arrow = "\x00"

func plain(s, also string) bool {
	if s == "" {
		return true
	}
	if s[0] == ' ' || s[len(s)-1] == ' ' {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < 0x20 || c >= 0x7f || c == '\\' || c == '|' || c == '>' || strings.IndexByte(also, c) >= 0 {
			return false
		}
	}
	return true
}

// invisible are the characters that change how text around them is shown:
// controls of the second set, marks of direction, separators, byte order mark.
func invisible(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069,
		r == 0x200e, r == 0x200f, r == 0x61c, r == 0x2028, r == 0x2029, r == 0xfeff:
		return true
	}
	return false
}

// unescape reads a field back. A backslash that begins nothing we write stands
// for itself.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case c == 'n':
			b.WriteByte('\n')
		case c == 'r':
			b.WriteByte('\r')
		case c == 't':
			b.WriteByte('\t')
		case c == 'x' && i+2 < len(s) && isHex(s[i+1:i+3]):
			v, _ := strconv.ParseUint(s[i+1:i+3], 16, 8)
			b.WriteByte(byte(v))
			i += 2
		case c == 'u' && i+1 < len(s) && s[i+1] == '{':
			end := strings.IndexByte(s[i:], '}')
			if end > 2 && end <= 8 && isHex(s[i+2:i+end]) {
				v, _ := strconv.ParseUint(s[i+2:i+end], 16, 32)
				b.WriteRune(rune(v))
				i += end
				continue
			}
			b.WriteString(`\u`)
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isHex(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return len(s) > 0
}

// fields splits a bullet at unescaped bars.
func fields(s string) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '|':
			out = append(out, trim(s[start:i]))
			start = i + 1
		}
	}
	return append(out, trim(s[min(start, len(s)):]))
}

func trim(s string) string { return strings.Trim(s, " \t") }

// brackets are what a list of signatures nests by.
const brackets = "()[]{}<>"

// list splits signatures at commas outside of brackets. An angle counts as one
// when it opens after a name and is no part of "->" or "=>".
func list(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			i++
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '<':
			if i > 0 && isName(s[i-1]) {
				depth++
			}
		case '>':
			if i > 0 && s[i-1] != '-' && s[i-1] != '=' && s[i-1] != ' ' && depth > 0 {
				depth--
			}
		case ',':
			if depth <= 0 {
				out = appendItem(out, s[start:i])
				start, depth = i+1, 0
			}
		}
	}
	return appendItem(out, s[min(start, len(s)):])
}

func isName(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func appendItem(out []string, item string) []string {
	if item = trim(item); item != "" && item != "-" {
		out = append(out, unescape(item))
	}
	return out
}

// joinList writes signatures so that list finds them again. One whose brackets
// do not add up has all its marks escaped.
func joinList(items []string) string {
	var b strings.Builder
	for _, item := range items {
		if item == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		text := escape(item, "")
		if text == "-" || !staysWhole(text, item) {
			text = escape(item, ","+brackets)
		}
		if text == "-" {
			text = `\-`
		}
		b.WriteString(text)
	}
	return b.String()
}

// staysWhole says that a signature splits into itself, and that one after it
// would still be seen.
func staysWhole(text, item string) bool {
	if !strings.ContainsAny(text, ",()[]{}<>\\") {
		return true
	}
	parts := list(text + ", x")
	return len(parts) == 2 && parts[0] == item && parts[1] == "x"
}

// words splits at unescaped commas.
func words(s string) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ',':
			out = appendItem(out, s[start:i])
			start = i + 1
		}
	}
	return appendItem(out, s[min(start, len(s)):])
}

func joinWords(items []string) string {
	var out []string
	for _, item := range items {
		if item == "-" {
			item = `\-`
		} else if item = escape(item, ","+arrow); item == "" {
			continue
		}
		out = append(out, item)
	}
	return strings.Join(out, ", ")
}

// cutArrow splits at the first unescaped "->" that stands between blanks.
func cutArrow(s string) (before, after string, found bool) {
	for i := 0; i+1 < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '-' && s[i+1] == '>' && (i == 0 || s[i-1] == ' ') && (i+2 == len(s) || s[i+2] == ' '):
			return trim(s[:i]), trim(s[i+2:]), true
		}
	}
	return s, "", false
}
