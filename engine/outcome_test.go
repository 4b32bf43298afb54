package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"growbench/engine/event"
	"growbench/engine/workspace"
)

// twoDone is a run whose Workers change a.txt and b.txt.
func twoDone() order {
	return order{plan: twoTasks(), script: steps(
		[]step{edit("a.txt", "one", "ONE"), result([]string{"a.txt"})},
		[]step{edit("b.txt", "two", "TWO"), result([]string{"b.txt"})},
	)}
}

// oneFailed is a run whose Worker 2 leaves half of its work.
func oneFailed() order {
	return order{plan: twoTasks(), script: steps(
		[]step{edit("a.txt", "one", "ONE"), result([]string{"a.txt"})},
		[]step{edit("b.txt", "two", "HALF"), {"message": "blocked: needs keep.txt"}},
	)}
}

// known makes the project's repository know who commits.
func (b *bench) known() *bench {
	git(b.t, b.project.Root, "config", "user.name", "U")
	git(b.t, b.project.Root, "config", "user.email", "u@example.com")
	return b
}

func paths(d Difference) (list []string) {
	for _, f := range d.Files {
		list = append(list, f.Kind+" "+f.Path)
	}
	return list
}

func TestDiffOfARunAndOfItsWorkers(t *testing.T) {
	b := newBench(t, twoFiles)
	s, dirs := b.run(twoDone())
	ctx := context.Background()
	whole, err := Diff(ctx, dirs.Run, 0)
	must(t, err)
	if want := []string{"modified a.txt", "modified b.txt"}; !slices.Equal(paths(whole), want) || whole.From != s.Base.Commit || whole.To != s.Worker(2).Commit {
		t.Errorf("the run: %+v", whole)
	}
	second, err := Diff(ctx, dirs.Run, 2)
	must(t, err)
	if !slices.Equal(paths(second), []string{"modified b.txt"}) || second.K != 2 || second.Files[0].Added != 1 || second.Files[0].Deleted != 1 ||
		!strings.Contains(second.Patch, "-two") || !strings.Contains(second.Patch, "+TWO") {
		t.Errorf("Worker 2: %+v", second)
	}
	if _, err := Diff(ctx, dirs.Run, 3); !errors.Is(err, ErrNoWorker) {
		t.Errorf("Worker 3: %v", err)
	}
}

func TestDiffOfUnfinishedWork(t *testing.T) {
	b := newBench(t, twoFiles)
	_, dirs := b.run(oneFailed())
	whole, err := Diff(context.Background(), dirs.Run, 0)
	must(t, err)
	if !slices.Equal(paths(whole), []string{"modified a.txt"}) {
		t.Errorf("the run: %+v", whole)
	}
	half, err := Diff(context.Background(), dirs.Run, 2)
	must(t, err)
	if !half.Unfinished || !strings.Contains(half.Patch, "+HALF") {
		t.Errorf("Worker 2: %+v", half)
	}
}

func TestMergeBringsTheBranchAndWhatIsOnTopOfIt(t *testing.T) {
	b := newBench(t, twoFiles).known()
	s, dirs := b.run(twoDone())
	root := b.project.Root
	git(t, root, "checkout", "-q", s.Branch)
	git(t, root, "commit", "-q", "--allow-empty", "-m", "a touch by hand")
	git(t, root, "checkout", "-q", "main")
	git(t, root, "commit", "-q", "--allow-empty", "-m", "meanwhile")
	tip := git(t, root, "rev-parse", s.Branch)

	out, err := Merge(context.Background(), dirs.Run, MergeOptions{Now: time.Now()})
	must(t, err)
	if out.How != workspace.MergeCommit || out.Branch != "main" || len(out.Files) != 2 {
		t.Errorf("%+v", out)
	}
	if got := git(t, root, "rev-parse", "main^2"); got != tip {
		t.Errorf("merged was %s, the branch is at %s", got, tip)
	}
	message := git(t, root, "log", "-1", "--format=%B")
	for _, word := range []string{"Merge run " + s.Run + ": Make it work.", s.Branch, "Workers: 2"} {
		if !strings.Contains(message, word) {
			t.Errorf("no %q in the message:\n%s", word, message)
		}
	}
	if again, err := Merge(context.Background(), dirs.Run, MergeOptions{}); err != nil || again.How != workspace.MergeNothing {
		t.Errorf("again: %+v, %v", again, err)
	}
}

func TestMergeRefusesARunThatIsNotDone(t *testing.T) {
	b := newBench(t, twoFiles).known()
	s, dirs := b.run(oneFailed())
	var refused *workspace.MergeRefused
	_, err := Merge(context.Background(), dirs.Run, MergeOptions{})
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "only 1 of the run's 2 Workers") || !strings.Contains(err.Error(), "refs/growbench/"+s.Run+"/1") {
		t.Errorf("%v", err)
	}
	held, err := takeLock(dirs.Run)
	must(t, err)
	if _, err := Merge(context.Background(), dirs.Run, MergeOptions{}); !errors.Is(err, ErrOwned) {
		t.Errorf("with an owner: %v", err)
	}
	if _, err := Rollback(context.Background(), dirs.Run, 1, time.Now); !errors.Is(err, ErrOwned) {
		t.Errorf("rollback with an owner: %v", err)
	}
	held.release()
}

func refsOf(t *testing.T, b *bench, run string) []string {
	t.Helper()
	text := git(t, b.project.Root, "for-each-ref", "--format=%(refname)", "refs/growbench/"+run)
	var names []string
	for name := range strings.Lines(text) {
		names = append(names, strings.TrimPrefix(strings.TrimSpace(name), "refs/growbench/"+run+"/"))
	}
	return names
}

func TestRollbackMakesAWorkerNeverHaveRun(t *testing.T) {
	b := newBench(t, twoFiles)
	s, dirs := b.run(twoDone())
	first, second := s.Worker(1).Commit, s.Worker(2).Commit
	out, err := Rollback(context.Background(), dirs.Run, 2, time.Now)
	must(t, err)
	if out.Commit != first || len(out.Dropped) != 1 || out.Dropped[0].K != 2 || out.Dropped[0].Commit != second || out.Branch != s.Branch {
		t.Errorf("%+v", out)
	}
	if got := git(t, b.project.Root, "rev-parse", out.Dropped[0].Ref); got != second {
		t.Errorf("%s is at %s, not %s", out.Dropped[0].Ref, got, second)
	}
	if got, want := refsOf(t, b, s.Run), []string{"0", "1", "2-dropped-1"}; !slices.Equal(got, want) {
		t.Errorf("refs: %v, want %v", got, want)
	}
	if got := git(t, b.project.Root, "rev-parse", s.Branch); got != second {
		t.Errorf("the branch moved to %s", got)
	}
	after, _, err := Load(dirs.Run, time.Now())
	must(t, err)
	if after.Status != event.StatusStopped || after.Reason != "rolled back to Worker 1" || after.Worker(1).State != event.Done ||
		after.Worker(2).State != event.Pending || after.Worker(2).Commit != "" || len(after.Results) != 1 {
		t.Errorf("%s (%s), Worker 1 %s, Worker 2 %+v, %d RESULTs", after.Status, after.Reason, after.Worker(1).State, after.Worker(2), len(after.Results))
	}
	tree, err := os.ReadFile(filepath.Join(dirs.Tree, "b.txt"))
	if string(tree) != "two\n" {
		t.Errorf("the clone's b.txt: %q, %v", tree, err)
	}
	if text := b.read(dirs, fileResults); strings.Contains(text, "RESULT #2") || !strings.Contains(text, "RESULT #1") {
		t.Errorf("results.md:\n%s", text)
	}
	for _, word := range []string{s.Branch, out.Dropped[0].Ref, "rolled back to Worker 1", "resume"} {
		if text := b.read(dirs, fileReport); !strings.Contains(text, word) {
			t.Errorf("no %q in the report:\n%s", word, text)
		}
	}

	// Again, it finishes what a kill may have left and changes nothing more.
	size := after.LastSeq
	_, err = Rollback(context.Background(), dirs.Run, 2, time.Now)
	must(t, err)
	if after, _, _ := Load(dirs.Run, time.Now()); after.LastSeq != size {
		t.Errorf("rolled back again, the log has %d events, not %d", after.LastSeq, size)
	}

	// Other work this time: the same within the same second is the same commit.
	otherwise := steps(nil, []step{edit("b.txt", "two", "TWICE"), result([]string{"b.txt"})})
	must(t, os.WriteFile(filepath.Join(dirs.Run, dirAttached, "script.json"), marshal(t, otherwise), 0o600))
	resumed, err := PrepareResume(dirs.Run, false)
	must(t, err)
	must(t, b.spawn(dirs, resumed))
	end := b.finish(dirs)
	if end.Status != event.StatusPassed || end.Worker(1).Commit != first || end.Worker(1).Attempts != 1 || end.Worker(2).Attempts != 2 {
		t.Errorf("resumed: %s (%s), Workers %+v", end.Status, end.Reason, end.Workers)
	}
	if end.Branch == s.Branch || !strings.HasPrefix(end.Branch, s.Branch) {
		t.Errorf("the new work is on %s", end.Branch)
	}
	// Dropped work of a second time does not replace that of the first.
	again, err := Rollback(context.Background(), dirs.Run, 1, time.Now)
	must(t, err)
	if got, want := refsOf(t, b, s.Run), []string{"0", "1-dropped-1", "2-dropped-1", "2-dropped-2"}; !slices.Equal(got, want) {
		t.Errorf("refs: %v, want %v; %+v", got, want, again)
	}
	if text, _ := os.ReadFile(filepath.Join(dirs.Tree, "a.txt")); string(text) != "one\n" {
		t.Errorf("the clone's a.txt: %q", text)
	}
}

func TestRollbackIsRefusedInWords(t *testing.T) {
	b := newBench(t, twoFiles)
	_, dirs := b.run(oneFailed())
	if _, err := Rollback(context.Background(), dirs.Run, 3, time.Now); !errors.Is(err, ErrNoWorker) {
		t.Errorf("Worker 3: %v", err)
	}
	must2 := func(k int) { _, err := Rollback(context.Background(), dirs.Run, k, time.Now); must(t, err) }
	must2(2)
	must2(1)
	if _, err := Rollback(context.Background(), dirs.Run, 2, time.Now); !errors.Is(err, ErrNothingToDo) {
		t.Errorf("after Worker 1 was dropped: %v", err)
	}
}

func TestRollbackKeepsWhatADeadOwnerLeft(t *testing.T) {
	b := newBench(t, twoFiles)
	o := twoDone()
	o.script = steps(
		[]step{edit("a.txt", "one", "ONE"), result([]string{"a.txt"})},
		[]step{edit("b.txt", "two", "HALF"), {"run": "sleep 300"}, result(nil)},
	)
	dirs := b.create(o)
	must(t, b.spawn(dirs, nil))
	b.until(dirs, func(s *event.State, alive bool) bool {
		return !alive || s.Plan.N > 0 && s.Worker(2).Tool == "run_command"
	})
	// Meanwhile others may look at what is done.
	soFar, err := Diff(context.Background(), dirs.Run, 0)
	must(t, err)
	if !slices.Equal(paths(soFar), []string{"modified a.txt"}) {
		t.Errorf("so far: %+v", soFar)
	}
	if _, err := Diff(context.Background(), dirs.Run, 2); err == nil || !strings.Contains(err.Error(), "running") {
		t.Errorf("Worker 2: %v", err)
	}
	b.endAll(dirs)
	b.finish(dirs)
	out, err := Rollback(context.Background(), dirs.Run, 2, time.Now)
	must(t, err)
	if len(out.Dropped) != 1 || git(t, b.project.Root, "show", out.Dropped[0].Ref+":b.txt") != "HALF" {
		t.Errorf("%+v", out)
	}
	if text, _ := os.ReadFile(filepath.Join(dirs.Tree, "b.txt")); string(text) != "two\n" {
		t.Errorf("the clone's b.txt: %q", text)
	}
}
