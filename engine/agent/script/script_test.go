package script

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

func load(t *testing.T, content string) *Script {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// play runs the script's first Worker in dir and returns what it yielded.
func play(t *testing.T, s *Script, dir string, targets ...string) ([]event.Item, agent.Outcome, error) {
	t.Helper()
	var items []event.Item
	out, err := New(s, 1e6, nil).Run(context.Background(), agent.Request{
		Role: agent.Worker, K: 1, Attempt: 1, Dir: dir, OutputDir: t.TempDir(), Env: workspace.Environment(),
		Scope: workspace.Scope{Targets: targets},
	}, func(u agent.Update) { items = append(items, u.Item) })
	return items, out, err
}

func TestStepsReallyHappen(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.txt": "one\n", "old.txt": "x\n", "gone.txt": "x\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := load(t, `{"workers":[{"task":1,"steps":[
		{"turn":1},{"say":"hello"},{"think":"hm"},
		{"read":"a.txt"},{"edit":"a.txt","old":"one","new":"ONE"},{"write":"b.txt","content":"two\n"},
		{"rename":"old.txt","to":"new.txt"},{"delete":"gone.txt"},
		{"run":"cat a.txt; exit 3","exit":3},
		{"result":{"status":"done"}}]}]}`)
	items, out, err := play(t, s, dir, "a.txt", "b.txt", "old.txt", "new.txt", "gone.txt")
	if err != nil {
		t.Fatal(err)
	}
	if string(out.Submitted) != `{"status":"done"}` {
		t.Errorf("submitted %s", out.Submitted)
	}
	for name, want := range map[string]string{"a.txt": "ONE\n", "b.txt": "two\n", "new.txt": "x\n"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	for _, name := range []string{"old.txt", "gone.txt"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	printed := false
	for _, it := range items {
		printed = printed || it.Kind == event.ItemReturn && it.Name == "run_command" && it.Text == "ONE\n" && it.Error == "exit code 3"
	}
	if !printed {
		t.Errorf("the command's output is in no item: %+v", items)
	}
}

func TestWhatWasRecordedOtherwiseEndsThePart(t *testing.T) {
	for steps, want := range map[string]string{
		`{"run":"exit 2"}`:                           "exit code 2, recorded was 0",
		`{"edit":"a.txt","old":"zz","new":"y"}`:      "a.txt",
		`{"edit":"other.txt","old":"one","new":"y"}`: "blocked: needs other.txt",
		`{"fail":"out of ideas"}`:                    "out of ideas",
		`{}`:                                         "no action",
		`{"write":"a.txt","from":"../secret"}`:       "secret",
	} {
		dir := t.TempDir()
		for _, name := range []string{"a.txt", "other.txt"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("one\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s := load(t, `{"workers":[{"task":1,"steps":[`+steps+`,{"write":"a.txt","content":"went on"}]}]}`)
		if _, _, err := play(t, s, dir, "a.txt"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", steps, err)
		}
		if data, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(data) != "one\n" {
			t.Errorf("%s: a.txt is %q", steps, data)
		}
	}
}

func TestScriptsThatAreRefused(t *testing.T) {
	for content, want := range map[string]string{
		`{"workers":[{"task":1,"steps":[{"sya":"x"}]}]}`: "sya",
		`{"workers":[{"task":0}]}`:                       "count from 1",
		`{"workers":[{"task":1},{"task":1}]}`:            "stand once",
		`{"tick":"soon"}`:                                "no duration",
		`{} {}`:                                          "more than one",
		``:                                               "EOF",
	} {
		path := filepath.Join(t.TempDir(), "script.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", content, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"tick":"5ms","planner":{"steps":[{"plan":"p.json"}]},"workers":[{"task":1,"steps":[{"run":"true"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parse(data)
		if err != nil {
			return
		}
		for k := range 4 {
			if p, err := s.part(k); err == nil && p == nil {
				t.Fatal("neither a part nor an error")
			}
		}
	})
}
