package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"growbench/engine/doc"
)

// report is what lint --json prints.
type report struct {
	Kind     string        `json:"kind"`
	OK       bool          `json:"ok"`
	Value    any           `json:"value"`
	Problems []doc.Problem `json:"problems"`
}

func TestLintOfEveryKind(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	plan := twoTasks()
	result := doc.Result{K: 2, Files: doc.Files{Modified: []string{"b.txt"}}, Summary: "Done."}
	for _, test := range []struct {
		kind, text string
		keys       []string // of value
		broken     string
	}{
		{"task0", brief("a.txt"), []string{"k", "goal", "background", "past_failures", "constraints", "target_files", "signatures"},
			"# Task #0 (for Planner)\n\n### Goal\nx\n"},
		{"task", doc.FormatTask(plan.Task(1)), []string{"k", "goal", "background", "past_failures", "constraints", "target_files", "signatures"},
			"# Task #1 (for Worker 1)\n\n### Goal\nx\n"},
		{"plan", doc.FormatPlan(plan), []string{"tasks"}, `{"tasks": []}`},
		{"result", doc.FormatResult(result), []string{"k", "files", "signatures", "breaking", "summary"},
			"# RESULT #2 (by Worker 2)\n\n## Summary\nNo files named.\n"},
		{"results", doc.FormatResults([]doc.Result{{K: 1, Files: doc.Files{Created: []string{"a.txt"}}, Summary: "One."}, result}), nil,
			"# RESULT #1 (by Worker 1)\n\n## Summary\nNo files named.\n"},
	} {
		t.Run(test.kind, func(t *testing.T) {
			p := *p
			p.t = t
			file := filepath.Join(t.TempDir(), "doc")
			put(t, file, test.text)
			for _, flags := range [][]string{{"--kind", test.kind}, nil} {
				for _, from := range []string{file, "-"} {
					var r report
					got := p.feed(test.text, append([]string{"lint", from, "--json"}, flags...)...).ends(exitOK).json(&r)
					if r.Kind != test.kind || !r.OK || r.Problems == nil || got.err != "" {
						t.Errorf("lint %v %s: %+v\n%s", flags, from, r, got.all())
					}
					switch value := r.Value.(type) {
					case map[string]any:
						if want := slices.Sorted(slices.Values(test.keys)); !slices.Equal(sorted(value), want) {
							t.Errorf("keys %q, want %q", sorted(value), want)
						}
					case []any:
						if test.keys != nil || len(value) != 2 {
							t.Errorf("value %v", value)
						}
					default:
						t.Errorf("value %v", r.Value)
					}
					noNull(t, "value", r.Value)
				}
			}
			p.do("lint", file).ends(exitOK, file, test.kind, "fine")

			put(t, file, test.broken)
			var r report
			p.do("lint", file, "--kind", test.kind, "--json").ends(exitProblems).json(&r)
			if r.OK || len(r.Problems) == 0 || r.Problems[0].Level != doc.Error {
				t.Errorf("broken: %+v", r)
			}
			noNull(t, "value", r.Value)
			text := p.do("lint", file, "--kind", test.kind).ends(exitProblems, "error").silent("fine")
			if strings.Count(text.out, "\n") != len(r.Problems) {
				t.Errorf("%d problems in JSON, and in words:\n%s", len(r.Problems), text.out)
			}
		})
	}
}

func TestLintOfWhatIsNoDocument(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	var r report
	p.feed("Dear diary.\n", "lint", "-", "--json").ends(exitProblems).json(&r)
	if r.OK || r.Value != nil || len(r.Problems) == 0 {
		t.Errorf("%+v", r)
	}
	p.feed("", "lint", "-").ends(exitProblems, "no task, plan or RESULT recognised")
	for _, kind := range []string{"map", "index"} {
		p.feed("# x\ndir: x\n", "lint", "-", "--kind", kind).ends(exitProblems, "map validate")
	}
	p.do("lint", filepath.Join(p.base, "none")).ends(exitUsage, "none")
	p.do("lint", p.base).ends(exitUsage, "not a regular file")
	big := filepath.Join(p.base, "big")
	put(t, big, "x")
	if err := os.Truncate(big, maxDocument+1); err != nil {
		t.Fatal(err)
	}
	p.do("lint", big).ends(exitUsage, "larger than")
	p.feed("\x1b]0;caught\x07# Task #0\n\x1b[31m### Goal\n", "lint", "-").ends(exitProblems).silent("\x1b", "\x07")
}

// noNull fails where JSON says null in a place of a list or an object.
func noNull(t *testing.T, at string, v any) {
	t.Helper()
	switch v := v.(type) {
	case nil:
		t.Errorf("%s is null", at)
	case map[string]any:
		for _, k := range sorted(v) {
			noNull(t, at+"."+k, v[k])
		}
	case []any:
		for _, e := range v {
			noNull(t, at+"[]", e)
		}
	}
}
