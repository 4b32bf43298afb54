package loop

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// TestRandomSequences drives the machine with random events, as a session that
// obeys it would see them, and checks after each what must always hold.
func TestRandomSequences(t *testing.T) {
	for seed := range uint64(10_000) {
		sequence(t, seed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func sequence(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
	var m machine
	now := time.Unix(1000, 0)
	var trace []string
	busy, waiting := false, false
	armed := 0         // what a human would count: turns that armed
	inTurn := false    // this turn has armed
	scheduled := false // a turn is owed: armed, and nothing has taken it back
	lastN := 0
	for range 40 {
		event := random.IntN(12)
		trace = append(trace, fmt.Sprint(event))
		free := !busy && !waiting
		switch event {
		case 0: // a turn starts
			busy = true
			m.turnStarted()
			inTurn = false
			m.look(false, now)
		case 1, 2: // the tool
			m.arm(time.Duration(MinDelay+random.IntN(10)) * time.Second)
			if !inTurn {
				armed++
				inTurn = true
			}
			scheduled = true
			m.look(free, now)
		case 3: // the turn settles
			busy = false
			m.settled()
			m.look(!waiting, now)
		case 4: // the turn is aborted or fails
			busy = false
			m.broken()
			if inTurn {
				scheduled = false
			}
			m.look(!waiting, now)
		case 5:
			waiting = !waiting
			m.look(!busy && !waiting, now)
		case 6:
			m.input("something else")
			scheduled = false
		case 7:
			before := m.expecting
			if ours := m.input(Trigger); ours != before {
				t.Errorf("%v: the trigger is ours: %v, expected: %v", trace, ours, before)
			}
			if !before {
				scheduled = false
			}
		case 8:
			m.cancel()
			scheduled = false
		case 9:
			m.hurry(now)
		case 10:
			m.notSent()
		default: // time passes, the timer fires
			now = now.Add(time.Duration(random.IntN(12)) * time.Second)
			due := m.pending == countdown && !now.Before(m.deadline)
			sent := m.expired(free, now)
			if sent && (!free || !scheduled || !due) {
				t.Errorf("%v: sent while free %v, scheduled %v, due %v", trace, free, scheduled, due)
			}
			if sent {
				scheduled = false
			}
			if m.expired(free, now) {
				t.Errorf("%v: sent twice", trace)
			}
		}
		if (m.pending == countdown) != !m.deadline.IsZero() {
			t.Errorf("%v: pending %v with deadline %v", trace, m.pending, m.deadline)
		}
		if (m.pending != nothing) != scheduled {
			t.Errorf("%v: pending %v, owed %v", trace, m.pending, scheduled)
		}
		if m.n != armed || m.n < lastN {
			t.Errorf("%v: N is %d after %d, counted %d", trace, m.n, lastN, armed)
		}
		lastN = m.n
		if s := m.status(now); s.State == Countdown && s.Seconds < 1 {
			t.Errorf("%v: %d seconds left", trace, s.Seconds)
		}
	}
}
