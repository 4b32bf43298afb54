package workspace

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// changesOf records the tree and returns kind by path.
func changesOf(t *testing.T, tree *Tree, k int, parent string) (map[string]ChangeKind, string) {
	t.Helper()
	made := commit(t, tree, k, parent)
	kinds := map[string]ChangeKind{}
	for _, change := range must[[]FileChange](t)(tree.Changes(t.Context(), parent, made)) {
		kinds[change.Path] = change.Kind
	}
	return kinds, made
}

func wantKinds(t *testing.T, got, want map[string]ChangeKind) {
	t.Helper()
	for path, kind := range want {
		if got[path] != kind {
			t.Errorf("%q is %q, want %q", path, got[path], kind)
		}
	}
	for path, kind := range got {
		if _, known := want[path]; !known {
			t.Errorf("%q is %q, want no change", path, kind)
		}
	}
}

func TestChangesNameEveryKind(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	for _, name := range []string{"mode.sh", "gone.txt", "old name.txt", "type.txt", "dir/inner.txt", "file", "odd/\xff\n\"\t"} {
		put(t, filepath.Join(dir, name), "content of "+name+"\nwith\nsome\nlines\n")
	}
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "more")
	tree, _ := create(t, dir, BaseHead)
	at := func(name string) string { return filepath.Join(tree.Dir, name) }
	ok := must[any](t)
	ok(nil, os.Chmod(at("mode.sh"), 0o755))
	ok(nil, os.Remove(at("gone.txt")))
	ok(nil, os.Rename(at("old name.txt"), at("new name.txt")))
	ok(nil, os.Remove(at("type.txt")))
	ok(nil, os.Symlink("mode.sh", at("type.txt")))
	ok(nil, os.RemoveAll(at("dir")))
	put(t, at("dir"), "now a file\n")
	ok(nil, os.Remove(at("file")))
	put(t, at("file/inside.txt"), "now a directory\n")
	put(t, at("main.go"), "package other\n")
	put(t, at("odd/\xff\n\"\t"), "changed\n")
	put(t, at("odd/ \x01*?[x]\\"), "new\n")
	put(t, at("some.log"), "ignored\n")
	put(t, at(".growbench/x"), "ours\n")
	put(t, at("size/.pi-map.md"), "ours\n")
	put(t, at("size/.pi-map.index.md"), "ours\n")
	put(t, at("nested/hidden.txt"), "hidden\n")
	gitAs(t, at("nested"), "init", "-q")
	put(t, at("committed/hidden.txt"), "hidden\n")
	gitAs(t, at("committed"), "init", "-q")
	gitAs(t, at("committed"), "add", "-A")
	gitAs(t, at("committed"), "commit", "-qm", "hidden")
	kinds, made := changesOf(t, tree, 1, tree.Base)
	wantKinds(t, kinds, map[string]ChangeKind{
		"mode.sh": Mode, "gone.txt": Deleted, "new name.txt": Renamed, "type.txt": Type,
		"dir": Created, "dir/inner.txt": Deleted, "file": Deleted, "file/inside.txt": Created,
		"main.go": Modified, "odd/\xff\n\"\t": Modified, "odd/ \x01*?[x]\\": Created,
		"nested": NestedRepository, "committed": NestedRepository,
	})
	for _, change := range must[[]FileChange](t)(tree.Changes(t.Context(), tree.Base, made)) {
		switch change.Path {
		case "new name.txt":
			if change.OldPath != "old name.txt" {
				t.Errorf("renamed from %q", change.OldPath)
			}
		case "mode.sh":
			if change.OldMode != "100644" || change.NewMode != "100755" {
				t.Errorf("modes %s %s", change.OldMode, change.NewMode)
			}
		}
	}
	if got := gitAs(t, tree.Dir, "-C", "committed", "rev-parse", "HEAD"); !strings.Contains(
		string(must[[]byte](t)(tree.Diff(t.Context(), tree.Base, made, "committed"))), "+Subproject commit "+got) {
		t.Error("the nested repository's commit is not the recorded one")
	}
	if again, _ := changesOf(t, tree, 2, made); len(again) != 0 {
		t.Errorf("changed without a change: %v", again)
	}
}

func TestArtifactsStayOutWhateverTheIgnoreFileSays(t *testing.T) {
	userHome(t)
	tree, _ := create(t, plainRepo(t), BaseHead)
	put(t, filepath.Join(tree.Dir, ".gitignore"), "!.pi-map.md\n!.growbench/\n")
	put(t, filepath.Join(tree.Dir, "size", ".pi-map.md"), "map\n")
	put(t, filepath.Join(tree.Dir, ".growbench", "x"), "x\n")
	kinds, made := changesOf(t, tree, 1, tree.Base)
	wantKinds(t, kinds, map[string]ChangeKind{".gitignore": Modified})
	must[any](t)(nil, tree.Reset(t.Context(), made))
	get(t, filepath.Join(tree.Dir, "size", ".pi-map.md"))
	get(t, filepath.Join(tree.Dir, ".growbench", "x"))
}

func TestAChangeInTheSameInstantIsSeen(t *testing.T) {
	userHome(t)
	tree, _ := create(t, plainRepo(t), BaseHead)
	path := filepath.Join(tree.Dir, "main.go")
	parent := tree.Base
	for k, text := range []string{"package mani\n", "package main\n", "package nima\n"} {
		// Looking at an unchanged tree must not make the next change harder to see.
		must[string](t)(tree.WriteTree(t.Context()))
		info := must[fs.FileInfo](t)(os.Stat(path))
		put(t, path, text)
		must[any](t)(nil, os.Chtimes(path, info.ModTime(), info.ModTime()))
		var kinds map[string]ChangeKind
		kinds, parent = changesOf(t, tree, k+1, parent)
		wantKinds(t, kinds, map[string]ChangeKind{"main.go": Modified})
	}
}

func TestChangesThatAreDatedBackAreSeen(t *testing.T) {
	userHome(t)
	tree, _ := create(t, plainRepo(t), BaseHead)
	path := filepath.Join(tree.Dir, "main.go")
	long := time.Now().Add(-time.Hour)
	parent := tree.Base
	for k, text := range []string{"package mani\n", "package main\n", "package nima\n", "package amin\n"} {
		put(t, path, text)
		must[any](t)(nil, os.Chtimes(path, long, long))
		var kinds map[string]ChangeKind
		kinds, parent = changesOf(t, tree, k+1, parent)
		wantKinds(t, kinds, map[string]ChangeKind{"main.go": Modified})
	}
}

func TestSpecialFilesAndLinkedDirectoriesAreDeletions(t *testing.T) {
	userHome(t)
	tree, _ := create(t, plainRepo(t), BaseHead)
	ok := must[any](t)
	ok(nil, os.Remove(filepath.Join(tree.Dir, "main.go")))
	ok(nil, syscall.Mkfifo(filepath.Join(tree.Dir, "main.go"), 0o644))
	ok(nil, syscall.Mkfifo(filepath.Join(tree.Dir, "pipe"), 0o644))
	socket := must[net.Listener](t)(net.Listen("unix", filepath.Join(tree.Dir, "s")))
	defer socket.Close()
	elsewhere := t.TempDir()
	put(t, filepath.Join(elsewhere, "size.go"), "package elsewhere\n")
	ok(nil, os.RemoveAll(filepath.Join(tree.Dir, "size")))
	ok(nil, os.Symlink(elsewhere, filepath.Join(tree.Dir, "size")))
	kinds, _ := changesOf(t, tree, 1, tree.Base)
	wantKinds(t, kinds, map[string]ChangeKind{"main.go": Deleted, "size": Created, "size/size.go": Deleted})
	ok(nil, tree.Reset(t.Context(), tree.Base))
	if got := get(t, filepath.Join(elsewhere, "size.go")); got != "package elsewhere\n" {
		t.Errorf("a file outside became %q", got)
	}
	if got := get(t, filepath.Join(tree.Dir, "size", "size.go")); !strings.Contains(got, "func Parse") {
		t.Errorf("size.go is %q", got)
	}
}

func TestNamesThatGitRefusesAreLeftOut(t *testing.T) {
	userHome(t)
	tree, _ := create(t, plainRepo(t), BaseHead)
	put(t, filepath.Join(tree.Dir, "git~1"), "x")
	put(t, filepath.Join(tree.Dir, "sub", "GIT~1"), "x")
	put(t, filepath.Join(tree.Dir, "fine"), "x")
	kinds, _ := changesOf(t, tree, 1, tree.Base)
	wantKinds(t, kinds, map[string]ChangeKind{"fine": Created})
	if left := strings.Join(tree.LeftOut(), " "); left != "git~1 sub/GIT~1" {
		t.Errorf("left out %q", left)
	}
}

func TestNothingOfTheAgentsIsRun(t *testing.T) {
	userHome(t)
	tree, _ := create(t, superproject(t), BaseHead)
	marks := filepath.Join(t.TempDir(), "marks")
	trap := filepath.Join(tree.Dir, "trap.sh")
	put(t, trap, "#!/bin/sh\necho \"$0 $*\" >> '"+marks+"'\ncat 2>/dev/null\n")
	must[any](t)(nil, os.Chmod(trap, 0o755))
	put(t, filepath.Join(tree.Dir, "nested", "x"), "x")
	gitAs(t, filepath.Join(tree.Dir, "nested"), "init", "-q")
	for _, repo := range []string{"", "lib", "lib/deep", "nested"} {
		dir := filepath.Join(tree.Dir, repo)
		for _, hook := range hookNames {
			put(t, filepath.Join(dir, ".git", "hooks", hook), "#!/bin/sh\necho hook >> '"+marks+"'\n")
			must[any](t)(nil, os.Chmod(filepath.Join(dir, ".git", "hooks", hook), 0o755))
		}
		must[any](t)(nil, appendConfig(filepath.Join(dir, ".git", "config"), []string{
			"core.fsmonitor", trap, "core.sshCommand", trap, "core.pager", trap, "diff.external", trap,
			"core.alternateRefsCommand", trap,
		}))
		put(t, filepath.Join(dir, ".git", "config.more"), "[filter \"trap\"]\n\tclean = "+trap+"\n\tsmudge = "+trap+"\n[diff \"trap\"]\n\ttextconv = "+trap+"\n\tcommand = "+trap+"\n")
		must[any](t)(nil, appendConfig(filepath.Join(dir, ".git", "config"), []string{"include.path", "config.more"}))
		put(t, filepath.Join(dir, ".gitattributes"), "* filter=trap diff=trap\n")
		put(t, filepath.Join(dir, "main.go"), "package agent\n")
	}
	made := commit(t, tree, 1, tree.Base)
	must[[]byte](t)(tree.Diff(t.Context(), tree.Base, made))
	must[any](t)(nil, tree.Publish(t.Context(), 1, made))
	must[any](t)(nil, tree.SyncToy(t.Context(), made))
	must[any](t)(nil, tree.Reset(t.Context(), tree.Base))
	if text, err := os.ReadFile(marks); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the engine ran what the agent planted:\n%s", text)
	}
}

func TestWhatIsClosedIsRecordedAllTheSame(t *testing.T) {
	asSomebody(t, func(t *testing.T) {
		userHome(t)
		tree, _ := create(t, plainRepo(t), BaseHead)
		at := func(name string) string { return filepath.Join(tree.Dir, name) }
		put(t, at("shut/x"), "x")
		put(t, at("secret"), "x")
		put(t, at("main.go"), "package other\n")
		put(t, at("size/size.go"), "package other\n")
		for _, name := range []string{"shut", "secret", "main.go", "size"} {
			must[any](t)(nil, os.Chmod(at(name), 0))
		}
		kinds, _ := changesOf(t, tree, 1, tree.Base)
		wantKinds(t, kinds, map[string]ChangeKind{"shut/x": Created, "secret": Created, "main.go": Modified, "size/size.go": Modified})
	})
}
