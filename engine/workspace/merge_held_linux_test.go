package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// asNobody runs the test of that name again without root's rights, which no
// file mode holds back.
func asNobody(t *testing.T) {
	t.Helper()
	placeAttackTool(t)
	cmd := exec.Command("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all",
		attackToolPath, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir, cmd.Env = "/var/tmp", append(os.Environ(), "HOME=/var/tmp", "TMPDIR=/var/tmp")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "\n--- PASS: "+t.Name()) {
		t.Errorf("as nobody: %v\n%s", err, out)
	}
}

func TestMergeRefusesDirectoriesItMayNotWriteTo(t *testing.T) {
	if os.Getuid() == 0 {
		asNobody(t)
		return
	}
	for place, words := range map[string][]string{"size": {"cannot be written to", "size"}, ".": {"cannot be written to"}} {
		userHome(t)
		dir := plainRepo(t)
		tree, tip := worked(t, dir, BaseHead, usual(t))
		held := filepath.Join(dir, place)
		must[any](t)(nil, os.Chmod(held, 0o555))
		refused(t, tree, tip, words...)
		must[any](t)(nil, os.Chmod(held, 0o755))
		mergeInto(t, tree, tip)
		if got := status(t, dir); got != "" {
			t.Errorf("%s: status:\n%s", place, got)
		}
	}
}

// Names that differ by case alone are two names: each stays the user's.
func TestMergeOfNamesThatDifferByCase(t *testing.T) {
	for _, ignoreCase := range []string{"false", "true"} {
		userHome(t)
		dir := plainRepo(t)
		put(t, filepath.Join(dir, "README.md"), "one\n")
		gitAs(t, dir, "add", "-A")
		gitAs(t, dir, "commit", "-qm", "more")
		gitAs(t, dir, "config", "core.ignoreCase", ignoreCase)
		tree, tip := worked(t, dir, BaseHead, func(root string) {
			must[any](t)(nil, os.Rename(filepath.Join(root, "README.md"), filepath.Join(root, "readme.md")))
			must[any](t)(nil, os.Rename(filepath.Join(root, "size"), filepath.Join(root, "Size")))
		})
		put(t, filepath.Join(dir, "readme.md"), "mine\n")
		refused(t, tree, tip, "readme.md (a file of yours")
		must[any](t)(nil, os.Remove(filepath.Join(dir, "readme.md")))
		mergeInto(t, tree, tip)
		gone(t, filepath.Join(dir, "README.md"))
		if got := get(t, filepath.Join(dir, "readme.md")); got != "one\n" {
			t.Errorf("readme.md: %q", got)
		}
		if got := status(t, dir); got != "" {
			t.Errorf("ignoreCase %s: status:\n%s", ignoreCase, got)
		}
	}
}
