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
