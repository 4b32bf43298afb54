package engine

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"growbench/engine/event"
)

const fortnight = 14 * 24 * time.Hour

// prune is Prune as seen `later` from now.
func (b *bench) prune(later time.Duration, change func(*PruneOptions)) Pruned {
	b.t.Helper()
	opt := PruneOptions{StateRoot: b.state, Project: b.project.Name, Now: time.Now().Add(later), OlderThan: fortnight}
	if change != nil {
		change(&opt)
	}
	out, err := Prune(context.Background(), opt)
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

func (p Pruned) names() (list []string) {
	for _, r := range p.Runs {
		list = append(list, r.Run)
	}
	slices.Sort(list)
	return list
}

func (p Pruned) why(run string) string {
	for _, k := range p.Kept {
		if k.Run == run {
			return k.Why
		}
	}
	return ""
}

func noTrace(t *testing.T, b *bench, dirs Dirs) {
	t.Helper()
	run := filepath.Base(dirs.Run)
	for _, path := range []string{dirs.Run, dirs.Tree, filepath.Join(filepath.Dir(filepath.Dir(dirs.Run)), dirPruned, run)} {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s is there", path)
		}
	}
	if refs := refsOf(t, b, run); len(refs) > 0 {
		t.Errorf("refs are left: %v", refs)
	}
}

func TestPruneDeletesWhatIsOldAndSafe(t *testing.T) {
	b := newBench(t, twoFiles)
	passed, gone := b.run(twoDone())
	failed, kept := b.run(oneFailed())

	if out := b.prune(time.Hour, nil); len(out.Runs) > 0 || out.why(passed.Run) != "not old enough" {
		t.Errorf("after an hour: %+v", out)
	}
	if out := b.prune(2*fortnight, func(o *PruneOptions) { o.Keep = 2 }); len(out.Runs) > 0 || !strings.Contains(out.why(passed.Run), "newest 2") {
		t.Errorf("keeping two: %+v", out)
	}
	dry := b.prune(2*fortnight, func(o *PruneOptions) { o.DryRun = true })
	if !slices.Equal(dry.names(), []string{passed.Run}) || dry.Freed <= 0 {
		t.Errorf("dry run: %+v", dry)
	}
	if _, err := os.Stat(gone.Tree); err != nil {
		t.Fatal(err)
	}
	out := b.prune(2*fortnight, nil)
	if !slices.Equal(out.names(), []string{passed.Run}) || out.Freed != dry.Freed || !strings.Contains(out.why(failed.Run), "nobody else has its work") {
		t.Errorf("%+v", out)
	}
	noTrace(t, b, gone)
	if got := git(t, b.project.Root, "show", passed.Branch+":b.txt"); got != "TWO" {
		t.Errorf("the branch holds %q", got)
	}
	if s, _, err := Load(kept.Run, time.Now()); err != nil || s.Status != event.StatusFailed {
		t.Errorf("the failed run: %v", err)
	}
	if out := b.prune(2*fortnight, func(o *PruneOptions) { o.All = true }); !slices.Equal(out.names(), []string{failed.Run}) {
		t.Errorf("with all: %+v", out)
	}
	noTrace(t, b, kept)
}

func TestPruneByNameTakesUnmergedWork(t *testing.T) {
	b := newBench(t, twoFiles)
	s, dirs := b.run(twoDone())
	git(t, b.project.Root, "branch", "-D", s.Branch)
	if out := b.prune(2*fortnight, nil); len(out.Runs) > 0 || !strings.Contains(out.why(s.Run), "nobody else has its work") {
		t.Errorf("with its branch deleted: %+v", out)
	}
	if out := b.prune(0, func(o *PruneOptions) { o.Named = []string{dirs.Run} }); !slices.Equal(out.names(), []string{s.Run}) {
		t.Errorf("by name: %+v", out)
	}
	noTrace(t, b, dirs)
}

func TestPruneLeavesALivingRun(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs := b.create(twoDone())
	held, err := takeLock(dirs.Run)
	must(t, err)
	defer held.release()
	out := b.prune(2*fortnight, func(o *PruneOptions) { o.All, o.Named = true, []string{dirs.Run} })
	if len(out.Runs) > 0 || out.why(filepath.Base(dirs.Run)) != "it is at work" {
		t.Errorf("%+v", out)
	}
	if _, err := os.Stat(filepath.Join(dirs.Run, fileSpec)); err != nil {
		t.Error(err)
	}
}

func TestPruneOfARunThatNeverBegan(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs := b.create(twoDone())
	if out := b.prune(time.Hour, nil); len(out.Runs) > 0 {
		t.Errorf("after an hour: %+v", out)
	}
	if out := b.prune(2*fortnight, nil); len(out.Runs) != 1 {
		t.Errorf("%+v", out)
	}
	noTrace(t, b, dirs)
}

func TestWorkWithoutARepositoryIsSafeOnceMerged(t *testing.T) {
	root := filepath.Join(t.TempDir(), "plain")
	must(t, os.MkdirAll(root, 0o755))
	for name, text := range twoFiles {
		must(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	b := benchOn(t, root)
	s, dirs := b.run(twoDone())
	if s.Status != event.StatusPassed {
		t.Fatalf("%s: %s", s.Status, s.Reason)
	}
	must(t, os.WriteFile(filepath.Join(root, "b.txt"), []byte("mine\n"), 0o644))
	out, err := Merge(context.Background(), dirs.Run, MergeOptions{Now: time.Now()})
	must(t, err)
	if len(out.Left) != 1 || out.Left[0].Path != "b.txt" {
		t.Errorf("%+v", out)
	}
	if p := b.prune(2*fortnight, nil); len(p.Runs) > 0 {
		t.Errorf("half merged: %+v", p)
	}
	must(t, os.WriteFile(filepath.Join(root, "b.txt"), []byte("two\n"), 0o644))
	_, err = Merge(context.Background(), dirs.Run, MergeOptions{Now: time.Now()})
	must(t, err)
	if p := b.prune(2*fortnight, nil); len(p.Runs) != 1 {
		t.Errorf("merged: %+v", p)
	}
	for name, want := range map[string]string{"a.txt": "ONE\n", "b.txt": "TWO\n", "keep.txt": "kept\n"} {
		if text, _ := os.ReadFile(filepath.Join(root, name)); string(text) != want {
			t.Errorf("%s is %q", name, text)
		}
	}
}

// What follows the first step is done by the next Prune, whenever the first
// one died.
func TestPruneThatDiedIsFinishedByTheNext(t *testing.T) {
	for _, last := range []string{"moved away", "refs", "clone"} {
		b := newBench(t, twoFiles)
		s, dirs := b.run(twoDone())
		func() {
			defer func() { recover() }()
			b.prune(2*fortnight, func(o *PruneOptions) {
				o.AfterStep = func(step string) {
					if step == last {
						panic("dead")
					}
				}
			})
			t.Errorf("there is no step %q", last)
		}()
		if list, err := Runs(b.state, b.project.Name); err != nil || len(list) > 0 {
			t.Errorf("dead after %q: the runs are %v, %v", last, list, err)
		}
		if out := b.prune(0, nil); out.Freed <= 0 {
			t.Errorf("dead after %q: %+v", last, out)
		}
		noTrace(t, b, dirs)
		if got := git(t, b.project.Root, "show", s.Branch+":a.txt"); got != "ONE" {
			t.Errorf("dead after %q: the branch holds %q", last, got)
		}
	}
}
