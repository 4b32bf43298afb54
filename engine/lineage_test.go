package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// appends is a run of one Worker that adds a line to list.txt.
func appends(line string) order {
	return order{
		plan:   doc.Plan{Tasks: []doc.PlanTask{task("add "+line, 0, "list.txt")}},
		script: steps([]step{{"run": "echo " + line + " >> list.txt"}, result([]string{"list.txt"})}),
	}
}

// after makes an order of a run that begins where the one in dirs ended.
func (b *bench) after(dirs Dirs, o order) order {
	b.t.Helper()
	b.look()
	lineage, err := After(context.Background(), b.project, dirs.Run)
	must(b.t, err)
	o.lineage = lineage
	return o
}

// look takes in what has become of the user's repository.
func (b *bench) look() {
	b.t.Helper()
	now, err := workspace.FindProject(b.project.Root)
	must(b.t, err)
	b.project = now
}

func (b *bench) passing(o order) (*event.State, Dirs) {
	b.t.Helper()
	s, dirs := b.run(o)
	if s.Status != event.StatusPassed {
		b.t.Fatalf("%s: %s\n%s", s.Status, s.Reason, ownerLog(dirs))
	}
	return s, dirs
}

func (b *bench) merge(dirs Dirs) workspace.Merged {
	b.t.Helper()
	out, err := Merge(context.Background(), dirs.Run, MergeOptions{Now: time.Now()})
	must(b.t, err)
	return out
}

func (b *bench) list(want string) {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(b.project.Root, "list.txt"))
	if got := strings.Join(strings.Fields(string(data)), " "); err != nil || got != want {
		b.t.Errorf("list.txt holds %q, not %q (%v)", got, want, err)
	}
}

var aList = map[string]string{"list.txt": "zero\n", "keep.txt": "kept\n"}

// Three runs that all change one file, each from where the one before ended:
// the last one's merge brings them all.
func TestRunsThatGoOnFromEachOther(t *testing.T) {
	b := newBench(t, aList)
	own := b.project.Head
	first, one := b.passing(appends("one"))
	second, two := b.passing(b.after(one, appends("two")))
	third, three := b.passing(b.after(two, appends("three")))

	want := event.Base{Kind: "run", Commit: second.Tip, Notes: []string{}, Lineage: []event.Ancestor{
		{Commit: own}, {Run: first.Run, Commit: first.Tip}, {Run: second.Run, Commit: second.Tip},
	}}
	if got := third.Base; got.Kind != want.Kind || got.Commit != want.Commit || got.Uncommitted || got.Behind != 0 || !slices.Equal(got.Lineage, want.Lineage) {
		t.Errorf("the base is %+v, not %+v", got, want)
	}
	if parent := git(t, b.project.Root, "rev-parse", third.Branch+"^"); parent != second.Tip {
		t.Errorf("the work lies on %s, not on %s", parent, second.Tip)
	}
	for _, words := range []string{"begins where run " + second.Run + " ended", "which rests on " + first.Run, "Merging its branch brings the work of them all"} {
		if report := b.read(three, fileReport); !strings.Contains(report, words) {
			t.Errorf("the report does not say %q:\n%s", words, report)
		}
	}
	d, err := Diff(context.Background(), three.Run, 0)
	must(t, err)
	if !strings.Contains(d.Patch, "+three") || strings.Contains(d.Patch, "+two") || len(d.Files) != 1 {
		t.Errorf("its own changes are %s", d.Patch)
	}

	dry, err := Merge(context.Background(), three.Run, MergeOptions{Now: time.Now(), DryRun: true})
	must(t, err)
	out := b.merge(three)
	if runs := []string{first.Run, second.Run}; out.How != workspace.MergeForward || !slices.Equal(out.Runs, runs) || !slices.Equal(dry.Runs, runs) {
		t.Errorf("merged %+v", out)
	}
	b.list("zero one two three")
	if again := b.merge(one); again.How != workspace.MergeNothing {
		t.Errorf("the first one then: %+v", again)
	}
}

// The first run merged by itself, commits of the user's between: the last one
// still comes in without a conflict, and says what it brings.
func TestAnEarlierRunIsMergedFirst(t *testing.T) {
	for name, userCommits := range map[string]bool{"forward": false, "joined": true} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, aList).known()
			first, one := b.passing(appends("one"))
			second, two := b.passing(b.after(one, appends("two")))
			if userCommits {
				b.commits("mine.txt")
			}
			third, three := b.passing(b.after(two, appends("three")))
			if behind := map[bool]int{true: 1}[userCommits]; third.Base.Behind != behind {
				t.Errorf("behind by %d, not %d", third.Base.Behind, behind)
			}
			if out := b.merge(one); len(out.Runs) != 0 || out.How == workspace.MergeNothing {
				t.Errorf("the first: %+v", out)
			}
			if userCommits {
				b.commits("more.txt")
			}
			out := b.merge(three)
			if !slices.Equal(out.Runs, []string{second.Run}) {
				t.Errorf("the last brings %v, not %s alone (%s was there)", out.Runs, second.Run, first.Run)
			}
			b.list("zero one two three")
			message := git(t, b.project.Root, "log", "-1", "--format=%B")
			if userCommits != strings.Contains(message, "Includes runs: "+second.Run) {
				t.Errorf("the message is %q", message)
			}
			if out := git(t, b.project.Root, "status", "--porcelain"); out != "" {
				t.Errorf("the merge leaves %s", out)
			}
		})
	}
}

func (b *bench) commits(file string) {
	b.t.Helper()
	must(b.t, os.WriteFile(filepath.Join(b.project.Root, file), []byte("mine\n"), 0o644))
	git(b.t, b.project.Root, "add", "-A")
	git(b.t, b.project.Root, "commit", "-qm", "mine")
	b.look()
}

// What the user had not committed is below all of them, and stands in the
// user's files when they are merged.
func TestRunsGoOnFromASnapshot(t *testing.T) {
	b := newBench(t, aList).known()
	must(t, os.WriteFile(filepath.Join(b.project.Root, "list.txt"), []byte("zero\nuncommitted\n"), 0o644))
	o := appends("one")
	o.base = "snapshot"
	first, one := b.passing(o)
	second, two := b.passing(b.after(one, appends("two")))
	if second.Base.Uncommitted || !second.Base.Lineage[0].Snapshot || second.Base.Lineage[0].Commit != first.Base.Commit {
		t.Errorf("the base is %+v", second.Base)
	}
	must(t, os.WriteFile(filepath.Join(b.project.Root, "new.txt"), []byte("new\n"), 0o644))
	third, three := b.passing(b.after(two, appends("three")))
	if !third.Base.Uncommitted {
		t.Error("it does not say that the user has changed something since")
	}
	out := b.merge(three)
	if !slices.Equal(out.Runs, []string{first.Run, second.Run}) || !strings.Contains(strings.Join(out.Notes, "\n"), "your uncommitted work") {
		t.Errorf("merged %+v", out)
	}
	b.list("zero uncommitted one two three")
}

// Without a commit, files are written one by one, whatever of the runs is
// there already.
func TestRunsGoOnWithoutACommit(t *testing.T) {
	scratch := order{plan: doc.Plan{Tasks: []doc.PlanTask{task("a scratch file", 0, "scratch.txt", "list.txt")}},
		script: steps([]step{{"run": "echo one >> list.txt; echo x > scratch.txt"}, result([]string{"list.txt", "scratch.txt"})})}
	tidy := order{plan: doc.Plan{Tasks: []doc.PlanTask{task("none any more", 0, "scratch.txt", "list.txt")}},
		script: steps([]step{{"run": "echo two >> list.txt; rm scratch.txt"}, result([]string{"list.txt", "scratch.txt"})})}
	for name, make := range map[string]func(root string){
		"no repository": func(root string) { must(t, os.RemoveAll(filepath.Join(root, ".git"))) },
		"no commit": func(root string) {
			must(t, os.RemoveAll(filepath.Join(root, ".git")))
			git(t, root, "init", "-q", "-b", "main")
		},
	} {
		for _, firstAlone := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				root := newBench(t, aList).project.Root
				make(root)
				b := benchOn(t, root)
				first, one := b.passing(scratch)
				second, two := b.passing(b.after(one, tidy))
				if d, err := Diff(context.Background(), two.Run, 0); err != nil || len(d.Files) != 2 || strings.Contains(d.Patch, "+one") {
					t.Errorf("its own changes: %+v, %v", d, err)
				}
				if firstAlone {
					b.merge(one)
					b.list("zero one")
				}
				out := b.merge(two)
				if out.How != workspace.MergeFiles || len(out.Left) != 0 || !slices.Equal(out.Runs, []string{first.Run}) {
					t.Errorf("merged %+v after %s", out, second.Run)
				}
				b.list("zero one two")
				if _, err := os.Lstat(filepath.Join(root, "scratch.txt")); err == nil {
					t.Error("scratch.txt stays")
				}
			})
		}
	}
}

// A user's change on top of a run's branch is part of what the next one begins
// from, and of what its merge brings.
func TestWhatTheUserPutOnTheBranchGoesAlong(t *testing.T) {
	b := newBench(t, aList).known()
	first, one := b.passing(appends("one"))
	git(t, b.project.Root, "switch", "-q", first.Branch)
	b.commits("mine.txt")
	top := b.project.Head
	git(t, b.project.Root, "switch", "-q", "main")
	second, two := b.passing(b.after(one, appends("two")))
	if second.Base.Commit != top || second.Base.Lineage[1].Commit != top {
		t.Errorf("it begins at %s, not %s", second.Base.Commit, top)
	}
	b.merge(two)
	b.list("zero one two")
	if _, err := os.Stat(filepath.Join(b.project.Root, "mine.txt")); err != nil {
		t.Error(err)
	}
}

func TestARunThatNothingCanBeginFrom(t *testing.T) {
	b := newBench(t, twoFiles).known()
	done, one := b.passing(twoDone())
	_, half := b.run(oneFailed())
	other := newBench(t, twoFiles)
	never := b.create(twoDone())
	for name, c := range map[string]struct {
		project workspace.Project
		dir     string
		prepare []string
		words   []string
	}{
		"another project": {other.project, one.Run, nil, []string{"a run of another project, " + b.project.Root}},
		"half done":       {b.project, half.Run, nil, []string{"only 1 of the run's 2 Workers are done", "growbench resume"}},
		"never begun":     {b.project, never.Run, nil, []string{"it has not begun", "growbench resume"}},
		"branch gone":     {b.project, one.Run, []string{"branch", "-qD", done.Branch}, []string{"its branch " + done.Branch + " is gone", "git branch " + done.Branch + " " + done.Tip}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.prepare != nil {
				git(t, b.project.Root, c.prepare...)
				defer git(t, b.project.Root, "branch", done.Branch, done.Tip)
			}
			lineage, err := After(context.Background(), c.project, c.dir)
			var none *NoBaseError
			if !errors.As(err, &none) || lineage != nil {
				t.Fatalf("%v, %v", lineage, err)
			}
			for _, w := range c.words {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("it does not say %q: %v", w, err)
				}
			}
		})
	}
	if _, err := After(context.Background(), b.project, one.Run); err != nil {
		t.Errorf("and yet: %v", err)
	}
	git(t, b.project.Root, "switch", "-q", "--orphan", "new")
	b.commits("a.txt")
	if _, err := After(context.Background(), b.project, one.Run); err == nil || !strings.Contains(err.Error(), "shares no history") {
		t.Errorf("of another history: %v", err)
	}
}

// An owner killed at any moment leaves the base where it was, also when the
// user has moved on meanwhile.
func TestABaseOutlivesItsOwner(t *testing.T) {
	b := newBench(t, aList).known()
	first, one := b.passing(appends("one"))
	o := b.after(one, appends("two"))
	_, whole := b.passing(o)
	events, _, err := event.Read(filepath.Join(whole.Run, fileEvents))
	must(t, err)
	for _, e := range events {
		if !slices.Contains([]string{"run.started", "tree.ready", "worker.started", "commit.intended", "commit.done"}, e.Body.Type()) {
			continue
		}
		dirs := b.create(o)
		// The owner may die before it has said that it is there.
		_ = b.spawn(dirs, nil, fmt.Sprintf("%s=%d", killAt, e.Seq))
		b.finish(dirs)
		cutTo(t, filepath.Join(dirs.Run, fileEvents), int(e.Seq))
		b.commits(e.Body.Type() + ".txt")
		resumed, err := PrepareResume(dirs.Run, false)
		must(t, err)
		must(t, b.spawn(dirs, resumed))
		s := b.finish(dirs)
		passes(t, s, dirs)
		if s.Base.Kind != "run" || s.Base.Commit != first.Tip || !slices.Equal(s.Base.Runs(), []string{first.Run}) {
			t.Errorf("killed after %s: the base is %+v", e.Body.Type(), s.Base)
		}
		if got := git(t, b.project.Root, "show", s.Branch+":list.txt"); got != "zero\none\ntwo" {
			t.Errorf("killed after %s: the work is %q", e.Body.Type(), got)
		}
	}
}

// The run below may go with its branch: the work stays with the one above.
func TestPruningTheRunBelowHarmsNothing(t *testing.T) {
	b := newBench(t, aList).known()
	first, one := b.passing(appends("one"))
	_, two := b.passing(b.after(one, appends("two")))
	out := b.prune(0, func(o *PruneOptions) { o.Named = []string{one.Run} })
	if !slices.Equal(out.names(), []string{first.Run}) {
		t.Fatalf("%+v", out)
	}
	git(t, b.project.Root, "branch", "-qD", first.Branch)
	s, _, err := Load(two.Run, time.Now())
	must(t, err)
	git(t, b.project.Root, "branch", "-qD", s.Branch)
	git(t, b.project.Root, "reflog", "expire", "--expire=now", "--all")
	git(t, b.project.Root, "gc", "-q", "--prune=now")
	if d, err := Diff(context.Background(), two.Run, 0); err != nil || !strings.Contains(d.Patch, "+two") {
		t.Errorf("%+v, %v", d, err)
	}
	if merged := b.merge(two); !slices.Equal(merged.Runs, []string{first.Run}) {
		t.Errorf("merged %+v", merged)
	}
	b.list("zero one two")
}

// A project's map knows nothing of the runs below: what they changed is marked
// for the Workers, and brought up to date with the rest at the merge.
func TestTheMapOfARunThatGoesOn(t *testing.T) {
	b := mapped(t)
	_, one := b.passing(renames(""))
	above := order{plan: doc.Plan{Tasks: []doc.PlanTask{task("a note", 0, "note.txt")}}, script: steps([]step{
		{"run": "grep -q 'size.go' size/.pi-map.md && grep -q 'dirty\\|modified' size/.pi-map.md"},
		{"write": "note.txt", "content": "note\n"}, result([]string{"note.txt"}),
	})}
	_, two := b.passing(b.after(one, above))
	b.merge(two)
	for dir, has := range map[string]string{"size": "Count(text string)", "fresh": "New()"} {
		if got := document(t, b.project.Root, dir); !strings.Contains(got, has) {
			t.Errorf("after the merge the map of %s says\n%s", dir, got)
		}
	}
}

// The ledger holds what this run broke, not what those below did.
func TestTheLedgerIsTheRunsOwn(t *testing.T) {
	b := newBench(t, goProject)
	gone := order{plan: doc.Plan{Tasks: []doc.PlanTask{task("sizes", 0, "size/size.go")}}, script: steps([]step{
		{"run": "sed -i 's/Parse(/Read(/' size/size.go"}, result([]string{"size/size.go"}, "Parse renamed to Read — size/size.go"),
	})}
	first, one := b.passing(gone)
	above := order{plan: doc.Plan{Tasks: []doc.PlanTask{task("more", 0, "size/size.go")}}, script: steps([]step{
		{"run": "printf '\\nfunc More() {}\\n' >> size/size.go"}, result([]string{"size/size.go"}),
	})}
	second, _ := b.passing(b.after(one, above))
	if len(first.Ledger) == 0 {
		t.Fatal("the first one broke nothing")
	}
	for _, e := range second.Ledger {
		if e.Class != "additive" {
			t.Errorf("the second one is said to have broken %+v", e)
		}
	}
}

// A Scout looks where a run's work ends, also where only the run has it.
func TestAScoutLooksWhereARunEnded(t *testing.T) {
	bare := newBench(t, aList).project.Root
	must(t, os.RemoveAll(filepath.Join(bare, ".git")))
	for name, b := range map[string]*bench{"repository": newBench(t, aList), "none": benchOn(t, bare)} {
		_, one := b.passing(appends("one"))
		lineage, err := After(context.Background(), b.project, one.Run)
		must(t, err)
		c := config.Defaults()
		c.Sandbox = "off"
		c.Agents = map[string]config.Agent{"mine": program(t, "cat > /dev/null; cat list.txt")}
		answer, err := Scout(t.Context(), ScoutRequest{
			StateRoot: b.state, Project: b.project, Config: c, Agent: "mine", Question: "What is listed?", Lineage: lineage, Grace: 300 * time.Millisecond,
		})
		if err != nil || !strings.Contains(answer.Answer, "zero\none") {
			t.Errorf("%s: it saw %q, %v", name, answer.Answer, err)
		}
		b.list("zero")
	}
}
