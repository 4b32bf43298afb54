package scan

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"growbench/testdata/fixture"
)

// git runs git as a user would, without the machine's configuration.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(environment(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

var write = fixture.PutAll

func touch(t testing.TB, dir string, names ...string) {
	t.Helper()
	for _, n := range names {
		write(t, dir, map[string]string{n: "x\n"})
	}
}

func scanOf(t testing.TB, root string, o Options) *Tree {
	t.Helper()
	tree, err := Scan(context.Background(), root, o)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func filesOf(tree *Tree) []string {
	files := []string{}
	for _, d := range tree.Dirs {
		for _, f := range d.Files {
			files = append(files, Join(d.Path, f.Name))
		}
	}
	sort.Strings(files)
	return files
}

func dirsOf(tree *Tree) []string {
	var dirs []string
	for _, d := range tree.Dirs {
		dirs = append(dirs, d.Path)
	}
	return dirs
}

// listed is what git itself says belongs to the tree, without our own files.
func listed(t testing.TB, root string) []string {
	t.Helper()
	files := []string{}
	for f := range strings.SplitSeq(strings.TrimSuffix(git(t, root, "ls-files", "-z", "-co", "--exclude-standard"), "\x00"), "\x00") {
		if f == "" || strings.HasSuffix(f, "/") || Ours(filepath.Base(f)) {
			continue
		}
		if info, err := os.Lstat(filepath.Join(root, f)); err != nil || info.IsDir() {
			continue // deleted, or a submodule
		}
		files = append(files, f)
	}
	sort.Strings(files)
	return slices.Compact(files)
}

func same(t testing.TB, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\ngot  %q\nwant %q", what, got, want)
	}
}

var unprivileged = fixture.Unprivileged
