package ui

import (
	"fmt"
	"strings"
	"testing"

	"growbench/engine"
	"growbench/engine/event"
)

func TestScreensOfARun(t *testing.T) {
	sizes := []struct{ width, height int }{{160, 48}, {100, 30}, {80, 24}, {60, 20}}
	for _, run := range []string{"working", "waiting", "ended"} {
		for _, s := range sizes {
			name := fmt.Sprintf("%s-%dx%d", run, s.width, s.height)
			t.Run(name, func(t *testing.T) {
				f := newFeed("testdata/run")
				events := recorded(t, run)
				f.news <- engine.Update{Events: events, OwnerAlive: true}
				g := open(t, s.width, s.height, Options{Source: f, Note: "demo", Theme: "none"})
				state := event.Fold(events)
				screen := g.when("the whole run", func(screen string) bool {
					ready := strings.Contains(screen, "sizes") && strings.Contains(screen, "print sizes")
					if s.width >= twoColumns {
						ready = ready && strings.Contains(screen, "turn 2") && strings.Contains(screen, "edit_file {")
					}
					if s.width >= threeColumns {
						ready = ready && strings.Contains(screen, "• created")
					}
					return ready && len(state.Workers) == 3
				})
				golden(t, name, screen)
				g.press("q")
				if out := g.end(); out.err != nil {
					t.Error(out.err)
				}
			})
		}
	}
}

func TestTheScreenBeforeThePlan(t *testing.T) {
	f := newFeed(t.TempDir())
	f.news <- engine.Update{Events: recorded(t, "working")[:4], OwnerAlive: true}
	g := open(t, 80, 24, Options{Source: f, Theme: "none"})
	golden(t, "planning-80x24", g.until("planning… local"))
	g.press("q")
	g.end()
}

func TestAnASCIITerminalGetsASCII(t *testing.T) {
	f := newFeed("testdata/run")
	f.news <- engine.Update{Events: recorded(t, "working"), OwnerAlive: true}
	g := open(t, 100, 30, Options{Source: f, Theme: "none", Getenv: func(name string) string {
		return map[string]string{"LANG": "C"}[name]
	}})
	screen := g.until("print sizes", "edit_file {")
	for _, r := range screen {
		if r > '~' {
			t.Errorf("%q is shown", r)
		}
	}
	g.press("q")
	g.end()
}
