package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"growbench/engine/event"
)

func waitsFor(kind string) func(*event.State, bool) bool {
	return func(s *event.State, alive bool) bool {
		return len(s.Waits) > 0 && s.Waits[0].Kind == kind || !alive
	}
}

func TestBlockedWorkerWaitsAndIsWidened(t *testing.T) {
	b := newBench(t, twoFiles)
	// The first attempt is blocked; once the task is wider the same steps work.
	script := steps(
		[]step{{"run": "test -e blocked-once || echo x > blocked-once"},
			{"result": step{"status": "blocked", "needs": []string{"keep.txt"}}}},
		[]step{result(nil)},
	)
	dirs := b.create(order{plan: twoTasks(), script: script, attended: true})
	must(t, b.spawn(dirs, nil))
	s := b.until(dirs, waitsFor("blocked"))
	if len(s.Waits) != 1 || s.Worker(1).State != event.WaitingFor || !strings.Contains(s.Waits[0].Text, "keep.txt") {
		t.Fatalf("waits %+v, state %s", s.Waits, s.Worker(1).State)
	}
	id := s.Waits[0].ID
	ctx := context.Background()
	if err := Send(ctx, dirs.Run, Command{Do: "answer", ID: id, Choice: "whatever"}); err == nil || !strings.Contains(err.Error(), "no choice") {
		t.Errorf("a choice that is none: %v", err)
	}
	if err := Send(ctx, dirs.Run, Command{Do: "answer", ID: "nothing", Choice: "widen"}); err == nil || !strings.Contains(err.Error(), "does not wait") {
		t.Errorf("an id that is none: %v", err)
	}
	// From here on the script does it: the run's copy is read anew for each attempt.
	wider := steps(
		[]step{edit("keep.txt", "kept", "changed"), result([]string{"keep.txt"})},
		[]step{result(nil)},
	)
	must(t, os.WriteFile(filepath.Join(dirs.Run, dirAttached, "script.json"), marshal(t, wider), 0o600))
	must(t, Send(ctx, dirs.Run, Command{Do: "answer", ID: id, Choice: "widen", By: "test"}))
	s = b.finish(dirs)
	if s.Status != event.StatusPassed || s.Worker(1).Attempts != 2 || len(s.Worker(1).Flagged) != 0 {
		t.Fatalf("%s: %s; worker %+v", s.Status, s.Reason, s.Worker(1))
	}
	if !strings.Contains(b.read(dirs, "task1.md"), "keep.txt") {
		t.Error("task1.md does not have the wider target")
	}
	if strings.Contains(git(t, b.project.Root, "ls-tree", "--name-only", s.Branch), "blocked-once") {
		t.Error("what the first attempt left is in the second one's commit")
	}
}

func TestBlockedWithNobodyThereFails(t *testing.T) {
	b := newBench(t, twoFiles)
	s, _ := b.run(order{plan: twoTasks(), script: steps([]step{{"message": "blocked: needs keep.txt"}}, nil)})
	if s.Status != event.StatusFailed || !strings.Contains(s.Reason, "needs keep.txt") {
		t.Errorf("%s: %s", s.Status, s.Reason)
	}
}

func TestStopEndsEveryProcessAndResumeGoesOn(t *testing.T) {
	b := newBench(t, twoFiles)
	script := steps(
		[]step{edit("a.txt", "one", "ONE"), result([]string{"a.txt"})},
		[]step{edit("b.txt", "two", "HALF"), {"run": "trap '' TERM; (setsid sleep 300 &) ; echo started; sleep 300"}, result(nil)},
	)
	dirs := b.create(order{plan: twoTasks(), script: script})
	must(t, b.spawn(dirs, nil))
	b.until(dirs, func(s *event.State, alive bool) bool {
		return !alive || s.Plan.N > 0 && s.Worker(2).Tool == "run_command"
	})
	must(t, Send(context.Background(), dirs.Run, Command{Do: "stop", Interrupt: true}))
	s := b.finish(dirs)
	if s.Status != event.StatusStopped || s.Worker(2).State != event.Interrupted || s.Worker(2).Partial == "" {
		t.Fatalf("%s, worker 2 %s, unfinished work %q", s.Status, s.Worker(2).State, s.Worker(2).Partial)
	}
	noProcess(t, dirs)
	if len(s.Results) != 1 {
		t.Errorf("%d RESULTs", len(s.Results))
	}

	done := steps(nil, []step{edit("b.txt", "two", "TWO"), result([]string{"b.txt"})})
	must(t, os.WriteFile(filepath.Join(dirs.Run, dirAttached, "script.json"), marshal(t, done), 0o600))
	resumed, err := PrepareResume(dirs.Run, false)
	must(t, err)
	must(t, b.spawn(dirs, resumed))
	if s = b.finish(dirs); s.Status != event.StatusPassed || s.Worker(1).Attempts != 1 || s.Worker(2).Attempts != 2 {
		t.Errorf("%s: %s; attempts %d and %d", s.Status, s.Reason, s.Worker(1).Attempts, s.Worker(2).Attempts)
	}
}

func TestOneOwnerARun(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs := b.create(order{plan: twoTasks(), script: steps([]step{{"run": "sleep 300"}, result(nil)}, nil)})
	must(t, b.spawn(dirs, nil))
	b.until(dirs, func(s *event.State, _ bool) bool { return s.Current() != nil })
	if err := b.spawn(dirs, &event.RunResumed{Reason: "resume"}); !errors.Is(err, ErrOwned) {
		t.Errorf("a second owner: %v", err)
	}
	if _, err := PrepareResume(dirs.Run, false); !errors.Is(err, ErrOwned) {
		t.Errorf("resume of a living run: %v", err)
	}
	must(t, Send(context.Background(), dirs.Run, Command{Do: "stop"}))
	b.finish(dirs)

	resumed, err := PrepareResume(dirs.Run, false)
	must(t, err)
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wg.Go(func() { errs[i] = b.spawn(dirs, resumed) })
	}
	wg.Wait()
	owners := 0
	for _, err := range errs {
		switch {
		case err == nil:
			owners++
		case !errors.Is(err, ErrOwned):
			t.Errorf("%v", err)
		}
	}
	if owners != 1 {
		t.Errorf("%d owners at once", owners)
	}
	must(t, Send(context.Background(), dirs.Run, Command{Do: "stop"}))
	b.finish(dirs)
}

func TestTwoRunsOfOneProject(t *testing.T) {
	b := newBench(t, twoFiles)
	o := order{plan: twoTasks(), script: steps(
		[]step{edit("a.txt", "one", "ONE"), result([]string{"a.txt"})},
		[]step{edit("b.txt", "two", "TWO"), result([]string{"b.txt"})},
	)}
	first, second := b.create(o), b.create(o)
	must(t, b.spawn(first, nil))
	must(t, b.spawn(second, nil))
	one, two := b.finish(first), b.finish(second)
	if one.Status != event.StatusPassed || two.Status != event.StatusPassed || one.Branch == two.Branch {
		t.Errorf("%s on %s, %s on %s", one.Status, one.Branch, two.Status, two.Branch)
	}
}

func TestAWatcherSeesTheOwnerDie(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs := b.create(order{plan: twoTasks(), script: steps([]step{{"run": "sleep 300"}, result(nil)}, nil)})
	must(t, b.spawn(dirs, nil))
	b.until(dirs, func(s *event.State, _ bool) bool { return s.Current() != nil })
	b.endAll(dirs)
	s := b.finish(dirs)
	if s.IsEnded() {
		t.Error("the log says that the run ended")
	}
	sum, err := Summarize(dirs.Run, s.LastAt)
	must(t, err)
	if sum.Status != event.Orphaned || sum.Owner != "gone" {
		t.Errorf("listed as %s, owner %s", sum.Status, sum.Owner)
	}
	if err := Send(context.Background(), dirs.Run, Command{Do: "stop"}); !errors.Is(err, ErrNoOwner) {
		t.Errorf("a command to nobody: %v", err)
	}
}

func TestFindRun(t *testing.T) {
	state := t.TempDir()
	for _, name := range []string{"p-1/runs/20260101-000000-aaaaaa", "p-1/runs/20260102-000000-bbbbbb", "q-2/runs/20260103-000000-cccccc", "q-2/runs/not-a-run"} {
		must(t, os.MkdirAll(filepath.Join(state, name), 0o700))
	}
	for name, want := range map[string]string{
		"latest": "bbbbbb", "20260101": "aaaaaa", "cccccc": "cccccc", "20260102-000000-bbbbbb": "bbbbbb",
	} {
		got, err := FindRun(state, "p-1", name)
		if err != nil || !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	if _, err := FindRun(state, "r-3", "latest"); !errors.Is(err, ErrNoRun) {
		t.Errorf("the latest run of a project without runs: %v", err)
	}
	for name, want := range map[string]string{"2026": "2 runs are called so", "zzz": "no such run", "": "no such run", "not-a-run": "no such run"} {
		if _, err := FindRun(state, "p-1", name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestResumeThatComesTooLateIsRefused(t *testing.T) {
	b := newBench(t, twoFiles)
	s, dirs := b.run(order{plan: twoTasks(), script: steps([]step{result(nil)}, []step{result(nil)})})
	if s.Status != event.StatusPassed {
		t.Fatal(s.Reason)
	}
	// Prepared while the run still stood, spawned after another had ended it.
	if err := b.spawn(dirs, &event.RunResumed{Reason: "resume"}); err == nil || !strings.Contains(err.Error(), "nothing left to do") {
		t.Errorf("resume of a run that passed: %v", err)
	}
	if after, _, err := event.Read(filepath.Join(dirs.Run, fileEvents)); err != nil || len(after) != int(s.LastSeq) {
		t.Errorf("the log has %d events, had %d, %v", len(after), s.LastSeq, err)
	}
}

func TestStopOfARunWhoseOwnerDied(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs := b.create(order{plan: twoTasks(), script: steps(
		[]step{{"run": "trap '' TERM; while :; do date >> a.txt; sleep 0.1; done"}, result(nil)}, nil)})
	must(t, b.spawn(dirs, nil))
	b.until(dirs, func(s *event.State, _ bool) bool {
		return s.Plan.N > 0 && s.Worker(1).Tool == "run_command"
	})
	o, err := readOwner(dirs.Run)
	must(t, err)
	must(t, syscall.Kill(o.PID, syscall.SIGKILL))
	b.until(dirs, func(_ *event.State, alive bool) bool { return !alive })
	s, err := Stop(context.Background(), dirs.Run, StopOptions{Grace: 200 * time.Millisecond})
	must(t, err)
	if s.Status != event.StatusStopped || s.Worker(1).State != event.Stopped {
		t.Errorf("%s, worker 1 %s", s.Status, s.Worker(1).State)
	}
	noProcess(t, dirs)
	if _, err := Stop(context.Background(), dirs.Run, StopOptions{Grace: time.Second}); !errors.Is(err, ErrNothingToDo) {
		t.Errorf("a second stop: %v", err)
	}
	resumed, err := PrepareResume(dirs.Run, false)
	must(t, err)
	done := steps([]step{result(nil)}, []step{result(nil)})
	must(t, os.WriteFile(filepath.Join(dirs.Run, dirAttached, "script.json"), marshal(t, done), 0o600))
	must(t, b.spawn(dirs, resumed))
	if s := b.finish(dirs); s.Status != event.StatusPassed {
		t.Errorf("resumed after that: %s, %s", s.Status, s.Reason)
	}
}

// An owner that no longer listens to reason is killed, and what it ran ended.
func TestStopOfAnOwnerThatHangs(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs := b.create(order{plan: twoTasks(), script: steps([]step{{"run": "sleep 300"}, result(nil)}, nil)})
	must(t, b.spawn(dirs, nil))
	b.until(dirs, func(s *event.State, _ bool) bool {
		return s.Plan.N > 0 && s.Worker(1).Tool == "run_command"
	})
	o, err := readOwner(dirs.Run)
	must(t, err)
	must(t, syscall.Kill(o.PID, syscall.SIGSTOP)) // it answers nothing any more
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := Stop(ctx, dirs.Run, StopOptions{Patience: 300 * time.Millisecond, Grace: 200 * time.Millisecond})
	must(t, err)
	if s.Status != event.StatusStopped {
		t.Errorf("%s: %s", s.Status, s.Reason)
	}
	noProcess(t, dirs)
}
