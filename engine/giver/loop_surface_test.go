package giver

import (
	"path/filepath"
	"strings"
	"testing"

	"growbench/loop"
)

func TestTheOpenWorkIsWhatTheWordsName(t *testing.T) {
	p := newPlace(t)
	p.server = nil
	for _, name := range []string{"TODO.md", "README.md", "docs/tasks.md", "docs/PLAN.md"} {
		put(t, filepath.Join(p.project.Root, name), "- [ ] one\n")
	}
	s := p.open()
	growing := loop.Route{Kind: loop.Loop, Skill: defaultWorker}
	for _, c := range []struct {
		words      string
		route      loop.Route
		path, says string
	}{
		{"grow loop", growing, "TODO.md", "the nearest TODO.md"},
		{"grow loop: README.md must be shorter", growing, "TODO.md", "the nearest TODO.md"},
		{"grow loop over `docs/tasks.md`.", growing, "docs/tasks.md", "named"},
		{"grow loop, see docs/PLAN.md", growing, "docs/PLAN.md", "named"},
		{"grow loop over docs/typo.md", growing, "", "no such file"},
		{"grow loop over ../outside.md", growing, "", "read the open work that was named"},
		{"drying loop", loop.Route{Kind: loop.Loop, Skill: "active-drying"}, "", ""},
		{"drying loop through docs/PLAN.md", loop.Route{Kind: loop.Loop, Skill: "active-drying"}, "docs/PLAN.md", "named"},
	} {
		got := s.findSurface(c.words, c.route)
		if got.Path != c.path || !strings.Contains(got.Reason, c.says) || c.says == "" && got.Reason != "" {
			t.Errorf("%q: %q because %q", c.words, got.Path, got.Reason)
		}
		if c.path != "" && len(got.Items) != 1 {
			t.Errorf("%q: %+v", c.words, got.Items)
		}
	}
}

// A loop that is begun anew asks for itself: what the one before asked is over.
func TestAnotherLoopAsksForItself(t *testing.T) {
	inTime(t, backlog, func(t *testing.T, s *looping) {
		s.say("grow loop")
		if _, asks := Find(s.Look().Waits, AnyScope); !asks {
			t.Fatal(transcript(s.Look().State))
		}
		s.say("drying loop")
		if waits := s.Look().Waits; len(waits) != 0 {
			t.Errorf("still asked: %+v", waits)
		}
		if v := s.Loop(); v.Lock.Skill != "active-drying" || v.Lock.Scope != "drying loop" {
			t.Errorf("%+v", v.Lock)
		}
	}, calls(toolScope, map[string]any{"targets": []string{"docs/"}}), says("May I?"), says("There is nothing to dry."))
}
