//go:build cgo

package ledger

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"growbench/mapgen/symbols"
)

// TestChangesOfTheSampleSet measures what is seen against changes whose
// entries were written down before anything had looked at them. Each file
// holds two trees and the entries that lie between them.
func TestChangesOfTheSampleSet(t *testing.T) {
	cases, traps, wanted, found, right := 0, 0, 0, 0, 0
	kinds, languages := map[string]int{}, map[string]bool{}
	eachCase(t, func(name string, files []FileChange, want []string) {
		cases++
		if len(want) == 0 {
			traps++
		}
		got := []string{}
		for _, c := range Compare(files).Changes {
			got = append(got, label(c))
			kinds[c.Kind]++
		}
		languages[filepath.Dir(name)] = true
		wanted += len(want)
		found += len(got)
		for _, w := range want {
			if slices.Contains(got, w) {
				right++
			} else {
				t.Errorf("%s: not found: %s", name, w)
			}
		}
		for _, g := range got {
			if !slices.Contains(want, g) {
				t.Errorf("%s: not wanted: %s", name, g)
			}
		}
	})
	t.Logf("%d cases in %d languages, %d of them without a change; %d entries wanted, %d found, %d right; by kind %v",
		cases, len(languages), traps, wanted, found, right, kinds)
	if cases < 60 || len(languages) < 5 || len(kinds) < 5 || traps < 8 {
		t.Errorf("the set is too small: %d cases, %d languages, %d kinds, %d traps", cases, len(languages), len(kinds), traps)
	}
}

// Backwards, what was added is gone; nothing may come out of a tree that is
// compared with itself.
func TestATreeDoesNotDifferFromItself(t *testing.T) {
	eachCase(t, func(name string, files []FileChange, _ []string) {
		for _, f := range files {
			for _, side := range []*Version{f.Before, f.After} {
				if side == nil {
					continue
				}
				if changes := Compare([]FileChange{{side, side}}).Changes; len(changes) > 0 {
					t.Errorf("%s: %s differs from itself: %v", name, side.Code.Path, changes)
				}
			}
		}
	})
}

func label(c Change) string {
	parts := []string{c.Kind, c.Class, c.Symbol, c.File}
	if c.To != "" {
		parts = append(parts, c.To)
	}
	return strings.Join(parts, " | ")
}

// eachCase reads the sample set.
func eachCase(t *testing.T, do func(name string, files []FileChange, want []string)) {
	t.Helper()
	const root = "testdata/changes"
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		parts := sections(string(data))
		var want []string
		for line := range strings.Lines(parts["want"]) {
			if line = strings.TrimSpace(line); line != "" {
				want = append(want, line)
			}
		}
		do(name, fileChanges(parts), want)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sections cuts a case at its lines of the form "-- name --".
func sections(text string) map[string]string {
	parts, name := map[string]string{}, ""
	for line := range strings.Lines(text) {
		if head, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(head, " --") {
			name = strings.TrimSuffix(head, " --")
			parts[name] = ""
			continue
		}
		parts[name] += line
	}
	return parts
}

func fileChanges(parts map[string]string) []FileChange {
	byPath := map[string]*FileChange{}
	var paths []string
	for name, text := range parts {
		side, path, ok := strings.Cut(name, "/")
		if !ok {
			continue
		}
		if byPath[path] == nil {
			byPath[path] = &FileChange{}
			paths = append(paths, path)
		}
		version := &Version{text, symbols.Extract(path, []byte(text), symbols.Limits{})}
		if side == "before" {
			byPath[path].Before = version
		} else {
			byPath[path].After = version
		}
	}
	slices.Sort(paths)
	var files []FileChange
	for _, p := range paths {
		files = append(files, *byPath[p])
	}
	return files
}
