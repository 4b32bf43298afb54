package loop

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// session is a conversation that does what it is told by the test.
type session struct {
	mu      sync.Mutex
	busy    bool
	waiting bool
	fail    error
	sent    []time.Time
	onSend  func()
}

func (s *session) Idle() bool    { s.mu.Lock(); defer s.mu.Unlock(); return !s.busy }
func (s *session) Pending() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.waiting }

func (s *session) Send(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text != Trigger {
		return errors.New("not the trigger")
	}
	if s.fail != nil {
		return s.fail
	}
	s.sent = append(s.sent, time.Now())
	if s.onSend != nil {
		s.onSend()
	}
	return nil
}

func (s *session) set(busy, waiting bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy, s.waiting = busy, waiting
}

// stage is a scheduler, its session and what it has told the operator.
type stage struct {
	*Scheduler
	t       *testing.T
	session *session
	begun   time.Time
	notices []string
}

// play runs a test in a bubble with a clock of its own.
func play(t *testing.T, test func(s *stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &stage{t: t, session: &session{}, begun: time.Now()}
		s.Scheduler = New(s.session, func(text string) { s.notices = append(s.notices, text) })
		defer s.Close()
		test(s)
	})
}

// turn begins a turn with the session busy.
func (s *stage) turn() *Turn {
	s.session.set(true, false)
	return s.Begin()
}

func (s *stage) arm(turn *Turn, seconds int) {
	s.t.Helper()
	if _, err := turn.Arm(seconds); err != nil {
		s.t.Fatal(err)
	}
}

// settle ends a turn and leaves the session idle.
func (s *stage) settle(turn *Turn) {
	s.session.set(false, false)
	turn.Settled()
}

// armed takes a turn that arms its successor and settles.
func (s *stage) armed(seconds int) *Turn {
	turn := s.turn()
	s.arm(turn, seconds)
	s.settle(turn)
	return turn
}

// pass lets time pass and everything that is due happen.
func (s *stage) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (s *stage) sent(want ...time.Duration) {
	s.t.Helper()
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	var got []time.Duration
	for _, at := range s.session.sent {
		got = append(got, at.Sub(s.begun))
	}
	if len(got) != len(want) {
		s.t.Fatalf("sent at %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			s.t.Fatalf("sent at %v, want %v", got, want)
		}
	}
}

func (s *stage) status(want string) {
	s.t.Helper()
	if got := s.Status(); got.Text() != want {
		s.t.Errorf("status is %q (%s), want %q", got.Text(), got.State, want)
	}
}

func (s *stage) state(want State) {
	s.t.Helper()
	if got := s.Status().State; got != want {
		s.t.Errorf("state is %s, want %s", got, want)
	}
}

const second = time.Second

func TestSendsAfterTheDelayAndComesRound(t *testing.T) {
	play(t, func(s *stage) {
		turn := s.turn()
		s.arm(turn, 3)
		s.state(Deferred)
		s.status("grow-loop ∞1")
		s.pass(time.Minute)
		s.sent()
		s.settle(turn)
		s.state(Countdown)
		s.status("grow-loop 3s")
		s.pass(2001 * time.Millisecond)
		s.status("grow-loop 1s")
		s.pass(998 * time.Millisecond)
		s.status("grow-loop 1s")
		s.sent()
		s.pass(time.Millisecond)
		s.sent(time.Minute + 3*second)
		s.state(Active)
		if !s.Input(Trigger) {
			t.Error("the trigger is not known on its way back")
		}
		s.state(Active)
		next := s.turn()
		s.arm(next, 5)
		s.state(Deferred)
		s.status("grow-loop ∞2")
		s.settle(next)
		s.status("grow-loop 5s")
		s.pass(5 * second)
		s.sent(63*second, 68*second)
	})
}

func TestWaitsForWhatIsPending(t *testing.T) {
	play(t, func(s *stage) {
		turn := s.turn()
		s.arm(turn, 4)
		s.session.set(false, true)
		turn.Settled()
		s.state(Deferred)
		s.pass(time.Minute)
		s.sent()
		s.session.set(false, false)
		s.Changed()
		s.pass(4 * second)
		s.sent(64 * second)
	})
}

func TestAMomentOfWorkBeginsTheDelayAnew(t *testing.T) {
	for name, blip := range map[string][2]bool{"busy": {true, false}, "pending": {false, true}} {
		t.Run(name, func(t *testing.T) {
			play(t, func(s *stage) {
				s.armed(10)
				s.pass(9 * second)
				s.session.set(blip[0], blip[1])
				s.Changed()
				s.state(Deferred)
				s.session.set(false, false)
				s.Changed()
				s.status("grow-loop 10s")
				s.pass(9999 * time.Millisecond)
				s.sent()
				s.pass(time.Millisecond)
				s.sent(19 * second)
			})
		})
	}
}

func TestBusyAtExpiryDefers(t *testing.T) {
	play(t, func(s *stage) {
		s.armed(3)
		s.session.set(true, false) // nobody told
		s.pass(3 * second)
		s.sent()
		s.state(Deferred)
	})
}

func TestArmingTwiceInATurn(t *testing.T) {
	play(t, func(s *stage) {
		turn := s.turn()
		s.arm(turn, 60)
		s.arm(turn, 3)
		s.status("grow-loop ∞1")
		s.settle(turn)
		s.pass(time.Hour)
		s.sent(3 * second)
	})
}

func TestReplacingTheDelayInTheCountdown(t *testing.T) {
	play(t, func(s *stage) {
		turn := s.armed(3600)
		s.status("grow-loop 3600s")
		s.pass(100 * second)
		s.arm(turn, 3)
		s.status("grow-loop 3s")
		if n := s.Status().N; n != 1 {
			t.Errorf("N is %d, want 1", n)
		}
		s.pass(2 * time.Hour)
		s.sent(103 * second)
	})
}

func TestDelays(t *testing.T) {
	for argument, want := range map[string]int{
		"": 3, "null": 3, "3": 3, "3600": 3600, "60": 60, "3.0": 0,
		"2": 0, "3601": 0, "3.5": 0, "-5": 0, "0": 0, `"10"`: 0, `"soon"`: 0, "true": 0, "{}": 0, "[3]": 0, "1e3": 0, "99999999999999999999": 0,
	} {
		got, err := ParseDelay(json.RawMessage(argument))
		if want == 0 {
			if err == nil || !strings.Contains(err.Error(), "from 3 to 3600") {
				t.Errorf("%q: %d, %v", argument, got, err)
			}
		} else if err != nil || got != want {
			t.Errorf("%q: %d, %v, want %d", argument, got, err, want)
		}
	}
}

func TestArmOutOfRangeChangesNothing(t *testing.T) {
	play(t, func(s *stage) {
		turn := s.turn()
		for _, seconds := range []int{2, 0, -1, 3601} {
			if _, err := turn.Arm(seconds); err == nil || !strings.Contains(err.Error(), "from 3 to 3600") {
				t.Errorf("%d: %v", seconds, err)
			}
		}
		s.state(Idle)
		s.arm(turn, 9)
		if _, err := turn.Arm(2); err == nil {
			t.Error("2 seconds were taken")
		}
		s.settle(turn)
		s.pass(9 * second)
		s.sent(9 * second)
	})
}

func TestInputCancels(t *testing.T) {
	play(t, func(s *stage) {
		turn := s.turn()
		s.arm(turn, 3)
		s.Input("stop, look here first")
		s.state(Idle)
		s.settle(turn)
		s.pass(time.Hour)
		s.sent()

		s.armed(10)
		s.pass(9 * second)
		s.Input("x")
		s.state(Idle)
		s.status("")
		s.pass(time.Hour)
		s.sent()

		next := s.turn()
		s.arm(next, 3)
		s.status("grow-loop ∞3")
	})
}

func TestTypedTriggerIsInput(t *testing.T) {
	play(t, func(s *stage) {
		s.armed(30)
		if s.Input(Trigger) {
			t.Error("a typed trigger is taken for the loop's own")
		}
		s.state(Idle)
		s.pass(time.Hour)
		s.sent()
	})
}

func TestSecondTriggerIsInput(t *testing.T) {
	play(t, func(s *stage) {
		s.armed(3)
		s.pass(3 * second)
		s.sent(3 * second)
		if !s.Input(Trigger) || s.Input(Trigger) {
			t.Error("the trigger counts exactly once")
		}
		s.state(Idle)
	})
}

func TestInputAtTheInstantOfExpiry(t *testing.T) {
	play(t, func(s *stage) { // it came before the timer: the session has it pending
		s.armed(3)
		s.pass(3*second - 1)
		s.session.set(false, true)
		s.pass(1)
		s.sent()
		s.Input("wait")
		s.session.set(false, false)
		s.Changed()
		s.pass(time.Hour)
		s.sent()
	})
	play(t, func(s *stage) { // it came while the trigger was on its way
		s.session.fail = ErrOvertaken
		s.armed(3)
		s.pass(3 * second)
		s.Input("wait")
		s.state(Idle)
		s.pass(time.Hour)
		s.sent()
		if len(s.notices) != 0 {
			t.Errorf("said %q", s.notices)
		}
	})
	play(t, func(s *stage) { // and from a goroutine of its own at the same moment
		s.armed(3)
		go func() {
			time.Sleep(3 * second)
			s.Input("wait")
		}()
		s.pass(3 * second)
		s.state(Idle)
		s.pass(time.Hour)
		s.session.mu.Lock()
		defer s.session.mu.Unlock()
		if len(s.session.sent) > 1 {
			t.Errorf("sent %d times", len(s.session.sent))
		}
	})
}

func TestSettledClearsActive(t *testing.T) {
	play(t, func(s *stage) {
		s.armed(3)
		s.pass(3 * second)
		s.Input(Trigger)
		turn := s.turn()
		s.state(Active)
		s.session.set(false, false)
		s.Changed() // a retry may follow: the turn has not settled
		s.state(Active)
		turn.Settled()
		s.state(Idle)
	})
}

func TestSettledKeepsASuccessor(t *testing.T) {
	play(t, func(s *stage) {
		s.armed(3)
		s.pass(3 * second)
		s.Input(Trigger)
		s.armed(7)
		s.state(Countdown)
		s.pass(7 * second)
		s.sent(3*second, 10*second)
	})
}

func TestBrokenTurnsDropWhatTheyArmed(t *testing.T) {
	for name, end := range map[string]func(*Turn){"aborted": (*Turn).Aborted, "failed": (*Turn).Failed} {
		t.Run(name, func(t *testing.T) {
			play(t, func(s *stage) {
				turn := s.turn()
				s.arm(turn, 3)
				s.session.set(false, false)
				end(turn)
				s.state(Idle)
				if _, err := turn.Arm(3); !errors.Is(err, ErrTurnOver) {
					t.Errorf("a tool call that comes late: %v", err)
				}
				turn.Settled() // the tail of the same turn
				s.pass(time.Hour)
				s.sent()
				next := s.turn()
				s.arm(next, 3)
				s.status("grow-loop ∞2")
			})
		})
	}
}

func TestOldTurnArmsNothing(t *testing.T) {
	play(t, func(s *stage) {
		old := s.turn()
		s.settle(old)
		s.turn()
		if _, err := old.Arm(3); !errors.Is(err, ErrTurnOver) {
			t.Errorf("got %v", err)
		}
		old.Aborted()
		s.state(Idle)
	})
}

func TestHurry(t *testing.T) {
	play(t, func(s *stage) {
		s.armed(3600)
		s.pass(10 * second)
		s.Hurry()
		s.pass(0)
		s.sent(10 * second)
		s.state(Active)
		s.Hurry()
		s.pass(time.Hour)
		s.sent(10 * second)
	})
}

func TestHurryNeverSendsIntoABusySession(t *testing.T) {
	play(t, func(s *stage) {
		turn := s.turn()
		s.arm(turn, 30)
		s.Hurry()
		s.pass(second)
		s.sent()
		s.state(Deferred)
	})
}

func TestSendFailure(t *testing.T) {
	play(t, func(s *stage) {
		s.session.fail = errors.New("the line is dead")
		s.armed(3)
		s.pass(3 * second)
		s.state(Idle)
		if len(s.notices) != 1 || !strings.Contains(s.notices[0], "the line is dead") {
			t.Errorf("said %q", s.notices)
		}
		if s.Input(Trigger) {
			t.Error("a trigger that was never sent is expected")
		}
		s.session.fail = nil
		s.armed(3)
		s.pass(3 * second)
		s.sent(6 * second)
	})
}

func TestCloseInEveryState(t *testing.T) {
	for _, state := range []State{Idle, Deferred, Countdown, Active} {
		t.Run(string(state), func(t *testing.T) {
			play(t, func(s *stage) {
				turn := s.turn()
				if state != Idle {
					s.arm(turn, 3)
				}
				if state == Countdown || state == Active {
					s.settle(turn)
				}
				if state == Active {
					s.pass(3 * second)
				}
				s.state(state)
				s.Close()
				s.Close()
				s.state(Idle)
				s.session.set(false, false)
				s.Changed()
				before := len(s.session.sent)
				s.pass(time.Hour)
				if len(s.session.sent) != before {
					t.Error("sent after the end")
				}
				if _, err := turn.Arm(3); !errors.Is(err, ErrClosed) {
					t.Errorf("arming after the end: %v", err)
				}
			})
		})
	}
}

func TestSwitchDropsTheCountdown(t *testing.T) {
	play(t, func(s *stage) {
		turn := s.armed(10)
		s.pass(5 * second)
		other := &session{}
		s.Switch(other)
		s.state(Idle)
		if _, err := turn.Arm(3); !errors.Is(err, ErrTurnOver) {
			t.Errorf("the old session's turn arms the new one: %v", err)
		}
		s.pass(time.Hour)
		s.sent()
		if len(other.sent) != 0 {
			t.Error("the new session was sent the old one's turn")
		}
		s.session = other
		next := s.turn()
		s.arm(next, 3)
		s.status("grow-loop ∞2")
	})
}

func TestTheTriggerMayComeBackFromWithinSend(t *testing.T) {
	play(t, func(s *stage) {
		var ours bool
		s.session.onSend = func() { ours = s.Input(Trigger) }
		s.armed(3)
		s.pass(3 * second)
		if !ours {
			t.Error("the trigger is not known on its way back")
		}
	})
}

func TestLongestCountdownFitsASmallStatusLine(t *testing.T) {
	play(t, func(s *stage) {
		s.armed(3600)
		if text := s.Status().Text(); len([]rune(text)) > 16 {
			t.Errorf("%q is too long", text)
		}
	})
}
