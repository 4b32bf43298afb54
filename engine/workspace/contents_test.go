package workspace

import (
	"strings"
	"testing"
)

func TestContentsAreReadByObjectAndByPath(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	put(t, dir+"/big.txt", strings.Repeat("x", 5000))
	put(t, dir+"/odd name/ä.txt", "odd\nlines\n\n")
	put(t, dir+"/empty.txt", "")
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "more")
	tree, report := create(t, dir, BaseHead)
	got, err := tree.ContentsAt(t.Context(), report.Base, []string{"odd name/ä.txt", "gone.txt", "odd name", "big.txt", "empty.txt", "../x", "a\nb"}, 4096)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || string(got["odd name/ä.txt"]) != "odd\nlines\n\n" || got["empty.txt"] == nil || len(got["empty.txt"]) != 0 {
		t.Errorf("read %q", got)
	}
	put(t, tree.Dir+"/big.txt", "small")
	next, err := tree.WriteTree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	changes, err := tree.Changes(t.Context(), report.Base, next)
	if err != nil || len(changes) != 1 {
		t.Fatalf("changes %+v, %v", changes, err)
	}
	c := changes[0]
	objects, err := tree.Contents(t.Context(), []string{c.OldObject, c.NewObject, strings.Repeat("0", len(c.NewObject))}, 4096)
	if err != nil || len(objects) != 1 || string(objects[c.NewObject]) != "small" {
		t.Errorf("read %q, %v", objects, err)
	}
	if none, err := tree.Contents(t.Context(), nil, 1); err != nil || len(none) != 0 {
		t.Errorf("nothing asked for: %v, %v", none, err)
	}
}
