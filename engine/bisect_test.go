package engine

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// goProject is a module whose tests pass.
var goProject = map[string]string{
	"go.mod":         "module example.com/p\n\ngo 1.26\n",
	"size/size.go":   "package size\n\nfunc Parse(text string) int { return len(text) }\n",
	"use/use.go":     "package use\n\nimport \"example.com/p/size\"\n\nvar Used int = size.Parse(\"x\")\n",
	"docs/readme.md": "nothing\n",
}

// breaks is a chain of three whose Worker 2 says it is done and leaves its
// package so that what uses it does not build.
func breaks() order {
	plan := doc.Plan{Tasks: []doc.PlanTask{
		task("docs", 0, "docs/readme.md"), task("sizes", 1, "size/size.go"), task("more docs", 2, "docs/more.md"),
	}}
	return order{
		plan: plan, each: []string{"go build ./..."}, verify: []string{"go vet ./..."},
		script: steps(
			[]step{edit("docs/readme.md", "nothing", "something"), result([]string{"docs/readme.md"})},
			[]step{edit("size/size.go", "Parse(text string) int { return len(text) }", "Parse(text string) string { return 1 }"), result([]string{"size/size.go"})},
			[]step{{"write": "docs/more.md", "content": "more\n"}, {"result": step{"status": "done", "files": step{"created": []string{"docs/more.md"}}, "summary": "Done."}}},
		),
	}
}

func TestAWorkerWhosePackageDoesNotBuildIsNamed(t *testing.T) {
	b := newBench(t, goProject)
	s, dirs := b.run(breaks())
	if s.Status != event.StatusFailed || s.Verified != event.VerifiedFailed || s.Worker(2).State != event.Done {
		t.Fatalf("%s, verified %s: %s\n%s", s.Status, s.Verified, s.Reason, ownerLog(dirs))
	}
	if c := s.Worker(2).Checks; len(c) != 1 || c[0].Passed || len(c[0].Failures) == 0 || c[0].Failures[0].File != "size/size.go" || c[0].Failures[0].Line != 3 {
		t.Errorf("after Worker 2 its check says %+v", c)
	}
	report := b.read(dirs, "report.md")
	for _, part := range []string{"After Worker 2, which handed in a RESULT, `go build ./...` failed", "`size/size.go:3`", "growbench bisect " + s.Run, "**Tactical** (size/size.go belongs to task 2)"} {
		if !strings.Contains(report, part) {
			t.Errorf("the report does not say %q:\n%s", part, report)
		}
	}
	head := git(t, b.project.Root, "rev-parse", s.Branch)

	found, err := Bisect(context.Background(), dirs.Run, BisectOptions{})
	must(t, err)
	if len(found.Blame) != 1 || !found.Failing() {
		t.Fatalf("found %+v", found)
	}
	blame := found.Blame[0]
	if blame.Verdict != event.BisectWorker || blame.K != 2 || blame.Commit != s.Worker(2).Commit || blame.Flaky || blame.Title != "sizes" {
		t.Errorf("blame %+v", blame)
	}
	if len(blame.Failures) == 0 || blame.Failures[0].File != "size/size.go" {
		t.Errorf("without the place: %+v", blame.Failures)
	}
	after, _, err := Load(dirs.Run, s.LastAt)
	must(t, err)
	if after.Status != event.StatusFailed || len(after.Blame) != 1 || after.LastSeq != s.LastSeq+uint64(len(found.Checks))+1 {
		t.Errorf("the log has %d events after %d checks; %s", after.LastSeq-s.LastSeq, len(found.Checks), after.Status)
	}
	if report := b.read(dirs, "report.md"); !strings.Contains(report, "**Worker 2** (sizes") {
		t.Errorf("the report blames nobody:\n%s", report)
	}
	if git(t, b.project.Root, "rev-parse", s.Branch) != head || git(t, b.project.Root, "status", "--porcelain") != "" {
		t.Error("looking changed the repository")
	}
	noProcess(t, dirs)
}

func TestARunFindsTheWorkerItself(t *testing.T) {
	b := newBench(t, goProject)
	o := breaks()
	o.bisect, o.each = true, nil
	s, dirs := b.run(o)
	if len(s.Blame) != 1 || s.Blame[0].K != 2 || !strings.Contains(b.read(dirs, "report.md"), "**Worker 2** (sizes") {
		t.Errorf("%s: blame %+v", s.Status, s.Blame)
	}
}

func TestACheckLeftFailingIsNoSuccess(t *testing.T) {
	b := newBench(t, twoFiles)
	s, _ := b.run(order{plan: twoTasks(), each: []string{"! grep -q TWO b.txt"}, script: steps(
		[]step{result(nil)}, []step{edit("b.txt", "two", "TWO"), result([]string{"b.txt"})},
	)})
	if s.Status != event.StatusFailed || s.Verified != event.VerifiedNone || !strings.Contains(s.Reason, "after the last Worker") {
		t.Errorf("%s, verified %s: %s", s.Status, s.Verified, s.Reason)
	}
}

// verdicts runs a chain that writes 1, 2, 3 into a.txt and looks for a check.
func verdicts(t *testing.T, check string, all bool) Bisection {
	t.Helper()
	b := newBench(t, map[string]string{"a.txt": "0\n"})
	plan := doc.Plan{Tasks: []doc.PlanTask{task("a", 0, "a.txt"), task("b", 1, "a.txt"), task("c", 2, "a.txt")}}
	_, dirs := b.run(order{plan: plan, script: steps(
		[]step{edit("a.txt", "0", "1"), result([]string{"a.txt"})},
		[]step{edit("a.txt", "1", "2"), result([]string{"a.txt"})},
		[]step{edit("a.txt", "2", "3"), result([]string{"a.txt"})},
	)})
	found, err := Bisect(context.Background(), dirs.Run, BisectOptions{Check: check, All: all})
	must(t, err)
	return found
}

func TestBisectTellsTheBaseAndWhatPasses(t *testing.T) {
	if f := verdicts(t, "false", false); f.Blame[0].Verdict != event.BisectBase || !f.Failing() {
		t.Errorf("what fails at the base: %+v", f.Blame)
	}
	if f := verdicts(t, "true", false); f.Blame[0].Verdict != event.BisectPasses || f.Failing() || len(f.Checks) != 2 {
		t.Errorf("what passes: %+v, %d checks", f.Blame, len(f.Checks))
	}
}

func TestBisectTellsAFlakyCheck(t *testing.T) {
	// It fails at 1 and at 3 and passes between.
	f := verdicts(t, "grep -q '[02]' a.txt", true)
	if b := f.Blame[0]; !b.Flaky || !strings.Contains(b.Why, "fails at Worker 1 and passes later, at Worker 2") {
		t.Errorf("blame %+v", b)
	}
	// It fails at 1 and was mended at 2.
	f = verdicts(t, "! grep -q 1 a.txt", true)
	if b := f.Blame[0]; b.Flaky || f.Failing() || !strings.Contains(b.Why, "fails at Worker 1 and passes later, at Worker 2") {
		t.Errorf("blame of what was mended %+v", b)
	}
	// It fails every other time once there is a 2; what it counts with lies elsewhere.
	count := filepath.Join(t.TempDir(), "n")
	f = verdicts(t, "grep -q '[01]' a.txt || { n=$(cat "+count+" 2>/dev/null || echo 0); echo $((n+1)) > "+count+"; [ $((n % 2)) = 1 ]; }", false)
	if b := f.Blame[0]; !b.Flaky || !strings.Contains(b.Why, "flaky") || !f.Failing() {
		t.Errorf("blame %+v, checks %+v", b, f.Checks)
	}
}

func TestBisectRefusesWhatItCannotDo(t *testing.T) {
	b := newBench(t, twoFiles)
	_, dirs := b.run(order{plan: twoTasks(), script: steps([]step{result(nil)}, []step{result(nil)})})
	if _, err := Bisect(context.Background(), dirs.Run, BisectOptions{}); !errors.Is(err, ErrNoCheck) {
		t.Errorf("without a check: %v", err)
	}
	_, dirs = b.run(order{plan: twoTasks(), verify: []string{"true"}, script: steps([]step{{"fail": "no"}})})
	if _, err := Bisect(context.Background(), dirs.Run, BisectOptions{}); !errors.Is(err, ErrNoCommits) {
		t.Errorf("without a commit: %v", err)
	}
}

func TestFailureClassComesFromFacts(t *testing.T) {
	b := newBench(t, twoFiles)
	for name, c := range map[string]struct {
		o           order
		class, fact string
	}{
		"blocked":     {order{script: steps([]step{{"turn": 1}, {"message": "blocked: needs keep.txt"}})}, Strategic, "a file that its task does not have"},
		"gave up":     {order{script: steps([]step{{"turn": 1}, {"fail": "no idea"}})}, Tactical, "Worker 1"},
		"setup":       {order{setup: []string{"exit 3"}, script: steps()}, Operational, "exit code 3"},
		"no program":  {order{verify: []string{"no-such-program-anywhere"}, script: steps([]step{result(nil)}, []step{result(nil)})}, Operational, "could not be started"},
		"the base":    {order{verify: []string{"false"}, bisect: true, script: steps([]step{edit("a.txt", "one", "1"), result(nil)}, []step{result(nil)})}, Strategic, "without any Worker"},
		"not in plan": {order{verify: []string{"grep -q one a.txt || { echo 'keep.txt:1: broken'; false; }"}, bisect: true, script: steps([]step{edit("a.txt", "one", "1"), result(nil)}, []step{result(nil)})}, Strategic, "keep.txt"},
	} {
		c.o.plan = twoTasks()
		s, dirs := b.run(c.o)
		class, why := FailureClass(s)
		if class != c.class || !strings.Contains(why, c.fact) {
			t.Errorf("%s: %q (%s); %s: %s", name, class, why, s.Status, s.Reason)
		}
		if !strings.Contains(b.read(dirs, "report.md"), "guess: **"+c.class+"**") {
			t.Errorf("%s: the report does not say it", name)
		}
	}
}
