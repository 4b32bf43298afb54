package check

import (
	"regexp"
	"slices"
	"strings"
)

var (
	pytestName    = regexp.MustCompile(`^_{3,} (.+?) _{3,}$`)
	pytestRule    = regexp.MustCompile(`^={3,}(?: |$)|^!{3,} `)
	pytestPlace   = regexp.MustCompile(`^(\S[^:]*?\.\w+):(\d+): `)
	pytestFrame   = regexp.MustCompile(`^\S[^:]*:\d+: in \S+$`)
	pytestError   = regexp.MustCompile(`^E(?:\s+(.*))?$`)
	pytestSummary = regexp.MustCompile(`^(?:FAILED|ERROR) (\S+?\.\w+)(?:::(\S+))?(?: - (.*))?$`)
	pythonFile    = regexp.MustCompile(`^\s*File "(.+)", line (\d+)`)
	pythonRaised  = regexp.MustCompile(`^[A-Za-z_][\w.]*(?::\s.*)?$`)
)

// pytest reads the sections of pytest's failures and errors; its summary
// speaks for tests whose section is not there.
func pytest(p page) []found {
	var out []found
	var names []string
	for i := 0; i < len(p.lines); i++ {
		if m := pytestSummary.FindStringSubmatch(p.lines[i]); m != nil {
			name := strings.ReplaceAll(m[2], "::", ".")
			told := slices.ContainsFunc(names, func(n string) bool { return name != "" && strings.Contains(n, name) || strings.Contains(n, m[1]) })
			f := found{Failure: Failure{p.place(m[1]), 0, named(m[2], m[3])}, at: i, to: i + 1, weak: true}
			if !told {
				out = append(out, f)
			}
			continue
		}
		m := pytestName.FindStringSubmatch(p.lines[i])
		if m == nil {
			if pytestFrame.MatchString(p.lines[i]) { // of a section whose head is cut off
				out = append(out, found{at: i, to: i + 1, quiet: true})
			}
			continue
		}
		end := p.until(i+1, func(l string) bool { return pytestName.MatchString(l) || pytestRule.MatchString(l) })
		f, ok := p.pytestBlock(m[1], p.lines[i+1:end])
		if ok {
			names = append(names, m[1])
		}
		if ok || !slices.ContainsFunc(p.lines[i+1:end], pythonFile.MatchString) { // else it is Python's own to tell
			out = append(out, found{Failure: f, at: i, to: end, quiet: !ok})
		}
		i = end - 1
	}
	return out
}

// pytestBlock is the failure a section tells of: the words of the error that
// came last, and the last place in the project before its end.
func (p page) pytestBlock(name string, block []string) (Failure, bool) {
	var f Failure
	words, in := "", false
	for _, line := range block {
		m := pytestError.FindStringSubmatch(line)
		switch {
		case m != nil && !in:
			words, in = m[1], true
		case m == nil:
			in = false
		}
		place := pytestPlace.FindStringSubmatch(line)
		if m != nil {
			place = pythonFile.FindStringSubmatch(m[1]) // of a syntax error
			if place == nil && strings.HasPrefix(strings.TrimSpace(words), "File ") && pythonRaised.MatchString(m[1]) {
				words = m[1]
			}
		}
		if place != nil && p.own(place[1]) {
			f.File, f.Line = p.place(place[1]), number(place[2])
		}
	}
	f.Text = named(name, words)
	return f, words != "" || f.File != ""
}

// traceback reads what Python itself prints of an exception.
func traceback(p page) []found {
	var out []found
	for i := 0; i < len(p.lines); i++ {
		if !pythonFile.MatchString(p.lines[i]) && strings.TrimSpace(p.lines[i]) != "Traceback (most recent call last):" {
			continue
		}
		start, depth := i, indent(p.lines[i])
		if pythonFile.MatchString(p.lines[i]) {
			depth = max(0, depth-2) // the head of it is not there
		}
		var f Failure
		for ; i < len(p.lines); i++ {
			line := p.lines[i]
			if m := pythonFile.FindStringSubmatch(line); m != nil {
				if p.own(m[1]) {
					f.File, f.Line = p.place(m[1]), number(m[2])
				}
				continue
			}
			if i > start && indent(line) <= depth && !blank(line) {
				break
			}
		}
		if raised := strings.TrimSpace(at(p.lines, i)); pythonRaised.MatchString(raised) && f.File != "" {
			f.Text = raised
			out = append(out, found{Failure: f, at: start, to: i + 1})
		} else {
			i = max(i-1, start)
		}
	}
	return out
}
