package engine

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"growbench/engine/event"
)

// lists follows the list until it is as wanted.
func (b *bench) lists(l *List, what string, want func(Roll) bool) Roll {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	for {
		r, err := l.Next(ctx)
		if err != nil {
			b.t.Fatalf("the list never came to %s: %v", what, err)
		}
		if want(r) {
			return r
		}
	}
}

func TestAListFollowsRunsThatComeGoOnAndGo(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "a\n"})
	l := ListRuns(b.state, b.project.Name)
	b.lists(l, "nothing", func(r Roll) bool { return len(r.Runs) == 0 && r.Unread == 0 })

	first := b.logged("20260301-100000-aaaaaa", event.RunStarted{Format: 1, Run: "20260301-100000-aaaaaa", Planner: "p"})
	r := b.lists(l, "a run", func(r Roll) bool { return len(r.Runs) == 1 && r.Runs[0].State != nil })
	if s := r.Runs[0]; s.Status != event.Orphaned || s.Owner != "gone" || s.Dir != first || len(s.Agents) != 1 || s.Agents[0] != "p" {
		t.Errorf("listed as %+v", s)
	}
	held, err := takeLock(first)
	if err != nil {
		t.Fatal(err)
	}
	b.lists(l, "an owner", func(r Roll) bool { return r.Runs[0].Status == event.StatusRunning && r.Runs[0].Owner == "alive" })
	b.logged("20260301-100000-aaaaaa", event.Waiting{ID: "w", Kind: "k", Choices: []string{"x"}})
	b.lists(l, "a wait", func(r Roll) bool { return r.Runs[0].Waiting == 1 && r.Runs[0].State.Waits[0].ID == "w" })
	b.logged("20260301-100000-aaaaaa", event.RunEnded{Status: "failed"})
	held.release()
	b.lists(l, "its end", func(r Roll) bool { return r.Runs[0].Status == "failed" && r.Runs[0].Owner == "gone" })

	b.logged("20260302-100000-bbbbbb", event.RunStarted{Format: 1, Run: "20260302-100000-bbbbbb"})
	b.lists(l, "the newest first", func(r Roll) bool { return len(r.Runs) == 2 && r.Runs[0].Run == "20260302-100000-bbbbbb" })
	if err := os.RemoveAll(first); err != nil {
		t.Fatal(err)
	}
	b.lists(l, "one less", func(r Roll) bool { return len(r.Runs) == 1 })
}

func TestAListGivesEachRollForKeeps(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "a\n"})
	const id = "20260301-100000-aaaaaa"
	b.logged(id, event.RunStarted{Format: 1, Run: id}, event.Waiting{ID: "w"})
	l := ListRuns(b.state, b.project.Name)
	before := b.lists(l, "a run", func(r Roll) bool { return len(r.Runs) == 1 })
	b.logged(id, event.Answered{ID: "w"})
	after := b.lists(l, "an answer", func(r Roll) bool { return r.Runs[0].Waiting == 0 })
	if len(before.Runs[0].State.Waits) != 1 || len(after.Runs[0].State.Waits) != 0 {
		t.Errorf("the first roll changed: %+v", before.Runs[0].State.Waits)
	}
}

// logged appends to the log of a run, which is made when it is not there.
func (b *bench) logged(id string, bodies ...event.Body) string {
	b.t.Helper()
	dir := RunDirs(b.state, b.project.Name, id).Run
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.t.Fatal(err)
	}
	log, _, _, err := event.OpenLog(filepath.Join(dir, fileEvents), time.Now)
	if err == nil {
		_, err = log.Append(false, bodies...)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		b.t.Fatal(err)
	}
	return dir
}
