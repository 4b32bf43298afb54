package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func TestNothingOfTheUsersRepositoryIsRunOrChanged(t *testing.T) {
	for _, base := range []string{BaseHead, BaseSnapshot} {
		t.Run(base, func(t *testing.T) {
			h := hostileRepo(t)
			before := fingerprint(t, h.top)
			step := func(name string) {
				t.Helper()
				h.untouched(t, before)
				if t.Failed() {
					t.Fatalf("after %s", name)
				}
			}
			p := find(t, h.top)
			step("FindProject")
			if dirty := must[bool](t)(p.Uncommitted(t.Context())); !dirty {
				t.Error("uncommitted work was not seen")
			}
			step("Uncommitted")
			tree, report := create(t, h.top, base, "build", "nothing-here")
			step("Create")
			if !slices.Equal(report.LocalFilters, []string{"trap"}) || !slices.Equal(report.Missing, []string{"nothing-here"}) {
				t.Errorf("report %+v", report)
			}
			put(t, filepath.Join(tree.Dir, "main.go"), "package main // by the Worker\n")
			first := commit(t, tree, 1, tree.Base)
			step("CommitTree")
			must[any](t)(nil, tree.Publish(t.Context(), 1, first))
			step("Publish")
			must[any](t)(nil, tree.PublishAs(t.Context(), "refs/growbench/run-1/partial-2", first))
			step("PublishAs")
			if name := must[string](t)(tree.Branch(t.Context(), "giver/task/x", first)); name != "giver/task/x" {
				t.Errorf("branch %q", name)
			}
			step("Branch")
			must[[]byte](t)(tree.Diff(t.Context(), tree.Base, first))
			must[[]byte](t)(tree.FileAt(t.Context(), first, "main.go"))
			must[any](t)(nil, tree.Reset(t.Context(), tree.Base))
			step("Reset")
			reopened := must[*Tree](t)(OpenTree(t.Context(), tree.RunDir, tree.Dir))
			must[string](t)(reopened.WriteTree(t.Context()))
			step("OpenTree")
			if got := quietly(t, h.top, "rev-parse", "refs/growbench/run-1/1", "refs/heads/giver/task/x"); got != first+"\n"+first {
				t.Errorf("published %s, want %s", got, first)
			}
			quietly(t, h.top, "fsck", "--connectivity-only", "--no-dangling")
			must[any](t)(nil, tree.Project.RemoveRefs(t.Context(), "run-1"))
			if refs := quietly(t, h.top, "for-each-ref", "refs/growbench"); refs != "" {
				t.Errorf("left refs: %s", refs)
			}
			step("RemoveRefs")
		})
	}
}

func TestBaseHeadHoldsTheCommitAndSaysWhatItLeavesOut(t *testing.T) {
	h := hostileRepo(t)
	tree, report := create(t, h.top, BaseHead)
	if !report.Uncommitted || report.Snapshot || report.Base != quietly(t, h.top, "rev-parse", "HEAD") {
		t.Errorf("report %+v", report)
	}
	if got := get(t, filepath.Join(tree.Dir, "main.go")); got != "package main\n" {
		t.Errorf("main.go is %q", got)
	}
	gone(t, filepath.Join(tree.Dir, "new.txt"))
	clean(t, tree.Dir)
}

func TestBaseSnapshotHoldsTheFilesAsTheyStand(t *testing.T) {
	h := hostileRepo(t)
	tree, report := create(t, h.top, BaseSnapshot)
	if report.Uncommitted || !report.Snapshot {
		t.Errorf("report %+v", report)
	}
	for _, name := range []string{"main.go", "new.txt", "staged.log", "odd/a\nb \"c\" \\ é.txt", "odd/bytes-\xff\xfe"} {
		if got, want := get(t, filepath.Join(tree.Dir, name)), get(t, filepath.Join(h.top, name)); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	if target := must[string](t)(os.Readlink(filepath.Join(tree.Dir, "link"))); target != "/etc/hostname" {
		t.Errorf("link to %s", target)
	}
	gone(t, filepath.Join(tree.Dir, "size", "size.go"))
	gone(t, filepath.Join(tree.Dir, "build"))
	if parent := quietly(t, h.top, "rev-parse", report.Base+"^"); parent != quietly(t, h.top, "rev-parse", "HEAD") {
		t.Errorf("the snapshot's parent is %s", parent)
	}
	if got := quietly(t, h.top, "log", "-1", "--format=%an <%ae> %cI", report.Base); got != "growbench <growbench@localhost> 2026-11-30T14:32:00+00:00" {
		t.Errorf("the snapshot is by %s", got)
	}
	clean(t, tree.Dir)
}

func TestSnapshotsOfTheSameFilesAreTheSameCommit(t *testing.T) {
	h := hostileRepo(t)
	_, one := create(t, h.top, BaseSnapshot)
	_, two := create(t, h.top, BaseSnapshot)
	if one.Base != two.Base {
		t.Errorf("%s and %s", one.Base, two.Base)
	}
}

func TestTheAgentsCloneSharesNothing(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	gitAs(t, dir, "tag", "v1")
	gitAs(t, dir, "branch", "other")
	tree, _ := create(t, dir, BaseHead)
	if got := gitAs(t, tree.Dir, "remote"); got != "" {
		t.Errorf("remotes %q", got)
	}
	if got := gitAs(t, tree.Dir, "for-each-ref", "--format=%(refname)"); got != "refs/heads/growbench\nrefs/tags/v1" {
		t.Errorf("refs %q", got)
	}
	if got := gitAs(t, tree.Dir, "branch", "--show-current"); got != "growbench" {
		t.Errorf("branch %q", got)
	}
	if config := gitAs(t, tree.Dir, "config", "--local", "--list"); strings.Contains(config, dir) {
		t.Errorf("the configuration names the user's directory:\n%s", config)
	}
	gone(t, filepath.Join(tree.Dir, ".git", "objects", "info", "alternates"))
	gone(t, filepath.Join(tree.Dir, ".git", "hooks"))
	// A commit of the agent works without keys and identity.
	put(t, filepath.Join(tree.Dir, "x"), "x")
	gitAs(t, tree.Dir, "add", "x")
	gitAs(t, tree.Dir, "commit", "-qm", "mine")
	gitAs(t, tree.Dir, "fsck")
	noLinks(t, tree.Dir)
	noLinks(t, tree.RunDir)
}

// noLinks fails when a file shares its content with another name.
func noLinks(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Sys().(*syscall.Stat_t).Nlink > 1 {
			t.Errorf("%s is a hard link", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestUserConfigurationThatIsGlobalCounts(t *testing.T) {
	userHome(t, "[filter \"up\"]", "\tclean = tr a-z A-Z", "\tsmudge = tr A-Z a-z", "[core]", "\tautocrlf = input")
	dir := plainRepo(t)
	put(t, filepath.Join(dir, ".gitattributes"), "*.up filter=up\n")
	put(t, filepath.Join(dir, "word.up"), "hello\n")
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "filtered")
	tree, _ := create(t, dir, BaseHead)
	if got := get(t, filepath.Join(tree.Dir, "word.up")); got != "hello\n" {
		t.Errorf("smudged to %q", got)
	}
	put(t, filepath.Join(tree.Dir, "word.up"), "other\r\n")
	made := commit(t, tree, 1, tree.Base)
	if got := string(must[[]byte](t)(tree.FileAt(t.Context(), made, "word.up"))); got != "OTHER\r\n" && got != "OTHER\n" {
		t.Errorf("cleaned to %q", got)
	}
}

func TestTwoTreesOfOneProjectAtTheSameTime(t *testing.T) {
	h := hostileRepo(t)
	before := fingerprint(t, h.top)
	p, state := find(t, h.top), t.TempDir()
	var group sync.WaitGroup
	results := make([]error, 4)
	for i := range results {
		group.Go(func() {
			run := "run-" + string(rune('a'+i))
			tree, _, err := Create(t.Context(), CreateOptions{Project: p, RunID: run, RunDir: filepath.Join(state, "runs", run),
				TreeDir: filepath.Join(state, "trees", run), Base: []string{BaseHead, BaseSnapshot}[i%2], At: testTime})
			if err == nil {
				_, err = tree.WriteTree(t.Context())
			}
			results[i] = err
		})
	}
	group.Wait()
	if err := errors.Join(results...); err != nil {
		t.Fatal(err)
	}
	h.untouched(t, before)
}

func TestCreateThatFailsLeavesNothing(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	p, state := find(t, dir), t.TempDir()
	runDir, treeDir := filepath.Join(state, "run"), filepath.Join(state, "tree")
	// The copy is cancelled after everything else was made.
	put(t, filepath.Join(dir, "build", "a"), "a")
	before := fingerprint(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := Create(ctx, CreateOptions{Project: p, RunID: "r", RunDir: runDir, TreeDir: treeDir, At: testTime, Copy: []string{"build"}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	gone(t, treeDir)
	gone(t, filepath.Join(runDir, "git"))
	sameFiles(t, before, fingerprint(t, dir))

	for name, opt := range map[string]CreateOptions{
		"a tree inside the project":   {Project: p, RunID: "r", RunDir: runDir, TreeDir: filepath.Join(dir, "build", "tree")},
		"a run id that is no ref":     {Project: p, RunID: "a..b", RunDir: runDir, TreeDir: treeDir},
		"a run id with a slash":       {Project: p, RunID: "a/b", RunDir: runDir, TreeDir: treeDir},
		"an unknown base":             {Project: p, RunID: "r", RunDir: runDir, TreeDir: treeDir, Base: "index"},
		"a tree directory with files": {Project: p, RunID: "r", RunDir: runDir, TreeDir: dir + "/../.."},
	} {
		if _, _, err := Create(t.Context(), opt); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestOpenTreeTakesUpAfterACrash(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	tree, _ := create(t, dir, BaseHead)
	put(t, filepath.Join(tree.Dir, "a.txt"), "a")
	first := commit(t, tree, 1, tree.Base)
	put(t, filepath.Join(tree.RunDir, "git", "index.lock"), "")
	again := must[*Tree](t)(OpenTree(t.Context(), tree.RunDir, tree.Dir))
	if again.Base != tree.Base || again.Root() != tree.Root() || again.Project != tree.Project {
		t.Errorf("opened %+v, was %+v", again, tree)
	}
	if second := commit(t, again, 1, again.Base); second != first {
		t.Errorf("the same commit made again is %s, was %s", second, first)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenTree(t.Context(), tree.RunDir, tree.Dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("without the user's repository: %v", err)
	}
	if _, err := OpenTree(t.Context(), t.TempDir(), tree.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a run: %v", err)
	}
}
