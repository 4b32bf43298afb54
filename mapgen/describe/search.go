package describe

import (
	"bytes"
	"regexp"
	"unicode/utf8"
)

// Regular expressions are slow on whole files, and every file is searched. What
// a match must hold is found first; the expression then sees that place alone.

// lines calls visit with every line that holds a word, until it answers false.
func lines(text []byte, word string, visit func(line []byte) bool) {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(word))
		if i < 0 {
			return
		}
		from := bytes.LastIndexByte(text[:at+i], '\n') + 1
		to := len(text)
		if nl := bytes.IndexByte(text[at+i:], '\n'); nl >= 0 {
			to = at + i + nl
		}
		if !visit(text[from:to]) || to == len(text) {
			return
		}
		at = to + 1
	}
}

// inLines are the first groups of an expression that never leaves its line, and
// whose matches hold the word, at most limit of them.
func inLines(text []byte, word string, p *regexp.Regexp, limit int) []string {
	var out []string
	lines(text, word, func(line []byte) bool {
		for _, m := range p.FindAllSubmatch(line, limit-len(out)) {
			out = append(out, string(m[1]))
		}
		return len(out) < limit
	})
	return out
}

// calledWith are the strings that calls of describe, it and test (and of what
// hangs on them, as test.only) begin with: 3 to 100 characters of each, at most
// limit of them.
func calledWith(text []byte, limit int) []string {
	var out []string
	done := 0 // the end of the string before
	for at := 0; len(out) < limit; at++ {
		i := bytes.IndexByte(text[at:], '(')
		if i < 0 {
			break
		}
		at += i
		if !calls(text, done, at) {
			continue
		}
		from := at + 1
		for from < len(text) && (text[from] == ' ' || text[from] >= '\t' && text[from] <= '\r' && text[from] != '\v') {
			from++
		}
		if from == len(text) || text[from] != '\'' && text[from] != '"' && text[from] != '`' {
			continue
		}
		from++
		end, count := from, 0
		for end < len(text) && count < 100 && text[end] != '\'' && text[end] != '"' && text[end] != '`' && text[end] != '\n' {
			_, size := utf8.DecodeRune(text[end:])
			end += size
			count++
		}
		if count < 3 {
			continue
		}
		out = append(out, string(text[from:end]))
		done, at = end, end-1
	}
	return out
}

// calls says that the name before a bracket, or one it hangs on, is that of a
// test. It looks back no further than from.
func calls(text []byte, from, at int) bool {
	for end := at; ; {
		start := end
		for start > from && wordByte(text[start-1]) {
			start--
		}
		if start == end {
			return false
		}
		if start == 0 || !wordByte(text[start-1]) {
			switch string(text[start:end]) {
			case "describe", "it", "test":
				return true
			}
		}
		if start == from || text[start-1] != '.' {
			return false
		}
		end = start - 1
	}
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}
