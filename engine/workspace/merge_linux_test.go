package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMergeAcrossFileSystems(t *testing.T) {
	userHome(t)
	shm, err := os.MkdirTemp("/dev/shm", "growbench-merge-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(shm) })
	dir := filepath.Join(shm, "project")
	put(t, filepath.Join(dir, "a.txt"), "old\n")
	tree, tip := worked(t, dir, BaseSnapshot, func(root string) {
		put(t, filepath.Join(root, "a.txt"), "new\n")
		put(t, filepath.Join(root, "b.txt"), "new\n")
		must[any](t)(nil, os.Symlink("a.txt", filepath.Join(root, "link")))
	})
	mergeInto(t, tree, tip)
	if got := get(t, filepath.Join(dir, "link")) + get(t, filepath.Join(dir, "b.txt")); got != "new\nnew\n" {
		t.Errorf("%q", got)
	}
	entries := must[[]os.DirEntry](t)(os.ReadDir(dir))
	if len(entries) != 3 {
		t.Errorf("in the project stand %v", entries)
	}
}
