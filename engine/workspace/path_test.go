package workspace

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// project opens a fresh directory with the files given as path, content, ….
func project(t *testing.T, scope Scope, files ...string) (*Files, string) {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f, err := OpenFiles(dir, scope)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, dir
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestResolveAcceptsAndRefusesPathForms(t *testing.T) {
	var forms []struct{ Path, Rel, Warning, Refused string }
	raw, err := os.ReadFile("testdata/paths.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &forms); err != nil {
		t.Fatal(err)
	}
	f, dir := project(t, Scope{All: true})
	for _, form := range forms {
		path := strings.ReplaceAll(form.Path, "$ROOT", dir)
		rel, warning, err := f.Resolve(path)
		if form.Refused != "" {
			var refusal *PathError
			if !errors.As(err, &refusal) || !strings.Contains(err.Error(), form.Refused) {
				t.Errorf("Resolve(%q): got %q and error %v, want a refusal saying %q", form.Path, rel, err, form.Refused)
			}
			if _, err := f.Write(path, []byte("x")); err == nil {
				t.Errorf("Write(%q) was allowed", form.Path)
			}
			continue
		}
		if err != nil || rel != form.Rel {
			t.Errorf("Resolve(%q) = %q, error %v; want %q", form.Path, rel, err, form.Rel)
		}
		if (warning == "") != (form.Warning == "") || !strings.Contains(warning, form.Warning) {
			t.Errorf("Resolve(%q) warns %q, want %q", form.Path, warning, form.Warning)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("refused paths left files behind: %v", entries)
	}
}

func TestResolveAcceptsBothSpellingsOfALinkedRoot(t *testing.T) {
	real := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFiles(link, Scope{All: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, root := range []string{link, real} {
		if rel, _, err := f.Resolve(root + "/a.txt"); err != nil || rel != "a.txt" {
			t.Errorf("Resolve(%s/a.txt) = %q, %v", root, rel, err)
		}
	}
}

func TestReaderSeesTheMapAndChangesNothing(t *testing.T) {
	_, dir := project(t, Scope{}, ".pi-map.md", "# map\n", "a.go", "package a\n")
	f, err := OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := f.Read(".pi-map.md"); err != nil || string(got.Data) != "# map\n" {
		t.Errorf("Read(.pi-map.md) = %q, %v", got.Data, err)
	}
	if _, err := f.Read(".git/config"); err == nil {
		t.Error("a reader got into .git")
	}
	for _, path := range []string{"a.go", ".pi-map.md"} {
		if _, err := f.Write(path, nil); !errors.Is(err, ErrOutOfScope) {
			t.Errorf("Write(%s) by a reader: %v", path, err)
		}
	}
}

func FuzzResolveStaysInside(f *testing.F) {
	for _, seed := range []string{"a/../b", "/etc/passwd", "..", "./~x", "a\\b", ".GIT./x", "$/x", "$/../x", "a/./", "file://x", "x\x00"} {
		f.Add(seed)
	}
	dir := f.TempDir()
	files, err := OpenFiles(dir, Scope{All: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if rest, ok := strings.CutPrefix(path, "$"); ok {
			path = dir + rest
		}
		rel, _, err := files.Resolve(path)
		if err != nil {
			return
		}
		inside, err := filepath.Rel(dir, filepath.Join(dir, rel))
		if err != nil || inside != rel || !filepath.IsLocal(rel) || rel == "." {
			t.Fatalf("Resolve(%q) = %q leads outside or is not clean", path, rel)
		}
		for part := range strings.SplitSeq(rel, "/") {
			if strings.EqualFold(part, ".git") {
				t.Fatalf("Resolve(%q) = %q leads into git's directory", path, rel)
			}
		}
		if again, _, err := files.Resolve(rel); err != nil || again != rel {
			t.Fatalf("Resolve(%q) = %q, but resolved again: %q, %v", path, rel, again, err)
		}
	})
}
