package doc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dress is what a line wears around its words: indentation, bullets, numbers,
// heading marks, emphasis, emoji. Models change it freely; the words count.
type dress struct {
	indent int
	bullet bool
	level  int    // of a heading, 0 for none
	mark   string // the emphasis that was opened, such as "**"
	words  string // what is left
}

// formal tells that the dress alone makes the line stand out as a heading.
func (d dress) formal() bool { return d.level > 0 || d.mark != "" }

func undress(s string) dress {
	var d dress
	rest := strings.TrimLeft(s, " \t")
	d.indent = len(s) - len(rest)
	for i := 0; i < 12 && rest != ""; i++ {
		next := d.shed(rest)
		if next == rest {
			break
		}
		rest = strings.TrimLeft(next, " \t")
	}
	d.words = rest
	return d
}

// shed takes off one piece.
func (d *dress) shed(s string) string {
	switch c := s[0]; {
	case c == '#':
		n := len(s) - len(strings.TrimLeft(s, "#"))
		if n > 6 || d.level > 0 || len(s) > n && (s[n] >= '0' && s[n] <= '9') {
			return s
		}
		d.level = n
		return s[n:]
	case (c == '-' || c == '*' || c == '+') && len(s) > 1 && (s[1] == ' ' || s[1] == '\t'):
		d.bullet = true
		return s[1:]
	case c == '*' || c == '_' || c == '`':
		n := len(s) - len(strings.TrimLeft(s, string(c)))
		if n > 3 || d.mark != "" {
			return s
		}
		d.mark = s[:n]
		return s[n:]
	case c >= '0' && c <= '9' || c == '(':
		if n := ordinal(s); n > 0 {
			d.bullet = true
			return s[n:]
		}
		return s
	case c < utf8.RuneSelf:
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case strings.ContainsRune("•◦‣·▪●○■", r):
		d.bullet = true
		return s[n:]
	case decorative(r) || strings.ContainsRune("【「『〖", r):
		return s[n:]
	}
	return s
}

var ordinalPattern = lazily(`^(?:\(\d{1,3}\)|\d{1,3}[.)])(?:[ \t]|[*_]{1,3}\S)|^\d\x{FE0F}?\x{20E3}`)

// ordinal returns the length of a list number such as "1." or "(2)".
func ordinal(s string) int {
	loc := ordinalPattern.FindStringIndex(s)
	if loc == nil {
		return 0
	}
	if end := strings.IndexAny(s[:loc[1]], ".)"); end >= 0 && s[0] != '(' {
		return end + 1
	} else if s[0] == '(' {
		return strings.IndexByte(s, ')') + 1
	}
	return loc[1]
}

// decorative runes carry no words: emoji, arrows drawn as symbols, selectors.
func decorative(r rune) bool {
	return unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) && r > 0x7f || r == 0xFE0F || r == 0x200D
}

// bare strips what may stand around a single word or phrase: emphasis, code
// marks, brackets, emoji, closing punctuation.
func bare(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || decorative(r) || strings.ContainsRune("*_`()[]{}<>\"'“”‘’「」『』（）【】.。,，;；!！:：~|", r)
	})
	return s
}

// fold lowers a string and turns full-width forms and subscript digits into
// plain ones, so that `ＲＥＳＵＬＴ ＃２` and `T₀` read like their plain forms.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			return unicode.ToLower(r - 0xFF01 + '!')
		case r >= '₀' && r <= '₉':
			return r - '₀' + '0'
		case r == 0x3000 || r == 0xA0:
			return ' '
		}
		return unicode.ToLower(r)
	}, s)
}

// isTableRow tells a Markdown table row.
func isTableRow(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) > 2 && s[0] == '|' && strings.Count(s, "|") >= 2
}

var tableRule = lazily(`^\s*\|?[\s:|-]*-{2,}[\s:|-]*$`)

func isTableRule(s string) bool {
	return strings.Contains(s, "|") && tableRule.MatchString(s)
}

// cells splits a table row; `\|` is a bar inside a cell.
func cells(s string) []string {
	s = strings.TrimSpace(s)
	s = strings.TrimPrefix(s, "|")
	if strings.HasSuffix(s, "|") && !strings.HasSuffix(s, `\|`) {
		s = s[:len(s)-1]
	}
	var out []string
	var cell strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == '|':
			cell.WriteByte('|')
			i++
		case s[i] == '|':
			out = append(out, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(s[i])
		}
	}
	return append(out, strings.TrimSpace(cell.String()))
}

// unbullet takes the bullet or number off a list line.
func unbullet(s string) (text string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	if len(s) == 1 && strings.ContainsAny(s, "-*+") {
		return "", true
	}
	if len(s) > 1 && strings.IndexByte("-*+", s[0]) >= 0 && (s[1] == ' ' || s[1] == '\t') {
		return strings.TrimSpace(s[2:]), true
	}
	if n := ordinal(s); n > 0 {
		return strings.TrimSpace(s[n:]), true
	}
	if r, n := utf8.DecodeRuneInString(s); n > 1 && strings.ContainsRune("•◦‣·▪●○■", r) {
		return strings.TrimSpace(s[n:]), true
	}
	return strings.TrimSpace(s), false
}

// unlist takes off nested bullets as well.
func unlist(s string) string {
	for {
		text, ok := unbullet(s)
		if !ok || text == s {
			return text
		}
		s = text
	}
}
