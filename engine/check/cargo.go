package check

import (
	"regexp"
	"strings"
)

var (
	rustError = regexp.MustCompile(`^error(?:\[(\w+)\])?: (.+)$`)
	rustPlace = regexp.MustCompile(`^\s*--> (\S+?):(\d+):\d+\s*$`)
	// Since Rust 1.73 the words stand on the lines after, before in quotes.
	rustPanic = regexp.MustCompile(`^thread '(.*?)'(?: \(\d+\))? panicked at (?:'(.*)', )?(\S+?):(\d+):\d+:?\s*$`)
	rustTest  = regexp.MustCompile(`^---- (.+) stdout ----$`)
	rustDoc   = regexp.MustCompile(`^(\S+\.rs) - .*\(line (\d+)\)$`)
)

// cargo reads the errors of rustc and what tests panic with.
func cargo(p page) []found {
	var out []found
	test := ""
	for i := 0; i < len(p.lines); i++ {
		line := p.lines[i]
		if m := rustTest.FindStringSubmatch(line); m != nil {
			test = m[1]
			if said := p.until(i+1, func(l string) bool { return !blank(l) }); strings.HasPrefix(at(p.lines, said), "Error: ") {
				out = append(out, found{Failure: Failure{Text: named(test, p.lines[said])}, at: i, to: said + 1})
			}
			continue
		}
		if m := rustError.FindStringSubmatch(line); m != nil {
			if f, ok := p.rustcError(i, m); ok {
				out = append(out, f)
				i = f.to - 1
			}
			continue
		}
		m := rustPanic.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		f := p.rustPanicked(i, m, test)
		out = append(out, f)
		i = f.to - 1
	}
	return out
}

// rustcError is an error of the compiler, which shows its place soon after.
func (p page) rustcError(i int, m []string) (found, bool) {
	const soon = 4
	for j := i + 1; j < min(i+1+soon, len(p.lines)); j++ {
		if place := rustPlace.FindStringSubmatch(p.lines[j]); place != nil {
			end := p.until(j, blank)
			return found{Failure: Failure{p.place(place[1]), number(place[2]), named(m[1], m[2])}, at: i, to: end}, true
		}
		if rustError.MatchString(p.lines[j]) || blank(p.lines[j]) {
			break
		}
	}
	return found{}, false
}

func (p page) rustPanicked(i int, m []string, test string) found {
	end := p.until(i+1, func(l string) bool {
		return blank(l) || strings.HasPrefix(l, "stack backtrace:") || strings.HasPrefix(l, "note: ")
	})
	words := m[2]
	if words == "" {
		words = strings.Join(p.lines[i+1:min(end, i+5)], " ")
	}
	name := m[1]
	f := Failure{File: p.place(m[3]), Line: number(m[4])}
	if doc := rustDoc.FindStringSubmatch(test); doc != nil && !p.own(m[3]) {
		name, f.File, f.Line = test, p.place(doc[1]), number(doc[2]) // an example in a comment
	}
	f.Text = named(name, words)
	return found{Failure: f, at: i, to: end}
}
