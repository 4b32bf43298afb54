package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// superproject has a submodule `lib` with a submodule `deep`, both initialised,
// and one, `cold`, that is not.
func superproject(t *testing.T) string {
	t.Helper()
	deep, lib, cold, top := plainRepo(t), plainRepo(t), plainRepo(t), plainRepo(t)
	gitAs(t, lib, "submodule", "-q", "add", deep, "deep")
	gitAs(t, lib, "commit", "-qm", "deep")
	gitAs(t, top, "submodule", "-q", "add", lib, "lib")
	gitAs(t, top, "submodule", "-q", "add", cold, "cold")
	gitAs(t, top, "commit", "-qm", "submodules")
	dir := filepath.Join(t.TempDir(), "super")
	gitAs(t, "/", "clone", "-q", top, dir)
	gitAs(t, dir, "submodule", "-q", "update", "--init", "--recursive", "lib")
	return dir
}

func TestSubmodules(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		dir := superproject(t)
		tree, report := works(t, dir, base)
		states := map[string]string{}
		for _, sub := range report.Submodules {
			states[sub.Path] = sub.Missing
		}
		if len(states) != 3 || states["lib"] != "" || states["lib/deep"] != "" || states["cold"] != "not initialised" {
			t.Errorf("submodules %+v", report.Submodules)
		}
		for _, path := range []string{"lib", "lib/deep"} {
			inner := filepath.Join(tree.Dir, path)
			if got := get(t, filepath.Join(inner, "main.go")); got != "package main\n" {
				t.Errorf("%s/main.go is %q", path, got)
			}
			if got := gitAs(t, inner, "remote"); got != "" {
				t.Errorf("%s has remotes %q", path, got)
			}
			clean(t, inner)
		}
	})
}

func TestResetRestoresSubmodules(t *testing.T) {
	userHome(t)
	tree, _ := create(t, superproject(t), BaseHead)
	lib := filepath.Join(tree.Dir, "lib")
	put(t, filepath.Join(lib, "main.go"), "package broken\n")
	put(t, filepath.Join(lib, "new.txt"), "new\n")
	gitAs(t, lib, "add", "-A")
	gitAs(t, lib, "commit", "-qm", "agent")
	made := commit(t, tree, 1, tree.Base)
	changes := must[[]FileChange](t)(tree.Changes(t.Context(), tree.Base, made))
	if len(changes) != 1 || changes[0].Path != "lib" || changes[0].Kind != Modified {
		t.Errorf("changes %+v", changes)
	}
	must[any](t)(nil, os.RemoveAll(filepath.Join(lib, "deep", ".git")))
	must[any](t)(nil, tree.Reset(t.Context(), tree.Base))
	clean(t, tree.Dir)
	clean(t, lib)
	clean(t, filepath.Join(lib, "deep"))
	gone(t, filepath.Join(lib, "new.txt"))
	must[any](t)(nil, os.RemoveAll(lib))
	must[any](t)(nil, tree.Reset(t.Context(), tree.Base))
	clean(t, lib)
	clean(t, filepath.Join(lib, "deep"))
	if got := get(t, filepath.Join(lib, "deep", "main.go")); got != "package main\n" {
		t.Errorf("main.go is %q", got)
	}
}

func TestChangesInsideSubmodulesAreNamed(t *testing.T) {
	userHome(t)
	tree, _ := create(t, superproject(t), BaseHead)
	if dirty := must[[]string](t)(tree.DirtySubmodules(t.Context())); len(dirty) != 0 {
		t.Errorf("at first dirty: %q", dirty)
	}
	put(t, filepath.Join(tree.Dir, "cold", "x"), "x")
	put(t, filepath.Join(tree.Dir, "lib", "deep", "main.go"), "package other\n")
	tree = must[*Tree](t)(OpenTree(t.Context(), tree.RunDir, tree.Dir))
	if dirty := must[[]string](t)(tree.DirtySubmodules(t.Context())); !slices.Equal(dirty, []string{"cold", "lib/deep"}) {
		t.Errorf("dirty: %q", dirty)
	}
	must[any](t)(nil, tree.Reset(t.Context(), tree.Base))
	if dirty := must[[]string](t)(tree.DirtySubmodules(t.Context())); len(dirty) != 0 {
		t.Errorf("after a reset dirty: %q", dirty)
	}
	clean(t, tree.Dir)
}

func TestProjectThatIsASubmodule(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		userHome(t)
		works(t, filepath.Join(superproject(t), "lib"), base)
	})
}
