package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

var strayFiles = map[string]string{
	"a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\nlines\nof it\n", "gone.txt": "x\n", "e.sh": "#!/bin/sh\n", "link.txt": "plain\n",
	"go.sum": "old\n", "tests/main_test.txt": "test\n",
}

// strays does a task's own work and much besides.
const strays = `set -e
echo ONE > a.txt
echo TWO > b.txt
mv c.txt d.txt
rm gone.txt
chmod +x e.sh
rm link.txt; ln -s /etc/passwd link.txt
mkdir -p extra/deep; echo new > extra/deep/n.txt
git init -q nested; echo hidden > nested/h.txt
echo h1:new >> go.sum
`

// strayAgent does a.txt for Worker 1, with strays, and b.txt for Worker 2.
func strayAgent(t *testing.T) config.Agent {
	return program(t, `case $(cat) in
"You are Worker 1 "*) `+strays+say+`1 1 "a.txt, b.txt" First.;;
*) test "$(cat a.txt)" = ONE; cat b.txt > seen.txt; echo LAST > b.txt; `+say+`2 2 b.txt Second.;;
esac`)
}

func withScope(policy string) order { return order{plan: twoTasks(), scope: policy} }

func TestScopeFlagKeepsAndNames(t *testing.T) {
	b := newBench(t, strayFiles)
	s, dirs := b.runFor(strayAgent(t), withScope("flag"))
	if s.Status != event.StatusPassed {
		t.Fatalf("%s: %s\n%s", s.Status, s.Reason, ownerLog(dirs))
	}
	kinds := map[string]string{}
	for _, f := range s.Worker(1).Flagged {
		kinds[f.Path] = f.Kind
	}
	for path, kind := range map[string]string{
		"b.txt": "modified", "c.txt": "renamed", "d.txt": "renamed", "gone.txt": "deleted", "e.sh": "mode", "link.txt": "type",
		"extra/deep/n.txt": "created", "nested": "nested-repository", "go.sum": "",
	} {
		if kinds[path] != kind {
			t.Errorf("%s is flagged as %q, want %q", path, kinds[path], kind)
		}
	}
	if got := git(t, b.project.Root, "show", s.Worker(1).Commit+":extra/deep/n.txt"); got != "new" {
		t.Errorf("what was flagged is not in the commit: %q", got)
	}
	r := readResult(t, dirs, 1)
	for _, path := range []string{"d.txt", "c.txt", "gone.txt", "e.sh", "link.txt", "extra/deep/n.txt", "nested"} {
		if !slices.Contains(r.Files.All(), path) {
			t.Errorf("RESULT #1 does not name %s: %+v", path, r.Files)
		}
	}
	if slices.Contains(r.Files.Created, "c.txt") || !slices.Contains(r.Files.Deleted, "c.txt") || !slices.Contains(r.Files.Created, "d.txt") {
		t.Errorf("the rename is told as %+v", r.Files)
	}
}

func TestScopeQuarantineCommitsTheTaskAlone(t *testing.T) {
	b := newBench(t, strayFiles)
	s, dirs := b.runFor(strayAgent(t), order{plan: twoTasks(), scope: "quarantine",
		each: []string{"test ! -e extra && test ! -e nested && test -e c.txt && test -f link.txt -a ! -L link.txt"}})
	if s.Status != event.StatusPassed {
		t.Fatalf("%s: %s\n%s", s.Status, s.Reason, ownerLog(dirs))
	}
	w, root := s.Worker(1), b.project.Root
	if got := git(t, root, "diff-tree", "-r", "--name-status", "--no-renames", s.Base.Commit, w.Commit); got != "M\ta.txt\nM\tgo.sum" {
		t.Errorf("its commit holds\n%s", got)
	}
	ref := "refs/growbench/" + s.Run + "/1-outside"
	if w.Outside.Ref != ref || git(t, root, "rev-parse", ref) != w.Outside.Commit {
		t.Errorf("set aside is %+v", w.Outside)
	}
	want := "M\tb.txt\nD\tc.txt\nA\td.txt\nM\te.sh\nA\textra/deep/n.txt\nD\tgone.txt\nT\tlink.txt\nA\tnested/h.txt"
	if got := git(t, root, "diff-tree", "-r", "--name-status", "--no-renames", s.Base.Commit, ref); got != want {
		t.Errorf("%s holds\n%s\nwant\n%s", ref, got, want)
	}
	if got := git(t, root, "show", ref+":nested/h.txt"); got != "hidden" {
		t.Errorf("the nested repository's file is %q", got)
	}
	if len(w.Checks) != 1 || !w.Checks[0].Passed {
		t.Errorf("the check saw what was set aside: %+v", w.Checks)
	}
	if got := git(t, root, "show", s.Worker(2).Outside.Ref+":seen.txt"); got != "two" {
		t.Errorf("Worker 2 saw b.txt as %q", got)
	}
	r := readResult(t, dirs, 1)
	if slices.Contains(r.Files.All(), "b.txt") || !slices.Contains(r.Files.All(), "a.txt") || !strings.Contains(r.Summary, "Not in its commit") {
		t.Errorf("RESULT #1 is %+v", r)
	}
	for _, text := range []string{b.read(dirs, fileReport), Report(s, s.LastAt, nil)} {
		if !strings.Contains(text, "Worker 1 changed `d.txt` (renamed), which is not among its targets. It is not in its commit, but kept in `"+ref+"`.") {
			t.Errorf("the report does not say where it is:\n%s", text)
		}
	}
}

// Killed at any event, the same is set aside once, under the same name.
func TestKillAtEveryEventOfAQuarantine(t *testing.T) {
	script := steps(
		[]step{{"turn": 1}, {"run": "echo ONE > a.txt; mv c.txt d.txt; ln -s /etc x; git init -q nested; echo h > nested/h"}, result([]string{"a.txt"})},
		[]step{{"run": "test -e c.txt && test ! -e d.txt && echo TWO > b.txt; echo new > new.txt"}, result([]string{"b.txt"})},
	)
	o := order{plan: twoTasks(), script: script, scope: "quarantine", each: []string{"test ! -e d.txt"}, verify: []string{"grep -q TWO b.txt"}}
	sweep(t, every(1), (*bench).finish, func(t *testing.T) (*bench, Dirs) {
		b := newBench(t, strayFiles)
		return b, b.create(o)
	}, func(t *testing.T, b *bench, s *event.State) {
		for k, files := range map[int]string{1: "A\td.txt", 2: "A\tnew.txt"} {
			w := s.Worker(k)
			if w.Outside.Ref != "refs/growbench/"+s.Run+fmt.Sprintf("/%d-outside", k) {
				t.Errorf("Worker %d: set aside as %+v", k, w.Outside)
				continue
			}
			got := git(t, b.project.Root, "diff-tree", "-r", "--name-status", "--no-renames", w.Outside.Ref+"^", w.Outside.Ref)
			if !strings.Contains(got, files) || k == 1 && !strings.Contains(got, "A\tnested/h") {
				t.Errorf("Worker %d: set aside are\n%s", k, got)
			}
			if len(w.Checks) != 1 || !w.Checks[0].Passed {
				t.Errorf("Worker %d: its check: %+v", k, w.Checks)
			}
		}
	})
}

func TestScopeAskWaitsForChangesThatAnotherTaskOwns(t *testing.T) {
	for choice, want := range map[string]struct {
		seen   string // of b.txt, by Worker 2
		status string
	}{"keep": {"TWO", event.StatusPassed}, "undo": {"two", event.StatusPassed}, "fail": {"", event.StatusFailed}} {
		t.Run(choice, func(t *testing.T) {
			b := newBench(t, strayFiles)
			dirs := b.createFor(strayAgent(t), order{plan: twoTasks(), scope: "ask", attended: true})
			must(t, b.spawn(dirs, nil))
			s := b.until(dirs, waitsFor("scope"))
			if len(s.Waits) != 1 || s.Worker(1).State != event.WaitingFor {
				t.Fatalf("waits for %+v; %s: %s", s.Waits, s.Status, s.Reason)
			}
			wait := s.Waits[0]
			if !strings.Contains(wait.Text, "b.txt (modified; task 2)") || strings.Contains(wait.Text, "d.txt") || len(wait.Meanings) != 3 ||
				!strings.Contains(wait.Meanings[1], "refs/growbench/"+s.Run+"/1-outside") {
				t.Errorf("it asks %+v", wait)
			}
			// Its owner dies while it waits: asked again, not run again.
			b.endAll(dirs)
			b.until(dirs, func(_ *event.State, alive bool) bool { return !alive })
			resumed, err := PrepareResume(dirs.Run, true)
			must(t, err)
			must(t, b.spawn(dirs, resumed))
			s = b.until(dirs, func(s *event.State, alive bool) bool { return !alive || len(s.Waits) > 0 && s.Waits[0].ID != wait.ID })
			if len(s.Waits) != 1 || s.Worker(1).Attempts != 1 || s.Worker(1).State != event.WaitingFor {
				t.Fatalf("after the owner's death: %+v, Worker 1 %+v\n%s", s.Waits, s.Worker(1), ownerLog(dirs))
			}
			must(t, Send(context.Background(), dirs.Run, Command{Do: "answer", ID: s.Waits[0].ID, Choice: choice}))
			s = b.finish(dirs)
			if s.Status != want.status {
				t.Fatalf("%s: %s\n%s", s.Status, s.Reason, ownerLog(dirs))
			}
			if choice == "fail" {
				w := s.Worker(1)
				if w.State != event.Failed || w.Partial == "" || w.Result || len(s.Results) != 0 || strings.Contains(b.read(dirs, fileResults), "RESULT #1") {
					t.Errorf("Worker 1 is %+v, RESULTs %+v", w, s.Results)
				}
				again, err := PrepareResume(dirs.Run, false)
				must(t, err)
				if again.Reason != "resume" || firstUnfinished(s) != 1 {
					t.Errorf("a resume goes on from %d", firstUnfinished(s))
				}
				return
			}
			if got := git(t, b.project.Root, "show", s.Branch+":seen.txt"); got != want.seen {
				t.Errorf("Worker 2 saw b.txt as %q, want %q", got, want.seen)
			}
			if got := git(t, b.project.Root, "show", s.Worker(1).Commit+":d.txt"); !strings.HasPrefix(got, "three") {
				t.Errorf("what nobody owns was not kept: %q", got)
			}
			if aside := s.Worker(1).Outside.Paths; choice == "undo" && !slices.Equal(aside, []string{"b.txt"}) || choice == "keep" && len(aside) > 0 {
				t.Errorf("set aside: %q", aside)
			}
		})
	}
}

// A stop while it waits loses nothing: the Worker is done, the question stays.
func TestStopWhileScopeIsAsked(t *testing.T) {
	b := newBench(t, strayFiles)
	dirs := b.createFor(strayAgent(t), order{plan: twoTasks(), scope: "ask", attended: true})
	must(t, b.spawn(dirs, nil))
	b.until(dirs, waitsFor("scope"))
	must(t, Send(context.Background(), dirs.Run, Command{Do: "stop"}))
	s := b.finish(dirs)
	if s.Status != event.StatusStopped || s.Worker(1).State != event.Stopped {
		t.Fatalf("%s, Worker 1 %s", s.Status, s.Worker(1).State)
	}
	resumed, err := PrepareResume(dirs.Run, true)
	must(t, err)
	must(t, b.spawn(dirs, resumed))
	s = b.until(dirs, waitsFor("scope"))
	if len(s.Waits) != 1 || s.Worker(1).Attempts != 1 {
		t.Fatalf("waits for %+v, %d attempts\n%s", s.Waits, s.Worker(1).Attempts, ownerLog(dirs))
	}
	must(t, Send(context.Background(), dirs.Run, Command{Do: "answer", ID: s.Waits[0].ID, Choice: "undo"}))
	if s = b.finish(dirs); s.Status != event.StatusPassed || s.Worker(1).Attempts != 1 {
		t.Errorf("%s: %s", s.Status, s.Reason)
	}
}

func TestScopeAskWithNobodyThereFailsInWords(t *testing.T) {
	b := newBench(t, strayFiles)
	s, _ := b.runFor(strayAgent(t), withScope("ask"))
	w := s.Worker(1)
	if w.State != event.Failed || !strings.Contains(w.Reason, "b.txt (modified; task 2)") || !strings.Contains(w.Reason, "nobody is there") || w.Partial == "" {
		t.Errorf("Worker 1 is %s: %s (%s)", w.State, w.Reason, w.Partial)
	}
	if got := git(t, b.project.Root, "show", w.Partial+":b.txt"); got != "TWO" {
		t.Errorf("its work is lost: %q", got)
	}
}

// The second attempt's changes do not replace those of the first.
func TestQuarantineOfARetryKeepsBoth(t *testing.T) {
	b := newBench(t, strayFiles)
	count := filepath.Join(t.TempDir(), "count")
	a := program(t, `echo x >> `+count+`; echo "$(wc -l < `+count+`)" > stray.txt; echo ONE > a.txt; `+say+`1 1 a.txt Done.`)
	s, dirs := b.runFor(a, order{plan: oneTask(), scope: "quarantine"})
	first := s.Worker(1).Outside
	again, err := PrepareRetry(dirs.Run, 1, "", false)
	must(t, err)
	must(t, b.spawn(dirs, again))
	s = b.finish(dirs)
	second := s.Worker(1).Outside
	if second.Ref != first.Ref+"-2" {
		t.Fatalf("first %+v, then %+v", first, second)
	}
	for ref, want := range map[string]string{first.Ref: "1", second.Ref: "2"} {
		if got := git(t, b.project.Root, "show", ref+":stray.txt"); strings.TrimSpace(got) != want {
			t.Errorf("%s holds %q", ref, got)
		}
	}
}

func TestLockFilesAreLegitimateUnlessOwned(t *testing.T) {
	tasks := []doc.PlanTask{task("a", 0, "a.txt"), task("b", 0, "Cargo.lock")}
	changed := func(path string, kind workspace.ChangeKind, mode string) workspace.FileChange {
		return workspace.FileChange{Path: path, Kind: kind, NewMode: mode}
	}
	var flagged []string
	for _, f := range outsideChanges(1, []workspace.FileChange{
		changed("a.txt", workspace.Modified, "100644"), changed("go.sum", workspace.Modified, "100644"),
		changed("web/package-lock.json", workspace.Created, "100644"), changed("Cargo.lock", workspace.Modified, "100644"),
		changed("yarn.lock", workspace.Deleted, "000000"), changed("uv.lock", workspace.Type, "120000"),
		changed("poetry.lock", workspace.Created, "120000"), changed("bun.lock", workspace.Created, "100755"), changed("go.mod", workspace.Modified, "100644"),
	}, tasks) {
		flagged = append(flagged, f.Path)
	}
	if want := []string{"Cargo.lock", "yarn.lock", "uv.lock", "poetry.lock", "bun.lock", "go.mod"}; !slices.Equal(flagged, want) {
		t.Errorf("flagged are %q, want %q", flagged, want)
	}
}

// A project without a repository has no place for a ref of its own: the run's
// git keeps it.
func TestQuarantineWithoutARepository(t *testing.T) {
	root := t.TempDir()
	must(t, os.WriteFile(filepath.Join(root, "a.txt"), []byte("one\n"), 0o644))
	b := benchOn(t, root)
	a := program(t, `echo ONE > a.txt; echo x > stray.txt; `+say+`1 1 a.txt Done.`)
	s, dirs := b.runFor(a, order{plan: oneTask(), scope: "quarantine"})
	if s.Status != event.StatusPassed || s.Worker(1).Outside.Ref == "" {
		t.Fatalf("%s: %s; %+v", s.Status, s.Reason, s.Worker(1).Outside)
	}
	if got := git(t, root, "--git-dir="+filepath.Join(dirs.Run, "git"), "show", s.Worker(1).Outside.Ref+":stray.txt"); got != "x" {
		t.Errorf("%q", got)
	}
}
