package workspace

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// worked is a run on the project at dir that did what work does to its tree.
func worked(t testing.TB, dir, base string, work func(root string)) (*Tree, string) {
	t.Helper()
	tree, _ := create(t, dir, base)
	work(tree.Root())
	return tree, commit(t, tree, 1, tree.Base)
}

// usual changes a file, adds one and removes none.
func usual(t testing.TB) func(root string) {
	return func(root string) {
		put(t, filepath.Join(root, "size", "size.go"), "package size\n\nfunc Parse() int { return 1 }\n")
		put(t, filepath.Join(root, "added", "new.go"), "package added\n")
	}
}

func mergeInto(t testing.TB, tree *Tree, tip string) Merged {
	t.Helper()
	return must[Merged](t)(tree.Merge(t.Context(), MergeOptions{Commit: tip, Message: "Merge run-1: make it work"}))
}

// refused fails unless the merge is refused with all the words, the same in a
// dry run, and everything of the user's is as it was.
func refused(t testing.TB, tree *Tree, tip string, words ...string) *MergeRefused {
	t.Helper()
	before := fingerprint(t, tree.Project.RepoTop)
	var refusal *MergeRefused
	for _, dry := range []bool{true, false} {
		out, err := tree.Merge(t.Context(), MergeOptions{Commit: tip, Message: "merge", DryRun: dry})
		if !errors.As(err, &refusal) {
			t.Fatalf("dry run %v: not refused: %+v, %v", dry, out, err)
		}
		for _, word := range words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("dry run %v: no %q in %q", dry, word, err)
			}
		}
		sameFiles(t, before, fingerprint(t, tree.Project.RepoTop))
	}
	return refusal
}

func status(t testing.TB, dir string) string {
	t.Helper()
	return quietly(t, dir, "status", "--porcelain", "--untracked-files=all")
}

func TestMergeFastForwardsACleanTree(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	tree, tip := worked(t, dir, BaseHead, func(root string) {
		usual(t)(root)
		must[any](t)(nil, os.Remove(filepath.Join(root, "main.go")))
		put(t, filepath.Join(root, "tool.sh"), "#!/bin/sh\n")
		must[any](t)(nil, os.Chmod(filepath.Join(root, "tool.sh"), 0o755))
		must[any](t)(nil, os.Symlink("size/size.go", filepath.Join(root, "link")))
	})
	was := gitAs(t, dir, "rev-parse", "HEAD")

	before := fingerprint(t, dir)
	dry := must[Merged](t)(tree.Merge(t.Context(), MergeOptions{Commit: tip, DryRun: true}))
	if dry.How != MergeForward || len(dry.Files) != 5 {
		t.Errorf("the dry run says %+v", dry)
	}
	sameFiles(t, before, fingerprint(t, dir))

	out := mergeInto(t, tree, tip)
	if out.How != MergeForward || out.Branch != "main" || out.From != was || out.To != tip || !slices.Equal(out.Files, dry.Files) {
		t.Errorf("%+v", out)
	}
	if head := gitAs(t, dir, "rev-parse", "main"); head != tip {
		t.Errorf("main is at %s, not %s", head, tip)
	}
	if got := status(t, dir); got != "" {
		t.Errorf("status:\n%s", got)
	}
	gone(t, filepath.Join(dir, "main.go"))
	if target, err := os.Readlink(filepath.Join(dir, "link")); target != "size/size.go" {
		t.Errorf("link: %q, %v", target, err)
	}
	if info := must[os.FileInfo](t)(os.Stat(filepath.Join(dir, "tool.sh"))); info.Mode().Perm()&0o111 == 0 {
		t.Errorf("tool.sh has mode %v", info.Mode())
	}
	// The usual ways back are open.
	if log := gitAs(t, dir, "reflog", "-1", "--format=%gs"); !strings.Contains(log, "growbench merge run-1") {
		t.Errorf("reflog: %q", log)
	}
	gitAs(t, dir, "reset", "-q", "--hard", "ORIG_HEAD")
	if head := gitAs(t, dir, "rev-parse", "HEAD"); head != was {
		t.Errorf("ORIG_HEAD is %s", head)
	}
	gone(t, filepath.Join(dir, ".git", workshop))
	gone(t, filepath.Join(dir, ".git", "index.lock"))

	gitAs(t, dir, "reset", "-q", "--hard", tip)
	if again := mergeInto(t, tree, tip); again.How != MergeNothing {
		t.Errorf("again: %+v", again)
	}
}

func TestMergeCommitJoinsUserCommits(t *testing.T) {
	userHome(t, "[commit]", "gpgsign = true")
	dir := plainRepoUnsigned(t)
	put(t, filepath.Join(dir, "shared.txt"), strings.Repeat("line\n", 20))
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "-c", "commit.gpgsign=false", "commit", "-qm", "shared")
	tree, tip := worked(t, dir, BaseHead, func(root string) {
		usual(t)(root)
		put(t, filepath.Join(root, "shared.txt"), "theirs\n"+strings.Repeat("line\n", 20))
	})
	put(t, filepath.Join(dir, "shared.txt"), strings.Repeat("line\n", 20)+"mine\n")
	gitAs(t, dir, "-c", "commit.gpgsign=false", "commit", "-qam", "mine")
	mine := gitAs(t, dir, "rev-parse", "HEAD")
	t.Setenv("GIT_AUTHOR_NAME", "Ann Other")
	t.Setenv("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")

	out := mergeInto(t, tree, tip)
	if out.How != MergeCommit || out.From != mine || len(out.Notes) != 1 || !strings.Contains(out.Notes[0], "not signed") {
		t.Errorf("%+v", out)
	}
	if got := gitAs(t, dir, "log", "-1", "--format=%P|%an|%ae|%at|%cn|%B"); got != mine+" "+tip+"|Ann Other|ann@example.org|1767323045|Ann|Merge run-1: make it work\n" {
		t.Errorf("the commit: %q", got)
	}
	if got := get(t, filepath.Join(dir, "shared.txt")); got != "theirs\n"+strings.Repeat("line\n", 20)+"mine\n" {
		t.Errorf("shared.txt: %q", got)
	}
	if got := status(t, dir); got != "" {
		t.Errorf("status:\n%s", got)
	}
	gitAs(t, dir, "fsck", "--strict", "--connectivity-only")
}

func plainRepoUnsigned(t testing.TB) string {
	t.Helper()
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "commit.gpgsign")
	t.Setenv("GIT_CONFIG_VALUE_0", "false")
	dir := plainRepo(t)
	os.Unsetenv("GIT_CONFIG_COUNT")
	return dir
}

func TestMergeKeepsWorkElsewhere(t *testing.T) {
	for _, commits := range []bool{false, true} {
		userHome(t)
		dir := plainRepo(t)
		put(t, filepath.Join(dir, "staged.txt"), "one\n")
		put(t, filepath.Join(dir, "loose.txt"), "one\n")
		gitAs(t, dir, "add", "-A")
		gitAs(t, dir, "commit", "-qm", "more")
		tree, tip := worked(t, dir, BaseHead, usual(t))
		if commits {
			put(t, filepath.Join(dir, "mine.txt"), "mine\n")
			gitAs(t, dir, "add", "-A")
			gitAs(t, dir, "commit", "-qm", "mine")
		}
		put(t, filepath.Join(dir, "staged.txt"), "two\n")
		gitAs(t, dir, "add", "staged.txt")
		put(t, filepath.Join(dir, "staged.txt"), "three\n")
		put(t, filepath.Join(dir, "loose.txt"), "two\n")
		put(t, filepath.Join(dir, "added", "other.go"), "untracked\n")
		put(t, filepath.Join(dir, "intended.txt"), "later\n")
		gitAs(t, dir, "add", "-N", "intended.txt")
		must[any](t)(nil, os.Remove(filepath.Join(dir, "main.go")))
		before := status(t, dir)
		staged := gitAs(t, dir, "show", ":staged.txt")

		mergeInto(t, tree, tip)
		if got := status(t, dir); got != before {
			t.Errorf("status was\n%s\nis\n%s", before, got)
		}
		if got := gitAs(t, dir, "show", ":staged.txt"); got != staged {
			t.Errorf("staged: %q", got)
		}
		if got := get(t, filepath.Join(dir, "added", "new.go")); got != "package added\n" {
			t.Errorf("new.go: %q", got)
		}
		for name, want := range map[string]string{"staged.txt": "three\n", "loose.txt": "two\n", "added/other.go": "untracked\n", "intended.txt": "later\n"} {
			if got := get(t, filepath.Join(dir, name)); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}

func TestMergeRefusesOverlappingWork(t *testing.T) {
	write := func(name, text string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { put(t, filepath.Join(dir, name), text) }
	}
	cases := map[string]struct {
		mine func(t *testing.T, dir string)
		want []string
	}{
		"changed file":        {write("size/size.go", "package size // mine\n"), []string{"size/size.go (changed, not committed)"}},
		"untracked file":      {write("added/new.go", "mine\n"), []string{"added/new.go (a file of yours"}},
		"ignored file":        {write("ignored.log", "mine\n"), []string{"ignored.log"}},
		"file for directory":  {write("added", "mine\n"), []string{"added/new.go (added stands where"}},
		"changed and removed": {write("main.go", "package main // mine\n"), []string{"main.go (changed"}},
		"removed file": {func(t *testing.T, dir string) {
			must[any](t)(nil, os.Remove(filepath.Join(dir, "size", "size.go")))
		}, []string{"size/size.go (removed, not committed)"}},
		"staged change under a clean file": {func(t *testing.T, dir string) {
			was := get(t, filepath.Join(dir, "size", "size.go"))
			put(t, filepath.Join(dir, "size", "size.go"), "staged\n")
			gitAs(t, dir, "add", "-A")
			put(t, filepath.Join(dir, "size", "size.go"), was)
		}, []string{"size/size.go (changed in the index"}},
		"hidden change": {func(t *testing.T, dir string) {
			gitAs(t, dir, "update-index", "--assume-unchanged", "size/size.go")
			put(t, filepath.Join(dir, "size", "size.go"), "hidden\n")
		}, []string{"size/size.go (changed"}},
		"change hidden by skip-worktree": {func(t *testing.T, dir string) {
			gitAs(t, dir, "update-index", "--skip-worktree", "size/size.go")
			put(t, filepath.Join(dir, "size", "size.go"), "hidden\n")
		}, []string{"size/size.go (marked skip-worktree"}},
		"directory for a file": {func(t *testing.T, dir string) {
			must[any](t)(nil, os.Remove(filepath.Join(dir, "size", "size.go")))
			put(t, filepath.Join(dir, "size", "size.go", "notes.txt"), "mine\n")
		}, []string{"size/size.go"}},
		"link for a directory": {func(t *testing.T, dir string) {
			elsewhere := t.TempDir()
			put(t, filepath.Join(elsewhere, "new.go"), "elsewhere\n")
			must[any](t)(nil, os.Symlink(elsewhere, filepath.Join(dir, "added")))
		}, []string{"added/new.go (added stands where"}},
		"executable bit": {func(t *testing.T, dir string) {
			must[any](t)(nil, os.Chmod(filepath.Join(dir, "size", "size.go"), 0o755))
		}, []string{"size/size.go"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			userHome(t)
			dir := plainRepo(t)
			tree, tip := worked(t, dir, BaseHead, func(root string) {
				usual(t)(root)
				must[any](t)(nil, os.Remove(filepath.Join(root, "main.go")))
				put(t, filepath.Join(root, "ignored.log"), "theirs\n")
				gitAs(t, root, "add", "-f", "ignored.log")
				put(t, filepath.Join(root, ".gitignore"), "/build/\n")
			})
			c.mine(t, dir)
			got := refused(t, tree, tip, c.want...)
			if len(got.Paths) != 1 {
				t.Errorf("paths: %+v", got.Paths)
			}
		})
	}
}

func TestMergeRefusesConflictingCommits(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	tree, tip := worked(t, dir, BaseHead, usual(t))
	put(t, filepath.Join(dir, "size", "size.go"), "package size\n\nfunc Parse() string { return \"\" }\n")
	put(t, filepath.Join(dir, "added", "new.go"), "package mine\n")
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "mine")
	put(t, filepath.Join(dir, "loose.txt"), "loose\n")
	got := refused(t, tree, tip, "git merge "+tip)
	if len(got.Paths) != 2 || got.Paths[0].Path != "added/new.go" || got.Paths[1].Path != "size/size.go" {
		t.Errorf("paths: %+v", got.Paths)
	}
}

func TestMergeRefusesWhatItCannotMove(t *testing.T) {
	cases := map[string]struct {
		mine func(t *testing.T, dir string)
		want []string
	}{
		"detached HEAD": {func(t *testing.T, dir string) { gitAs(t, dir, "checkout", "-q", "--detach") }, []string{"detached HEAD", "git switch"}},
		"unborn branch": {func(t *testing.T, dir string) { gitAs(t, dir, "checkout", "-q", "--orphan", "fresh") }, []string{"branch fresh has no commit"}},
		"branch in two work trees": {func(t *testing.T, dir string) {
			gitAs(t, dir, "worktree", "add", "-q", "--force", filepath.Join(t.TempDir(), "second"), "main")
		}, []string{"branch main is checked out in", "second"}},
		"merge going on": {func(t *testing.T, dir string) {
			gitAs(t, dir, "checkout", "-q", "-b", "side")
			gitAs(t, dir, "commit", "-q", "--allow-empty", "-m", "side")
			gitAs(t, dir, "checkout", "-q", "main")
			gitAs(t, dir, "merge", "-q", "--no-ff", "--no-commit", "side")
		}, []string{"a merge is going on"}},
		"rebase going on": {func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, ".git", "rebase-merge", "head-name"), "refs/heads/main\n")
		}, []string{"a rebase is going on"}},
		"unresolved conflict": {func(t *testing.T, dir string) {
			blob := gitAs(t, dir, "rev-parse", "HEAD:main.go")
			put(t, filepath.Join(dir, ".git", "info.txt"), "100644 "+blob+" 1\tclash.go\n100644 "+blob+" 2\tclash.go\n")
			input := must[*os.File](t)(os.Open(filepath.Join(dir, ".git", "info.txt")))
			defer input.Close()
			cmd := gitDir{dir: filepath.Join(dir, ".git")}.command(t.Context(), []string{"update-index", "--index-info"})
			cmd.Stdin = input
			must[any](t)(nil, cmd.Run())
		}, []string{"unresolved conflicts", "clash.go"}},
		"unrelated history": {func(t *testing.T, dir string) {
			gitAs(t, dir, "checkout", "-q", "--orphan", "fresh")
			gitAs(t, dir, "commit", "-qm", "anew")
		}, []string{"shares no history"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			userHome(t)
			dir := plainRepo(t)
			tree, tip := worked(t, dir, BaseHead, usual(t))
			c.mine(t, dir)
			refused(t, tree, tip, c.want...)
		})
	}
}

func TestMergeWaitsForNobodysLock(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	tree, tip := worked(t, dir, BaseHead, usual(t))
	put(t, filepath.Join(dir, ".git", "index.lock"), "")
	before := fingerprint(t, dir)
	_, err := tree.Merge(t.Context(), MergeOptions{Commit: tip})
	if err == nil || !strings.Contains(err.Error(), "another git command is at work") {
		t.Errorf("%v", err)
	}
	sameFiles(t, before, fingerprint(t, dir))
}

func TestMergeCommitNeedsAnAuthor(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	tree, tip := worked(t, dir, BaseHead, usual(t))
	gitAs(t, dir, "commit", "-q", "--allow-empty", "-m", "mine")
	gitAs(t, dir, "config", "user.useConfigOnly", "true")
	gitAs(t, dir, "config", "user.name", "")
	refused(t, tree, tip, "git does not know who you are", "git config user.name")
}

func TestMergeOfASnapshotTakesItsFilesOn(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	put(t, filepath.Join(dir, "size", "size.go"), "package size // mine, not committed\n")
	put(t, filepath.Join(dir, "notes.txt"), "untracked\n")
	put(t, filepath.Join(dir, "idle.txt"), "untracked too\n")
	must[any](t)(nil, os.Remove(filepath.Join(dir, "main.go")))
	work := func(root string) {
		put(t, filepath.Join(root, "size", "size.go"), get(t, filepath.Join(root, "size", "size.go"))+"// theirs\n")
		put(t, filepath.Join(root, "notes.txt"), "untracked\nand more\n")
	}
	tree, tip := worked(t, dir, BaseSnapshot, work)

	put(t, filepath.Join(dir, "notes.txt"), "changed since\n")
	refused(t, tree, tip, "notes.txt")
	put(t, filepath.Join(dir, "notes.txt"), "untracked\n")
	out := mergeInto(t, tree, tip)
	if out.How != MergeForward || len(out.Notes) != 1 {
		t.Errorf("%+v", out)
	}
	if got := get(t, filepath.Join(dir, "size", "size.go")); got != "package size // mine, not committed\n// theirs\n" {
		t.Errorf("size.go: %q", got)
	}
	if got := get(t, filepath.Join(dir, "notes.txt")); got != "untracked\nand more\n" {
		t.Errorf("notes.txt: %q", got)
	}
	if got := status(t, dir); got != "" {
		t.Errorf("status:\n%s", got)
	}
}

func TestMergeRunsNothingOfTheRepository(t *testing.T) {
	for _, commits := range []bool{false, true} {
		h := hostileRepo(t)
		tree, tip := worked(t, h.top, BaseHead, func(root string) { put(t, filepath.Join(root, "docs", "plain.txt"), "theirs\n") })
		if commits {
			quietly(t, h.top, "-c", "commit.gpgsign=false", "commit", "-q", "--allow-empty", "--no-verify", "-m", "mine")
			os.Remove(h.marks)
		}
		before := status(t, h.top)
		os.Remove(h.marks)
		mergeInto(t, tree, tip)
		if marks, err := os.ReadFile(h.marks); err == nil {
			t.Errorf("something of the user's repository was run:\n%s", marks)
		}
		if got := status(t, h.top); got != before {
			t.Errorf("status was\n%s\nis\n%s", before, got)
		}
		if got := get(t, filepath.Join(h.top, "docs", "plain.txt")); got != "theirs\n" {
			t.Errorf("plain.txt: %q", got)
		}
		os.Remove(h.marks)
	}
}

func TestMergeRefusesFiltersOfTheRepository(t *testing.T) {
	h := hostileRepo(t)
	lines := strings.Repeat("// line\n", 20)
	record := func(text string) {
		put(t, filepath.Join(h.top, "big.go"), text)
		blob := quietly(t, h.top, "hash-object", "-w", "--no-filters", "big.go")
		quietly(t, h.top, "update-index", "--add", "--cacheinfo", "100644,"+blob+",big.go")
		made := quietly(t, h.top, "commit-tree", "-p", "HEAD", "-m", "big", quietly(t, h.top, "write-tree"))
		quietly(t, h.top, "update-ref", "refs/heads/main", made)
	}
	record(lines)
	tree, tip := worked(t, h.top, BaseHead, func(root string) { put(t, filepath.Join(root, "big.go"), "// theirs\n"+lines) })
	// Both sides change the file, for which the repository has a merge program.
	record(lines + "// mine\n")
	os.Remove(h.marks)
	refused(t, tree, tip, "big.go", "filter", "git merge")
	if marks, err := os.ReadFile(h.marks); err == nil {
		t.Errorf("something of the user's repository was run:\n%s", marks)
	}
}

func TestMergeWithAnOldGitFastForwardsOnly(t *testing.T) {
	userHome(t)
	real := must[string](t)(exec.LookPath("git"))
	old := t.TempDir()
	put(t, filepath.Join(old, "git"), "#!/bin/sh\ncase \"$*\" in *merge-tree*) echo usage >&2; exit 129;; esac\nexec "+real+" \"$@\"\n")
	must[any](t)(nil, os.Chmod(filepath.Join(old, "git"), 0o755))
	t.Setenv("PATH", old+":"+os.Getenv("PATH"))
	dir := plainRepo(t)
	tree, tip := worked(t, dir, BaseHead, usual(t))
	was := gitAs(t, dir, "rev-parse", "HEAD")
	gitAs(t, dir, "commit", "-q", "--allow-empty", "-m", "mine")
	refused(t, tree, tip, "git 2.38", "git merge "+tip)
	gitAs(t, dir, "reset", "-q", "--hard", was)
	if out := mergeInto(t, tree, tip); out.How != MergeForward {
		t.Errorf("%+v", out)
	}
}

func TestMergeTurnsFilesIntoDirectoriesAndBack(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	put(t, filepath.Join(dir, "plain"), "a file\n")
	put(t, filepath.Join(dir, "deep", "er", "inside"), "below\n")
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "both")
	tree, tip := worked(t, dir, BaseHead, func(root string) {
		must[any](t)(nil, errors.Join(os.Remove(filepath.Join(root, "plain")), os.RemoveAll(filepath.Join(root, "deep"))))
		put(t, filepath.Join(root, "plain", "inside"), "below\n")
		put(t, filepath.Join(root, "deep"), "a file\n")
	})
	put(t, filepath.Join(dir, "deep", "er", "mine.txt"), "mine\n")
	refused(t, tree, tip, "deep/er/mine.txt stands below it")
	must[any](t)(nil, os.Remove(filepath.Join(dir, "deep", "er", "mine.txt")))
	mergeInto(t, tree, tip)
	if got := get(t, filepath.Join(dir, "plain", "inside")) + get(t, filepath.Join(dir, "deep")); got != "below\na file\n" {
		t.Errorf("%q", got)
	}
	if got := status(t, dir); got != "" {
		t.Errorf("status:\n%s", got)
	}
}

func TestMergeUndoesWhatAChangeMeanwhileStops(t *testing.T) {
	for after, changed := range map[string]string{"file added/new.go": "size/size.go", "file first.txt": "main.go"} {
		userHome(t)
		dir := plainRepo(t)
		put(t, filepath.Join(dir, "first.txt"), "goes first\n")
		gitAs(t, dir, "add", "-A")
		gitAs(t, dir, "commit", "-qm", "first")
		tree, tip := worked(t, dir, BaseHead, func(root string) {
			usual(t)(root)
			must[any](t)(nil, errors.Join(os.Remove(filepath.Join(root, "main.go")), os.Remove(filepath.Join(root, "first.txt"))))
		})
		before := fingerprint(t, dir)
		_, err := tree.Merge(t.Context(), MergeOptions{Commit: tip, AfterStep: func(step string) {
			if step == after {
				put(t, filepath.Join(dir, changed), "typed at this moment\n")
			}
		}})
		if !errors.Is(err, ErrChanged) {
			t.Fatalf("%s changed: %v", changed, err)
		}
		after := fingerprint(t, dir)
		if got := get(t, filepath.Join(dir, changed)); got != "typed at this moment\n" {
			t.Errorf("the user's change of %s is lost: %q", changed, got)
		}
		delete(before, filepath.FromSlash(changed))
		delete(after, filepath.FromSlash(changed))
		sameFiles(t, before, after)
	}
}
