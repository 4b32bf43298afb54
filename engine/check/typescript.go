package check

import "regexp"

// tsc prints "file(3,7): error TS2322: …" to a pipe and "file:3:7 - error
// TS2322: …" to a terminal; what concerns no file has none.
var (
	tscPlain  = regexp.MustCompile(`^\s*(\S.*?)\((\d+),\d+\): error (TS\d+: .*)$`)
	tscPretty = regexp.MustCompile(`^\s*(\S.*?):(\d+):\d+ - error (TS\d+: .*)$`)
	tscGlobal = regexp.MustCompile(`^error (TS\d+: .*)$`)
)

// typescript reads what tsc prints.
func typescript(p page) []found {
	var out []found
	for i, line := range p.lines {
		m := tscPlain.FindStringSubmatch(line)
		if m == nil {
			m = tscPretty.FindStringSubmatch(line)
		}
		if m != nil {
			out = append(out, found{Failure: Failure{p.place(m[1]), number(m[2]), m[3]}, at: i, to: i + 1})
		} else if m := tscGlobal.FindStringSubmatch(line); m != nil {
			out = append(out, found{Failure: Failure{Text: m[1]}, at: i, to: i + 1})
		}
	}
	return out
}
