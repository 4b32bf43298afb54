package loop

import "time"

// pending is what the scheduler holds for later.
type pending int

const (
	nothing   pending = iota
	deferred          // a turn is armed and waits for an idle session
	countdown         // the session is idle and the delay runs
)

// machine is the scheduler without its clock, its session and its lock. Each
// method is one event; what the session looks like at that moment and the time
// are handed in. When it is done, deadline says when expired is due.
type machine struct {
	pending   pending
	active    bool // a turn the loop has sent is running
	n         int  // turns that armed a successor
	delay     time.Duration
	deadline  time.Time // of the countdown; zero without one
	armed     bool      // the turn at hand has armed a successor
	expecting bool      // the trigger was sent and has not come back as input
}

// turnStarted makes room for the next turn's own arming.
func (m *machine) turnStarted() { m.armed = false }

// arm schedules a successor. The first time in a turn counts, the others only
// replace the delay.
func (m *machine) arm(delay time.Duration) {
	if !m.armed {
		m.armed = true
		m.n++
	}
	m.delay = delay
	m.pend(deferred)
}

// look takes in whether the session would take a turn now.
func (m *machine) look(free bool, now time.Time) {
	switch {
	case m.pending == deferred && free:
		m.pend(countdown)
		m.deadline = now.Add(m.delay)
	case m.pending == countdown && !free:
		m.pend(deferred)
	}
}

// expired tells whether the trigger is to be sent now. A timer that fires late
// or twice finds no deadline.
func (m *machine) expired(free bool, now time.Time) (send bool) {
	if m.pending != countdown || now.Before(m.deadline) {
		return false
	}
	if !free {
		m.pend(deferred)
		return false
	}
	m.pend(nothing)
	m.active, m.expecting = true, true
	return true
}

// hurry brings a countdown to its end.
func (m *machine) hurry(now time.Time) {
	if m.pending == countdown {
		m.deadline = now
	}
}

// input takes what came into the session. It returns true when that is the
// trigger on its way back; anything else ends the rhythm.
func (m *machine) input(text string) (ours bool) {
	if m.expecting && text == Trigger {
		m.expecting = false
		return true
	}
	m.cancel()
	return false
}

func (m *machine) cancel() {
	m.pend(nothing)
	m.active, m.expecting = false, false
}

// settled is the end of a turn with all its retries; a successor stays.
func (m *machine) settled() { m.active = false }

// broken is the end of a turn that the operator aborted or that failed: what it
// armed goes with it.
func (m *machine) broken() {
	m.active, m.expecting = false, false
	if m.armed {
		m.pend(nothing)
	}
}

// notSent takes back a trigger that could not be sent. It returns false when
// something else has ended that turn already.
func (m *machine) notSent() bool {
	if !m.expecting {
		return false
	}
	m.active, m.expecting = false, false
	return true
}

func (m *machine) pend(p pending) {
	m.pending, m.deadline = p, time.Time{}
}

func (m *machine) status(now time.Time) Status {
	s := Status{State: Idle, N: m.n}
	switch {
	case m.pending == deferred:
		s.State = Deferred
	case m.pending == countdown:
		s.State = Countdown
		left := m.deadline.Sub(now)
		s.Seconds = max(1, int((left+time.Second-1)/time.Second))
	case m.active:
		s.State = Active
	}
	return s
}
