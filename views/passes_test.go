package views

import (
	"strings"
	"testing"
	"time"

	"growbench/loop"
	"growbench/theme/text"
)

// Whatever a pass hands over, no row is wider than the window and nothing of it
// reaches the terminal as a control.
func TestPassesOfAnyTextFitTheirWindow(t *testing.T) {
	foul := "a\x1b[31m\x1b]0;title\a 日本語\u202e e\u0301\r\n" + strings.Repeat("long", 60)
	lock := &loop.Lock{Skill: foul, Scope: foul, Surface: foul}
	handoff := loop.Handoff{Selected: foul, Surfaces: []string{foul, foul}, Validation: foul, Blocker: foul, Plan: foul, Evidence: foul, Remains: foul}
	entries := []PassEntry{
		{At: now, Stop: &loop.StopProof{Reason: foul, Scope: foul, Evidence: foul, Signature: foul, Remains: foul, Restart: foul, Home: foul}},
		{At: now, Pass: &loop.Checkpoint{N: 1, Handoff: handoff, Signature: foul, Tokens: 1 << 40, Took: 1000 * time.Hour}},
	}
	bold := strings.NewReplacer("\x1b[1m", "", "\x1b[m", "")
	for _, width := range []int{1, 2, 12, 13, 40, 160} {
		p := NewPasses(plainTheme(t))
		p.Set(lock, loop.Surface{Path: foul, Reason: foul}, entries)
		p.SetSize(width, 9)
		for seen := map[int]bool{}; !seen[p.Place().Shown]; p.Page(1) {
			rows := p.View()
			seen[p.Place().Shown] = true
			if len(rows) != 9 {
				t.Fatalf("%d columns: %d rows", width, len(rows))
			}
			for _, row := range rows {
				if row = bold.Replace(row); text.Width(row) != width || strings.ContainsAny(row, "\x1b\a\r\n") {
					t.Fatalf("%d columns: %q", width, row)
				}
			}
		}
		if at := p.Place(); at.Below || at.Shown != at.All {
			t.Errorf("%d columns: the end is not reached: %+v", width, at)
		}
	}
}

func TestPassesKeepTheirPlaceWithinWhatThereIs(t *testing.T) {
	p := NewPasses(plainTheme(t))
	p.SetSize(60, 5)
	var entries []PassEntry
	for n := range 20 {
		entries = append(entries, PassEntry{At: now, Pass: &loop.Checkpoint{N: n, Handoff: loop.Handoff{Selected: "an item", Validation: "passed"}}})
	}
	p.Set(nil, loop.Surface{}, entries)
	p.End()
	p.View()
	p.Set(nil, loop.Surface{}, entries[:2])
	p.View()
	if at := p.Place(); at.Below || at.Shown != at.All {
		t.Errorf("after it became shorter: %+v", at)
	}
	p.Home()
	if rows := p.View(); !strings.Contains(rows[0], "∞0") {
		t.Errorf("the first row is %q", rows[0])
	}
}
