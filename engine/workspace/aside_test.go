package workspace

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// entriesOf is mode and path of all a tree holds.
func entriesOf(t *testing.T, tree *Tree, hash string) map[string]string {
	t.Helper()
	out := must[[]byte](t)(tree.top().engine().run(t.Context(), "ls-tree", "-r", "-z", "--full-tree", hash))
	list := map[string]string{}
	for _, line := range fields(out) {
		meta, path, _ := strings.Cut(line, "\t")
		parts := strings.Fields(meta)
		list[path] = parts[0] + " " + parts[2]
	}
	return list
}

func TestSetAsideSplitsEveryKindOfChange(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	for _, name := range []string{"mode.sh", "gone.txt", "old.txt", "type.txt", "dir/inner.txt", "file", "mine.txt", "odd/\xff\n\"\t"} {
		put(t, filepath.Join(dir, name), "content of "+name+"\nwith\nlines\n")
	}
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "more")
	tree, _ := create(t, dir, BaseHead)
	at := func(name string) string { return filepath.Join(tree.Dir, name) }
	ok := must[any](t)
	ok(nil, os.Chmod(at("mode.sh"), 0o755))
	ok(nil, os.Remove(at("gone.txt")))
	ok(nil, os.Rename(at("old.txt"), at("new.txt")))
	ok(nil, os.Remove(at("type.txt")))
	ok(nil, os.Symlink("/etc/passwd", at("type.txt")))
	ok(nil, os.RemoveAll(at("dir")))
	put(t, at("dir"), "now a file\n")
	ok(nil, os.Remove(at("file")))
	put(t, at("file/inside.txt"), "now a directory\n")
	put(t, at("odd/\xff\n\"\t"), "changed\n")
	put(t, at("nested/hidden.txt"), "hidden\n")
	put(t, at("nested/deep/hidden.txt"), "hidden too\n")
	gitAs(t, at("nested"), "init", "-q")
	put(t, at("mine.txt"), "mine, changed\n")
	put(t, at("main.go"), "package kept\n")

	full := must[string](t)(tree.WriteTree(t.Context()))
	var apart []string
	for _, change := range must[[]FileChange](t)(tree.Changes(t.Context(), tree.Base, full)) {
		for _, path := range []string{change.Path, change.OldPath} {
			if path != "" && path != "mine.txt" && path != "main.go" {
				apart = append(apart, path)
			}
		}
	}
	inside, outside, err := tree.SetAside(t.Context(), tree.Base, full, apart)
	ok(nil, err)
	base, in, out := entriesOf(t, tree, tree.Base), entriesOf(t, tree, inside), entriesOf(t, tree, outside)

	want := maps.Clone(base)
	all := entriesOf(t, tree, full)
	want["mine.txt"], want["main.go"] = all["mine.txt"], all["main.go"]
	if !maps.Equal(in, want) {
		t.Errorf("inside holds %q, want %q", in, want)
	}
	if out["mine.txt"] != base["mine.txt"] || out["main.go"] != base["main.go"] {
		t.Error("outside holds changes of the task")
	}
	for path, entry := range all {
		if path != "mine.txt" && path != "main.go" && path != "nested" && out[path] != entry {
			t.Errorf("outside has %q for %q, the work tree %q", out[path], path, entry)
		}
	}
	for _, path := range []string{"gone.txt", "old.txt", "dir/inner.txt", "file"} {
		if _, there := out[path]; there {
			t.Errorf("outside still has %q", path)
		}
	}
	for _, path := range []string{"nested/hidden.txt", "nested/deep/hidden.txt"} {
		if !strings.HasPrefix(out[path], "100644 ") {
			t.Errorf("outside has %q for %q of a nested repository", out[path], path)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(tree.engineDir(), "*.index*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestSetAsideInAProjectThatIsAFolderOfARepository(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	put(t, filepath.Join(dir, "size", ".growbench", "x"), "")
	tree, _ := create(t, filepath.Join(dir, "size"), BaseHead)
	if tree.Project.Prefix != "size" {
		t.Fatalf("the project is at %q", tree.Project.Prefix)
	}
	put(t, filepath.Join(tree.Dir, "main.go"), "package other\n")
	put(t, filepath.Join(tree.Root(), "size.go"), "package kept\n")
	full := must[string](t)(tree.WriteTree(t.Context()))
	inside, outside, err := tree.SetAside(t.Context(), tree.Base, full, []string{"../main.go"})
	must[any](t)(nil, err)
	all, base := entriesOf(t, tree, full), entriesOf(t, tree, tree.Base)
	if in := entriesOf(t, tree, inside); in["main.go"] != base["main.go"] || in["size/size.go"] != all["size/size.go"] {
		t.Errorf("inside holds %q", in)
	}
	if out := entriesOf(t, tree, outside); out["main.go"] != all["main.go"] || out["size/size.go"] != base["size/size.go"] {
		t.Errorf("outside holds %q", out)
	}
	if _, _, err := tree.SetAside(t.Context(), tree.Base, full, []string{"../../etc/passwd"}); err == nil {
		t.Error("a path outside the tree was taken")
	}
}

func TestOutsideRefsDoNotReplaceEachOther(t *testing.T) {
	userHome(t)
	tree, _ := create(t, plainRepo(t), BaseHead)
	first := must[string](t)(tree.CommitTree(t.Context(), tree.Base+"^{tree}", tree.Base, "one", testTime))
	second := must[string](t)(tree.CommitTree(t.Context(), tree.Base+"^{tree}", tree.Base, "two", testTime))
	var names []string
	for _, commit := range []string{first, first, second, first} {
		names = append(names, must[string](t)(tree.KeepOutside(t.Context(), 3, commit)))
	}
	const ref = "refs/growbench/run-1/3-outside"
	if want := []string{ref, ref, ref + "-2", ref}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
