package giver

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/loop"
)

// fileLoopNow says what the loop does at the moment, for those who only watch.
// It is there while there is something to say, and counts while the conversation
// has an owner: what a killed one has left behind says nothing.
const fileLoopNow = "loop-now.json"

// loopNow is loop-now.json.
type loopNow struct {
	State loop.State `json:"state"`
	N     int        `json:"n"`
	Due   time.Time  `json:"due,omitzero"` // end of the countdown
}

// publishLoop tells watchers of a change. The caller holds mu. That it fails
// costs watchers their sight alone.
func (s *Session) publishLoop(status loop.Status, due time.Time) {
	now := loopNow{State: status.State, N: status.N, Due: due}
	if now == s.grow.published {
		return
	}
	s.grow.published = now
	if now.State == loop.Idle {
		s.unpublishLoop()
		return
	}
	if data, err := json.Marshal(now); err == nil {
		_ = workspace.AtomicWrite(s.path(fileLoopNow), append(data, '\n'), 0o600)
	}
}

func (s *Session) unpublishLoop() { _ = os.Remove(s.path(fileLoopNow)) }

// LoopFollower reads the loop of a conversation that another process has.
type LoopFollower struct {
	dir     string
	log     *event.Tail
	view    LoopView
	history []LoopEntry
	kept    os.FileInfo // loop.json as it was read
	begun   bool
}

// FollowLoop follows the loop of the conversation in dir.
func FollowLoop(dir string) *LoopFollower {
	return &LoopFollower{dir: dir, log: event.NewTail(filepath.Join(dir, fileHandoffs), 0), view: LoopView{Status: loop.Status{State: loop.Idle}}}
}

// lookSeldom is how often a follower looks while the loop does nothing.
const lookSeldom = time.Second

// Next blocks until the loop is not as it was, and returns it with its whole
// history, oldest first. The first call returns at once.
func (f *LoopFollower) Next(ctx context.Context) (LoopView, []LoopEntry, error) {
	for {
		changed, err := f.look()
		if err != nil || changed {
			return f.view, f.history[:len(f.history):len(f.history)], err
		}
		pause := lookAgain
		if f.view.Status.State == loop.Idle {
			pause = lookSeldom
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return f.view, nil, context.Cause(ctx)
		}
	}
}

// look tells whether something has changed.
func (f *LoopFollower) look() (changed bool, err error) {
	changed, f.begun = !f.begun, true
	known := len(f.history)
	err = f.log.Next(func(line []byte) bool {
		if e, err := event.Decode(line); err == nil {
			f.history = remembered(f.history, e)
		}
		return true
	})
	changed = changed || len(f.history) != known
	path := filepath.Join(f.dir, fileLoop)
	if info, err := os.Stat(path); err == nil && (f.kept == nil || !os.SameFile(info, f.kept) || info.ModTime() != f.kept.ModTime()) {
		f.kept = info
		if kept, err := readLock(path); err == nil && kept != nil {
			f.view.Lock, f.view.Proof = &kept.Lock, kept.Stop
			f.view.Status.N = kept.N
			changed = true
		}
	}
	now := f.now()
	changed = changed || now != f.view.Status
	f.view.Status = now
	return changed, err
}

// now is what the loop does at the moment. Without a file it asks nothing of the
// owner's lock.
func (f *LoopFollower) now() loop.Status {
	data, err := os.ReadFile(filepath.Join(f.dir, fileLoopNow))
	if err == nil && engine.Held(f.dir) {
		if status := readLoopNow(data, time.Now()); status.State != loop.Idle {
			return status
		}
	}
	return loop.Status{State: loop.Idle, N: f.view.Status.N}
}

// readLoopNow is what loop-now.json says at a moment; idle where it says nothing.
func readLoopNow(data []byte, at time.Time) loop.Status {
	var n loopNow
	if json.Unmarshal(data, &n) != nil {
		return loop.Status{State: loop.Idle}
	}
	status := loop.Status{State: n.State, N: max(n.N, 0)}
	switch n.State {
	case loop.Deferred, loop.Active:
	case loop.Countdown:
		left := min(max(n.Due.Sub(at), time.Second), loop.MaxDelay*time.Second)
		status.Seconds = int((left + time.Second - 1) / time.Second)
	default:
		return loop.Status{State: loop.Idle}
	}
	return status
}

// Close lets go of what is read.
func (f *LoopFollower) Close() error { return f.log.Close() }
