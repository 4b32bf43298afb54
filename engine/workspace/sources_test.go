package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// works takes a project through a whole round: a clean tree, a Worker's commit,
// publishing, and back.
func works(t *testing.T, dir, base string) (*Tree, Report) {
	t.Helper()
	before := fingerprint(t, dir)
	tree, report := create(t, dir, base)
	clean(t, tree.Dir)
	put(t, filepath.Join(tree.Root(), "by-worker.txt"), "new\n")
	made := commit(t, tree, 1, tree.Base)
	changes := must[[]FileChange](t)(tree.Changes(t.Context(), tree.Base, made))
	if len(changes) != 1 || changes[0].Path != "by-worker.txt" || changes[0].Kind != Created {
		t.Errorf("changes %+v", changes)
	}
	must[any](t)(nil, tree.Publish(t.Context(), 1, made))
	if tree.Project.HasRepo() {
		branch := must[string](t)(tree.Branch(t.Context(), "giver/task/x", made))
		if got := gitAs(t, dir, "rev-parse", branch); got != made {
			t.Errorf("branch %s is at %s, want %s", branch, got, made)
		}
		// Everything of the commit is there, or was never there.
		gitAs(t, dir, "rev-list", "--objects", "--missing=allow-promisor", made, "^"+tree.Base)
	}
	must[any](t)(nil, tree.SyncToy(t.Context(), made))
	clean(t, tree.Dir)
	if got := gitAs(t, tree.Dir, "rev-parse", "HEAD"); got != made {
		t.Errorf("the agent's HEAD is %s, want %s", got, made)
	}
	must[any](t)(nil, tree.Reset(t.Context(), tree.Base))
	gone(t, filepath.Join(tree.Root(), "by-worker.txt"))
	clean(t, tree.Dir)
	sameFiles(t, before, fingerprint(t, dir))
	noLinks(t, tree.Dir)
	return tree, report
}

func bothBases(t *testing.T, test func(t *testing.T, base string)) {
	for _, base := range []string{BaseHead, BaseSnapshot} {
		t.Run(base, func(t *testing.T) { test(t, base) })
	}
}

func TestPlainRepository(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		works(t, plainRepo(t), base)
	})
}

func TestProjectInASubdirectory(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		dir := plainRepo(t)
		put(t, filepath.Join(dir, "apps", "one", ".growbench", "x"), "")
		put(t, filepath.Join(dir, "apps", "one", "a.txt"), "a\n")
		gitAs(t, dir, "add", "apps/one/a.txt")
		gitAs(t, dir, "commit", "-qm", "one")
		tree, _ := works(t, filepath.Join(dir, "apps", "one"), base)
		if tree.Project.Prefix != "apps/one" || tree.Root() != filepath.Join(tree.Dir, "apps", "one") {
			t.Errorf("prefix %q, root %s", tree.Project.Prefix, tree.Root())
		}
		put(t, filepath.Join(tree.Dir, "apps", "two", "b.txt"), "b")
		put(t, filepath.Join(tree.Dir, "main.go"), "package changed\n")
		made := commit(t, tree, 1, tree.Base)
		var paths []string
		for _, change := range must[[]FileChange](t)(tree.Changes(t.Context(), tree.Base, made)) {
			paths = append(paths, change.Path)
		}
		if !slices.Equal(paths, []string{"../two/b.txt", "../../main.go"}) {
			t.Errorf("paths %q", paths)
		}
		if got := string(must[[]byte](t)(tree.FileAt(t.Context(), made, "../../main.go"))); got != "package changed\n" {
			t.Errorf("main.go is %q", got)
		}
	})
}

func TestLinkedWorktree(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		dir := plainRepo(t)
		linked := filepath.Join(t.TempDir(), "linked")
		gitAs(t, dir, "worktree", "add", "-q", "--detach", linked)
		put(t, filepath.Join(linked, "only-here.txt"), "x\n")
		gitAs(t, linked, "add", "-A")
		gitAs(t, linked, "commit", "-qm", "only here")
		put(t, filepath.Join(dir, ".git", "info", "exclude"), "*.private\n")
		put(t, filepath.Join(linked, "a.private"), "x\n")
		tree, report := works(t, linked, base)
		if got := get(t, filepath.Join(tree.Dir, "only-here.txt")); got != "x\n" {
			t.Errorf("only-here.txt is %q", got)
		}
		if report.Uncommitted {
			t.Error("an excluded file counts as uncommitted work")
		}
	})
}

func TestDetachedHead(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	gitAs(t, dir, "commit", "-q", "--allow-empty", "-m", "second")
	gitAs(t, dir, "checkout", "-q", "--detach", "HEAD~1")
	tree, _ := works(t, dir, BaseHead)
	if tree.Project.Branch != "" || tree.Base != gitAs(t, dir, "rev-parse", "HEAD") {
		t.Errorf("project %+v, base %s", tree.Project, tree.Base)
	}
}

func TestBranchInTheWayOfTheAgentsBranch(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	gitAs(t, dir, "checkout", "-q", "-b", "growbench/mine")
	works(t, dir, BaseHead)
}

func TestShallowClone(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		origin := plainRepo(t)
		for _, name := range []string{"b", "c"} {
			put(t, filepath.Join(origin, name), name)
			gitAs(t, origin, "add", "-A")
			gitAs(t, origin, "commit", "-qm", name)
		}
		dir := filepath.Join(t.TempDir(), "shallow")
		gitAs(t, "/", "clone", "-q", "--depth", "1", "file://"+origin, dir)
		tree, _ := works(t, dir, base)
		if !tree.Project.Shallow {
			t.Error("not seen as shallow")
		}
		gitAs(t, tree.Dir, "log", "--oneline")
		gitAs(t, tree.Dir, "fsck")
	})
}

func TestPartialClone(t *testing.T) {
	for _, depth := range []string{"--no-single-branch", "--depth=1"} {
		t.Run(depth, func(t *testing.T) {
			bothBases(t, func(t *testing.T, base string) {
				userHome(t)
				origin := plainRepo(t)
				gitAs(t, origin, "config", "uploadpack.allowFilter", "true")
				put(t, filepath.Join(origin, "main.go"), "package second\n")
				gitAs(t, origin, "commit", "-qam", "second")
				dir := filepath.Join(t.TempDir(), "partial")
				gitAs(t, "/", "clone", "-q", "--filter=blob:none", depth, "file://"+origin, dir)
				// Nobody may be asked for the objects that are not here.
				if err := os.Rename(origin, origin+"-away"); err != nil {
					t.Fatal(err)
				}
				works(t, dir, base)
			})
		})
	}
}

func TestPartialCloneThatLacksFilesSaysSo(t *testing.T) {
	userHome(t)
	origin := plainRepo(t)
	gitAs(t, origin, "config", "uploadpack.allowFilter", "true")
	dir := filepath.Join(t.TempDir(), "partial")
	gitAs(t, "/", "clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+origin, dir)
	state := t.TempDir()
	_, _, err := Create(t.Context(), CreateOptions{Project: find(t, dir), RunID: "r", RunDir: state + "/r", TreeDir: state + "/t", At: testTime})
	if err == nil || !strings.Contains(err.Error(), "partial clone") {
		t.Errorf("error %v", err)
	}
}

func TestSparseCheckout(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		dir := plainRepo(t)
		put(t, filepath.Join(dir, "big", "big.txt"), "big\n")
		gitAs(t, dir, "add", "-A")
		gitAs(t, dir, "commit", "-qm", "big")
		gitAs(t, dir, "sparse-checkout", "set", "size")
		gone(t, filepath.Join(dir, "big"))
		tree, _ := works(t, dir, base)
		gone(t, filepath.Join(tree.Dir, "big"))
		if got := gitAs(t, tree.Dir, "ls-tree", "-r", "--name-only", tree.Base, "big"); got != "big/big.txt" {
			t.Errorf("the base has %q in big", got)
		}
	})
}

func TestRepositoryThatBorrowsObjects(t *testing.T) {
	userHome(t)
	origin := plainRepo(t)
	dir := filepath.Join(t.TempDir(), "borrower")
	gitAs(t, "/", "clone", "-q", "--shared", origin, dir)
	tree, _ := works(t, dir, BaseHead)
	gone(t, filepath.Join(tree.Dir, ".git", "objects", "info", "alternates"))
	gitAs(t, tree.Dir, "fsck")
}

func TestSplitIndex(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		dir := plainRepo(t)
		gitAs(t, dir, "update-index", "--split-index")
		_, report := works(t, dir, base)
		if report.Uncommitted {
			t.Error("seen as changed")
		}
	})
}

func TestSha256Repository(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		dir := filepath.Join(t.TempDir(), "proj")
		put(t, filepath.Join(dir, "a.txt"), "a\n")
		gitAs(t, "/", "init", "-q", "--object-format=sha256", dir)
		gitAs(t, dir, "add", "-A")
		gitAs(t, dir, "commit", "-qm", "first")
		tree, _ := works(t, dir, base)
		gitAs(t, "/", "init", "-q", "--object-format=sha256", filepath.Join(tree.Dir, "inner"))
		if made := commit(t, tree, 1, tree.Base); len(made) != 64 {
			t.Errorf("commit %s", made)
		}
	})
}

func TestRepositoryWithoutACommit(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		dir := filepath.Join(t.TempDir(), "proj")
		put(t, filepath.Join(dir, ".gitignore"), "*.log\n")
		put(t, filepath.Join(dir, "a.txt"), "a\n")
		put(t, filepath.Join(dir, "b.log"), "b\n")
		put(t, filepath.Join(dir, "c.log"), "staged\n")
		gitAs(t, "/", "init", "-q", "-b", "main", dir)
		gitAs(t, dir, "add", "-f", "c.log")
		tree, report := works(t, dir, base)
		if !report.Snapshot || tree.Project.HasCommit {
			t.Errorf("report %+v", report)
		}
		if got := gitAs(t, tree.Dir, "ls-files"); got != ".gitignore\na.txt\nc.log" {
			t.Errorf("files %q", got)
		}
		// The user's unborn branch stays unborn.
		if name := must[string](t)(tree.Branch(t.Context(), "main", tree.Base)); name != "main-2" {
			t.Errorf("branch %q", name)
		}
	})
}

func TestNoRepository(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		dir := filepath.Join(t.TempDir(), "proj")
		put(t, filepath.Join(dir, ".gitignore"), "*.log\n")
		put(t, filepath.Join(dir, "a.txt"), "a\n")
		put(t, filepath.Join(dir, "b.log"), "b\n")
		put(t, filepath.Join(dir, ".pi-map.md"), "map\n")
		put(t, filepath.Join(dir, "inner", "c.txt"), "c\n")
		gitAs(t, "/", "init", "-q", filepath.Join(dir, "inner"))
		tree, report := works(t, dir, base)
		if !report.Snapshot || tree.Project.HasRepo() || !slices.Equal(report.Nested, []string{"inner"}) {
			t.Errorf("report %+v of %+v", report, tree.Project)
		}
		if got := gitAs(t, tree.Dir, "ls-files"); got != ".gitignore\na.txt" {
			t.Errorf("files %q", got)
		}
		if _, err := tree.Branch(t.Context(), "giver/task/x", tree.Base); err == nil {
			t.Error("a branch was made without a repository")
		}
		must[any](t)(nil, tree.Project.RemoveRefs(t.Context(), "run-1"))
	})
}

func TestSparsePartialShallowClone(t *testing.T) {
	userHome(t)
	origin := plainRepo(t)
	gitAs(t, origin, "config", "uploadpack.allowFilter", "true")
	put(t, filepath.Join(origin, "big", "big.txt"), "big\n")
	gitAs(t, origin, "add", "-A")
	gitAs(t, origin, "commit", "-qm", "big")
	for _, depth := range []string{"--no-single-branch", "--depth=1"} {
		dir := filepath.Join(t.TempDir(), "partial")
		gitAs(t, "/", "clone", "-q", "--filter=blob:none", "--sparse", depth, "file://"+origin, dir)
		tree, _ := works(t, dir, BaseHead)
		gone(t, filepath.Join(tree.Dir, "big"))
	}
}

func TestGlobalSettingsThatGetInTheWay(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		origin, dir := plainRepo(t), filepath.Join(t.TempDir(), "shallow")
		gitAs(t, "/", "clone", "-q", "--depth", "1", "file://"+origin, dir)
		marks := filepath.Join(t.TempDir(), "marks")
		trap := filepath.Join(t.TempDir(), "hooks", "trap")
		put(t, trap, "#!/bin/sh\necho \"$0 $*\" >> '"+marks+"'\n")
		must[any](t)(nil, os.Chmod(trap, 0o755))
		for _, hook := range hookNames {
			must[any](t)(nil, os.Symlink("trap", filepath.Join(filepath.Dir(trap), hook)))
		}
		template := t.TempDir()
		must[any](t)(nil, os.Symlink(filepath.Dir(trap), filepath.Join(template, "hooks")))
		for _, setting := range [][2]string{
			{"clone.rejectShallow", "true"}, {"safe.bareRepository", "explicit"}, {"core.untrackedCache", "true"},
			{"core.splitIndex", "true"}, {"status.showUntrackedFiles", "no"}, {"status.relativePaths", "true"},
			{"diff.renames", "copies"}, {"diff.ignoreSubmodules", "none"}, {"fetch.prune", "true"}, {"core.abbrev", "4"},
			{"clone.defaultRemoteName", "up"}, {"init.templateDir", template}, {"commit.gpgSign", "true"}, {"core.bare", "true"},
			{"core.fsmonitor", trap}, {"core.hooksPath", filepath.Dir(trap)}, {"color.ui", "always"}, {"column.ui", "always"},
			{"submodule.recurse", "true"}, {"transfer.fsckObjects", "true"}, {"core.quotePath", "false"}, {"feature.manyFiles", "true"},
		} {
			gitAs(t, "/", "config", "--global", setting[0], setting[1])
		}
		before := fingerprint(t, dir)
		tree, _ := create(t, dir, base)
		put(t, filepath.Join(tree.Dir, "x"), "x\n")
		kinds, made := changesOf(t, tree, 1, tree.Base)
		wantKinds(t, kinds, map[string]ChangeKind{"x": Created})
		must[any](t)(nil, tree.Publish(t.Context(), 1, made))
		must[string](t)(tree.Branch(t.Context(), "giver/task/x", made))
		must[any](t)(nil, tree.Reset(t.Context(), tree.Base))
		gone(t, filepath.Join(tree.Dir, "x"))
		sameFiles(t, before, fingerprint(t, dir))
		gone(t, filepath.Join(tree.Dir, ".git", "hooks"))
		gone(t, marks)
	})
}

func TestCloneWhileTheUsersGitPacks(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	// A git that fails once the way it does when a file is packed under its hands.
	real, bin := must[string](t)(exec.LookPath("git")), t.TempDir()
	put(t, filepath.Join(bin, "git"), `#!/bin/sh
case " $* " in
*" clone "*)
	if [ ! -e '`+bin+`/failed' ]; then
		touch '`+bin+`/failed'
		echo "fatal: failed to copy file to 'x': No such file or directory" >&2
		exit 128
	fi
esac
exec '`+real+`' "$@"
`)
	must[any](t)(nil, os.Chmod(filepath.Join(bin, "git"), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	tree, _ := create(t, dir, BaseHead)
	get(t, filepath.Join(bin, "failed"))
	clean(t, tree.Dir)
}

func TestProjectPathWithOddBytes(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		dir := filepath.Join(t.TempDir(), "\"odd \xff\n\\ *[x]é", "proj #1")
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(plainRepo(t), dir); err != nil {
			t.Fatal(err)
		}
		tree, _ := works(t, dir, base)
		again := must[*Tree](t)(OpenTree(t.Context(), tree.RunDir, tree.Dir))
		if again.Project != tree.Project {
			t.Errorf("opened %+v, was %+v", again.Project, tree.Project)
		}
		must[any](t)(nil, again.Publish(t.Context(), 2, commit(t, again, 2, again.Base)))
	})
}
