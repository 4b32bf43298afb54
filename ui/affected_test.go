package ui

import (
	"testing"
	"time"

	"growbench/engine"
	"growbench/engine/event"
)

// heldUp is a recorded run whose Worker 2 relies on what Worker 1 broke, up to
// the question, and then what comes of it when nobody answers.
func heldUp(t *testing.T) (asked, went []event.Event) {
	t.Helper()
	asked = recorded(t, "working")[:19]
	at := asked[len(asked)-1].At
	hit := event.Hit{By: 1, Symbol: "Size.Bytes", File: "size/size.go"}
	next := func(to *[]event.Event, after time.Duration, body event.Body) {
		*to = append(*to, event.Event{Seq: uint64(len(asked) + len(went) + 1), At: at.Add(after), Body: body})
	}
	next(&asked, 0, event.TaskAffected{K: 2, By: hit.By, Symbol: hit.Symbol, File: hit.File})
	next(&asked, 0, event.Waiting{
		ID: "affected-2-20", Kind: "affected", K: 2, Until: noon.Add(20 * time.Second),
		Text: "Task #2 relies on what was broken since it was written.\nWorker 1: Size.Bytes — size/size.go (renamed, both)\n" +
			"  now: Size.Bytes → Size.Count\n  task #2 says: Bytes() int64 — size/size.go",
		Choices: []string{event.AffectedContinue, event.AffectedEdit, event.AffectedAdd, event.AffectedReplan, event.AffectedStop},
	})
	next(&went, 20*time.Second, event.Answered{ID: "affected-2-20", Choice: event.AffectedContinue, By: "time"})
	next(&went, 20*time.Second, event.AffectedDecided{K: 2, Choice: event.AffectedContinue, By: "time", Hits: []event.Hit{hit}})
	next(&went, 21*time.Second, event.WorkerStarted{K: 2, Agent: "local", Attempt: 1, Sandboxed: true})
	return asked, went
}

// A question with an end of its own counts down in sight, and what came of it
// stands at its Worker.
func TestAnAffectedTaskCountsDownAndGoesOn(t *testing.T) {
	asked, went := heldUp(t)
	clock := &hand{}
	f := newFeed("testdata/run")
	f.news <- engine.Update{Events: asked, OwnerAlive: true}
	g := open(t, 100, 30, Options{Source: f, Note: "demo", Theme: "none", Clock: clock.now})
	golden(t, "countdown-100x30", g.until("continue in 20s if nobody answers", "affected, 20s left"))
	clock.forward(12 * time.Second)
	g.until("continue in 8s if nobody answers", "affected, 8s left")
	g.press("a")
	golden(t, "countdown-answer-100x30", g.until("continue in 8s if nobody answers", "task #2 says", "have the Planner plan the rest anew"))
	g.press("\x1b")
	f.news <- engine.Update{Events: went, OwnerAlive: true}
	g.until("Worker 2 of 3 at work", "continued: no answer in time")
	g.press("q")
	g.end()
}

func TestAReplayShowsWhatWasDecided(t *testing.T) {
	asked, went := heldUp(t)
	g, _ := playRun(t, append(asked, went...))
	g.until("event 2 of 24")
	g.press("\x1b[F")
	g.until("event 24 of 24", "continued: no answer in time")
	g.press("q")
	g.end()
}

// A run may pass though a check failed on the way; its last line says so.
func TestTheEndNamesChecksThatFailedOnTheWay(t *testing.T) {
	events := recorded(t, "working")[:19]
	n, at := uint64(len(events)), events[len(events)-1].At
	events = append(events,
		event.Event{Seq: n + 1, At: at, Body: event.CheckRan{When: "each", K: 1, Command: "go vet ./..."}},
		event.Event{Seq: n + 2, At: at, Body: event.RunEnded{Status: event.StatusPassed, Verified: event.VerifiedPassed}})
	f := newFeed("testdata/run")
	f.news <- engine.Update{Events: events}
	g := open(t, 100, 30, Options{Source: f, Theme: "none"})
	g.until("passed · verified: passed · `go vet ./...` failed after Worker 1")
	g.press("q")
	g.end()
}
