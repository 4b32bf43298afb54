package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows are the imports between our rooms that ARCHITECTURE.md allows. A room
// stands for its sub-rooms only where it says "/...".
func arrows(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		for room := range strings.SplitSeq(cells[1], "·") {
			room = strings.Trim(strings.TrimSpace(room), "`")
			for target := range strings.SplitSeq(cells[3], ",") {
				if target = strings.Trim(strings.TrimSpace(target), "`"); target != "–" {
					allowed[room] = append(allowed[room], target)
				}
			}
			if allowed[room] == nil {
				allowed[room] = []string{}
			}
		}
	}
	return allowed
}

func TestImportsFollowTheTableOfRooms(t *testing.T) {
	allowed := arrows(t)
	if len(allowed) < 10 {
		t.Fatalf("ARCHITECTURE.md names only %d rooms", len(allowed))
	}
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || path != "." && strings.HasPrefix(entry.Name(), ".")) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		room := filepath.ToSlash(filepath.Dir(path))
		if room == "." {
			room = "main.go"
		}
		may, known := allowed[room]
		if !known {
			t.Errorf("%s is in no room of ARCHITECTURE.md", path)
			return nil
		}
		for _, target := range imports(t, path) {
			if ours, ok := strings.CutPrefix(target, "growbench/"); ok && !admits(may, ours) {
				t.Errorf("%s imports %s, which ARCHITECTURE.md does not allow for %s", path, ours, room)
			}
			if strings.HasPrefix(target, "charm.land/bubbletea/") && !slices.Contains([]string{"main.go", "ui", "views", "theme"}, room) {
				t.Errorf("%s imports Bubble Tea; only ui, views and theme draw", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func imports(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, name)
	}
	return out
}

func admits(allowed []string, target string) bool {
	for _, a := range allowed {
		below, whole := strings.CutSuffix(a, "/...")
		if a == target || whole && (below == target || strings.HasPrefix(target, below+"/")) {
			return true
		}
	}
	return false
}
