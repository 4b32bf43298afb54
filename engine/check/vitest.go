package check

import (
	"regexp"
	"strings"
)

var (
	// A header names a file with a test in it, or a file that could not be
	// read: " FAIL  a.test.ts > sum > adds", " FAIL  a.test.ts [ a.test.ts ]".
	vitestFail  = regexp.MustCompile(`^\s*FAIL\s+(?:\|[^|]*\|\s+)?(\S+\.\w+)(?: > (.+)| \[ .+ \])\s*$`)
	vitestLoose = regexp.MustCompile(`^⎯+ (Unhandled \w+(?: \w+)?) ⎯+\s*$`)
	vitestRule  = regexp.MustCompile(`^⎯⎯⎯`)
	vitestFrame = regexp.MustCompile(`^\s*❯ (?:.* )?(\S+?):(\d+):\d+\s*$`)
	vitestPlace = regexp.MustCompile(`^\s*File: (\S+?):(\d+):\d+\s*$`)
)

// vitest reads what Vitest prints in the end: the headers of the tests that
// share an error, its words, the lines of its stack.
func vitest(p page) []found {
	var out []found
	for i := 0; i < len(p.lines); i++ {
		var heads [][]string
		start := i
		for ; i < len(p.lines); i++ {
			m := vitestFail.FindStringSubmatch(p.lines[i])
			if m == nil {
				break
			}
			heads = append(heads, m)
		}
		if m := vitestLoose.FindStringSubmatch(at(p.lines, i)); len(heads) == 0 && m != nil {
			heads, i = [][]string{{"", "", m[1]}}, i+1
		}
		if len(heads) == 0 {
			continue
		}
		end := p.until(i, func(l string) bool { return vitestRule.MatchString(l) || vitestFail.MatchString(l) })
		file, line, words := p.vitestBlock(p.lines[i:end])
		for n, m := range heads {
			f := found{Failure: Failure{file, line, named(m[2], words)}, at: start + n, to: start + n + 1}
			if file == "" && m[1] != "" {
				f.File = p.place(m[1])
			}
			if n == len(heads)-1 {
				f.to = max(end, f.to)
			}
			out = append(out, f)
		}
		i = max(end, start+1) - 1
	}
	return out
}

func (p page) vitestBlock(block []string) (file string, line int, words string) {
	for _, l := range block {
		if words == "" && !blank(l) {
			words = strings.TrimSpace(l)
		}
		m := vitestFrame.FindStringSubmatch(l)
		if m == nil {
			m = vitestPlace.FindStringSubmatch(l)
		}
		if m != nil && file == "" && p.own(m[1]) {
			file, line = p.place(m[1]), number(m[2])
		}
	}
	return file, line, words
}

// at is line i, or nothing behind the last.
func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
