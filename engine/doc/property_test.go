package doc

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// maker draws plausible values, with the sharp ones among them.
type maker struct{ *rand.Rand }

func (m maker) pick(list ...string) string { return list[m.IntN(len(list))] }

func (m maker) sentence() string {
	parts := make([]string, 1+m.IntN(6))
	for i := range parts {
		parts[i] = m.pick("parse", "sizes", "the", "limits", "Config", "none", "`code`", "→", "— so", "a.go", "und", "日本語", "é", "Files", "(new)", "x|y", "<think>", "#2")
	}
	return "Do " + strings.Join(parts, " ") + m.pick(".", "", "!")
}

func (m maker) text() string {
	lines := make([]string, 1+m.IntN(4))
	for i := range lines {
		lines[i] = m.pick(m.sentence(), m.sentence(), "### Goal", "Breaking: none", "- a point", "RESULT #3", "```go\nx := 1\n```", `\# odd`, "**Files**", "| Files | a |")
	}
	return "It begins.\n" + strings.Join(lines, "\n") + "\nIt ends."
}

func (m maker) path() string {
	return m.pick("a", "src", "brief", "docs/user guide", "app/(auth)", "app/[id]") + m.pick("/", "/sub/", "/x-") + m.pick("size", "none", "new", "index", "ü", "a, b", "read`me", "it's") + m.pick(".go", ".ts", ".tar.gz", ".go", "_test.go")
}

func some[T comparable](m maker, most int, draw func() T) []T {
	out := []T{}
	for range m.IntN(most + 1) {
		if v := draw(); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func (m maker) signature() Signature {
	return Signature{m.pick("Parse(text string) (Doc, error)", "loadRates(day: string): Promise<Rate[]>", "fn f(x: &str) -> T", "type Size int64", "files: string[]", "Summary: string", "__init__(self)", "*p() int", "a | b", "none()", "(c *Config) Load() error", "operator-(a, b)", "Parse(text string) (Doc, error) (observed)", "Size int64 (observed)"), m.pick(m.path(), m.path(), "")}
}

func TestGeneratedTasksComeBack(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 2))}
	for range 200 {
		task := Task{K: m.IntN(30), Goal: m.sentence(), Background: m.text(), PastFailures: m.pick(None, m.text()),
			Constraints: some(m, 4, m.pickItem), TargetFiles: some(m, 5, m.path), Signatures: some(m, 4, m.signature)}
		written := FormatTask(task)
		read, problems := ParseTask(written)
		if !reflect.DeepEqual(task, read) || len(problems) != 0 {
			t.Fatalf("%v\n%#v\n%#v\n%s", problems, task, read, written)
		}
	}
}

func (m maker) pickItem() string { return m.pick(m.sentence(), m.text(), "No new dependency.") }

func TestGeneratedResultsComeBack(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(3, 4))}
	for range 200 {
		list := []Result{}
		for k := range 1 + m.IntN(3) {
			paths := some(m, 7, m.path)
			a, b := len(paths)/3, len(paths)*2/3
			r := Result{K: k + 1, Files: Files{Created: slices.Clone(paths[:a]), Modified: slices.Clone(paths[a:b]), Deleted: slices.Clone(paths[b:])},
				Signatures: some(m, 4, m.signature), Breaking: []Breaking{}, Summary: m.pick(m.sentence(), "It begins.\n"+m.sentence()+"\n\nIt ends.", "It says:\nFiles: none", "")}
			for _, p := range paths {
				if m.IntN(4) == 0 {
					r.Files.Observed = append(r.Files.Observed, p)
				}
			}
			for range m.IntN(3) {
				r.Breaking = append(r.Breaking, ReadBreaking(m.pick("Config.Type → Config.Kind (renamed) — config.go", "Old() removed", "Old() removed (observed) — a.go", "Parse(text string) (int64, error) → Parse(text string) (Size, error) (observed) — size/size.go", "Files: moved to "+m.pick("a.go", "b.go"), m.sentence())))
			}
			list = append(list, r)
		}
		written := FormatResults(list)
		read, problems := ParseResults(written)
		if !reflect.DeepEqual(list, read) || HasErrors(problems) {
			t.Fatalf("%v\n%#v\n%#v\n%s", problems, list, read, written)
		}
	}
}

func TestGeneratedPlansComeBack(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(5, 6))}
	for range 100 {
		p := Plan{Tasks: []PlanTask{}}
		for range 1 + m.IntN(4) {
			pt := PlanTask{Title: m.sentence(), Layer: m.IntN(5), Agent: m.pick("", "mine"), Goal: m.sentence(), Background: m.text(), PastFailures: None,
				Constraints: some(m, 4, m.pickItem), TargetFiles: some(m, 5, m.path), Signatures: []string{}}
			for range m.IntN(3) {
				pt.Signatures = append(pt.Signatures, m.signature().String())
			}
			p.Tasks = append(p.Tasks, pt)
		}
		written := FormatPlan(p)
		read, problems := ParsePlan(written)
		if !reflect.DeepEqual(p, read) || len(problems) != 0 {
			t.Fatalf("%v\n%#v\n%#v", problems, p, read)
		}
	}
}

// Long hostile inputs must end in linear time: a quadratic reader would run
// into the test's deadline.
func TestLongInputsEnd(t *testing.T) {
	for _, unit := range []string{"{", "<think>\n", "</think>\n", "`a", "a.go and ", "a — ", "| a | b |\n", "```\n", "RESULT #2\nFiles: a.go\n", "- - ", "\"<think>\" `x` ", "{\"tasks\":["} {
		for _, start := range []string{"", "RESULT #2\nBreaking: none\nFiles: ", "RESULT #2\nFiles: a.go\nBreaking: "} {
			text := start + strings.Repeat(unit, (16<<10)/len(unit))
			Lint("", text)
			if start == "" {
				LintTaskText(text, LintOptions{})
			}
		}
	}
}
