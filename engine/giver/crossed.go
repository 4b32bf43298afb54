package giver

import (
	"fmt"
	"strings"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// Crossed is all that went, or is about to go, from one side to the next, each
// text under its boundary with its size and the share that was kept back: Task
// #0, the tasks of the run at hand, its RESULTs. It is empty before there is
// anything.
func (s *Session) Crossed() (string, error) {
	draft, err := s.loadDraft()
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	d, id := s.state.Draft, s.state.Run.ID
	s.mu.Unlock()
	var b strings.Builder
	put := func(boundary string, kept *float64, text string) {
		share := ""
		if kept != nil {
			share = fmt.Sprintf(", %.1f%% kept back", *kept*100)
		}
		fmt.Fprintf(&b, "== %s: %d bytes%s\n\n%s\n", boundary, len(text), share, strings.TrimRight(text, "\n")+"\n")
	}
	if strings.TrimSpace(draft) != "" {
		var kept *float64
		if v, ok := d.Isolation(); ok {
			kept = &v
		}
		put("Giver → Planner, Task #0", kept, draft)
	}
	if id == "" {
		return b.String(), nil
	}
	run, err := s.loadRun(id)
	if err != nil {
		return b.String(), nil // it is only about to begin
	}
	for k := 1; k <= len(run.Plan.Tasks.Tasks); k++ {
		put(fmt.Sprintf("Planner → Worker %d, run %s", k, id), share(run.Isolated.PW, k), doc.FormatTask(run.Plan.Tasks.Task(k)))
	}
	for _, r := range run.Results {
		put(fmt.Sprintf("Worker %d → Giver, run %s", r.K, id), share(run.Isolated.WG, r.K), doc.FormatResult(r))
	}
	if run.Status == event.StatusFailed || run.Status == event.StatusPassed {
		b.WriteString("The conversation is told how it ended by reference: the report's path, not its text.\n")
	}
	return b.String(), nil
}

func share(of []*float64, k int) *float64 {
	if k < 1 || k > len(of) {
		return nil
	}
	return of[k-1]
}
