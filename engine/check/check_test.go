package check

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Recordings have the project at /home/ann/sizes and are named by tool and
// version. Beside each lies what is to be read in it, made with
// UPDATE_GOLDEN=1 and looked at.
const project = "/home/ann/sizes"

func files(names ...string) func(string) bool {
	return func(name string) bool {
		for _, n := range names {
			if n == name {
				return true
			}
		}
		return false
	}
}

var inProject = files("root_test.go", "size/size.go", "size/size_test.go", "bad/bad.go", "src/lib.rs", "tests/whole.rs",
	"src/a.ts", "src/b.ts", "src/sum.js", "src/sum.test.js", "src/broken.test.js", "src/syntax.test.js",
	"src/sum-esm.js", "src/sum.vitest.js", "src/broken.vitest.js", "src/syntax.vitest.js",
	"sizes.py", "test_sizes.py", "test_gone.py", "test_syntax.py", "ut.py")

func output(text string) Output {
	return Output{Text: text, Dirs: []string{project}, Exists: inProject}
}

func show(list []Failure) string {
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "%s:%d: %s\n", f.File, f.Line, f.Text)
	}
	return b.String()
}

func recordings(t testing.TB) []string {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) < 20 {
		t.Fatalf("%d recordings, %v", len(names), err)
	}
	return names
}

func read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRecordings(t *testing.T) {
	for _, name := range recordings(t) {
		golden := strings.TrimSuffix(name, ".txt") + ".golden"
		got := show(Failures(output(read(t, name))))
		if os.Getenv("UPDATE_GOLDEN") != "" {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := read(t, golden); got != want {
			t.Errorf("%s: read\n%s\nwant\n%s", name, got, want)
		}
	}
}

// As a Windows program ends its lines, and with a progress bar before each.
func TestLineEndsAndProgressChangeNothing(t *testing.T) {
	for _, name := range recordings(t) {
		text := read(t, name)
		want := show(Failures(output(text)))
		crlf := strings.ReplaceAll(text, "\n", "\r\n")
		bars := "10%\r" + strings.ReplaceAll(text, "\n", "\n 50% done\r100% done\r\x1b[K")
		for how, other := range map[string]string{"CRLF": crlf, "progress": bars} {
			if got := show(Failures(output(other))); got != want {
				t.Errorf("%s, %s: read\n%s\nwant\n%s", name, how, got, want)
			}
		}
	}
}

// Checks of several tools one after the other, as `npm test` and make run them.
func TestSeveralToolsInOneOutput(t *testing.T) {
	names := []string{"tsc-5.9.3", "jest-29.7.0", "go-1.26.8-test", "pytest-7.2.1", "cargo-1.95.0-test", "vitest-2.1.9", "cargo-1.95.0-build"}
	for _, first := range names {
		for _, second := range names {
			a, b := read(t, "testdata/"+first+".txt"), read(t, "testdata/"+second+".txt")
			want := show(Failures(output(a)))
			if first != second {
				want += show(Failures(output(b)))
			}
			if got := show(Failures(output(a + b))); got != want {
				t.Errorf("%s, then %s: read\n%s\nwant\n%s", first, second, got, want)
			}
		}
	}
}

// Two tools that print at the same time: what stands on one line is read.
func TestInterleavedOutput(t *testing.T) {
	tsc := strings.SplitAfter(read(t, "testdata/tsc-5.9.3.txt"), "\n")
	wants := strings.SplitAfter(read(t, "testdata/tsc-5.9.3.golden"), "\n")
	for _, other := range []string{"go-1.26.8-build", "go-1.26.8-vet", "cargo-1.95.0-test", "go-1.26.8-test"} {
		lines := strings.SplitAfter(read(t, "testdata/"+other+".txt"), "\n")
		var mixed strings.Builder
		for i := range max(len(tsc), len(lines)) {
			mixed.WriteString(at(tsc, i) + at(lines, i))
		}
		got := show(Failures(output(mixed.String())))
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("with %s: no %q in\n%s", other, want, got)
			}
		}
	}
}

// An output that was cut at any line, at its start or at its end.
func TestTruncatedOutput(t *testing.T) {
	for _, name := range recordings(t) {
		lines := strings.SplitAfter(read(t, name), "\n")
		whole := Failures(output(strings.Join(lines, "")))
		for i := 0; i < len(lines); i += 1 + len(lines)/30 {
			for _, text := range []string{strings.Join(lines[:i], ""), strings.Join(lines[i:], "")} {
				got := Failures(output(text))
				sound(t, got)
				if len(got) > len(whole)+3 {
					t.Errorf("%s, cut at line %d: %d failures where the whole has %d:\n%s", name, i, len(got), len(whole), show(got))
				}
			}
		}
	}
}

func TestPlacesAreRelativeToTheProject(t *testing.T) {
	for text, want := range map[string]string{
		project + "/src/a.ts(3,7): error TS1: x":               "src/a.ts",
		"./src/a.ts:3:7: x":                                    "src/a.ts",
		"file://" + project + "/src/a.ts:3:7: x":               "src/a.ts",
		`src\a.ts(3,7): error TS1: x`:                          "src/a.ts",
		"/usr/include/stdio.h:3: x":                            "/usr/include/stdio.h",
		"/home/ann/sizes-other/a.c:3:1: x":                     "/home/ann/sizes-other/a.c",
		"\x1b]8;;file:///x\x1b\\src/a.ts:3:7: x\x1b]8;;\x1b\\": "src/a.ts",
	} {
		if got := Failures(output(text)); len(got) != 1 || got[0].File != want || got[0].Line != 3 {
			t.Errorf("%q is read as %+v, want %s:3", text, got, want)
		}
	}
	in := output("a.ts(3,7): error TS1: x\nsrc/b.ts(4,7): error TS1: x")
	in.In = "src"
	if got := show(Failures(in)); got != "src/a.ts:3: TS1: x\nsrc/b.ts:4: TS1: x\n" {
		t.Errorf("below src: %s", got)
	}
}

func TestWhatIsHandedOnIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "src/file%d.go:%d:1: %s\n", i, i+1, strings.Repeat("é", 300))
	}
	got := Failures(output(b.String()))
	sound(t, got)
	if len(got) < 10 || got[0].File != "src/file0.go" {
		t.Errorf("%d failures, the first is %+v", len(got), got[0])
	}
	if got := Failures(output(strings.Repeat("x", 5<<20))); len(got) != 0 {
		t.Errorf("%d failures in one line of nothing", len(got))
	}
}

// sound is what must be true of every answer.
func sound(t *testing.T, list []Failure) {
	t.Helper()
	size := 0
	for _, f := range list {
		size += len(f.File) + len(f.Text)
		if f.Line < 0 || f.File == "" && f.Text == "" || !utf8.ValidString(f.File+f.Text) || strings.ContainsAny(f.File+f.Text, "\n\r\x1b\x00") {
			t.Errorf("%+v", f)
		}
	}
	if size > maxBytes || len(list) > maxFailures {
		t.Errorf("%d failures of %d bytes", len(list), size)
	}
}

func FuzzTools(f *testing.F) {
	for _, name := range recordings(f) {
		f.Add(read(f, name))
	}
	f.Add("--- FAIL: TestX (0.00s)\n    a_test.go:3: \n        \tError Trace:\t/x/a_test.go:3\n        \tError:      \tNot equal\nFAIL\tx\t0.1s\n")
	f.Add("thread 'x' panicked at 'y', src/lib.rs:1:2\n")
	f.Add("WARNING: DATA RACE\nRead at 0x1 by goroutine 7:\n  p.f()\n      /home/ann/sizes/size/size.go:3 +0x1\n==================\n")
	f.Add(" FAIL  a.ts > b\n FAIL  a.ts > c\n⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯\n")
	f.Fuzz(func(t *testing.T, text string) {
		o := output(text)
		p := page{Output: o, lines: cleanLines(text)}
		for i, tool := range tools {
			for _, f := range tool(p) {
				if f.at < 0 || f.to <= f.at || f.to > len(p.lines) {
					t.Fatalf("tool %d: a failure on lines %d to %d of %d", i, f.at, f.to, len(p.lines))
				}
			}
		}
		sound(t, Failures(o))
		o.Exists = nil
		sound(t, Failures(o))
	})
}

func TestTheUsualFormOfAnyTool(t *testing.T) {
	got := show(Failures(output("ok\nsize/size.c:12:5: undefined: X\n    size_test.zig:7: got 3\nError: a.rb:3: no\nnot a line: 7\nhttp://x.y:80/ y\n")))
	if want := "size/size.c:12: undefined: X\nsize_test.zig:7: got 3\na.rb:3: no\n"; got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}
