package workspace

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestFindProjectChoosesTheRoot(t *testing.T) {
	userHome(t)
	base := must[string](t)(filepath.EvalSymlinks(t.TempDir()))
	at := func(name string) string { return filepath.Join(base, filepath.FromSlash(name)) }
	put(t, at("repo/a/b/x"), "")
	gitAs(t, "/", "init", "-q", at("repo"))
	put(t, at("repo/marked/.growbench/x"), "")
	put(t, at("repo/marked/in/x"), "")
	put(t, at("maps/.pi-map.index.md"), "# maps (index)\ndir: .\n")
	put(t, at("maps/inner/.pi-map.index.md"), "# inner (index)\ndir: .\n")
	put(t, at("maps/inner/sub/.pi-map.index.md"), "# sub (index)\ndir: sub\n")
	put(t, at("plain/x/y"), "")
	must[any](t)(nil, os.Symlink(at("repo/a"), at("link")))
	for _, test := range []struct{ dir, root, prefix string }{
		{"repo", "repo", ""},
		{"repo/a/b", "repo", ""},
		{"repo/marked/in", "repo/marked", "marked"},
		{"maps/inner/sub", "maps", ""},
		{"plain/x", "plain/x", ""},
		{"link/b", "repo", ""},
	} {
		p := find(t, at(test.dir))
		if p.Root != at(test.root) || p.Prefix != test.prefix || p.HasRepo() != strings.HasPrefix(test.root, "repo") {
			t.Errorf("%s: %+v", test.dir, p)
		}
	}
	if _, err := FindProject(at("nowhere")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
	if _, err := FindProject(at("repo/a/b/x")); err == nil {
		t.Error("a file was taken for a project")
	}
}

func TestProjectNamesDifferByPath(t *testing.T) {
	userHome(t)
	one, two := find(t, plainRepo(t)), find(t, plainRepo(t))
	if one.Name == two.Name || !regexp.MustCompile(`^proj-[0-9a-f]{8}$`).MatchString(one.Name) {
		t.Errorf("names %q and %q", one.Name, two.Name)
	}
	if again := find(t, filepath.Join(one.Root, "size")); again != one {
		t.Errorf("from inside %+v, from the top %+v", again, one)
	}
}

func TestSurroundingGitVariablesDoNotCount(t *testing.T) {
	userHome(t)
	dir, other := plainRepo(t), plainRepo(t)
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other, ".git", "index"))
	if p := find(t, dir); p.GitDir != filepath.Join(p.Root, ".git") || p.RepoTop != p.Root {
		t.Errorf("project %+v", p)
	}
}

func TestUncommittedWork(t *testing.T) {
	for name, test := range map[string]struct {
		change func(dir string)
		want   bool
	}{
		"nothing":      {func(string) {}, false},
		"touched":      {func(dir string) { put(t, dir+"/main.go", "package main\n") }, false},
		"ignored":      {func(dir string) { put(t, dir+"/x.log", "x") }, false},
		"the map":      {func(dir string) { put(t, dir+"/size/.pi-map.md", "x"); put(t, dir+"/.growbench/x", "x") }, false},
		"changed":      {func(dir string) { put(t, dir+"/main.go", "package mani\n") }, true},
		"deleted":      {func(dir string) { os.Remove(dir + "/main.go") }, true},
		"untracked":    {func(dir string) { put(t, dir+"/new", "x") }, true},
		"staged alone": {func(dir string) { put(t, dir+"/n.log", "x"); gitAs(t, dir, "add", "-f", "n.log") }, true},
		"other line ends by the repository's own setting": {func(dir string) {
			gitAs(t, dir, "config", "core.autocrlf", "true")
			os.Remove(dir + "/main.go")
			gitAs(t, dir, "checkout", "-q", "main.go")
			put(t, dir+"/main.go", "package main\r\n")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			userHome(t)
			dir := plainRepo(t)
			test.change(dir)
			before := fingerprint(t, dir)
			if got := must[bool](t)(find(t, dir).Uncommitted(t.Context())); got != test.want {
				t.Errorf("uncommitted %v, want %v", got, test.want)
			}
			sameFiles(t, before, fingerprint(t, dir))
		})
	}
}

func TestRepositoryOfAnotherUserIsRefused(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	disown(t, dir)
	_, err := FindProject(filepath.Join(dir, "size"))
	if !errors.Is(err, ErrForeignOwner) || !strings.Contains(err.Error(), "git config --global --add safe.directory "+dir) {
		t.Fatalf("error %v", err)
	}
	gitAs(t, "/", "config", "--global", "--add", "safe.directory", dir)
	if p := find(t, dir); !p.HasRepo() {
		t.Errorf("trusted, and yet %+v", p)
	}
}

// disown gives a repository to another user. Only root can; anybody else puts a
// git first in PATH that is told to take every owner for another one.
func disown(t *testing.T, dir string) {
	t.Helper()
	if os.Getuid() == 0 {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, 65534, 65534))
		})
		must[any](t)(nil, err)
		return
	}
	real := must[string](t)(exec.LookPath("git"))
	bin := t.TempDir()
	put(t, filepath.Join(bin, "git"), "#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec '"+real+"' \"$@\"\n")
	must[any](t)(nil, os.Chmod(filepath.Join(bin, "git"), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
}

func TestAChangeInTheInstantOfTheIndexIsUncommittedWork(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	path, index := filepath.Join(dir, "main.go"), filepath.Join(dir, ".git", "index")
	old := must[[]byte](t)(hex.DecodeString(gitAs(t, dir, "rev-parse", ":main.go")))
	put(t, path, "package mani\n")
	instant := time.Now().Add(-time.Hour).Truncate(time.Second)
	must[any](t)(nil, os.Chtimes(path, instant, instant))
	gitAs(t, dir, "update-index", "main.go")
	now := must[[]byte](t)(hex.DecodeString(gitAs(t, dir, "rev-parse", ":main.go")))
	// As if the file had changed after it was recorded, but in the same instant.
	put(t, index, string(bytes.ReplaceAll([]byte(get(t, index)), now, old)))
	must[any](t)(nil, os.Chtimes(index, instant, instant))
	if !must[bool](t)(find(t, dir).Uncommitted(t.Context())) {
		t.Error("not seen by its time, which equals the index's")
	}
	tree, _ := create(t, dir, BaseSnapshot)
	if got := get(t, filepath.Join(tree.Dir, "main.go")); got != "package mani\n" {
		t.Errorf("the snapshot has %q", got)
	}
}
