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
	Chain   time.Duration // what the whole chain may take, where Wall is what is left of it
	Silence time.Duration // without any update
	Output  int64         // bytes of items
	Turns   int
	Tokens  int64   // in and out, cached ones included
	Cost    float64 // in the currency of Usage
	Repeats int     // equal calls with equal results in a row
	// OnSilent is told, each time another Quarter of Silence has passed
	// without an update, how long the agent has been silent.
	OnSilent func(time.Duration)
}

// What ends an agent that takes more than it may.
var (
	ErrTurns  = errors.New("over its number of turns")
	ErrTokens = errors.New("over its number of tokens")
	ErrCost   = errors.New("over its cost")
)

func (l Limits) timedOut() error {
	if l.Chain > 0 {
		return fmt.Errorf("%w: %s were left of the chain's %s (limits.chain)", ErrTimedOut, l.Wall.Round(time.Millisecond), l.Chain)
	}
	return fmt.Errorf("%w (%s)", ErrTimedOut, l.Wall)
}

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
	wall := newWall(a.limits, cancel)
	defer wall.pause()
	w := newSilence(a.limits, cancel)
	defer w.stop()
	if ask := req.Permit; ask != nil {
		req.Permit = func(ctx context.Context, command string) (bool, error) {
			wall.pause()
			w.pause()
			defer w.goOn()
			defer wall.goOn()
			return ask(ctx, command)
		}
	}
	m := &meter{limits: a.limits, repeats: repeats{max: a.limits.Repeats}}
	out, err := a.agent.Run(ctx, req, func(u Update) {
		w.heard()
		if err := m.heard(u); err != nil {
			cancel(err)
		}
		emit(u)
	})
	if cause := context.Cause(ctx); cause != nil {
		return out, cause
	}
	return out, err
}

// meter adds up what an agent has taken. Its updates may come from several
// goroutines.
type meter struct {
	limits  Limits
	mu      sync.Mutex
	bytes   int64
	tokens  int64
	cost    float64
	repeats repeats
}

// heard counts an update and says which limit it is over, if any.
func (m *meter) heard(u Update) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.limits
	m.bytes += int64(len(u.Item.Text))
	if u.Usage != nil {
		m.tokens += u.Usage.In + u.Usage.Out
		m.cost += u.Usage.Cost
	}
	switch {
	case l.Output > 0 && m.bytes > l.Output:
		return fmt.Errorf("%w (%d bytes)", ErrOutputLimit, l.Output)
	case l.Turns > 0 && u.Item.Turn > l.Turns:
		return fmt.Errorf("%w (%d)", ErrTurns, l.Turns)
	case l.Tokens > 0 && m.tokens > l.Tokens:
		return fmt.Errorf("%w (%d used, %d allowed)", ErrTokens, m.tokens, l.Tokens)
	case l.Cost > 0 && m.cost > l.Cost:
		return fmt.Errorf("%w (%.4f spent, %.4f allowed)", ErrCost, m.cost, l.Cost)
	}
	return m.repeats.heard(u.Item)
}

// wall cancels when an agent has taken its time, without that in which it
// waited for somebody.
type wall struct {
	mu    sync.Mutex
	left  time.Duration // 0: no limit
	since time.Time
	timer *time.Timer
	over  func()
}

func newWall(l Limits, cancel context.CancelCauseFunc) *wall {
	w := &wall{left: l.Wall, over: func() { cancel(l.timedOut()) }}
	w.goOn()
	return w
}

func (w *wall) goOn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left > 0 {
		w.since, w.timer = time.Now(), time.AfterFunc(w.left, w.over)
	}
}

func (w *wall) pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer == nil {
		return
	}
	w.timer.Stop()
	w.left, w.timer = max(w.left-time.Since(w.since), time.Nanosecond), nil
}

// silence cancels when no update has come for too long.
type silence struct {
	mu    sync.Mutex
	last  time.Time
	timer *time.Timer
	done  bool
	held  bool // somebody else is waited for
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
		if s.held {
			s.last = time.Now()
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

func (s *silence) pause() {
	s.mu.Lock()
	s.held = true
	s.mu.Unlock()
}

func (s *silence) goOn() {
	s.mu.Lock()
	s.held, s.last = false, time.Now()
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
