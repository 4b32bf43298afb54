package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A child that merges and is killed after one of the steps.
func init() {
	childRoles["merge"] = func(arg string) error {
		parts := strings.Split(arg, "\n")
		tree, err := OpenTree(context.Background(), parts[0], parts[1])
		if err != nil {
			return err
		}
		last, err := strconv.Atoi(parts[3])
		if err != nil {
			return err
		}
		steps := 0
		_, err = tree.Merge(context.Background(), MergeOptions{Commit: parts[2], Message: "merge", AfterStep: func(string) {
			if steps++; steps == last {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}})
		return err
	}
}

// killed runs the merge in a child that dies after step last; false when it
// came to its end before.
func killed(t *testing.T, tree *Tree, tip string, last int) bool {
	t.Helper()
	out, err := asChild("merge", strings.Join([]string{tree.RunDir, tree.Dir, tip, strconv.Itoa(last)}, "\n")).CombinedOutput()
	if err == nil {
		return false
	}
	if !strings.Contains(err.Error(), "killed") {
		t.Fatalf("the child: %v\n%s", err, out)
	}
	return true
}

func TestKilledMergeIsCompletedByTheNext(t *testing.T) {
	for _, commits := range []bool{false, true} {
		died := 0
		for last := 1; ; last++ {
			userHome(t)
			dir := plainRepo(t)
			put(t, filepath.Join(dir, "deep", "inside"), "old\n")
			gitAs(t, dir, "add", "-A")
			gitAs(t, dir, "commit", "-qm", "more")
			tree, tip := worked(t, dir, BaseHead, func(root string) {
				usual(t)(root)
				must[any](t)(nil, errors.Join(os.Remove(filepath.Join(root, "main.go")), os.RemoveAll(filepath.Join(root, "deep"))))
				put(t, filepath.Join(root, "deep"), "new\n")
			})
			if commits {
				gitAs(t, dir, "commit", "-q", "--allow-empty", "-m", "mine")
			}
			put(t, filepath.Join(dir, "staged.txt"), "staged\n")
			gitAs(t, dir, "add", "staged.txt")
			was := gitAs(t, dir, "rev-parse", "HEAD")
			old := get(t, filepath.Join(dir, "size", "size.go"))
			if !killed(t, tree, tip, last) {
				break
			}
			died++
			if got := get(t, filepath.Join(dir, "size", "size.go")); got != old && got != "package size\n\nfunc Parse() int { return 1 }\n" {
				t.Errorf("killed after step %d: size.go is %q", last, got)
			}
			out := mergeInto(t, tree, tip)
			if now := gitAs(t, dir, "rev-parse", "HEAD"); now == was || now != out.To {
				t.Errorf("killed after step %d: the branch is at %s, the merge says %+v", last, now, out)
			}
			if got := status(t, dir); got != "A  staged.txt" {
				t.Errorf("killed after step %d: status:\n%s", last, got)
			}
			if got := get(t, filepath.Join(dir, "deep")); got != "new\n" {
				t.Errorf("killed after step %d: deep is %q", last, got)
			}
			gone(t, filepath.Join(dir, ".git", workshop))
			gone(t, filepath.Join(dir, ".git", "index.lock"))
		}
		if died < 7 {
			t.Errorf("only %d steps were seen", died)
		}
	}
}

func TestMergeWithoutARepositoryWritesWhatStillMatches(t *testing.T) {
	for _, repo := range []bool{false, true} {
		userHome(t)
		dir := t.TempDir()
		for _, name := range []string{"same.txt", "changed.txt", "dropped.txt", "kept.txt", "lost.txt", "as-wanted.txt", "sub/below.txt"} {
			put(t, filepath.Join(dir, name), "old\r\n")
		}
		if repo {
			gitAs(t, dir, "init", "-q")
		}
		tree, tip := worked(t, dir, BaseSnapshot, func(root string) {
			for _, name := range []string{"same.txt", "changed.txt", "lost.txt", "as-wanted.txt", "made/new.txt", "made/taken.txt"} {
				put(t, filepath.Join(root, name), "new\r\n")
			}
			must[any](t)(nil, errors.Join(
				os.Remove(filepath.Join(root, "dropped.txt")), os.Remove(filepath.Join(root, "kept.txt")),
				os.RemoveAll(filepath.Join(root, "sub"))))
			put(t, filepath.Join(root, "sub"), "a file now\n")
		})
		put(t, filepath.Join(dir, "changed.txt"), "mine\n")
		put(t, filepath.Join(dir, "kept.txt"), "mine\n")
		put(t, filepath.Join(dir, "made", "taken.txt"), "mine\n")
		put(t, filepath.Join(dir, "as-wanted.txt"), "new\r\n")
		put(t, filepath.Join(dir, "sub", "mine.txt"), "mine\n")
		must[any](t)(nil, os.Remove(filepath.Join(dir, "lost.txt")))
		before := fingerprint(t, dir)
		dry := must[Merged](t)(tree.Merge(t.Context(), MergeOptions{Commit: tip, DryRun: true}))
		sameFiles(t, before, fingerprint(t, dir))

		out := mergeInto(t, tree, tip)
		left := map[string]string{}
		for _, l := range out.Left {
			left[l.Path] = l.Why
		}
		want := map[string]string{
			"changed.txt": "changed since the run began", "kept.txt": "changed since the run began",
			"lost.txt": "removed since the run began", "made/taken.txt": "made since the run began, with another content",
			"sub": "sub/mine.txt stands below it",
		}
		if out.How != MergeFiles || len(left) != len(want) || len(dry.Left) != len(want) || len(dry.Files) != len(out.Files) {
			t.Errorf("repository %v: %+v", repo, out)
		}
		for name, why := range want {
			if left[name] != why {
				t.Errorf("%s is left: %q", name, left[name])
			}
		}
		for name, text := range map[string]string{
			"same.txt": "new\r\n", "changed.txt": "mine\n", "kept.txt": "mine\n", "made/new.txt": "new\r\n",
			"made/taken.txt": "mine\n", "as-wanted.txt": "new\r\n", "sub/mine.txt": "mine\n",
		} {
			if got := get(t, filepath.Join(dir, name)); got != text {
				t.Errorf("%s is %q", name, got)
			}
		}
		gone(t, filepath.Join(dir, "dropped.txt"))
		gone(t, filepath.Join(dir, "lost.txt"))

		// What was in the way is put right by hand; then the rest follows.
		put(t, filepath.Join(dir, "changed.txt"), "old\r\n")
		out = mergeInto(t, tree, tip)
		if len(out.Files) != 1 || out.Files[0].Path != "changed.txt" || get(t, filepath.Join(dir, "changed.txt")) != "new\r\n" {
			t.Errorf("again: %+v", out)
		}
		if repo {
			gone(t, filepath.Join(dir, ".git", workshop))
			if got := gitAs(t, dir, "ls-files"); got != "" {
				t.Errorf("the index holds %s", got)
			}
		}
	}
}

func TestFileThatIsLeftKeepsOthersOut(t *testing.T) {
	userHome(t)
	dir := t.TempDir()
	put(t, filepath.Join(dir, "name"), "old\n")
	put(t, filepath.Join(dir, "free.txt"), "old\n")
	tree, tip := worked(t, dir, BaseSnapshot, func(root string) {
		must[any](t)(nil, os.Remove(filepath.Join(root, "name")))
		put(t, filepath.Join(root, "name", "below.txt"), "new\n")
		put(t, filepath.Join(root, "free.txt"), "new\n")
	})
	put(t, filepath.Join(dir, "name"), "mine\n")
	out := mergeInto(t, tree, tip)
	if len(out.Left) != 2 || out.Left[0].Path != "name" || out.Left[1] != (Refusal{"name/below.txt", "name stands where its directory belongs"}) {
		t.Errorf("%+v", out)
	}
	if got := get(t, filepath.Join(dir, "name")) + get(t, filepath.Join(dir, "free.txt")); got != "mine\nnew\n" {
		t.Errorf("%q", got)
	}
}

func TestKilledMergeOfFilesIsCompletedByTheNext(t *testing.T) {
	for last := 1; ; last++ {
		userHome(t)
		dir := t.TempDir()
		put(t, filepath.Join(dir, "a.txt"), "old\n")
		put(t, filepath.Join(dir, "b.txt"), "old\n")
		tree, tip := worked(t, dir, BaseSnapshot, func(root string) {
			put(t, filepath.Join(root, "a.txt"), "new\n")
			put(t, filepath.Join(root, "c", "d.txt"), "new\n")
			must[any](t)(nil, os.Remove(filepath.Join(root, "b.txt")))
		})
		if !killed(t, tree, tip, last) {
			if last != 4 {
				t.Errorf("%d steps were seen, not 3", last-1)
			}
			break
		}
		if out := mergeInto(t, tree, tip); len(out.Left) != 0 {
			t.Errorf("killed after step %d: %+v", last, out)
		}
		if got := get(t, filepath.Join(dir, "a.txt")) + get(t, filepath.Join(dir, "c", "d.txt")); got != "new\nnew\n" {
			t.Errorf("killed after step %d: %q", last, got)
		}
		gone(t, filepath.Join(dir, "b.txt"))
		if out := mergeInto(t, tree, tip); out.How != MergeNothing {
			t.Errorf("again: %+v", out)
		}
	}
}

func TestMergeIntoASparseCheckout(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	put(t, filepath.Join(dir, "far", "away.txt"), "old\n")
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "far")
	// The whole tree is worked on; then the user narrows theirs.
	tree, tip := worked(t, dir, BaseHead, func(root string) {
		usual(t)(root)
		put(t, filepath.Join(root, "far", "away.txt"), "new\n")
	})
	gitAs(t, dir, "sparse-checkout", "set", "--cone", "--sparse-index", "size")
	gone(t, filepath.Join(dir, "far"))
	mergeInto(t, tree, tip)
	gone(t, filepath.Join(dir, "far"))
	if got := status(t, dir); got != "" {
		t.Errorf("status:\n%s", got)
	}
	if got := get(t, filepath.Join(dir, "size", "size.go")); !strings.Contains(got, "return 1") {
		t.Errorf("size.go: %q", got)
	}
	gitAs(t, dir, "sparse-checkout", "disable")
	if got := get(t, filepath.Join(dir, "far", "away.txt")); got != "new\n" {
		t.Errorf("away.txt: %q", got)
	}
	if got := status(t, dir); got != "" {
		t.Errorf("status in full:\n%s", got)
	}
}

func TestMergeBesideSubmodules(t *testing.T) {
	userHome(t)
	inner := plainRepo(t)
	dir := plainRepo(t)
	gitAs(t, dir, "submodule", "--quiet", "add", inner, "lib")
	gitAs(t, dir, "commit", "-qm", "lib")
	tree, tip := worked(t, dir, BaseHead, usual(t))
	put(t, filepath.Join(dir, "lib", "main.go"), "package main // mine\n")
	before := status(t, dir)
	mergeInto(t, tree, tip)
	if got := status(t, dir); got != before {
		t.Errorf("status was\n%s\nis\n%s", before, got)
	}
	if got := get(t, filepath.Join(dir, "lib", "main.go")); got != "package main // mine\n" {
		t.Errorf("lib/main.go: %q", got)
	}
}

func TestMergeRefusesAChangedSubmodule(t *testing.T) {
	userHome(t)
	inner := plainRepo(t)
	dir := plainRepo(t)
	gitAs(t, dir, "submodule", "--quiet", "add", inner, "lib")
	gitAs(t, dir, "commit", "-qm", "lib")
	tree, tip := worked(t, dir, BaseHead, func(root string) {
		usual(t)(root)
		gitAs(t, filepath.Join(root, "lib"), "commit", "-q", "--allow-empty", "-m", "theirs")
	})
	refused(t, tree, tip, "lib (a repository of its own")
}

func TestMergeWritesLargeFiles(t *testing.T) {
	dir := largeFileRepo(t)
	tree, tip := worked(t, dir, BaseHead, func(root string) {
		put(t, filepath.Join(root, "a.bin"), "other content\n")
		put(t, filepath.Join(root, "b.bin"), "new content\n")
	})
	put(t, filepath.Join(dir, "a.bin"), "mine\n")
	refused(t, tree, tip, "a.bin (changed, not committed)")
	put(t, filepath.Join(dir, "a.bin"), "large content\n")
	mergeInto(t, tree, tip)
	if got := get(t, filepath.Join(dir, "a.bin")) + get(t, filepath.Join(dir, "b.bin")); got != "other content\nnew content\n" {
		t.Errorf("%q", got)
	}
	if got := status(t, dir); got != "" {
		t.Errorf("status:\n%s", got)
	}
	gitAs(t, dir, "lfs", "fsck")
}

func TestMergeWritesLineEndsAsTheUserHasThem(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	put(t, filepath.Join(dir, ".gitattributes"), "*.txt text eol=crlf\n")
	put(t, filepath.Join(dir, "a.txt"), "one\r\n")
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "text")
	tree, tip := worked(t, dir, BaseHead, func(root string) {
		put(t, filepath.Join(root, "a.txt"), "one\r\ntwo\r\n")
		put(t, filepath.Join(root, ".gitattributes"), "*.txt text eol=crlf\n*.md text eol=crlf\n")
		put(t, filepath.Join(root, "b.md"), "three\r\n")
	})
	mergeInto(t, tree, tip)
	if got := get(t, filepath.Join(dir, "a.txt")) + get(t, filepath.Join(dir, "b.md")); got != "one\r\ntwo\r\nthree\r\n" {
		t.Errorf("%q", got)
	}
	if got := status(t, dir); got != "" {
		t.Errorf("status:\n%s", got)
	}
}

func TestMergeInALinkedWorkTreeAndWithLongHashes(t *testing.T) {
	userHome(t)
	dir := t.TempDir()
	gitAs(t, dir, "init", "-q", "--object-format=sha256")
	put(t, filepath.Join(dir, "main.go"), "package main\n")
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "first")
	second := filepath.Join(t.TempDir(), "second")
	gitAs(t, dir, "worktree", "add", "-q", "-b", "side", second)
	tree, tip := worked(t, second, BaseHead, usual(t))
	gitAs(t, second, "commit", "-q", "--allow-empty", "-m", "mine")
	was := gitAs(t, dir, "rev-parse", "main")
	out := mergeInto(t, tree, tip)
	if out.Branch != "side" || out.How != MergeCommit {
		t.Errorf("%+v", out)
	}
	if got := status(t, second) + status(t, dir); got != "" {
		t.Errorf("status:\n%s", got)
	}
	if got := gitAs(t, dir, "rev-parse", "main"); got != was {
		t.Errorf("main moved to %s", got)
	}
	if got := get(t, filepath.Join(second, "added", "new.go")); got != "package added\n" {
		t.Errorf("new.go: %q", got)
	}
}

func TestMergeOfAProjectInsideARepository(t *testing.T) {
	userHome(t)
	top := plainRepo(t)
	put(t, filepath.Join(top, "part", ".growbench", "mark"), "")
	put(t, filepath.Join(top, "part", "own.txt"), "old\n")
	gitAs(t, top, "add", "part/own.txt")
	gitAs(t, top, "commit", "-qm", "part")
	tree, tip := worked(t, filepath.Join(top, "part"), BaseHead, func(root string) {
		put(t, filepath.Join(root, "own.txt"), "new\n")
		put(t, filepath.Join(root, "..", "main.go"), "package main // theirs\n")
	})
	put(t, filepath.Join(top, "main.go"), "package main // mine\n")
	put(t, filepath.Join(top, "part", "own.txt"), "mine\n")
	got := refused(t, tree, tip, "../main.go (changed")
	if len(got.Paths) != 2 || got.Paths[1].Path != "own.txt" {
		t.Errorf("paths: %+v", got.Paths)
	}
	gitAs(t, top, "checkout", "-q", "--", ".")
	mergeInto(t, tree, tip)
	if got := get(t, filepath.Join(top, "part", "own.txt")) + get(t, filepath.Join(top, "main.go")); got != "new\npackage main // theirs\n" {
		t.Errorf("%q", got)
	}
}

func TestRefusalKeepsOddNamesOnTheirLine(t *testing.T) {
	err := &MergeRefused{Why: "why", Paths: []Refusal{{Path: "a\nnothing was merged"}, {Path: "é.txt", Why: "there"}}}
	if got := err.Error(); got != "nothing was merged: why\n  \"a\\nnothing was merged\"\n  é.txt (there)" {
		t.Errorf("%q", got)
	}
}

func TestMergeIntoASplitIndex(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	gitAs(t, dir, "config", "core.splitIndex", "true")
	gitAs(t, dir, "config", "core.untrackedCache", "true")
	gitAs(t, dir, "update-index", "--split-index", "--untracked-cache")
	tree, tip := worked(t, dir, BaseHead, usual(t))
	put(t, filepath.Join(dir, "staged.txt"), "staged\n")
	gitAs(t, dir, "add", "staged.txt")
	mergeInto(t, tree, tip)
	if got := status(t, dir); got != "A  staged.txt" {
		t.Errorf("status:\n%s", got)
	}
	put(t, filepath.Join(dir, "added", "more.txt"), "more\n")
	if got := status(t, dir); got != "A  staged.txt\n?? added/more.txt" {
		t.Errorf("status:\n%s", got)
	}
	gitAs(t, dir, "fsck", "--strict", "--connectivity-only")
}
