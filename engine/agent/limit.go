package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Limits end an agent in words. Zero means no limit.
type Limits struct {
	Wall    time.Duration
	Silence time.Duration // without any update
	Output  int64         // bytes of items
	Turns   int
	// OnSilent is told, each time another Quarter of Silence has passed
	// without an update, how long the agent has been silent.
	OnSilent func(time.Duration)
}

// ErrTurns ends an agent that takes more turns than it may.
var ErrTurns = errors.New("over its number of turns")

// Limit wraps any kind of agent in limits. The agent is expected to end soon
// after its context; Limit waits for that, so nothing runs on unseen.
func Limit(a Agent, l Limits) Agent { return limited{a, l} }

type limited struct {
	agent  Agent
	limits Limits
}

func (a limited) Run(ctx context.Context, req Request, emit func(Update)) (Outcome, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if a.limits.Wall > 0 {
		t := time.AfterFunc(a.limits.Wall, func() {
			cancel(fmt.Errorf("%w (%s)", ErrTimedOut, a.limits.Wall))
		})
		defer t.Stop()
	}
	w := newSilence(a.limits, cancel)
	defer w.stop()
	var mu sync.Mutex
	var bytes int64
	out, err := a.agent.Run(ctx, req, func(u Update) {
		w.heard()
		mu.Lock()
		bytes += int64(len(u.Item.Text))
		over := a.limits.Output > 0 && bytes > a.limits.Output
		mu.Unlock()
		if over {
			cancel(fmt.Errorf("%w (%d bytes)", ErrOutputLimit, a.limits.Output))
		}
		if a.limits.Turns > 0 && u.Item.Turn > a.limits.Turns {
			cancel(fmt.Errorf("%w (%d)", ErrTurns, a.limits.Turns))
		}
		emit(u)
	})
	if cause := context.Cause(ctx); cause != nil {
		return out, cause
	}
	return out, err
}

// silence cancels when no update has come for too long.
type silence struct {
	mu    sync.Mutex
	last  time.Time
	timer *time.Timer
	done  bool
}

func newSilence(l Limits, cancel context.CancelCauseFunc) *silence {
	s := &silence{last: time.Now()}
	if l.Silence <= 0 {
		return s
	}
	step := max(l.Silence/4, time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(step, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.done {
			return
		}
		quiet := time.Since(s.last)
		if quiet >= l.Silence {
			cancel(fmt.Errorf("%w (%s)", ErrStalled, l.Silence))
			return
		}
		if quiet >= step && l.OnSilent != nil {
			l.OnSilent(quiet)
		}
		s.timer.Reset(min(step, l.Silence-quiet))
	})
	return s
}

func (s *silence) heard() {
	s.mu.Lock()
	s.last = time.Now()
	s.mu.Unlock()
}

func (s *silence) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
	if s.timer != nil {
		s.timer.Stop()
	}
}
