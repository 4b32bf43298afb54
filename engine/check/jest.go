package check

import (
	"regexp"
	"strings"
)

var (
	jestFile   = regexp.MustCompile(`^\s*FAIL\s+(?:.*\s)?(\S+\.\w+)(?:\s+\([^)]*\))?\s*$`)
	jestName   = regexp.MustCompile(`^\s{0,4}● (.+)$`)
	jestEnd    = regexp.MustCompile(`^(?:PASS|FAIL|Test Suites:|Tests:|Summary of all failing tests)`)
	jestSyntax = regexp.MustCompile(`^\s*\w*Error: (\S+?): (.*) \((\d+):\d+\)\s*$`)
	jestTyped  = regexp.MustCompile(`^\s*(\S+?):(\d+):\d+ - error (TS\d+: .*)$`)
	codeFrame  = regexp.MustCompile(`^\s*>?\s*\d+ \|`)
	// nodeFrame is a line of a stack: "at name (file:3:7)" or "at file:3:7".
	nodeFrame = regexp.MustCompile(`^\s+at (?:.*\()?([^\s()]+?):(\d+):\d+\)?\s*$`)
)

// jest reads what Jest prints: below the name of each failing test its words
// and a stack.
func jest(p page) []found {
	var out []found
	file := ""
	for i := 0; i < len(p.lines); i++ {
		if m := jestFile.FindStringSubmatch(p.lines[i]); m != nil {
			file = p.place(m[1])
			continue
		}
		m := jestName.FindStringSubmatch(p.lines[i])
		if m == nil {
			continue
		}
		end := p.until(i+1, func(l string) bool { return jestName.MatchString(l) || jestEnd.MatchString(l) })
		f := p.jestBlock(m[1], file, p.lines[i+1:end])
		out = append(out, found{Failure: f, at: i, to: end})
		i = end - 1
	}
	return out
}

func (p page) jestBlock(name, file string, block []string) Failure {
	f := Failure{File: file}
	var words []string
	saying := true
	for _, line := range block {
		if m := jestSyntax.FindStringSubmatch(line); m != nil && p.own(m[1]) {
			return Failure{p.place(m[1]), number(m[3]), named(name, m[2])}
		}
		if m := jestTyped.FindStringSubmatch(line); m != nil && p.own(m[1]) {
			return Failure{p.place(m[1]), number(m[2]), named(name, m[3])}
		}
		m := nodeFrame.FindStringSubmatch(line)
		if m != nil && f.Line == 0 && p.own(m[1]) {
			f.File, f.Line = p.place(m[1]), number(m[2])
		}
		if m != nil || codeFrame.MatchString(line) {
			saying = false
		}
		if saying && !blank(line) && len(words) < 4 {
			words = append(words, strings.TrimSpace(line))
		}
	}
	f.Text = named(name, strings.Join(words, " "))
	return f
}
