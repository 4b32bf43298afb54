package ui

import (
	"errors"
	"testing"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/theme"
)

// stood is a run that was stopped in its first Worker, and what comes when it is
// gone on with.
func stood() (state *event.State, next []event.Event) {
	all := []event.Body{
		event.RunStarted{Format: event.Version, Run: "r"},
		event.PlanAccepted{Plan: doc.Plan{Tasks: []doc.PlanTask{{Title: "print sizes"}}}},
		event.WorkerStarted{K: 1, Attempt: 1}, event.WorkerEnded{K: 1, State: event.Stopped},
		event.RunEnded{Run: "r", Status: event.StatusStopped, Verified: event.VerifiedNone},
		event.RunResumed{Reason: "resume"}, event.WorkerStarted{K: 1, Attempt: 2},
	}
	for i, b := range all {
		next = append(next, event.Event{Seq: uint64(i + 1), At: noon, Body: b})
	}
	return event.Fold(next[:5]), next[5:]
}

func TestTheScreenIsThereBeforeTheRunGoesOn(t *testing.T) {
	f := newFeed(t.TempDir())
	state, next := stood()
	start := make(chan error)
	g := open(t, 160, 48, Options{Source: f, State: state, Theme: theme.Dark, Begin: func() error { return <-start }})
	f.news <- engine.Update{}
	g.until("print sizes", "going on: the run's owner is being started")
	start <- nil
	f.news <- engine.Update{Events: next, OwnerAlive: true}
	g.until("Worker 1 of 1 at work")
	g.press("q")
	if out := g.end(); out.exit.How != Left {
		t.Errorf("left as %v", out.exit.How)
	}
}

func TestAScreenIsLeftWhereTheRunCannotGoOn(t *testing.T) {
	f := newFeed(t.TempDir())
	state, _ := stood()
	g := open(t, 80, 24, Options{Source: f, State: state, Theme: theme.Dark, Begin: func() error { return errors.New("no room") }})
	g.end()
}

func TestWhoeverLeavesBeforeTheOwnerSpeaksLeavesARunThatGoesOn(t *testing.T) {
	f := newFeed(t.TempDir())
	state, _ := stood()
	start := make(chan error)
	defer close(start)
	g := open(t, 80, 24, Options{Source: f, State: state, Theme: theme.Dark, Begin: func() error { return <-start }})
	f.news <- engine.Update{}
	g.until("going on")
	g.press("q")
	if out := g.end(); out.exit.How != Left {
		t.Errorf("left as %v", out.exit.How)
	}
}
