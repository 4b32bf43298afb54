package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
)

var twoFiles = map[string]string{"a.txt": "one\n", "b.txt": "two\n", "keep.txt": "kept\n"}

func twoTasks() doc.Plan {
	return doc.Plan{Tasks: []doc.PlanTask{task("a", 0, "a.txt"), task("b", 1, "b.txt")}}
}

func edit(path, old, text string) step { return step{"edit": path, "old": old, "new": text} }

func TestChainEndsInVerifiedBranch(t *testing.T) {
	b := newBench(t, twoFiles)
	plan := twoTasks()
	plan.Tasks[1].Signatures = []string{"Old(x int) error — a.txt"}
	s, dirs := b.run(order{plan: plan, verify: []string{"grep -q ONE a.txt && grep -q TWO b.txt"}, script: steps(
		[]step{{"turn": 1}, edit("a.txt", "one", "ONE"), result([]string{"a.txt"}, "Old(x int) error → Old(x int) (int, error) — a.txt")},
		[]step{edit("b.txt", "two", "TWO"), {"message": "RESULT #2\nFiles: b.txt\nSignatures: none\nBreaking: none\nSummary: Two."}},
	)})
	if s.Status != event.StatusPassed || s.Verified != event.VerifiedPassed {
		t.Fatalf("ended as %s, verified %s: %s\n%s", s.Status, s.Verified, s.Reason, ownerLog(dirs))
	}
	if got := git(t, b.project.Root, "rev-list", "--count", "main.."+s.Branch); got != "2" {
		t.Errorf("%s commits on %s", got, s.Branch)
	}
	if !strings.HasPrefix(s.Branch, "giver/task/") {
		t.Errorf("branch %q", s.Branch)
	}
	if got := git(t, b.project.Root, "show", s.Branch+":a.txt"); got != "ONE" {
		t.Errorf("a.txt on the branch: %q", got)
	}
	if data, _ := os.ReadFile(filepath.Join(b.project.Root, "a.txt")); string(data) != "one\n" {
		t.Errorf("the user's a.txt became %q", data)
	}
	results, problems := doc.ParseResults(b.read(dirs, "results.md"))
	if len(results) != 2 || results[0].K != 1 || results[1].K != 2 || doc.HasErrors(problems) {
		t.Errorf("results.md: %+v, %v", results, problems)
	}
	if len(s.Ledger) != 1 || s.Ledger[0].Symbol != "Old" || len(s.Worker(2).Affected) != 1 || s.Worker(2).Affected[0].Possible {
		t.Errorf("ledger %+v, affected %+v", s.Ledger, s.Worker(2).Affected)
	}
	if report := b.read(dirs, "report.md"); !strings.Contains(report, "verification passed") || !strings.Contains(report, "`Old`") {
		t.Errorf("report.md:\n%s", report)
	}
}

// What a Worker is given: its contract, its task, results.md. Nothing else
// that was said, read or printed before it.
func TestPromptHoldsNothingElse(t *testing.T) {
	b := newBench(t, twoFiles)
	_, dirs := b.run(order{plan: twoTasks(), script: steps(
		[]step{{"say": "MARK-SAID"}, {"think": "MARK-THOUGHT"}, {"run": "echo MARK-PRINTED"},
			edit("a.txt", "one", "MARK-WRITTEN"), result([]string{"a.txt"})},
		[]step{result([]string{})},
	)})
	prompt := b.read(dirs, "prompts/worker-2.md")
	if strings.Contains(prompt, "MARK-") {
		t.Errorf("something crossed the boundary:\n%s", prompt)
	}
	head, rest, ok := strings.Cut(prompt, "\n[Read from: task2.md, results.md]\n\n<file path=\"task2.md\">\n")
	if !ok {
		t.Fatalf("not in the form agreed on:\n%s", prompt)
	}
	if len(head) > maxContract {
		t.Errorf("%d bytes of our own words", len(head))
	}
	want := b.read(dirs, "task2.md") + "</file>\n<file path=\"results.md\">\n" + doc.FormatResults([]doc.Result{readResult(t, dirs, 1)}) + "</file>\n"
	if rest != want {
		t.Errorf("after the contract stands\n%s\nwant\n%s", rest, want)
	}
	if first := b.read(dirs, "prompts/worker-1.md"); !strings.Contains(first, "[Read from: task1.md]\n") || strings.Contains(first, "results.md") {
		t.Errorf("Worker 1 was given\n%s", first)
	}
}

func readResult(t *testing.T, dirs Dirs, k int) doc.Result {
	t.Helper()
	events, _, err := event.Read(filepath.Join(dirs.Run, fileEvents))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range event.Fold(events).Results {
		if r.K == k {
			return r
		}
	}
	t.Fatalf("no RESULT #%d", k)
	return doc.Result{}
}

func TestNothingCheckedIsSaid(t *testing.T) {
	b := newBench(t, twoFiles)
	s, dirs := b.run(order{plan: twoTasks(), script: steps([]step{result([]string{})}, []step{result([]string{})})})
	if s.Status != event.StatusPassed || s.Verified != event.VerifiedNone {
		t.Errorf("ended as %s, verified %s", s.Status, s.Verified)
	}
	if !strings.Contains(b.read(dirs, "report.md"), "nothing was checked") {
		t.Error("the report does not say so")
	}
}

func TestFailedVerificationNamesThePlace(t *testing.T) {
	b := newBench(t, twoFiles)
	s, _ := b.run(order{plan: twoTasks(), verify: []string{"echo 'size/size.go:12:5: undefined: X'; exit 1"},
		script: steps([]step{result([]string{})}, []step{result([]string{})})})
	if s.Status != event.StatusFailed || s.Verified != event.VerifiedFailed || len(s.Verify.Ran) != 1 {
		t.Fatalf("ended as %s, verified %s, %+v", s.Status, s.Verified, s.Verify)
	}
	want := event.Failure{File: "size/size.go", Line: 12, Text: "undefined: X"}
	if f := s.Verify.Ran[0].Failures; len(f) != 1 || f[0] != want {
		t.Errorf("failures %+v", f)
	}
}

func TestFailedWorkerStopsTheChainAndKeepsAll(t *testing.T) {
	b := newBench(t, twoFiles)
	plan := twoTasks()
	plan.Tasks = append(plan.Tasks, task("c", 2, "c.txt"))
	dirs := b.create(order{plan: plan, script: steps(
		[]step{edit("a.txt", "one", "ONE"), result([]string{"a.txt"})},
		[]step{edit("b.txt", "two", "HALF"), {"fail": "it gave up"}},
		[]step{{"write": "c.txt", "content": "three\n"}, result([]string{})},
	)})
	must(t, b.spawn(dirs, nil))
	s := b.finish(dirs)
	if s.Status != event.StatusFailed || s.Worker(1).State != event.Done || s.Worker(2).State != event.Failed || s.Worker(3).State != event.Pending {
		t.Fatalf("ended as %s: %q %q %q", s.Status, s.Worker(1).State, s.Worker(2).State, s.Worker(3).State)
	}
	if len(s.Results) != 1 || s.Worker(2).Partial == "" {
		t.Fatalf("%d results, unfinished work in %q", len(s.Results), s.Worker(2).Partial)
	}
	if got := git(t, b.project.Root, "show", s.Worker(2).Partial+":b.txt"); got != "HALF" {
		t.Errorf("the unfinished b.txt is %q", got)
	}
	if strings.Contains(git(t, b.project.Root, "branch", "--all"), "giver/") {
		t.Error("a chain that stopped half-way made a branch")
	}

	// Another agent takes Worker 2; Worker 1 is not run again.
	must(t, os.WriteFile(filepath.Join(dirs.Run, dirAttached, "other.json"),
		[]byte(`{"workers":[{"task":2,"steps":[{"edit":"b.txt","old":"two","new":"TWO"},{"result":{"status":"done","files":{"modified":["b.txt"]},"breaking":[],"summary":"Two."}}]}]}`), 0o600))
	resumed, err := PrepareRetry(dirs.Run, 2, "other", false)
	must(t, err)
	must(t, b.spawn(dirs, resumed))
	s = b.finish(dirs)
	if s.Status != event.StatusPassed {
		t.Fatalf("after the retry: %s, %s", s.Status, s.Reason)
	}
	if s.Worker(1).Attempts != 1 || s.Worker(2).Attempts != 2 || s.Worker(2).Agent != "other" || s.Worker(3).Agent != "scripted" {
		t.Errorf("workers %+v", s.Workers)
	}
	if got := git(t, b.project.Root, "show", s.Branch+":b.txt"); got != "TWO" {
		t.Errorf("b.txt on the branch: %q", got)
	}
}

func TestRetryIsRefusedInWords(t *testing.T) {
	b := newBench(t, twoFiles)
	s, dirs := b.run(order{plan: twoTasks(), script: steps([]step{{"fail": "no"}}, nil)})
	if s.Status != event.StatusFailed {
		t.Fatal(s.Status)
	}
	for k, want := range map[int]string{2: "Worker 1 before it is not done", 3: "Workers 1 to 2", 0: "Workers 1 to 2"} {
		if _, err := PrepareRetry(dirs.Run, k, "", false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("retry of %d: %v", k, err)
		}
	}
	if _, err := PrepareRetry(dirs.Run, 1, "nobody", false); err == nil || !strings.Contains(err.Error(), `"nobody" is not configured`) {
		t.Errorf("retry with an unknown agent: %v", err)
	}
}

func TestScopeIsHeldAndSideWaysAreFlagged(t *testing.T) {
	b := newBench(t, map[string]string{"a.go": "package p\n", "b.go": "package p\n", "c.go": "package p\n", "e.sh": "#!/bin/sh\n"})
	plan := doc.Plan{Tasks: []doc.PlanTask{task("a", 0, "a.go"), task("b", 1, "b.go")}}
	dirs := b.create(order{plan: plan, script: steps([]step{edit("b.go", "p", "q"), result(nil)}, nil)})
	must(t, b.spawn(dirs, nil))
	if s := b.finish(dirs); s.Status != event.StatusFailed || !strings.Contains(s.Reason, "blocked: needs b.go") {
		t.Errorf("an edit outside the task: %s, %s", s.Status, s.Reason)
	}

	late := filepath.Join(t.TempDir(), "late.txt")
	s, dirs := b.run(order{plan: plan, script: steps(
		[]step{{"run": "sed -i 's/p$/q/' b.go; mv c.go d.go; chmod +x e.sh; (sleep 60; echo late > " + late + ") >/dev/null 2>&1 &"},
			result([]string{"a.go"})},
		[]step{result(nil)},
	)})
	if s.Status != event.StatusPassed {
		t.Fatalf("%s: %s", s.Status, s.Reason)
	}
	got := map[string]string{}
	for _, f := range s.Worker(1).Flagged {
		got[f.Path] = f.Kind
	}
	for path, kind := range map[string]string{"b.go": "modified", "c.go": "renamed", "d.go": "renamed", "e.sh": "mode"} {
		if got[path] != kind {
			t.Errorf("%s is flagged as %q, want %q", path, got[path], kind)
		}
	}
	if s.Worker(1).Flagged[0].Owner != 2 && s.Worker(1).Flagged[0].Path == "b.go" {
		t.Errorf("b.go belongs to task 2: %+v", s.Worker(1).Flagged[0])
	}
	noProcess(t, dirs)
}

// noProcess fails when a process of the run is left.
func noProcess(t *testing.T, dirs Dirs) {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*/environ")
	must(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(e)
		if err == nil && strings.Contains(string(data), marker(filepath.Base(dirs.Run))) {
			cmdline, _ := os.ReadFile(filepath.Join(filepath.Dir(e), "cmdline"))
			t.Errorf("left running: %s %q", filepath.Dir(e), cmdline)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestWithoutResultTheAgentIsAskedOnce(t *testing.T) {
	b := newBench(t, twoFiles)
	script := steps(
		[]step{edit("a.txt", "one", "ONE"), {"message": "All done!"}},
		[]step{edit("b.txt", "two", "TWO"), {"message": "Done."}},
	)
	workers := script["workers"].([]map[string]any)
	workers[0]["again"] = []step{
		{"run": "echo sneaked > a.txt; echo new > sneaked.txt"},
		{"message": "RESULT #1\nFiles: a.txt\nSignatures: none\nBreaking: none\nSummary: Said when asked."},
	}
	s, dirs := b.run(order{plan: twoTasks(), script: script})
	if s.Status != event.StatusPassed {
		t.Fatalf("%s: %s", s.Status, s.Reason)
	}
	if s.Worker(1).ResultFrom != "message" || s.Results[0].Summary != "Said when asked." {
		t.Errorf("RESULT #1 (%s): %+v", s.Worker(1).ResultFrom, s.Results[0])
	}
	if got := git(t, b.project.Root, "show", s.Worker(1).Commit+":a.txt"); got != "ONE" {
		t.Errorf("a.txt is %q: what was written while asked again must be undone", got)
	}
	if s.Worker(2).ResultFrom != "observed" || len(s.Results[1].Files.Modified) != 1 || s.Results[1].Files.Modified[0] != "b.txt" {
		t.Errorf("RESULT #2 (%s): %+v", s.Worker(2).ResultFrom, s.Results[1])
	}
	if !strings.Contains(b.read(dirs, "results.md"), "(observed)") {
		t.Error("results.md does not say that it was observed")
	}
}

func TestNoResultAndNoChangeIsAFailure(t *testing.T) {
	b := newBench(t, twoFiles)
	s, _ := b.run(order{plan: twoTasks(), script: steps([]step{{"message": "Nothing to do."}}, nil)})
	if s.Status != event.StatusFailed || s.Worker(1).State != event.Failed {
		t.Errorf("%s, %s: %s", s.Status, s.Worker(1).State, s.Reason)
	}
}

func TestLimitsEndAWorkerInWords(t *testing.T) {
	for name, tc := range map[string]struct {
		limits config.Limits
		state  string
		words  string
	}{
		"wall":    {config.Limits{Wall: dur("300ms")}, event.TimedOut, "wall-clock limit"},
		"silence": {config.Limits{Silence: dur("300ms")}, event.Stalled, "silent for too long"},
		"chain":   {config.Limits{Wall: dur("1h"), Chain: dur("300ms")}, event.TimedOut, "wall-clock limit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, twoFiles)
			s, dirs := b.run(order{plan: twoTasks(), limits: tc.limits, script: steps([]step{{"run": "sleep 600"}, result(nil)}, nil)})
			if s.Worker(1).State != tc.state || !strings.Contains(s.Worker(1).Reason, tc.words) {
				t.Errorf("ended as %s: %s", s.Worker(1).State, s.Worker(1).Reason)
			}
			noProcess(t, dirs)
		})
	}
}

func dur(text string) config.Duration {
	var d config.Duration
	if err := d.UnmarshalText([]byte(text)); err != nil {
		panic(err)
	}
	return d
}

func TestSetupRunsOnceAndItsFailureStops(t *testing.T) {
	b := newBench(t, twoFiles)
	s, _ := b.run(order{plan: twoTasks(), setup: []string{"echo ready > setup.txt", "exit 7"}, script: steps(nil, nil)})
	if s.Status != event.StatusFailed || !strings.Contains(s.Reason, "exit code 7") || len(s.Setup) != 2 {
		t.Errorf("%s: %s, %+v", s.Status, s.Reason, s.Setup)
	}
}

func TestRunOfTheDemo(t *testing.T) {
	demo := os.DirFS("../testdata/demo")
	b := demoBench(t)
	task0, err := os.ReadFile("../testdata/demo/task0.md")
	must(t, err)
	s, dirs := b.run(order{planner: true, attach: demo, task0: string(task0), verify: []string{"go vet ./... && go test ./..."}})
	if s.Status != event.StatusPassed || s.Verified != event.VerifiedPassed {
		t.Fatalf("%s, %s: %s\n%s", s.Status, s.Verified, s.Reason, ownerLog(dirs))
	}
	if len(s.Results) != 3 || len(s.Ledger) != 2 {
		t.Fatalf("%d results, %d ledger entries", len(s.Results), len(s.Ledger))
	}
	for i, want := range []string{event.SourceBoth, event.SourceObserved} {
		l := s.Ledger[i]
		if a := l.Affected; l.K != 1 || l.Source != want || l.Class != "breaking" || len(a) != 1 || a[0].K != 3 || a[0].Possible {
			t.Errorf("ledger entry %+v", l)
		}
		if len(l.Unowned) != i || len(l.Possible) != 0 {
			t.Errorf("users of %s: %v, possibly %v", l.Symbol, l.Unowned, l.Possible)
		}
	}
	for k, want := range []string{event.Contested, event.Accepted, event.Accepted} {
		if w := s.Worker(k + 1); w.Standing != want {
			t.Errorf("RESULT #%d is %s: %+v", w.K, w.Standing, w.Differences)
		}
	}
}

func TestTheRestOfTheDemoIsPlannedAnew(t *testing.T) {
	b := demoBench(t)
	task0, err := os.ReadFile("../testdata/demo/task0.md")
	must(t, err)
	s, dirs := b.run(order{
		planner: true, attach: os.DirFS("../testdata/demo"), task0: string(task0),
		affected: event.AffectedReplan, verify: []string{"go test ./..."},
	})
	if s.Status != event.StatusPassed || s.Verified != event.VerifiedPassed {
		t.Fatalf("%s, %s: %s\n%s", s.Status, s.Verified, s.Reason, ownerLog(dirs))
	}
	if got := decisions(s); len(got) != 1 || got[0] != "3 replan policy" || len(s.Plan.Earlier) != 1 || s.Plan.N != 3 {
		t.Errorf("decisions %v, %d plans before, %d tasks", got, len(s.Plan.Earlier), s.Plan.N)
	}
	if now := s.Plan.Tasks.Task(3); !strings.Contains(doc.FormatTask(now), "MustParse(text string) Size — size/size.go") {
		t.Errorf("task #3 is\n%s", doc.FormatTask(now))
	}
}

// demoBench is the demo's sample as a project.
func demoBench(t *testing.T) *bench {
	t.Helper()
	root := filepath.Join(t.TempDir(), "project")
	must(t, os.CopyFS(root, os.DirFS("../testdata/demo/sample")))
	must(t, os.Rename(filepath.Join(root, "go.mod.txt"), filepath.Join(root, "go.mod")))
	git(t, root, "init", "-q", "-b", "main")
	git(t, root, "add", "-A")
	git(t, root, "commit", "-qm", "base")
	return benchOn(t, root)
}

func TestWhoeverTheRunStartedCannotCommandIt(t *testing.T) {
	self, err := os.Executable()
	must(t, err)
	b := newBench(t, twoFiles)
	dirs := b.create(order{plan: twoTasks(), script: steps(nil, nil)})
	script := steps(
		[]step{{"run": self + " ask-owner " + dirs.Run, "exit": 3},
			{"run": "setsid " + self + " ask-owner " + dirs.Run, "exit": 3}, result(nil)},
		[]step{result(nil)},
	)
	must(t, os.WriteFile(filepath.Join(dirs.Run, dirAttached, "script.json"), marshal(t, script), 0o600))
	must(t, b.spawn(dirs, nil))
	if s := b.finish(dirs); s.Status != event.StatusPassed {
		t.Errorf("%s: %s", s.Status, s.Reason)
	}
	out, _ := os.ReadFile(event.TranscriptPath(dirs.Run, 1))
	if !strings.Contains(string(out), "started by the run itself") {
		t.Errorf("the agent was not refused in words:\n%s", out)
	}
}

func TestSingleAgentIsComparedWithTheChain(t *testing.T) {
	b := newBench(t, twoFiles)
	plan := twoTasks()
	task0 := task0For(plan)
	parsed, _ := doc.ParseTask(task0)
	chain := order{plan: plan, task0: task0, script: steps(
		[]step{edit("a.txt", "one", "ONE"), {"usage": step{"in": 100, "out": 10}}, result([]string{"a.txt"})},
		[]step{edit("b.txt", "two", "TWO"), result([]string{"b.txt"})},
	)}
	if s, _ := b.run(chain); s.Status != event.StatusPassed || s.Single {
		t.Fatalf("chain: %s, %s", s.Status, s.Reason)
	}
	one, problems := CheckPlan(parsed, SinglePlan(parsed), func(string) bool { return true })
	if doc.HasErrors(problems) || len(one.Tasks) != 1 || len(one.Tasks[0].TargetFiles) != 2 {
		t.Fatalf("plan %+v, %v", one, problems)
	}
	s, dirs := b.run(order{plan: one, task0: task0, single: true, script: steps(
		[]step{edit("a.txt", "one", "ONE"), edit("b.txt", "two", "TWO"), {"usage": step{"in": 70, "out": 7}}, result([]string{"a.txt", "b.txt"})},
	)})
	if s.Status != event.StatusPassed || !s.Single {
		t.Fatalf("single: %s, %s", s.Status, s.Reason)
	}
	report := b.read(dirs, "report.md")
	for _, want := range []string{"| chain of 2 | passed | none | 100 / 10 (estimated)", "| single agent | passed | none | 70 / 7 (estimated)"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
}
