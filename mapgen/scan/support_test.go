package scan

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"
	"testing"
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

// write makes files: "name": content, directories as needed.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

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

// unprivileged runs the test once more as a user for whom permissions count,
// when it runs as root. It answers true in the process that is to do the work.
func unprivileged(t *testing.T) bool {
	t.Helper()
	if os.Geteuid() != 0 {
		return true
	}
	dir, err := os.MkdirTemp("", "growbench-nobody-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		exec.Command("chmod", "-R", "u+rwx", dir).Run()
		os.RemoveAll(dir)
	})
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "test")
	if err := os.WriteFile(program, self, 0o755); err != nil {
		t.Fatal(err)
	}
	const nobody = 65534
	for _, p := range []string{dir, program} {
		if err := os.Chown(p, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, "-test.run", "^"+t.Name()+"$", "-test.count", "1")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "no tests to run") {
		t.Errorf("as another user: %v\n%s", err, out)
	}
	return false
}
