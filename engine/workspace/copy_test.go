package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestIgnoredFilesAreCopied(t *testing.T) {
	userHome(t)
	dir := filepath.Join(plainRepo(t), "app")
	put(t, filepath.Join(dir, ".growbench", "x"), "")
	put(t, filepath.Join(dir, ".env.test"), "KEY=1\n")
	put(t, filepath.Join(dir, "not ignored [x]*", "y"), "y\n")
	put(t, filepath.Join(dir, "build", "deep", "tool"), "#!/bin/sh\n")
	put(t, filepath.Join(dir, "build", "deep", ".git", "config"), "x\n")
	put(t, filepath.Join(dir, "committed.txt"), "old\n")
	gitAs(t, dir, "add", "committed.txt")
	gitAs(t, dir, "commit", "-qm", "app")
	put(t, filepath.Join(dir, "committed.txt"), "changed\n")
	ok := must[any](t)
	ok(nil, os.Chmod(filepath.Join(dir, "build", "deep", "tool"), 0o755))
	ok(nil, os.Symlink("/etc/hostname", filepath.Join(dir, "build", "link")))
	ok(nil, os.Symlink(t.TempDir(), filepath.Join(dir, "away")))
	ok(nil, syscall.Mkfifo(filepath.Join(dir, "build", "pipe"), 0o600))
	before := fingerprint(t, dir)
	names := []string{".env.test", "not ignored [x]*", "build", "committed.txt", "absent", "../main.go", "/etc/passwd", ".", "away/x", ".git"}
	tree, report := create(t, dir, BaseHead, names...)
	sameFiles(t, before, fingerprint(t, dir))
	if !slices.Equal(report.Copied, []string{".env.test", "not ignored [x]*", "build"}) || !slices.Equal(report.Missing, []string{"absent"}) {
		t.Errorf("copied %q, missing %q", report.Copied, report.Missing)
	}
	var refused []string
	for _, refusal := range report.Refused {
		refused = append(refused, refusal.Path)
	}
	if want := []string{"build/pipe", "../main.go", "/etc/passwd", ".", "away/x", ".git"}; !slices.Equal(refused, want) {
		t.Errorf("refused %q, want %q", refused, want)
	}
	for name, want := range map[string]string{".env.test": "KEY=1\n", "not ignored [x]*/y": "y\n", "build/deep/tool": "#!/bin/sh\n", "committed.txt": "old\n"} {
		if got := get(t, filepath.Join(tree.Root(), name)); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	gone(t, filepath.Join(tree.Root(), "build", "deep", ".git"))
	if info := must[os.FileInfo](t)(os.Stat(filepath.Join(tree.Root(), "build", "deep", "tool"))); info.Mode().Perm() != 0o755 {
		t.Errorf("the tool's mode is %v", info.Mode())
	}
	if target := must[string](t)(os.Readlink(filepath.Join(tree.Root(), "build", "link"))); target != "/etc/hostname" {
		t.Errorf("link to %s", target)
	}
	noLinks(t, tree.Dir)
	clean(t, tree.Dir)
	kinds, made := changesOf(t, tree, 1, tree.Base)
	wantKinds(t, kinds, nil)
	ok(nil, tree.Reset(t.Context(), made))
	get(t, filepath.Join(tree.Root(), ".env.test"))
	get(t, filepath.Join(tree.Root(), "not ignored [x]*", "y"))
	clean(t, tree.Dir)
}

func TestCopiesStayInTheTree(t *testing.T) {
	userHome(t)
	dir, outside := plainRepo(t), t.TempDir()
	must[any](t)(nil, os.Symlink(outside, filepath.Join(dir, "conf")))
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "link")
	must[any](t)(nil, os.Remove(filepath.Join(dir, "conf")))
	put(t, filepath.Join(dir, "conf", ".env"), "x")
	_, report := create(t, dir, BaseHead, "conf/.env")
	gone(t, filepath.Join(outside, ".env"))
	if len(report.Refused) != 1 || !strings.HasPrefix(report.Refused[0].Path, "conf") {
		t.Errorf("report %+v", report)
	}
}
