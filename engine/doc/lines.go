package doc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// code tells where a line stands towards fenced code.
type code uint8

const (
	prose  code = iota // outside every fence
	fence              // the line that opens or closes a fence
	inside             // between the two
)

// line is one line of a document. n counts from 1 in the text as given.
type line struct {
	n    int
	text string
	code code
}

func (l line) blank() bool { return strings.TrimSpace(l.text) == "" }

// clean brings a text into the one form every reader works on: valid UTF-8,
// LF line ends, no byte order mark. The number of lines stays what an editor
// shows.
func clean(text string) string {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	text = strings.TrimPrefix(text, "\uFEFF")
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text
}

// split cuts a clean text into lines, numbered from first, and marks fences.
// A fence that is never closed is no fence: models are cut off, and the
// sections after it must still be found.
func split(text string, first int) []line {
	raw := strings.Split(text, "\n")
	lines := make([]line, len(raw))
	for i, s := range raw {
		lines[i] = line{n: first + i, text: strings.TrimRightFunc(s, unicode.IsSpace)}
	}
	markFences(lines)
	return lines
}

// markFences sets code on every line. It looks ahead through a table of the
// longest closer still to come, so its time is linear in the text.
func markFences(lines []line) {
	longest := map[byte][]int{'`': make([]int, len(lines)+1), '~': make([]int, len(lines)+1)}
	for i := len(lines) - 1; i >= 0; i-- {
		for _, table := range longest {
			table[i] = table[i+1]
		}
		if mark, n, info := fenceMark(lines[i].text); n > 0 && info == "" {
			longest[mark][i] = max(longest[mark][i], n)
		}
	}
	var openMark byte
	openLen := 0
	for i := range lines {
		mark, n, info := fenceMark(lines[i].text)
		lines[i].code = prose
		switch {
		case openLen > 0 && mark == openMark && n >= openLen && info == "":
			lines[i].code, openLen = fence, 0
		case openLen > 0:
			lines[i].code = inside
		case n > 0 && longest[mark][i+1] >= n:
			lines[i].code, openMark, openLen = fence, mark, n
		}
	}
}

// fenceMark reads a fence line: its character, its length (0 for no fence)
// and its info string. Quote marks and bullets before it belong to the dress.
func fenceMark(s string) (mark byte, n int, info string) {
	s = strings.TrimLeft(s, " \t")
	if len(s) < 3 || s[0] != '`' && s[0] != '~' {
		return 0, 0, ""
	}
	for n < len(s) && s[n] == s[0] {
		n++
	}
	info = strings.TrimSpace(s[n:])
	if n < 3 || s[0] == '`' && strings.Contains(info, "`") {
		return 0, 0, ""
	}
	return s[0], n, info
}

// closeFences ends a fence that a piece of text leaves open, so that the piece
// can stand before another section.
func closeFences(text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return text
	}
	for _, l := range split(text, 1) {
		if mark, n, _ := fenceMark(l.text); n > 0 && l.code == prose {
			return text + "\n" + strings.Repeat(string(mark), n)
		}
	}
	return text
}

// join glues lines back together, without blank ones at either end.
func join(lines []line) string {
	lines = trimBlank(lines)
	parts := make([]string, len(lines))
	for i, l := range lines {
		parts[i] = l.text
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

func trimBlank(lines []line) []line {
	for len(lines) > 0 && lines[0].blank() {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1].blank() {
		lines = lines[:len(lines)-1]
	}
	return lines
}

var rulePattern = lazily(`^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|={3,})$`)

// isRule tells a horizontal rule or the underline of a heading.
func isRule(s string) bool { return len(s) < 200 && rulePattern.MatchString(s) }

// unwrapFence returns the lines inside a fence around the whole text; a fence
// that was opened on the first line and never closed counts as well.
func unwrapFence(lines []line) ([]line, bool) {
	body := trimBlank(lines)
	if len(body) == 0 {
		return lines, false
	}
	mark, n, _ := fenceMark(body[0].text)
	if n == 0 {
		return lines, false
	}
	rest := body[1:]
	for i, l := range rest {
		m, length, info := fenceMark(l.text)
		if m != mark || length < n || info != "" {
			continue
		}
		// Nested fences of the same length are common when a model wraps its
		// whole answer: only a closer on the last line ends the wrapping.
		if i == len(rest)-1 {
			return remark(rest[:i]), true
		}
		if fencesWithin(rest[:len(rest)-1]) && isCloser(rest[len(rest)-1].text, mark, n) {
			return remark(rest[:len(rest)-1]), true
		}
		return lines, false
	}
	return remark(rest), true
}

func isCloser(s string, mark byte, n int) bool {
	m, length, info := fenceMark(s)
	return m == mark && length >= n && info == ""
}

// fencesWithin tells whether the fences in lines open and close in pairs, the
// opening ones with an info string: the sign of fences nested in another.
func fencesWithin(lines []line) bool {
	open, seen := false, false
	for _, l := range lines {
		_, n, info := fenceMark(l.text)
		switch {
		case n == 0:
		case !open && info == "":
			return false
		case !open:
			open, seen = true, true
		case info == "":
			open = false
		}
	}
	return seen && !open
}

func remark(lines []line) []line {
	own := append([]line(nil), lines...)
	markFences(own)
	return own
}
