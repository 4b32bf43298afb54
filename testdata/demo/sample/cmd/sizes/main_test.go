package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// project makes a directory with a large and a small child.
func project(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, bytes := range map[string]int{"large/data.bin": 2_000_000, "small/note.txt": 1500} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, bytes), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestRun(t *testing.T) {
	root := project(t)
	cases := []struct {
		name   string
		args   []string
		code   int
		stdout []string
		stderr string
	}{
		{"a table", []string{root}, fine, []string{"2.0 MB      1  large\n", "1.5 KB      1  small\n"}, ""},
		{"only what is large", []string{"-least", "1MB", root}, fine, []string{"large", "2.0 MB      1  total\n"}, ""},
		{"a name left out", []string{"-skip", "large,other", root}, fine, []string{"1.5 KB      1  total\n"}, ""},
		{"JSON", []string{"-json", root}, fine, []string{`{"name":"large","bytes":2000000,"files":1}`}, ""},
		{"no size", []string{"-least", "huge", root}, misused, nil, "not a size"},
		{"two directories", []string{root, root}, misused, nil, "one directory"},
		{"no directory", []string{filepath.Join(root, "gone")}, problems, nil, "gone"},
	}
	for _, c := range cases {
		var stdout, stderr strings.Builder
		if code := run(c.args, &stdout, &stderr); code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s", c.name, code, c.code, stderr.String())
		}
		for _, want := range c.stdout {
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("%s: output\n%sdoes not hold %q", c.name, stdout.String(), want)
			}
		}
		if c.stderr == "" && stderr.Len() > 0 || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("%s: errors %q, want %q in them", c.name, stderr.String(), c.stderr)
		}
	}
}
