package loop

import "fmt"

// State is what a loop is doing.
type State string

const (
	Idle      State = "idle"      // nothing is scheduled, no scheduled turn runs
	Deferred  State = "deferred"  // the next turn waits until the session is idle
	Countdown State = "countdown" // the next turn starts when the seconds are over
	Active    State = "active"    // a turn that the loop has sent runs
)

// Status is the loop at one moment.
type Status struct {
	State   State
	N       int // turns of this process that armed a successor
	Seconds int // left of a countdown, rounded up, never 0; else 0
}

// Text is the status line's part: empty when there is nothing to say.
func (s Status) Text() string {
	switch s.State {
	case Deferred, Active:
		return fmt.Sprintf("grow-loop ∞%d", s.N)
	case Countdown:
		return fmt.Sprintf("grow-loop %ds", s.Seconds)
	}
	return ""
}

// Identity is how the loop is named outside the program: the same for all of a
// cycle's states, so that a mirror need not follow the seconds. Empty when
// there is nothing to show.
func (s Status) Identity() string {
	if s.Text() == "" {
		return ""
	}
	return fmt.Sprintf("Grow Loop: ∞%d", s.N)
}
