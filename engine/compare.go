package engine

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"growbench/engine/event"
)

// comparison sets a chain and a single agent that were given the same Task #0
// side by side, when both were run in this project; else it is empty. The
// figures are those of each run's own log.
func comparison(runDir string, s *event.State, at time.Time) string {
	dirs, err := filepath.Glob(filepath.Join(escapeGlob(filepath.Dir(runDir)), "*"))
	if err != nil {
		return ""
	}
	var rows []string
	other := false
	for _, dir := range dirs {
		t := s
		if dir != runDir {
			if t, _, err = Load(dir, at); err != nil || t.Task0Sum != s.Task0Sum || !t.IsEnded() {
				continue
			}
			other = other || t.Single != s.Single
		}
		rows = append(rows, comparedRow(t, at))
	}
	if !other {
		return ""
	}
	return "\n## Chain and single agent on the same Task #0\n\n" +
		"| run | as | status | verified | tokens in / out | cost | time |\n|---|---|---|---|---|---|---|\n" + strings.Join(rows, "")
}

func comparedRow(s *event.State, at time.Time) string {
	as := fmt.Sprintf("chain of %d", s.Plan.N)
	if s.Single {
		as = "single agent"
	}
	tokens := fmt.Sprintf("%d / %d", s.Usage.In, s.Usage.Out)
	if s.Usage.Estimated {
		tokens += " (estimated)"
	}
	end := s.Ended
	if end.IsZero() {
		end = at
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %.4f | %s |\n", s.Run, as, s.Status, s.Verified, tokens, s.Usage.Cost,
		end.Sub(s.Started).Round(100*time.Millisecond))
}
