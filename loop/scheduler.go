package loop

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Trigger is the turn that the scheduler sends: an ordinary, visible one.
const Trigger = "while true | grow loop"

// Bounds of the delay before the next turn, in seconds. The least one keeps a
// moment in which the operator can interrupt.
const (
	MinDelay     = 3
	MaxDelay     = 3600
	DefaultDelay = 3
)

var (
	// ErrTurnOver is returned to a turn that was aborted, failed or is not the
	// newest: it arms nothing any more.
	ErrTurnOver = errors.New("schedule the next turn: this turn is over")
	// ErrClosed is returned once the scheduler is closed.
	ErrClosed = errors.New("schedule the next turn: the session is closed")
	// ErrOvertaken is what Session.Send returns when input came first. The
	// scheduler then says nothing: the input speaks for itself.
	ErrOvertaken = errors.New("send the loop's turn: input came first")
)

// Session is a conversation as the scheduler sees it. Its methods may be called
// from any goroutine. Idle and Pending must not call the scheduler, nor wait for
// what is held while it is called.
type Session interface {
	// Idle tells that no turn runs, nor anything one has started.
	Idle() bool
	// Pending tells that input waits to be taken as a turn.
	Pending() bool
	// Send puts text in as a user's turn, or fails with nothing done.
	Send(text string) error
}

// Scheduler starts the next turn of a session when it is idle and a delay has
// passed. Safe for use by several goroutines.
type Scheduler struct {
	mu      sync.Mutex
	machine machine
	session Session
	turn    *Turn
	timer   *time.Timer // the only one there ever is
	closed  bool
	mirrors *mirrors
	notice  func(string)
}

// New returns a scheduler for a session. notice is told what the operator
// should know; it may be nil.
func New(session Session, notice func(string)) *Scheduler {
	if notice == nil {
		notice = func(string) {}
	}
	s := &Scheduler{session: session, notice: notice, mirrors: newMirrors()}
	s.timer = time.AfterFunc(time.Hour, s.expire)
	s.timer.Stop()
	return s
}

// Turn is one turn of the session, from its start until it has fully settled.
type Turn struct {
	s      *Scheduler
	over   bool // settled, aborted or failed
	broken bool // aborted or failed
}

// Begin tells that a turn starts.
func (s *Scheduler) Begin() *Turn {
	t := &Turn{s: s}
	s.change(func(time.Time) {
		s.turn = t
		s.machine.turnStarted()
	})
	return t
}

// Arm schedules the turn after this one, a delay after the session is idle. It
// may be called again to replace the delay.
func (t *Turn) Arm(seconds int) (Status, error) {
	if seconds < MinDelay || seconds > MaxDelay {
		return Status{}, outOfRange(fmt.Sprint(seconds))
	}
	s := t.s
	var err error
	s.change(func(time.Time) {
		switch {
		case s.closed:
			err = ErrClosed
		case t.broken || s.turn != t:
			err = ErrTurnOver
		default:
			s.machine.arm(time.Duration(seconds) * time.Second)
		}
	})
	if err != nil {
		return Status{}, err
	}
	return s.Status(), nil
}

// Settled tells that the turn is over with all its retries. The end of a
// single attempt is no event.
func (t *Turn) Settled() { t.end(false) }

// Aborted tells that the operator ended the turn: what it armed is dropped.
func (t *Turn) Aborted() { t.end(true) }

// Failed tells that the turn came to no good end: what it armed is dropped.
func (t *Turn) Failed() { t.end(true) }

func (t *Turn) end(broken bool) {
	t.s.change(func(time.Time) {
		if t.s.turn != t || t.over {
			return
		}
		t.over, t.broken = true, broken
		if broken {
			t.s.machine.broken()
		} else {
			t.s.machine.settled()
		}
	})
}

// Changed tells that the session may have become busy or idle, or that input
// waits or is taken. It must be told of both edges: a moment of work, too,
// begins the delay anew.
func (s *Scheduler) Changed() { s.change(func(time.Time) {}) }

// Input tells of text that came into the session, whoever sent it. It returns
// true for the loop's own trigger on its way back; everything else ends the
// rhythm.
func (s *Scheduler) Input(text string) (ours bool) {
	s.change(func(time.Time) { ours = s.machine.input(text) })
	return ours
}

// Cancel ends the rhythm as any input does.
func (s *Scheduler) Cancel() { s.change(func(time.Time) { s.machine.cancel() }) }

// Hurry brings a countdown to its end now.
func (s *Scheduler) Hurry() { s.change(func(now time.Time) { s.machine.hurry(now) }) }

// Switch goes on with another session; what was scheduled for the old one is
// dropped.
func (s *Scheduler) Switch(session Session) {
	s.change(func(time.Time) {
		s.machine.cancel()
		s.session, s.turn = session, nil
	})
}

// Close drops what is scheduled and tells the mirrors of the end. It waits for
// none of them; Gone does.
func (s *Scheduler) Close() {
	s.change(func(time.Time) {
		s.machine.cancel()
		s.closed = true
	})
	s.mirrors.close()
}

// Status is the loop as it is now.
func (s *Scheduler) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.machine.status(time.Now())
}

// Due is when the next turn is sent; zero without a countdown.
func (s *Scheduler) Due() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.machine.deadline
}

// change is the one way in: an event, a look at the session, the timer and the
// mirrors brought along.
func (s *Scheduler) change(event func(now time.Time)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	event(now)
	if !s.closed && s.machine.pending != nothing {
		s.machine.look(s.free(), now)
	}
	s.follow(now)
}

func (s *Scheduler) free() bool { return s.session.Idle() && !s.session.Pending() }

// follow sets the timer to the machine's deadline and shows its status.
func (s *Scheduler) follow(now time.Time) {
	if s.machine.deadline.IsZero() {
		s.timer.Stop()
	} else {
		s.timer.Reset(s.machine.deadline.Sub(now))
	}
	s.mirrors.show(s.machine.status(now))
}

// expire is the timer's. The trigger is sent outside the lock, as it comes back
// as input.
func (s *Scheduler) expire() {
	s.mu.Lock()
	now := time.Now()
	send := !s.closed && s.machine.expired(s.free(), now)
	session := s.session
	s.follow(now)
	s.mu.Unlock()
	if !send {
		return
	}
	err := session.Send(Trigger)
	if err == nil {
		return
	}
	var told bool
	s.change(func(time.Time) { told = s.machine.notSent() })
	if told && !errors.Is(err, ErrOvertaken) {
		s.notice(fmt.Sprintf("grow-loop: the next turn could not be sent: %v; the loop has stopped", err))
	}
}

// ParseDelay reads the tool's argument after_seconds: absent, or a whole number
// in range.
func ParseDelay(argument json.RawMessage) (seconds int, err error) {
	if len(argument) == 0 || string(argument) == "null" {
		return DefaultDelay, nil
	}
	if err := json.Unmarshal(argument, &seconds); err != nil || seconds < MinDelay || seconds > MaxDelay {
		return 0, outOfRange(string(argument))
	}
	return seconds, nil
}

func outOfRange(got string) error {
	const most = 40
	if len(got) > most {
		got = got[:most] + "…"
	}
	return fmt.Errorf("after_seconds must be a whole number from %d to %d, not %s; nothing was scheduled or changed", MinDelay, MaxDelay, got)
}
