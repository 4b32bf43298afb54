package mapgen

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestAHomeDirectoryIsNoProject(t *testing.T) {
	above, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(above, "ann")
	write(t, home, map[string]string{"notes.txt": "x\n", "code/a.go": "package code\n"})
	t.Setenv("HOME", home)
	for _, root := range []string{above, home} {
		if _, err := open(t, root, Options{}).Init(context.Background(), nil); !errors.Is(err, ErrNoProject) {
			t.Errorf("%s: %v", root, err)
		}
		entries, err := os.ReadDir(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != "ann" && e.Name() != "code" && e.Name() != "notes.txt" {
				t.Errorf("%s was written into %s", e.Name(), root)
			}
		}
	}
	if _, err := open(t, filepath.Join(home, "code"), Options{}).Init(context.Background(), nil); err != nil {
		t.Errorf("a directory at home: %v", err)
	}
	git(t, home, "init", "-q")
	if _, err := open(t, home, Options{}).Init(context.Background(), nil); err != nil {
		t.Errorf("a home that is a repository: %v", err)
	}
}
