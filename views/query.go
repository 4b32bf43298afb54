package views

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Query is what is looked for in a text. Letters of either case are the same
// unless it holds an upper-case one.
type Query struct {
	text  string
	exact bool
}

// NewQuery makes a query of what was typed.
func NewQuery(text string) Query {
	return Query{text, strings.ContainsFunc(text, unicode.IsUpper)}
}

// Empty tells whether nothing is looked for.
func (q Query) Empty() bool { return q.text == "" }

// Text is what was typed.
func (q Query) Text() string { return q.text }

// find returns the first match at or after byte from, or -1.
func (q Query) find(s string, from int) (start, end int) {
	if q.text == "" {
		return -1, -1
	}
	if q.exact {
		i := strings.Index(s[from:], q.text)
		if i < 0 {
			return -1, -1
		}
		return from + i, from + i + len(q.text)
	}
	first, _ := utf8.DecodeRuneInString(q.text)
	for i := from; i < len(s); {
		if first < utf8.RuneSelf {
			// Every match begins with one of two bytes.
			if i = nextEither(s, i, byte(first)); i < 0 {
				return -1, -1
			}
		}
		if n := foldedPrefix(s[i:], q.text); n > 0 {
			return i, i + n
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return -1, -1
}

func nextEither(s string, from int, lower byte) int {
	upper := byte(unicode.ToUpper(rune(lower)))
	for i := from; i < len(s); i++ {
		// A sign beyond ASCII may fold to it too.
		if s[i] == lower || s[i] == upper || s[i] >= utf8.RuneSelf && utf8.RuneStart(s[i]) {
			return i
		}
	}
	return -1
}

// foldedPrefix is how many bytes of s are q but for the case, or 0.
func foldedPrefix(s, q string) int {
	n := 0
	for _, want := range q {
		if n >= len(s) {
			return 0
		}
		got, size := rune(s[n]), 1
		if got >= utf8.RuneSelf {
			got, size = utf8.DecodeRuneInString(s[n:])
		}
		if got != want && unicode.ToLower(got) != want {
			return 0
		}
		n += size
	}
	return n
}

// Matches are the numbers of the lines of a sheet that hold a match.
func (q Query) Matches(s *Sheet) []int32 {
	var found []int32
	for i, l := range s.lines {
		if start, _ := q.find(l.text, 0); start >= 0 {
			found = append(found, int32(i))
		}
	}
	return found
}

// marker is what is set off in a text beside its tones.
type marker struct {
	cursor  *place
	query   Query
	current *place // of the match one stands on
}

// draw adds a row of the line at that place, its matches set off.
func (m marker) draw(r *Row, th Look, pen Pen, at place, s string) {
	match := th.Match
	if m.current != nil && *m.current == at {
		match = th.Found
	}
	from := 0
	for {
		start, end := m.query.find(s, from)
		if start < 0 {
			break
		}
		r.safe(pen, s[from:start])
		r.safe(match, s[start:end])
		from = end
	}
	r.safe(pen, s[from:])
}
