package ui

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/theme"
)

// longRun writes the log of a run of ten Workers with n events and returns its
// directory. The last Worker is at work.
func longRun(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	log, _, _, err := event.OpenLog(filepath.Join(dir, "events.jsonl"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var plan doc.Plan
	for k := range 10 {
		plan.Tasks = append(plan.Tasks, doc.PlanTask{Title: fmt.Sprint("task ", k+1)})
	}
	bodies := []event.Body{event.RunStarted{Format: event.Version, Run: "r"}, event.PlanAccepted{Plan: plan}}
	for k := 1; k <= 10; k++ {
		bodies = append(bodies, event.WorkerStarted{K: k, Attempt: 1})
		for i := 0; len(bodies) < n*k/10-2; i++ {
			bodies = append(bodies, event.WorkerTurn{K: k, Turn: i},
				event.WorkerToolStarted{K: k, Name: "run_command", ArgsPreview: `{"command":"go test ./..."}`},
				event.WorkerTool{K: k, Name: "run_command", ArgsPreview: `{"command":"go test ./..."}`, ResultBytes: 1200, MS: 300},
				event.WorkerUsage{K: k, In: 2000, Out: 300, Cached: 1500})
		}
		if k < 10 {
			bodies = append(bodies, event.ResultAccepted{K: k, Result: doc.Result{K: k, Summary: "Does it."}}, event.WorkerEnded{K: k, State: event.Done})
		}
	}
	if _, err := log.Append(false, bodies...); err != nil {
		t.Fatal(err)
	}
	return dir
}

// openRun opens the workbench on a run's log until its last Worker is shown.
func openRun(t testing.TB, dir string) {
	t.Helper()
	w := engine.Watch(dir)
	g := open(t, 160, 48, Options{Source: w, Theme: theme.Dark})
	g.until("9 of 10 done", "# RESULT #1")
	g.press("q")
	g.end()
}

func TestALongLogComesInPiecesWithoutPauses(t *testing.T) {
	openRun(t, longRun(t, 40_000))
}

func BenchmarkOpen100kEvents(b *testing.B) {
	dir := longRun(b, 100_000)
	before := processor()
	defer func() { b.ReportMetric((processor()-before)/float64(b.N), "cpu-ms/op") }()
	for b.Loop() {
		openRun(b, dir)
	}
}
