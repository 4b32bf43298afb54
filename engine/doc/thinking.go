package doc

import (
	"encoding/json"
	"strings"
)

// thinkTag matches the tags models put around their reasoning.
var thinkTag = lazily(`(?i)<(/?)(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)(?:\s[^<>\n]{0,200})?>|\[(/?)THINK\]|◁(/?)think▷`)

// StripThinking removes a model's reasoning from its reply. ok is false when
// the reasoning never ends: then there is no answer. Tags inside fences, code
// marks and JSON strings are text and stay.
func StripThinking(text string) (string, bool) {
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "{") && json.Valid([]byte(trimmed)) {
		return text, true
	}
	if !strings.ContainsAny(text, "<[◁") {
		return text, true
	}
	tags := thinkTag.FindAllStringSubmatchIndex(text, -1)
	if len(tags) == 0 {
		return text, true
	}
	lines := split(text, 1)
	out, ok := stripBlocks(text, tags, lines, true)
	if !ok { // a stray fence in the reasoning may have hidden its end
		out, ok = stripBlocks(text, tags, lines, false)
	}
	if !ok {
		return "", false
	}
	return dropToStrayCloser(out), true
}

// stripBlocks removes whole blocks: the leading one, and later ones that open
// at the start of a line.
func stripBlocks(text string, tags [][]int, lines []line, fences bool) (string, bool) {
	var out strings.Builder
	kept, depth := 0, 0
	lastEnd := -1 // of the tag before, for openers that follow directly
	row, rowStart := 0, 0
	for _, t := range tags {
		start, end := t[0], t[1]
		row, rowStart = rowOf(text, lines, row, rowStart, start)
		closer := isCloserTag(t)
		coded := lines[row].code != prose && (fences || depth == 0) || inCode(text[rowStart:], start-rowStart) && depth == 0
		if coded || quoted(text, start, end) {
			continue
		}
		atStart := strings.TrimSpace(text[rowStart:start]) == "" || strings.TrimSpace(text[max(lastEnd, kept, 0):start]) == "" && lastEnd >= 0
		switch {
		case depth == 0 && !closer && atStart:
			out.WriteString(text[kept:start])
			depth, kept, lastEnd = 1, start, end
		case depth > 0 && !closer && atStart:
			depth++
			lastEnd = end
		case depth > 0 && closer:
			depth--
			lastEnd = end
			if depth == 0 {
				kept = end
			}
		}
	}
	if depth > 0 {
		// An answer before an unfinished afterthought still is an answer.
		answer := out.String()
		return answer, strings.TrimSpace(answer) != ""
	}
	out.WriteString(text[kept:])
	return out.String(), true
}

// dropToStrayCloser handles reasoning whose opening tag was lost: a closer
// that ends a line, or stands right before the answer, drops what precedes it.
func dropToStrayCloser(text string) string {
	tags := thinkTag.FindAllStringSubmatchIndex(text, -1)
	if len(tags) == 0 {
		return text
	}
	lines := split(text, 1)
	rows, starts := make([]int, len(tags)), make([]int, len(tags))
	row, rowStart := 0, 0
	for i, t := range tags {
		row, rowStart = rowOf(text, lines, row, rowStart, t[0])
		rows[i], starts[i] = row, rowStart
	}
	for i := len(tags) - 1; i >= 0; i-- {
		start, end := tags[i][0], tags[i][1]
		if !isCloserTag(tags[i]) || lines[rows[i]].code != prose || quoted(text, start, end) || inCode(text[starts[i]:], start-starts[i]) {
			continue
		}
		after, _, _ := strings.Cut(text[end:], "\n")
		after = strings.TrimSpace(after)
		rest := strings.TrimLeft(text[end:], " \t\n\r")
		alone := strings.TrimSpace(text[starts[i]:start]) == ""
		if rest != "" && (alone || after == "" && startsAnswer(rest) || startsAnswer(after)) {
			return text[end:]
		}
	}
	return text
}

// rowOf moves from a known row to the one that holds byte at.
func rowOf(text string, lines []line, row, rowStart, at int) (int, int) {
	for row+1 < len(lines) {
		eol := strings.IndexByte(text[rowStart:], '\n')
		if eol < 0 || rowStart+eol >= at {
			break
		}
		rowStart += eol + 1
		row++
	}
	return row, rowStart
}

// isCloserTag tells `</think>` from `<think>` by the slash that was matched.
func isCloserTag(t []int) bool { return t[3] > t[2] || t[5] > t[4] || t[7] > t[6] }

// startsAnswer tells whether text begins with structure: a document's
// heading, a section, JSON or a fence.
func startsAnswer(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	first, _, _ := strings.Cut(text, "\n")
	if strings.ContainsRune("{[#>|`", rune(text[0])) || documentHeading(first) {
		return true
	}
	_, ok := resultWords.match(first)
	return ok
}

// quoted tells whether a tag stands between quotes: then it is talked about.
func quoted(text string, start, end int) bool {
	if start == 0 || end >= len(text) {
		return false
	}
	for _, pair := range []string{`""`, "''", "``", "“”", "‘’", "«»", "「」"} {
		half := len(pair) / 2
		if strings.HasSuffix(text[:start], pair[:half]) && strings.HasPrefix(text[end:], pair[half:]) {
			return true
		}
	}
	return false
}

// inCode tells whether byte at of the line that starts s is inside code marks.
func inCode(s string, at int) bool {
	eol := strings.IndexByte(s, '\n')
	if eol < 0 {
		eol = len(s)
	}
	s = s[:min(eol, at+512)]
	if skip := at - 512; skip > 0 { // long lines: what is near decides
		s, at = s[skip:], 512
	}
	for i := 0; i < at; {
		if s[i] != '`' {
			next := strings.IndexByte(s[i:at], '`')
			if next < 0 {
				return false
			}
			i += next
			continue
		}
		_, rest, ok := readSpan(s[i:])
		if !ok {
			return false
		}
		end := len(s) - len(rest)
		if at < end {
			return true
		}
		i = end
	}
	return false
}
