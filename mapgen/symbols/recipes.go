package symbols

import (
	"regexp"
	"strings"
)

var (
	fromLine    = regexp.MustCompile(`(?i)^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?\s*$`)
	runsLine    = regexp.MustCompile(`(?i)^\s*(ENTRYPOINT|CMD)\s+(.+)$`)
	ruleLine    = regexp.MustCompile(`^([^\s#:=%$][^#:=%$\t]*?)\s*::?(?:[^=:]|$)`)
	includeLine = regexp.MustCompile(`^[-s]?include\s+(.+)$`)
)

// stages are those of a Dockerfile, with the images they stand on, and what it
// runs.
func stages(o *outline) {
	local := map[string]bool{}
	o.lines(func(at int, line string) {
		if m := fromLine.FindStringSubmatch(line); m != nil {
			if name := strings.ToLower(m[1]); !local[name] && name != "scratch" && !strings.Contains(name, "$") {
				o.need(m[1], at)
			}
			if m[2] != "" {
				local[strings.ToLower(m[2])] = true
				o.entry("stage", m[2], "stage "+m[2]+" on "+m[1], at)
			}
			return
		}
		if m := runsLine.FindStringSubmatch(line); m != nil {
			o.entry("entry", strings.ToUpper(m[1]), strings.ToUpper(m[1])+" "+m[2], at)
		}
	})
}

// rules are the targets of a makefile that are written out, and what it includes.
func rules(o *outline) {
	continued := false
	o.lines(func(number int, line string) {
		inside := continued
		continued = strings.HasSuffix(line, `\`)
		if inside {
			return
		}
		if m := includeLine.FindStringSubmatch(line); m != nil {
			for _, file := range strings.Fields(m[1]) {
				if !strings.ContainsAny(file, "$*") {
					o.need(file, number)
				}
			}
			return
		}
		m := ruleLine.FindStringSubmatch(line)
		if m == nil {
			return
		}
		for _, name := range strings.Fields(m[1]) {
			if !strings.HasPrefix(name, ".") && !strings.ContainsAny(name, "()") {
				o.entry("target", name, "", number)
			}
		}
	})
}
