package giver

import (
	"strings"
	"testing"
)

// All that crossed a boundary can be read, also after a restart.
func TestWhatCrossedIsShown(t *testing.T) {
	p := newPlace(t)
	p.plan(2)
	s := p.open()
	if text, err := s.Crossed(); err != nil || text != "" {
		t.Errorf("%q %v", text, err)
	}
	p.server.Will(task0(map[string]any{"target_files": []string{"new1.txt", "new2.txt"}}), says("It waits."), says("Done."))
	s.says("Write sizes")
	if text, _ := s.Crossed(); !strings.Contains(text, "== Giver → Planner, Task #0: ") || strings.Contains(text, "Worker 1") {
		t.Errorf("%s", text)
	}
	must(t, s.Approve(AnyDraft, ""))
	s.ends()
	text, err := s.Crossed()
	must(t, err)
	for _, part := range []string{"kept back", "# Task #0", "== Planner → Worker 2, run ", "# Task #2", "== Worker 1 → Giver, run ", "# RESULT #2"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	must(t, s.Close())
	if again, err := p.open().Crossed(); err != nil || again != text {
		t.Errorf("%v\n%s", err, again)
	}
}
