package tool

import (
	"fmt"
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/workspace"
)

func scopeOf(targets []string) workspace.Scope { return workspace.Scope{Targets: targets} }

func TestHandingInAResult(t *testing.T) {
	dir := project(t, nil)
	s := worker(t, Kit{Dir: dir}, "a.go")
	refused(t, do(t, s, SubmitResult, "status", "done", "summary", "All done."), "Files missing", "Breaking missing")
	if s.Handed().Done {
		t.Fatal("a RESULT without its sections was taken at once")
	}
	ok(t, do(t, s, SubmitResult, "status", "done", "files", map[string]any{"modified": []string{"a.go"}}, "breaking", []string{}, "signatures", []string{}, "summary", "All done."), "taken")
	got, problems, err := doc.ParseSubmitted(s.Handed().Result, 1)
	if err != nil || doc.HasErrors(problems) || got.Result.Summary != "All done." || len(got.Result.Files.Modified) != 1 {
		t.Errorf("%+v, %v, %v", got, problems, err)
	}
}

// Asked once: what is still missing then is the engine's to note.
func TestAResultIsSentBackOnce(t *testing.T) {
	s := worker(t, Kit{Dir: project(t, nil)}, "a.go")
	refused(t, do(t, s, SubmitResult, "status", "done", "summary", "Done."), "not whole")
	ok(t, do(t, s, SubmitResult, "status", "done", "summary", "Done."))
	if !s.Handed().Done {
		t.Error("it was asked for ever")
	}
}

func TestHandingInThatItIsBlocked(t *testing.T) {
	s := worker(t, Kit{Dir: project(t, nil)}, "a.go")
	refused(t, do(t, s, SubmitResult, "status", "blocked"), "names no path")
	ok(t, do(t, s, SubmitResult, "status", "blocked", "needs", []string{"b.go"}))
	if got, _, err := doc.ParseSubmitted(s.Handed().Result, 1); err != nil || got.Status != "blocked" || got.Needs[0] != "b.go" {
		t.Errorf("%+v, %v", got, err)
	}
	refused(t, do(t, worker(t, Kit{Dir: project(t, nil)}), SubmitResult, "status", "done", "verdict", "good"), "no argument", "submit_result(status")
}

func TestWhatAWorkerSaysInWords(t *testing.T) {
	s := worker(t, Kit{Dir: project(t, nil)}, "a.go")
	whole := doc.FormatResult(doc.Result{K: 1, Files: doc.Files{Modified: []string{"a.go"}}, Summary: "Done."})
	for text, taken := range map[string]bool{
		whole: true, "blocked: needs b.go": true, "Now I will look at the file.": false, "": false,
		strings.Replace(whole, "## Breaking\n", "## Broken\n", 1): false,
	} {
		words, got := s.Said(text)
		if got != taken || !taken && words == "" {
			t.Errorf("%.40q: %v, %q", text, got, words)
		}
	}
}

func TestAPlanIsSentBackTwice(t *testing.T) {
	judged := 0
	k := Kit{Dir: project(t, map[string]string{"a.go": "x\n"}), Plan: func(plan string) []doc.Problem {
		judged++
		p, problems := doc.LintPlanText(plan, &doc.Task{TargetFiles: []string{"a.go"}})
		if len(p.Tasks) > 0 && p.Tasks[0].Title == "good" {
			return nil
		}
		return append(problems, doc.Problem{Level: doc.Error, Section: "Task #1", Text: "it is not good"})
	}}
	bad := []any{map[string]any{"title": "bad", "target_files": []string{"a.go"}}}
	good := []any{map[string]any{"title": "good", "target_files": []string{"a.go"}}}
	s := planner(t, k, "a.go")
	if names := strings.Join(s.Names(), " "); names != SubmitPlan {
		t.Errorf("with nothing large to look into it has %s", names)
	}
	refused(t, do(t, s, SubmitPlan, "tasks", bad), "does not pass", "Task #1: it is not good")
	refused(t, do(t, s, SubmitPlan, "tasks", bad), "does not pass")
	ok(t, do(t, s, SubmitPlan, "tasks", good), "taken")
	if h := s.Handed(); !h.Done || h.Refused || judged != 3 {
		t.Errorf("%+v after %d", h, judged)
	}
	s = planner(t, k, "a.go")
	for range 2 {
		do(t, s, SubmitPlan, "tasks", bad)
	}
	if words, taken := s.Said("no plan here"); taken || !strings.Contains(words, SubmitPlan) {
		t.Errorf("%q, %v", words, taken)
	}
	refused(t, do(t, s, SubmitPlan, "tasks", bad), "sent back 2 times")
	if h := s.Handed(); !h.Done || !h.Refused || len(h.Plan) == 0 {
		t.Errorf("%+v", h)
	}
	s = planner(t, k, "a.go")
	if words, taken := s.Said("```json\n{\"tasks\":[{\"title\":\"good\",\"target_files\":[\"a.go\"]}]}\n```"); !taken {
		t.Errorf("a plan in words: %q", words)
	}
}

func planner(t *testing.T, k Kit, targets ...string) *Set {
	t.Helper()
	s, err := Planner(k, targets)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// A Planner looks into large targets alone, and there for a few lines only.
func TestAPlannerReadsPatternsOfLargeTargets(t *testing.T) {
	var large strings.Builder
	for i := range 600 {
		fmt.Fprintf(&large, "line %d\n", i+1)
	}
	dir := project(t, map[string]string{"large.go": large.String(), "small.go": "small\n", "not-mine.go": large.String()})
	s := planner(t, Kit{Dir: dir}, "large.go", "small.go", "absent.go", "dir/")
	ok(t, do(t, s, ReadFile, "path", "large.go", "from", 100, "to", 109), "line 100\n", "line 109\n")
	ok(t, do(t, s, Search, "pattern", "line 59[0-9]"), "large.go:590")
	refused(t, do(t, s, ReadFile, "path", "large.go", "from", 1, "to", 11), "too many", "3 to 10")
	refused(t, do(t, s, ReadFile, "path", "large.go"), "needs the argument")
	for _, path := range []string{"small.go", "not-mine.go"} {
		refused(t, do(t, s, ReadFile, "path", path, "from", 1, "to", 5), "not for a Planner to read", "large.go")
	}
	for range 3 {
		do(t, s, ReadFile, "path", "large.go", "from", 1, "to", 10)
	}
	refused(t, do(t, s, ReadFile, "path", "large.go", "from", 1, "to", 3), "enough for a pattern")
	for _, name := range []string{WriteFile, EditFile, RunCommand, ListFiles} {
		refused(t, do(t, s, name, "path", "large.go"), "no tool")
	}
}

func TestAScoutLooksAndReports(t *testing.T) {
	dir := project(t, someFiles)
	s, err := Scout(Kit{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := do(t, s, ListFiles)
	ok(t, r, "size/size.go — 4 lines", "docs/a.md — 1 lines")
	if strings.Contains(r.Text, ".git/") {
		t.Errorf("listed: %s", r.Text)
	}
	ok(t, do(t, s, ListFiles, "dir", "lib"), "lib/more.go")
	refused(t, do(t, s, ListFiles, "dir", "nowhere"), "no file")
	ok(t, do(t, s, ReadFile, "path", "other/other.go"), "Secret")
	ok(t, do(t, s, Search, "pattern", "func [A-Z]"), "lib/lib.go:3")
	refused(t, do(t, s, WriteFile, "path", "a", "content", "b"), "no tool")
	refused(t, do(t, s, Report, "text", " \n"), "empty")
	long := strings.Repeat("- line\n", 300)
	refused(t, do(t, s, Report, "text", long), "300 lines, 200 are the most")
	ok(t, do(t, s, Report, "text", "## Files\n- lib/lib.go — 3 — help"))
	if h := s.Handed(); !h.Done || !strings.HasPrefix(h.Report, "## Files") {
		t.Errorf("%+v", h)
	}
}

func TestOnlyHandingIn(t *testing.T) {
	s := worker(t, Kit{Dir: project(t, nil)}, "a.go")
	s.Keep()
	if names := strings.Join(s.Names(), " "); names != SubmitResult {
		t.Errorf("left: %s", names)
	}
}
