package check

import (
	"path"
	"regexp"
	"strings"
)

var (
	goLine    = regexp.MustCompile(`^(?:vet: )?(\S+\.go):(\d+)(?::\d+)?: (.*)$`)
	goSaid    = regexp.MustCompile(`^\s+(\S+\.go):(\d+): ?(.*)$`)
	goVerdict = regexp.MustCompile(`^\s*--- (FAIL|PASS|SKIP): (\S+)`)
	goRuns    = regexp.MustCompile(`^=== (?:RUN|NAME|CONT)\s+(\S+)`)
	goPackage = regexp.MustCompile(`^(FAIL|ok|---)\s+([\w./~-]+)\s+(?:\(cached\)|\[|[\d.]+s)`)
	goPanic   = regexp.MustCompile(`^(panic: |fatal error: |WARNING: DATA RACE)(.*)$`)
	goFrame   = regexp.MustCompile(`^\s+(\S+\.go):(\d+)(?: \+0x\w+)?$`)
	goAgain   = regexp.MustCompile(` \[recovered.*\]$`)
)

// golang reads go build, go vet and go test. A test names its file without the
// folder; which package it was is told when that is through.
func golang(p page) []found {
	r := goReader{page: p, failed: map[string]bool{}}
	for i := 0; i < len(p.lines); i++ {
		i = r.line(i)
	}
	r.close("", true)
	return r.out
}

// goReader keeps what tests of one package have said.
type goReader struct {
	page
	out    []found
	test   string // the one that speaks
	failed map[string]bool
	said   []goWords
}

type goWords struct {
	found
	test string
}

// line reads line i, and perhaps more, and returns the last it has read.
func (r *goReader) line(i int) int {
	line := r.lines[i]
	if m := goVerdict.FindStringSubmatch(line); m != nil {
		r.test = m[2]
		r.failed[m[2]] = m[1] == "FAIL"
		return i
	}
	if m := goRuns.FindStringSubmatch(line); m != nil {
		r.test = m[1]
		return i
	}
	if m := goPackage.FindStringSubmatch(line); m != nil {
		r.close(m[2], m[1] != "ok")
		return i
	}
	if m := goPanic.FindStringSubmatch(line); m != nil {
		return r.panicked(i, m[1], m[2])
	}
	if m := goLine.FindStringSubmatch(line); m != nil {
		end := r.until(i+1, func(l string) bool { return !strings.HasPrefix(l, "\t") })
		words := strings.Join(append([]string{m[3]}, r.lines[i+1:min(end, i+3)]...), " ")
		r.out = append(r.out, found{Failure: Failure{r.inPackage(m[1], ""), number(m[2]), words}, at: i, to: end})
		return end - 1
	}
	if m := goSaid.FindStringSubmatch(line); m != nil && r.test != "" {
		deep := indent(line)
		end := r.until(i+1, func(l string) bool {
			return indent(l) <= deep || blank(l) || goVerdict.MatchString(l) || goRuns.MatchString(l)
		})
		words := strings.Join(append([]string{m[3]}, goDetail(r.lines[i+1:end])...), " ")
		r.said = append(r.said, goWords{found{Failure: Failure{m[1], number(m[2]), named(r.test, words)}, at: i, to: end}, r.test})
		return end - 1
	}
	return i
}

// goDetail are the lines that go on with what a test says; of an assertion
// library's trace only the words are of use.
func goDetail(lines []string) []string {
	var out []string
	trace := false
	for _, l := range lines {
		text := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(text, "Error Trace:"):
			trace = true
		case trace && !strings.HasPrefix(text, "Error:"):
		case len(out) < 4:
			trace = false
			out = append(out, text)
		}
	}
	return out
}

// panicked reads a panic, a fatal error or a data race: its place is the first
// frame in the project.
func (r *goReader) panicked(i int, kind, words string) int {
	f := Failure{Text: named(r.test, strings.TrimSpace(kind+goAgain.ReplaceAllString(words, "")))}
	race := strings.HasPrefix(kind, "WARNING")
	end := r.until(i+1, func(l string) bool {
		return goPackage.MatchString(l) || race && strings.HasPrefix(l, "=====") || goVerdict.MatchString(l)
	})
	for _, l := range r.lines[i+1 : end] {
		if m := goFrame.FindStringSubmatch(l); m != nil {
			if file := r.inPackage(m[1], path.Dir(m[1])); r.own(file) && (r.Exists == nil || r.Exists(file)) {
				f.File, f.Line = file, number(m[2])
				break
			}
		}
	}
	r.out = append(r.out, found{Failure: f, at: i, to: end})
	return end - 1
}

// close hands on what the failed tests of a package have said.
func (r *goReader) close(pkg string, failed bool) {
	for _, w := range r.said {
		verdict, known := r.failed[w.test]
		w.quiet = !failed || known && !verdict
		w.File = r.inPackage(w.File, pkg)
		r.out = append(r.out, w.found)
	}
	r.said, r.failed, r.test = nil, map[string]bool{}, ""
}

// inPackage finds a file by what is known of its package: the folder is the
// end of the import path that the project has, the longest first.
func (r *goReader) inPackage(file, pkg string) string {
	if strings.HasPrefix(file, "/") || r.Exists == nil {
		return r.place(file)
	}
	base := file
	if pkg != "" {
		base = path.Base(file)
	}
	for dir := pkg; ; {
		if name := path.Join(dir, base); r.Exists(name) {
			return name
		}
		if dir == "" || dir == "." {
			return r.place(file)
		}
		_, rest, found := strings.Cut(dir, "/")
		if dir = rest; !found {
			dir = ""
		}
	}
}
