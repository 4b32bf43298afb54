package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScopeAllowsTargetsAndWhatLiesUnderDirectories(t *testing.T) {
	scope := Scope{Targets: []string{"a.go", "./b.go", "new/", "deep/er/"}}
	for path, want := range map[string]bool{
		"a.go": true, "b.go": true, "new/x.go": true, "new/sub/x.go": true, "deep/er/y": true,
		"a.go2": false, "sub/a.go": false, "new": false, "newer/x.go": false, "deep/y": false, "": false,
	} {
		if got := scope.Allows(path); got != want {
			t.Errorf("Allows(%q) = %v", path, got)
		}
	}
	if scope.Names("new/x.go") || !scope.Names("a.go") {
		t.Error("a directory target must not name files")
	}
	if !(Scope{All: true}).Allows("anything") || (Scope{}).Allows("anything") {
		t.Error("All allows everything, the zero scope nothing")
	}
}

func TestChangesOutsideTheScopeAreRefusedInWordsThatTellWhatToDo(t *testing.T) {
	f, dir := project(t, Scope{Targets: []string{"a.go"}}, "a.go", "package p\n", "b.go", "package p\n")
	for what, change := range map[string]func() (Change, error){
		"edit":        func() (Change, error) { return f.Edit("b.go", "p", "q", "") },
		"write":       func() (Change, error) { return f.Write("./b.go", []byte("x")) },
		"delete":      func() (Change, error) { return f.Delete("b.go") },
		"rename from": func() (Change, error) { return f.Rename("b.go", "a.go") },
	} {
		_, err := change()
		var refusal *OutOfScopeError
		if !errors.As(err, &refusal) || refusal.Path != "b.go" || !errors.Is(err, ErrOutOfScope) {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if !strings.Contains(err.Error(), "blocked: needs b.go") {
			t.Errorf("%s does not tell how to ask for the file: %v", what, err)
		}
	}
	if _, err := f.Rename("a.go", "c.go"); !errors.Is(err, ErrOutOfScope) {
		t.Errorf("rename to a file outside: %v", err)
	}
	if _, err := f.Write("dir/new.go", nil); !errors.Is(err, ErrOutOfScope) {
		t.Errorf("new file outside: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "dir")); err == nil {
		t.Error("a refused write made its directory")
	}
	if content(t, dir+"/b.go") != "package p\n" {
		t.Error("b.go changed")
	}
	if _, err := f.Edit("a.go", "package p", "package q", ""); err != nil {
		t.Errorf("edit of the target: %v", err)
	}
}

func TestDirectoryTargetMeansNewFiles(t *testing.T) {
	f, _ := project(t, Scope{Targets: []string{"pkg/"}}, "pkg/old.go", "package pkg\n")
	if _, err := f.Write("pkg/sub/new.go", []byte("package sub\n")); err != nil {
		t.Errorf("new file: %v", err)
	}
	if _, err := f.Edit("pkg/sub/new.go", "sub", "other", ""); err != nil {
		t.Errorf("edit of a file made by this Worker: %v", err)
	}
	for what, change := range map[string]func() (Change, error){
		"edit":   func() (Change, error) { return f.Edit("pkg/old.go", "pkg", "x", "") },
		"delete": func() (Change, error) { return f.Delete("pkg/old.go") },
	} {
		if _, err := change(); !errors.Is(err, ErrOutOfScope) || !strings.Contains(err.Error(), "new files only") {
			t.Errorf("%s of a file that was there: %v", what, err)
		}
	}
}

func TestDirectoryTargetAsksTheBaseWhatIsNew(t *testing.T) {
	scope := Scope{Targets: []string{"pkg/"}, Existed: func(path string) bool { return path == "pkg/base.go" }}
	f, _ := project(t, scope, "pkg/base.go", "1\n", "pkg/from-an-earlier-try.go", "1\n")
	if _, err := f.Edit("pkg/from-an-earlier-try.go", "1", "2", ""); err != nil {
		t.Errorf("file the base does not have: %v", err)
	}
	if _, err := f.Edit("pkg/base.go", "1", "2", ""); !errors.Is(err, ErrOutOfScope) {
		t.Errorf("file of the base: %v", err)
	}
}

func TestScopeIsAskedAboutTheTargetOfALink(t *testing.T) {
	f, dir := project(t, Scope{Targets: []string{"a.go", "dir/b.go"}}, "secret.go", "package p\n", "other/b.go", "package b\n")
	for link, target := range map[string]string{"a.go": "secret.go", "dir": "other"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{"a.go": "secret.go", "dir/b.go": "other/b.go"} {
		_, err := f.Edit(path, "package", "module", "")
		var refusal *OutOfScopeError
		if !errors.As(err, &refusal) || refusal.Path != want {
			t.Errorf("edit of %s, a link to %s: %v", path, want, err)
		}
	}
	if _, err := f.Delete("a.go"); err != nil {
		t.Errorf("delete of the link itself: %v", err)
	}
	if content(t, dir+"/secret.go") != "package p\n" {
		t.Error("deleting the link touched its target")
	}
}
