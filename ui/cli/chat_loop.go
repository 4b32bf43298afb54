package cli

import (
	"context"
	"sync"

	"growbench/engine/giver"
	"growbench/loop"
)

// loopLine is the loop in a line of output.
type loopLine struct {
	State   loop.State `json:"state"`
	N       int        `json:"n"`
	Seconds int        `json:"seconds"` // of a countdown, as it begins
}

func lineOf(s loop.Status) *loopLine { return &loopLine{s.State, s.N, s.Seconds} }

// loopNews leaves out of a loop's updates what is none to a reader of lines:
// each second of a countdown, and what is not in its status.
type loopNews struct {
	last  loop.Status
	noted string
}

// notice is what went wrong, once.
func (n *loopNews) notice(u giver.Update) string {
	if u.Loop == nil || u.Loop.Notice == n.noted {
		return ""
	}
	n.noted = u.Loop.Notice
	return n.noted
}

func (n *loopNews) is(u giver.Update) bool {
	if u.Loop == nil {
		return true
	}
	now, last := u.Loop.Status, n.last
	n.last = now
	if last.State == "" {
		last.State = loop.Idle
	}
	return now.State != last.State || now.N != last.N || now.Seconds > last.Seconds
}

// What a line can do to the loop: both at once, like a stop.
const (
	loopCancel = "cancel"
	loopNow    = "now"
)

// arrived lets the loop give way to words as they come in, whatever is being
// waited for.
func (t *talk) arrived(l chatLine) {
	switch {
	case l.Loop != nil && *l.Loop == loopNow:
		t.s.HurryLoop()
	case l.Loop != nil, l.Say != nil, l.Draft != nil:
		t.s.Typed()
	}
}

// overhearLoop prints what becomes of the loop of a conversation that another
// process has, until the returned end is called.
func (p *talkPrinter) overhearLoop(ctx ctx, dir string) (end func()) {
	within, leave := context.WithCancel(ctx)
	f := giver.FollowLoop(dir)
	var done sync.WaitGroup
	done.Go(func() {
		defer f.Close()
		for {
			view, _, err := f.Next(within)
			if err != nil || p.update(giver.Update{Loop: &view}) != nil {
				return
			}
		}
	})
	return func() { leave(); done.Wait() }
}
