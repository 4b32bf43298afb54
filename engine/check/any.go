package check

import "regexp"

// usual is "file.ext:12: text" or "file.ext:12:5: text", as most compilers,
// linters and test tools print it.
var usual = regexp.MustCompile(`^\s*(?:[Ee]rror:\s*)?((?:file://)?[^\s:()]+\.[A-Za-z0-9]+):(\d+)(?::\d+)?:?\s+(.*)$`)

// anyTool reads single lines in the usual form.
func anyTool(p page) []found {
	var out []found
	for i, line := range p.lines {
		if m := usual.FindStringSubmatch(line); m != nil {
			out = append(out, found{Failure: Failure{p.place(m[1]), number(m[2]), m[3]}, at: i, to: i + 1})
		}
	}
	return out
}
