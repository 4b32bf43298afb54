package giver

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"growbench/loop"
)

// Whoever only watches a conversation sees its loop as its owner does: deferred,
// the seconds of a countdown, the passes, and how it ended.
func TestALoopIsSeenByThoseWhoWatch(t *testing.T) {
	inTime(t, backlog, func(t *testing.T, s *looping) {
		f := FollowLoop(s.dir)
		var last LoopView
		var history []LoopEntry
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			for {
				view, entries, err := f.Next(ctx)
				if err != nil {
					done <- err
					return
				}
				s.mu.Lock()
				last, history = view, entries
				s.mu.Unlock()
			}
		}()
		shows := func(want string, passes int) {
			t.Helper()
			s.pass(1) // it looks at least once a second
			s.mu.Lock()
			defer s.mu.Unlock()
			if got, own := statusWord(last.Status), statusWord(s.Loop().Status); got != want || own != want {
				t.Errorf("watchers see %s, the owner %s; it is %s", got, own, want)
			}
			if len(history) != passes {
				t.Errorf("watchers see %d entries, not %d", len(history), passes)
			}
		}
		shows("idle0", 0)
		s.say("grow loop")
		shows("59s", 1)
		shows("58s", 1)
		s.CancelLoop()
		shows("idle1", 1)
		if _, err := os.Stat(filepath.Join(s.dir, fileLoopNow)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("an idle loop leaves something to be read: %v", err)
		}
		s.say("while true | grow loop")
		shows("59s", 2)
		s.HurryLoop()
		s.pass(1)
		shows("idle2", 4)
		s.mu.Lock()
		if last.Proof == nil || *last.Proof != *s.Loop().Proof || last.Lock == nil || len(last.Lock.Passes) != 3 || last.Lock.Surface != "BACKLOG.md" {
			t.Errorf("watchers know %+v", last)
		}
		s.mu.Unlock()
		leave()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		must(t, f.Close())
	},
		grows(60, "one"), says("One is done."), grows(60, "two"), says("Two is done."),
		answer{Calls: []call{handsOff("three")}}, says("All is done."))
}

// What a killed owner has left behind is no loop, and the next owner takes it
// away.
func TestALoopWithoutAnOwnerIsNotSeen(t *testing.T) {
	p := newPlace(t)
	s := p.open()
	dir := s.dir
	must(t, s.Close())
	put(t, filepath.Join(dir, fileLoopNow), `{"state":"countdown","n":7,"due":"2999-01-01T00:00:00Z"}`)
	f := FollowLoop(dir)
	t.Cleanup(func() { f.Close() })
	view, _, err := f.Next(t.Context())
	must(t, err)
	if view.Status.State != loop.Idle {
		t.Errorf("it is seen as %+v", view.Status)
	}
	p.open()
	if _, err := os.Stat(filepath.Join(dir, fileLoopNow)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the next owner leaves it: %v", err)
	}
}

// A file that cannot be read is as one that says nothing.
func FuzzLoopNow(f *testing.F) {
	f.Add(`{"state":"countdown","n":1,"due":"2030-01-01T00:00:00Z"}`)
	f.Add(`{"state":"paused","n":-1}`)
	f.Add(`[`)
	f.Fuzz(func(t *testing.T, text string) {
		status := readLoopNow([]byte(text), time.Unix(0, 0))
		switch status.State {
		case loop.Idle, loop.Deferred, loop.Active:
			if status.Seconds != 0 {
				t.Errorf("%+v", status)
			}
		case loop.Countdown:
			if status.Seconds < 1 {
				t.Errorf("%+v", status)
			}
		default:
			t.Errorf("%+v", status)
		}
		_ = status.Text()
	})
}
