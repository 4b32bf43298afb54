package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// undisturbed is what every interrupted run must come to as well.
type undisturbed struct {
	tree    string // of the last commit
	results string
}

// crashOrder is a run that writes every kind of event a chain has.
func crashOrder() order {
	plan := twoTasks()
	plan.Tasks[1].Signatures = []string{"Old() — a.txt"}
	script := steps(
		[]step{{"turn": 1}, {"say": "x"}, edit("a.txt", "one", "ONE"), {"run": "true"}, {"usage": step{"in": 5, "out": 1}},
			result([]string{"a.txt"}, "Old() removed — a.txt")},
		[]step{{"turn": 1}, {"run": "sed -i s/two/TWO/ b.txt; echo new > new.txt"}, result([]string{"b.txt"})},
	)
	script["planner"] = step{"steps": []step{{"turn": 1}, {"plan": plan}}}
	return order{
		plan: plan, planner: true, script: script, setup: []string{"true"},
		each: []string{"true"}, verify: []string{"grep -q TWO b.txt", "true"},
	}
}

// An owner killed right after any event it wrote, then resumed: the same tree,
// each RESULT once, nothing run again whose end is recorded, nothing left.
func TestKillAtEveryEvent(t *testing.T) {
	o := crashOrder()
	sweep(t, every(1), (*bench).finish, func(t *testing.T) (*bench, Dirs) {
		b := newBench(t, twoFiles)
		return b, b.create(o)
	})
}

// strideOfDemo sets how many of the demo's events one run of the tests kills
// at: each is a whole pipeline with its go commands. 1 is all of them, as CI
// does; left unset it is a sample.
const strideOfDemo = "GROWBENCH_TEST_DEMO_STRIDE"

func TestKillAtEventsOfTheDemo(t *testing.T) {
	t.Setenv("GOFLAGS", "-trimpath") // so that each run finds what the one before compiled
	task0, err := os.ReadFile("../testdata/demo/task0.md")
	must(t, err)
	stride := 19
	if n, err := strconv.Atoi(os.Getenv(strideOfDemo)); err == nil && n > 0 {
		stride = n
	}
	sweep(t, every(stride), (*bench).finish, func(t *testing.T) (*bench, Dirs) {
		b := demoBench(t)
		return b, b.create(order{planner: true, attach: os.DirFS("../testdata/demo"), task0: string(task0), verify: []string{"go test ./..."}})
	})
}

// every picks each stride-th event.
func every(stride int) func(event.Event) bool {
	return func(e event.Event) bool { return (int(e.Seq)-1)%stride == 0 }
}

// sweep kills at the events of the undisturbed run that are picked. follow
// stays with a run until its owner is gone; also looks at what else must be
// true of every run's end.
func sweep(t *testing.T, pick func(event.Event) bool, follow func(*bench, Dirs) *event.State, make func(t *testing.T) (*bench, Dirs),
	also ...func(*testing.T, *bench, *event.State)) {
	b, dirs := make(t)
	must(t, b.spawn(dirs, nil))
	s := follow(b, dirs)
	if s.Status != event.StatusPassed {
		t.Fatalf("undisturbed it ends as %s: %s\n%s", s.Status, s.Reason, ownerLog(dirs))
	}
	for _, look := range also {
		look(t, b, s)
	}
	want := undisturbed{git(t, b.project.Root, "rev-parse", s.Branch+"^{tree}"), b.read(dirs, "results.md")}
	undisturbed, _, err := event.Read(filepath.Join(dirs.Run, fileEvents))
	must(t, err)
	for _, e := range undisturbed {
		if !pick(e) {
			continue
		}
		seq := int(e.Seq)
		t.Run(fmt.Sprint(seq), func(t *testing.T) {
			t.Parallel()
			b, dirs := make(t)
			if s := killAndResume(t, b, dirs, follow, seq, want); s != nil {
				for _, look := range also {
					look(t, b, s)
				}
			}
		})
	}
}

func killAndResume(t *testing.T, b *bench, dirs Dirs, follow func(*bench, Dirs) *event.State, seq int, want undisturbed) *event.State {
	must(t, b.spawn(dirs, nil, fmt.Sprintf("%s=%d", killAt, seq)))
	follow(b, dirs)
	log := filepath.Join(dirs.Run, fileEvents)
	cutTo(t, log, seq)
	before, _, err := event.Read(log)
	must(t, err)
	killed := event.Fold(before)
	if killed.Status == event.StatusPassed {
		if _, err := PrepareResume(dirs.Run, attendedRun(t, dirs)); err == nil {
			t.Error("a run that passed can be resumed")
		}
		return nil
	}
	resumed, err := PrepareResume(dirs.Run, attendedRun(t, dirs))
	must(t, err)
	must(t, b.spawn(dirs, resumed))
	s := follow(b, dirs)
	if s.Status != event.StatusPassed || s.Verified != event.VerifiedPassed {
		t.Fatalf("killed after event %d (%s) it ends as %s, verified %s: %s\n%s", seq,
			before[len(before)-1].Body.Type(), s.Status, s.Verified, s.Reason, ownerLog(dirs))
	}
	after, _, err := event.Read(log)
	must(t, err)
	comesToTheSame(t, b, dirs, killed, s, after, want)
	return s
}

func attendedRun(t *testing.T, dirs Dirs) bool {
	t.Helper()
	spec, err := LoadSpec(dirs.Run)
	must(t, err)
	return spec.Attended
}

// cutTo takes away what a group append wrote after the event the owner was
// killed at, as a torn write would.
func cutTo(t *testing.T, log string, seq int) {
	t.Helper()
	data, err := os.ReadFile(log)
	must(t, err)
	lines := strings.SplitAfter(string(data), "\n")
	if len(lines) > seq {
		must(t, os.WriteFile(log, []byte(strings.Join(lines[:seq], "")), 0o600))
	}
}

func comesToTheSame(t *testing.T, b *bench, dirs Dirs, killed, s *event.State, after []event.Event, want undisturbed) {
	if tree := git(t, b.project.Root, "rev-parse", s.Branch+"^{tree}"); tree != want.tree {
		t.Errorf("tree %s, want %s", tree, want.tree)
	}
	if got := b.read(dirs, "results.md"); got != want.results {
		t.Errorf("results.md is\n%s\nwant\n%s", got, want.results)
	}
	if n := git(t, b.project.Root, "rev-list", "--count", "main.."+s.Branch); n != fmt.Sprint(s.Plan.N) {
		t.Errorf("%s commits for %d Workers", n, s.Plan.N)
	}
	if n := git(t, b.project.Root, "for-each-ref", "--format=x", "refs/heads/giver"); n != "x" {
		t.Errorf("branches: %q", n)
	}
	for _, w := range killed.Workers {
		now := s.Worker(w.K)
		if w.Intended.Tree != "" {
			parent := w.Intended.Parent
			if got := git(t, b.project.Root, "rev-parse", now.Commit+"^{tree}", now.Commit+"^"); got != w.Intended.Tree+"\n"+parent {
				t.Errorf("the commit of Worker %d is not the one intended", w.K)
			}
			if stamp := git(t, b.project.Root, "show", "-s", "--format=%ct", now.Commit); stamp != fmt.Sprint(w.IntendedAt.Unix()) {
				t.Errorf("the commit of Worker %d has another date than intended", w.K)
			}
		}
		if w.Commit != "" && now.Commit != w.Commit {
			t.Errorf("Worker %d was committed as %s, now %s", w.K, w.Commit, now.Commit)
		}
	}
	accepted, ended := map[int]int{}, map[int]bool{}
	for _, e := range after {
		switch body := e.Body.(type) {
		case event.ResultAccepted:
			accepted[body.K]++
		case event.WorkerEnded:
			ended[body.K] = ended[body.K] || body.State == event.Done
		case event.WorkerStarted:
			if ended[body.K] || accepted[body.K] > 0 {
				t.Errorf("Worker %d was run again at event %d", body.K, e.Seq)
			}
		}
	}
	for k := 1; k <= s.Plan.N; k++ {
		if accepted[k] != 1 {
			t.Errorf("RESULT #%d was accepted %d times", k, accepted[k])
		}
	}
	if results, _ := doc.ParseResults(b.read(dirs, "results.md")); len(results) != s.Plan.N {
		t.Errorf("%d RESULTs in results.md", len(results))
	}
	noProcess(t, dirs)
}
