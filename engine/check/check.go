// Package check reads what a check printed: which files and lines its tools
// complain about, and in which words. A tool that is not known still has the
// usual file:line: read, and one that prints nothing of the kind has its exit
// code, which is what decides.
package check

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Failure is one place a check complained about. Line is 0 where only the file
// is known, File empty where not even that.
type Failure struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Output is what a check printed, and where it ran.
type Output struct {
	Text string
	// Dirs are the absolute names of the project's directory: paths below one
	// of them are told relative to it.
	Dirs []string
	// In is the folder of the project that the check's relative paths start
	// from; empty for the project itself.
	In string
	// Exists tells whether the project has a file; nil when nobody knows. Some
	// tools name no folder with their files.
	Exists func(path string) bool
}

// Bounds of what is handed on.
const (
	maxFailures = 50
	maxBytes    = 4 << 10 // of all failures together
	maxText     = 200     // bytes of one
)

// found is a failure and the lines that told of it: at to, not including, to.
type found struct {
	Failure
	at, to int
	// weak ones count only where nothing better is known of their file.
	weak bool
	// quiet ones are no failures: their lines are understood and say nothing.
	quiet bool
}

// tools in the order in which they may speak for a line. Those that tell of a
// failure in a block of lines come before those that know only single lines.
var tools = []func(page) []found{jest, vitest, pytest, cargo, golang, typescript, traceback, anyTool}

// Failures are the places a check's output complains about, in the order in
// which it did.
func Failures(o Output) []Failure {
	p := page{Output: o, lines: cleanLines(o.Text)}
	spoken := make([]bool, len(p.lines))
	var all []found
	for _, tool := range tools {
		finds := tool(p)
		finds = slices.DeleteFunc(finds, func(f found) bool { return slices.Contains(spoken[f.at:f.to], true) })
		for _, f := range finds {
			for i := f.at; i < f.to; i++ {
				spoken[i] = true
			}
		}
		all = append(all, finds...)
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.at, b.at) })
	return bounded(all)
}

// bounded drops what is told twice and what is too much.
func bounded(all []found) []Failure {
	out := []Failure{}
	known := map[string]bool{} // files something better than a weak word is known of
	for _, f := range all {
		known[f.File] = known[f.File] || !f.weak && !f.quiet
	}
	seen := map[Failure]bool{}
	size := 0
	for _, f := range all {
		f.Text = shorten(f.Text)
		if f.quiet || seen[f.Failure] || f.weak && known[f.File] || f.File == "" && f.Text == "" {
			continue
		}
		seen[f.Failure] = true
		size += len(f.File) + len(f.Text) + 8
		if len(out) == maxFailures || size > maxBytes {
			break
		}
		out = append(out, f.Failure)
	}
	return out
}

// page is an output line by line, without colours.
type page struct {
	Output
	lines []string
}

// place is a file as the project knows it.
func (p page) place(name string) string {
	name = strings.TrimPrefix(name, "file://")
	if strings.Contains(name, `\`) && !strings.Contains(name, "/") {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	if !strings.HasPrefix(name, "/") {
		name = path.Clean(name)
		if p.In != "" && (p.Exists == nil || !p.Exists(name)) {
			name = path.Join(p.In, name)
		}
		return name
	}
	for _, dir := range p.Dirs {
		if rest, ok := strings.CutPrefix(name, filepath.ToSlash(dir)+"/"); ok {
			return path.Clean(rest)
		}
	}
	return path.Clean(name)
}

// own tells whether a file is the project's, not a library's.
func (p page) own(name string) bool {
	name = p.place(name)
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "<") || strings.HasPrefix(name, "node:") || strings.HasPrefix(name, "../") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "node_modules" || part == "site-packages" || part == "dist-packages" {
			return false
		}
	}
	return true
}

// until is the first line from i on of which is says so, or the last and one.
func (p page) until(i int, is func(line string) bool) int {
	for i < len(p.lines) && !is(p.lines[i]) {
		i++
	}
	return i
}
