package engine

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/event"
)

var sizes = map[string]string{
	"go.mod":           "module example.com/sizes\n\ngo 1.26\n",
	"size/size.go":     "package size\n\nfunc Parse(text string) int { return len(text) }\n\nfunc Zero() int { return 0 }\n",
	"report/report.go": "package report\n\nimport \"example.com/sizes/size\"\n\n// Zero is not size.Zero.\nfunc Total() int { return size.Zero() + size.Parse(\"Zero\") }\n\nfunc Zero() int { return 1 }\n",
	"cmd/main.go":      "package main\n\nimport s \"example.com/sizes/size\"\n\nfunc main() { _ = s.Zero() + s.Parse(\"\") }\n",
	"other/other.go":   "package other\n\nfunc Zero() int { return 2 }\n\nvar _ = Zero()\n",
	"notes.txt":        "Zero\n",
}

func sizesPlan() doc.Plan {
	plan := doc.Plan{Tasks: []doc.PlanTask{task("type", 0, "size/size.go", "notes.txt"), task("command", 1, "cmd/main.go")}}
	plan.Tasks[1].Signatures = []string{"Zero() int — size/size.go"}
	return plan
}

// What a Worker did and did not say: seen, marked, handed on, and held against
// it; its work stays.
func TestWhatWasNotClaimedIsSeen(t *testing.T) {
	b := newBench(t, sizes)
	s, dirs := b.run(order{plan: sizesPlan(), script: steps(
		[]step{
			edit("size/size.go", "func Parse(text string) int { return len(text) }", "func Parse(text string) (int, error) { return len(text), nil }"),
			edit("size/size.go", "func Zero() int { return 0 }", "// None is no size.\nfunc None() int { return 0 }\n\nfunc Add(a, b int) int { return a + b }"),
			edit("notes.txt", "Zero", "None"),
			result([]string{"size/size.go", "go.mod"}, "Parse(text string) int → Parse(text string) (int, error) — size/size.go"),
		},
		[]step{result([]string{})},
	)})
	if s.Status != event.StatusPassed {
		t.Fatalf("%s: %s\n%s", s.Status, s.Reason, ownerLog(dirs))
	}
	w := s.Worker(1)
	if w.State != event.Done || w.Standing != event.Contested || s.Worker(2).Standing != event.Accepted {
		t.Errorf("Worker 1 is %s and %s, Worker 2 %s", w.State, w.Standing, s.Worker(2).Standing)
	}
	var differences []string
	for _, d := range w.Differences {
		differences = append(differences, d.About+" "+d.Side+" "+d.Path+" "+d.Symbol)
	}
	want := []string{"file claimed go.mod ", "file observed notes.txt ", "breaking observed size/size.go Zero"}
	if !reflect.DeepEqual(differences, want) {
		t.Errorf("differences %q, want %q", differences, want)
	}
	if len(s.Ledger) != 2 {
		t.Fatalf("ledger %+v", s.Ledger)
	}
	parse, zero := s.Ledger[0], s.Ledger[1]
	if parse.Symbol != "Parse" || parse.Source != event.SourceBoth || parse.Class != "breaking" || parse.Observed == "" || parse.Text == "" {
		t.Errorf("claimed and seen: %+v", parse)
	}
	if zero.Symbol != "Zero" || zero.Kind != "renamed" || zero.Source != event.SourceObserved || zero.Text != "" || zero.Observed != "Zero → None (renamed)" {
		t.Errorf("seen alone: %+v", zero)
	}
	for _, e := range s.Ledger {
		if !reflect.DeepEqual(e.Unowned, []string{"report/report.go:6"}) || len(e.Possible) != 0 {
			t.Errorf("users of %s: %v, possibly %v", e.Symbol, e.Unowned, e.Possible)
		}
	}
	if a := s.Worker(2).Affected; len(a) != 1 || a[0].Symbol != "Zero" || a[0].Possible {
		t.Errorf("Worker 2 is affected by %+v", a)
	}
	if !slices.ContainsFunc(w.Uncompared, func(n string) bool { return strings.Contains(n, "notes.txt") }) {
		t.Errorf("not said of what claims are all there is: %q", w.Uncompared)
	}
	results := b.read(dirs, "results.md")
	for _, want := range []string{
		"- modified: size/size.go, go.mod, notes.txt (observed)\n",
		"Add(a, b int) int (observed) — size/size.go\n",
		"- Parse(text string) int → Parse(text string) (int, error) — size/size.go\n- Zero → None (renamed) (observed) — size/size.go\n",
	} {
		if !strings.Contains(results, want) {
			t.Errorf("results.md lacks %q:\n%s", want, results)
		}
	}
	again, problems := doc.ParseResults(results)
	if !reflect.DeepEqual(again, s.Results) || len(problems) > 1 {
		t.Errorf("results.md reads back as\n%+v, not\n%+v; %v", again, s.Results, problems)
	}
	if prompt := b.read(dirs, "prompts/worker-2.md"); !strings.Contains(prompt, "Zero → None (renamed) (observed)") {
		t.Errorf("Worker 2 was given\n%s", prompt)
	}
	if report := b.read(dirs, "report.md"); !strings.Contains(report, "contested") || !strings.Contains(report, "report/report.go:6") {
		t.Errorf("report.md:\n%s", report)
	}
}

// A RESULT that says what happened stands, whatever private things it leaves
// out; one that only the engine wrote has nothing to be held against.
func TestAResultThatSaysWhatHappenedStands(t *testing.T) {
	b := newBench(t, sizes)
	s, _ := b.run(order{plan: sizesPlan(), script: steps(
		[]step{
			edit("size/size.go", "return len(text)", "return helper(text)"),
			edit("size/size.go", "func Zero", "func helper(s string) int { return len(s) }\n\n// Zero is none.\nfunc Zero"),
			result([]string{"size/size.go"}),
		},
		[]step{edit("cmd/main.go", "s.Zero()", "1"), {"message": "Done."}, {"message": "Done."}},
	)})
	for k := 1; k <= 2; k++ {
		if w := s.Worker(k); w.Standing != event.Accepted || len(w.Differences) != 0 {
			t.Errorf("Worker %d: %s, %+v", k, w.Standing, w.Differences)
		}
	}
	if len(s.Ledger) != 0 {
		t.Errorf("ledger %+v", s.Ledger)
	}
	if f := s.Results[1].Files; !reflect.DeepEqual(f.Observed, []string{"cmd/main.go"}) {
		t.Errorf("files of a RESULT the engine wrote: %+v", f)
	}
}

// A claim that the code contradicts is shown as one.
func TestAClaimTheCodeContradictsIsContested(t *testing.T) {
	b := newBench(t, sizes)
	s, _ := b.run(order{plan: sizesPlan(), script: steps(
		[]step{edit("size/size.go", "return 0", "return 1"), result([]string{"size/size.go"}, "Zero removed — size/size.go")},
		[]step{result([]string{})},
	)})
	w := s.Worker(1)
	if w.Standing != event.Contested || len(w.Differences) != 1 || w.Differences[0].Side != event.SourceClaimed || w.Differences[0].Symbol != "Zero" {
		t.Errorf("%s: %+v", w.Standing, w.Differences)
	}
	if len(s.Ledger) != 1 || s.Ledger[0].Source != event.SourceClaimed || s.Ledger[0].Observed != "" {
		t.Errorf("ledger %+v", s.Ledger)
	}
}

// When nobody can read exports, claims are all there is, and that is said.
func TestWithoutAnExtractorClaimsAreAllThereIs(t *testing.T) {
	b := newBench(t, sizes)
	dirs := b.create(order{plan: sizesPlan(), script: steps(
		[]step{edit("size/size.go", "func Zero", "func None"), result([]string{"size/size.go"})},
		[]step{result([]string{})},
	)})
	must(t, b.spawn(dirs, nil, noSymbols+"=1"))
	s := b.finish(dirs)
	if s.Status != event.StatusPassed || s.Worker(1).Standing != event.Accepted || len(s.Ledger) != 0 {
		t.Errorf("%s: %s, %s, ledger %+v", s.Status, s.Reason, s.Worker(1).Standing, s.Ledger)
	}
	if notes := s.Worker(1).Uncompared; len(notes) != 1 || !strings.Contains(notes[0], "claims are all there is") {
		t.Errorf("notes %q", notes)
	}
}
