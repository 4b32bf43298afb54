package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestCommitsAreDeterministic(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	tree, _ := create(t, dir, BaseHead)
	put(t, filepath.Join(tree.Dir, "a"), "a")
	hash := must[string](t)(tree.WriteTree(t.Context()))
	one := must[string](t)(tree.CommitTree(t.Context(), hash, tree.Base, "Worker 1: size\n\nbody \x00\xff", testTime))
	t.Setenv("GIT_AUTHOR_NAME", "Mallory")
	t.Setenv("TZ", "Asia/Tokyo")
	put(t, os.Getenv("GIT_CONFIG_GLOBAL"), "[user]\n\tname = Other\n\temail = o@x\n[commit]\n\tgpgSign = true\n[i18n]\n\tcommitEncoding = latin1\n")
	if two := must[string](t)(tree.CommitTree(t.Context(), hash, tree.Base, "Worker 1: size\n\nbody \x00\xff", testTime)); two != one {
		t.Errorf("%s and %s", one, two)
	}
	must[any](t)(nil, tree.Publish(t.Context(), 1, one))
	raw := gitAs(t, dir, "cat-file", "commit", one)
	want := fmt.Sprintf("tree %s\nparent %s\nauthor growbench <growbench@localhost> %d +0000\ncommitter growbench <growbench@localhost> %d +0000\n\nWorker 1: size\n\nbody \uFFFD",
		hash, tree.Base, testTime.Unix(), testTime.Unix())
	if raw != want {
		t.Errorf("commit\n%s\nwant\n%s", raw, want)
	}
}

func TestPublishBringsManyObjectsAsOnePack(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	tree, _ := create(t, dir, BaseHead)
	for i := range 300 {
		put(t, filepath.Join(tree.Dir, "many", fmt.Sprint(i)), fmt.Sprint("file ", i))
	}
	first := commit(t, tree, 1, tree.Base)
	must[any](t)(nil, tree.Publish(t.Context(), 1, first))
	must[any](t)(nil, tree.Publish(t.Context(), 1, first))
	put(t, filepath.Join(tree.Dir, "many", "1"), "other")
	second := commit(t, tree, 2, first)
	must[any](t)(nil, tree.Publish(t.Context(), 2, second))
	packs := must[[]string](t)(filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "*.pack")))
	if len(packs) != 1 {
		t.Errorf("%d packs", len(packs))
	}
	gitAs(t, dir, "fsck", "--strict")
	if got := gitAs(t, dir, "show", "refs/growbench/run-1/2:many/1"); got != "other" {
		t.Errorf("many/1 is %q", got)
	}
	// What is published survives a collection of the user's and the end of the run.
	gitAs(t, dir, "gc", "-q", "--prune=now")
	must[string](t)(tree.WriteTree(t.Context()))
	must[any](t)(nil, os.RemoveAll(tree.RunDir))
	gitAs(t, dir, "fsck", "--strict")
}

func TestBaseOutlivesTheUsersHistory(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	put(t, filepath.Join(dir, "gone-soon"), "x\n")
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "second")
	tree, _ := create(t, dir, BaseHead)
	gitAs(t, dir, "reset", "-q", "--hard", "HEAD~1")
	gitAs(t, dir, "reflog", "expire", "--expire=now", "--all")
	gitAs(t, dir, "gc", "-q", "--prune=now")
	put(t, filepath.Join(tree.Dir, "a"), "a")
	made := commit(t, tree, 1, tree.Base)
	must[any](t)(nil, tree.Publish(t.Context(), 1, made))
	must[any](t)(nil, tree.Reset(t.Context(), tree.Base))
	if got := get(t, filepath.Join(tree.Dir, "gone-soon")); got != "x\n" {
		t.Errorf("gone-soon is %q", got)
	}
	must[any](t)(nil, tree.Project.RemoveRefs(t.Context(), "run-1"))
	if refs := gitAs(t, dir, "for-each-ref", "refs/growbench"); refs != "" {
		t.Errorf("left %s", refs)
	}
}

func TestPublishAsKeepsToTheRunsRefs(t *testing.T) {
	userHome(t)
	tree, _ := create(t, plainRepo(t), BaseHead)
	for _, ref := range []string{"refs/heads/main", "refs/growbench/run-2/1", "refs/growbench/run-1/", "refs/growbench/run-1/a..b", "HEAD", ""} {
		if err := tree.PublishAs(t.Context(), ref, tree.Base); err == nil {
			t.Errorf("%q was accepted", ref)
		}
	}
}

func TestRemoveRefsKeepsOtherRuns(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	tree, _ := create(t, dir, BaseHead)
	gitAs(t, dir, "update-ref", "refs/growbench/run-10/0", "HEAD")
	gitAs(t, dir, "pack-refs", "--all")
	must[any](t)(nil, tree.Project.RemoveRefs(t.Context(), "run-1"))
	if got := gitAs(t, dir, "for-each-ref", "--format=%(refname)"); got != "refs/growbench/run-10/0\nrefs/heads/main" {
		t.Errorf("refs %s", got)
	}
	for _, run := range []string{"", "run-10/0", "*"} {
		if err := tree.Project.RemoveRefs(t.Context(), run); err == nil {
			t.Errorf("run %q was accepted", run)
		}
	}
}

func TestLocksOfAKilledGitAreNoObstacle(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	tree, _ := create(t, dir, BaseHead)
	put(t, filepath.Join(tree.Dir, "new.txt"), "new")
	made := commit(t, tree, 1, tree.Base)
	own := filepath.Join(dir, ".git", "refs", "growbench", "run-1")
	put(t, filepath.Join(own, "1.lock"), "")
	put(t, filepath.Join(own, "deep", "x.lock"), made[:10])
	tree = must[*Tree](t)(OpenTree(t.Context(), tree.RunDir, tree.Dir))
	must[any](t)(nil, tree.Publish(t.Context(), 1, made))

	heads := filepath.Join(dir, ".git", "refs", "heads", "giver")
	for i, left := range []string{"", made[:7], made + "\n"} {
		name := fmt.Sprintf("giver/b%d", i)
		put(t, filepath.Join(heads, fmt.Sprintf("b%d.lock", i)), left)
		if got, err := tree.Branch(t.Context(), name, made); got != name || err != nil {
			t.Errorf("lock %q: %q, %v", left, got, err)
		}
	}
	other := filepath.Join(heads, "b3.lock")
	put(t, other, tree.Base+"\n")
	if got, err := tree.Branch(t.Context(), "giver/b3", made); err == nil || !strings.Contains(err.Error(), "b3.lock") {
		t.Errorf("somebody else's lock: %q, %v", got, err)
	}
	if get(t, other) != tree.Base+"\n" {
		t.Error("somebody else's lock is gone")
	}
	put(t, filepath.Join(own, "1.lock"), "")
	must[any](t)(nil, tree.Project.RemoveRefs(t.Context(), "run-1"))
}

func TestBranchTakesTheFirstFreeName(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	tree, _ := create(t, dir, BaseHead)
	take := func(wanted, want string) {
		t.Helper()
		got := must[string](t)(tree.Branch(t.Context(), wanted, tree.Base))
		if got != want {
			t.Errorf("%s became %s, want %s", wanted, got, want)
		}
		if at := gitAs(t, dir, "rev-parse", "refs/heads/"+got); at != tree.Base {
			t.Errorf("%s is at %s", got, at)
		}
	}
	take("giver/task/x", "giver/task/x")
	take("giver/task/x", "giver/task/x-2")
	gitAs(t, dir, "pack-refs", "--all")
	take("giver/task/x", "giver/task/x-3")
	take("giver/task", "giver/task-2") // a directory of branches
	gitAs(t, dir, "branch", "owner")
	take("owner/task/y", "owner-task-y")
	take("owner/task/y", "owner-task-y-2")
	made := commit(t, tree, 1, tree.Base)
	if name := must[string](t)(tree.MadeBranch(t.Context(), "giver/task/x", made)); name != "" {
		t.Errorf("%s was made for a commit that has none", name)
	}
	name := must[string](t)(tree.Branch(t.Context(), "giver/task/x", made))
	if again := must[string](t)(tree.MadeBranch(t.Context(), "giver/task/x", made)); again != name {
		t.Errorf("made as %s, found as %q", name, again)
	}
	take("main", "main-2")
	if _, err := tree.Branch(t.Context(), "a..b", tree.Base); err == nil {
		t.Error("a..b was accepted")
	}
	if got := gitAs(t, dir, "status", "--porcelain", "--branch"); got != "## main" {
		t.Errorf("the user's checkout is %q", got)
	}
}

func TestBranchesMadeAtTheSameTimeAreAllThere(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	first, _ := create(t, dir, BaseHead)
	names := make([]string, 6)
	failures := make([]error, len(names))
	var group sync.WaitGroup
	for i := range names {
		group.Go(func() { names[i], failures[i] = first.Branch(t.Context(), "giver/task/x", first.Base) })
	}
	group.Wait()
	if err := errors.Join(failures...); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, name := range names {
		seen[name] = true
		gitAs(t, dir, "rev-parse", "--verify", "refs/heads/"+name)
	}
	if len(seen) != len(names) {
		t.Errorf("names %q", names)
	}
}

func TestFileAtAndDiff(t *testing.T) {
	userHome(t, "[diff]\n\texternal = false\n\tnoprefix = true\n\tmnemonicPrefix = true\n[color]\n\tui = always")
	dir := plainRepo(t)
	tree, _ := create(t, dir, BaseHead)
	odd := "odd \xff\n\"*[x]"
	put(t, filepath.Join(tree.Dir, odd), "odd\n")
	put(t, filepath.Join(tree.Dir, "bin"), "a\x00b")
	must[any](t)(nil, os.Symlink("main.go", filepath.Join(tree.Dir, "link")))
	made := commit(t, tree, 1, tree.Base)
	for name, want := range map[string]string{odd: "odd\n", "bin": "a\x00b", "link": "main.go", "size/../main.go": "package main\n"} {
		if got := string(must[[]byte](t)(tree.FileAt(t.Context(), made, name))); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"nothing", "size", "*.go", "main.go/x", ":(top)main.go"} {
		if _, err := tree.FileAt(t.Context(), made, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"../x", "/etc/passwd"} {
		if _, err := tree.FileAt(t.Context(), made, name); err == nil {
			t.Errorf("%q was read", name)
		}
	}
	patch := string(must[[]byte](t)(tree.Diff(t.Context(), tree.Base, made)))
	if !strings.Contains(patch, "GIT binary patch") || !strings.Contains(patch, "+++ b/link\n") || strings.Contains(patch, "\x1b") {
		t.Errorf("patch\n%s", patch)
	}
	// The patch brings another tree to the same state.
	other := filepath.Join(t.TempDir(), "p.patch")
	put(t, other, patch)
	gitAs(t, dir, "apply", "--index", other)
	if got := gitAs(t, dir, "write-tree"); got != gitAs(t, tree.Dir, "--git-dir="+tree.engineDir(), "rev-parse", made+"^{tree}") {
		t.Error("the patch gives another tree")
	}
	if one := string(must[[]byte](t)(tree.Diff(t.Context(), tree.Base, made, odd))); strings.Count(one, "diff --git") != 1 || !strings.Contains(one, "+odd") {
		t.Errorf("patch of one file\n%s", one)
	}
}

// One who was killed while it published may have left the commit without what
// is in it: the next one brings the rest.
func TestPublishingCompletesWhatAKillLeft(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	tree, _ := create(t, dir, BaseHead)
	put(t, filepath.Join(tree.Dir, "new.txt"), "new\n")
	made := commit(t, tree, 1, tree.Base)
	raw := must[[]byte](t)(tree.top().engine().run(t.Context(), "cat-file", "commit", made))
	if got := must[[]byte](t)(tree.Project.repo().feed(t.Context(), raw, "hash-object", "-t", "commit", "-w", "--stdin", "--literally")); strings.TrimSpace(string(got)) != made {
		t.Fatalf("planted %s in place of %s", got, made)
	}
	must[any](t)(nil, tree.Publish(t.Context(), 1, made))
	if got := gitAs(t, dir, "show", "refs/growbench/run-1/1:new.txt"); got != "new" {
		t.Errorf("new.txt is %q", got)
	}
}
