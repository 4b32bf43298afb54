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
						ready = ready && strings.Contains(screen, "binary")
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
