package tool

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/model"
	"growbench/engine/workspace"
)

const room = 64 << 10

// project is a folder of files.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// worker is the tools of Worker 1.
func worker(t *testing.T, k Kit, targets ...string) *Set {
	t.Helper()
	k.Scope.Targets = targets
	if k.Env == nil {
		k.Env = workspace.Environment()
	}
	s, err := Worker(k, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// do makes a call; pairs are argument names and values.
func do(t *testing.T, s *Set, name string, pairs ...any) Return {
	t.Helper()
	args := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i].(string)] = pairs[i+1]
	}
	data, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	return s.Do(context.Background(), model.Call{Name: name, Arguments: string(data)}, room)
}

func content(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// ok fails when a call failed, or its text lacks a word.
func ok(t *testing.T, r Return, words ...string) {
	t.Helper()
	if r.Error != "" {
		t.Errorf("%s %s: %s", r.Name, r.Args, r.Error)
	}
	says(t, r.Text, words...)
}

// refused fails when a call did not fail, or does not say these words.
func refused(t *testing.T, r Return, words ...string) {
	t.Helper()
	if r.Error == "" {
		t.Errorf("%s %s was done: %s", r.Name, r.Args, r.Text)
	}
	says(t, r.Text, words...)
}

func says(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%q is not in:\n%s", w, text)
		}
	}
}
