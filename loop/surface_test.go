package loop

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFindSurface(t *testing.T) {
	for name, c := range map[string]struct {
		files      map[string]string
		dir, named string
		path, why  string
	}{
		"named":     {map[string]string{"BACKLOG.md": "- a", "work/list.md": "- b"}, ".", "work/list.md", "work/list.md", "named"},
		"declared":  {map[string]string{"BACKLOG.md": "- a", "AGENTS.md": "Rules.\n- Canonical open work: `docs/open.md`.\n", "docs/open.md": "- b"}, ".", "", "docs/open.md", "declared in AGENTS.md"},
		"near":      {map[string]string{"TODO.md": "- a", "ui/TODO.md": "- b"}, "ui/cli", "", "ui/TODO.md", "the nearest TODO.md"},
		"root":      {map[string]string{"ROADMAP.md": "- a", "TODO.md": "- b"}, "ui/cli", "", "ROADMAP.md", "the nearest ROADMAP.md"},
		"order":     {map[string]string{"PLAN.md": "- a", "BACKLOG.md": "- b"}, ".", "", "BACKLOG.md", "the nearest BACKLOG.md"},
		"own words": {map[string]string{"pkg/AGENTS.md": "Canonical open work: open.md", "pkg/open.md": "- x", "BACKLOG.md": ""}, "pkg", "", "pkg/open.md", "declared in pkg/AGENTS.md"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := FindSurface(tree(t, c.files), c.dir, c.named)
			if err != nil || s.Path != c.path || s.Reason != c.why {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
}

func TestFindSurfaceRefuses(t *testing.T) {
	root := tree(t, map[string]string{"AGENTS.md": "Canonical open work: gone.md\n", "TODO.md": "- a", "elsewhere/x": ""})
	if _, err := FindSurface(root, ".", ""); err == nil || !strings.Contains(err.Error(), "AGENTS.md declares") {
		t.Errorf("a declaration of nothing: %v", err)
	}
	if _, err := FindSurface(root, ".", "../secret.md"); err == nil {
		t.Error("a file outside was read")
	}
	empty := tree(t, map[string]string{"README.md": "hello"})
	if _, err := FindSurface(empty, ".", ""); !errors.Is(err, ErrNoSurface) {
		t.Errorf("no surface: %v", err)
	}
	if err := syscall.Mkfifo(filepath.Join(empty, "BACKLOG.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	outside := tree(t, map[string]string{"list.md": "- secret"})
	if err := os.Symlink(filepath.Join(outside, "list.md"), filepath.Join(empty, "TODO.md")); err != nil {
		t.Fatal(err)
	}
	if s, err := FindSurface(empty, ".", ""); !errors.Is(err, ErrNoSurface) {
		t.Errorf("a FIFO or a link that leads out: %+v, %v", s, err)
	}
}

func TestOpenItems(t *testing.T) {
	for text, want := range map[string]string{
		"# Work\n\n- one\n- two\n  - detail\n":        "3 Work one|4 Work two",
		"- [ ] one\n- [x] two\n  - [ ] three\n- four": "1  one|3  three",
		"- [x] all\n- [X] done\n":                     "",
		"## Open\n1. one\n2) two\n## Done\n- three\n": "2 Open one|3 Open two",
		"- ~~dropped~~\n* kept\n":                     "2  kept",
		"```\n- code\n```\n+ real\n":                  "4  real",
		"~~~\n```\n- code\n~~~\n- real\r\n":           "5  real",
		"prose only":                                  "",
		"":                                            "",
	} {
		var got []string
		for _, i := range OpenItems(text) {
			got = append(got, fmt.Sprintf("%d %s %s", i.Line, i.Section, i.Text))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", text, strings.Join(got, "|"), want)
		}
	}
}

func FuzzOpenItems(f *testing.F) {
	f.Add("- [ ] a\n# b\n```\n1. c")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, i := range OpenItems(text) {
			if i.Line < 1 || i.Line > lines || strings.TrimSpace(i.Text) == "" {
				t.Errorf("%+v", i)
			}
		}
	})
}
