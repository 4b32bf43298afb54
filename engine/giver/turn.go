package giver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"growbench/engine/model"
	"growbench/engine/tool"
)

// Bounds of one turn.
const (
	maxSteps  = 24 // answers of the model
	maxCalls  = 16 // of one answer
	maxAgain  = 2  // answers in a row that cannot be used
	maxReturn = 24 << 10
)

// turn is one piece of the model's work; said is nil when nobody has spoken.
type turn struct{ said *Said }

// How a turn ended.
const (
	Settled = "settled"
	Aborted = "aborted" // by the operator
	Broken  = "failed"
)

// activity is the turn that runs.
type activity struct {
	cancel context.CancelCauseFunc
	doing  string // the tool at work
	stops  bool   // it was told to end
}

// errStopped is why a turn ends that the operator stopped.
var errStopped = errors.New("stopped by the operator")

// Say puts in what a user says. It is answered once the turns before it are
// over.
func (s *Session) Say(text, by string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("say something: the message is empty")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grow.scheduler.Input(text)
	return s.enqueueLocked(turn{&Said{Text: s.Hide(text), By: by}})
}

func (s *Session) enqueueLocked(t turn) error {
	if s.closed || s.ctx.Err() != nil {
		return ErrClosed
	}
	s.queue = append(s.queue, t)
	if s.turn == nil {
		s.turn = &activity{}
		s.spawn("answer in the conversation", s.work)
	}
	s.change()
	return nil
}

// work carries turns out until there are none.
func (s *Session) work() {
	for {
		s.mu.Lock()
		if len(s.queue) == 0 || s.ctx.Err() != nil {
			s.turn = nil
			s.change()
			s.mu.Unlock()
			return
		}
		next := s.queue[0]
		s.queue = s.queue[1:]
		ctx, cancel := context.WithCancelCause(s.ctx)
		s.turn = &activity{cancel: cancel}
		s.change()
		s.mu.Unlock()
		s.left(s.answer(ctx, next))
		cancel(nil)
	}
}

// answer is one turn, from what was said to an answer without a call.
func (s *Session) answer(ctx context.Context, t turn) (how string) {
	if t.said != nil {
		if s.append(true, *t.said) != nil {
			return Broken
		}
	}
	if s.Client == nil { // before anything is said to have been given to it
		s.append(false, Answered{Error: noModel})
		return Broken
	}
	if s.enter(t) {
		return Settled
	}
	if err := s.prepare(ctx); err != nil {
		s.append(false, Answered{Error: s.Hide(err.Error())})
		return Broken
	}
	set := tool.NewSet(s.Hide, s.tools()...)
	again := 0
	for range maxSteps {
		answer, err := s.exchange(ctx, set)
		switch {
		case context.Cause(ctx) != nil:
			return Aborted
		case err != nil:
			s.append(false, Answered{Error: s.Hide(err.Error())})
			return Broken
		case len(answer.Calls) > 0:
			again = 0
			if s.carryOutCalls(ctx, set, answer); context.Cause(ctx) != nil {
				return Aborted
			}
			continue
		}
		if answer.Error == "" {
			return Settled
		}
		if again++; again > maxAgain {
			return Broken
		}
		s.append(false, Told{Text: "Your answer could not be used: " + answer.Error + ". Answer again, in fewer words or with one call."})
	}
	s.append(false, Told{Text: fmt.Sprintf("The turn ended after %d answers; the operator has to say how to go on.", maxSteps)})
	return Broken
}

const noModel = "there is no model to answer (roles.giver names none of kind native): write Task #0 yourself, as lines {\"draft\":TEXT}, in the workbench or in " +
	fileDraft + ", and approve it"

// Stop ends the turn at hand; what the model has said so far is kept. It
// returns false when there is none.
func (s *Session) Stop() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == nil || s.turn.cancel == nil {
		return false
	}
	s.turn.stops = true
	s.turn.cancel(errStopped)
	s.change()
	return true
}

// carryOutCalls does the calls of an answer in their order; each gets a return.
func (s *Session) carryOutCalls(ctx context.Context, set *tool.Set, answer Answered) {
	for i, c := range answer.Calls {
		began := s.Now()
		r := Returned{ID: c.ID, Name: c.Name, Args: c.Arguments, Text: interrupted, Error: "interrupted"}
		switch {
		case ctx.Err() != nil:
		case i >= maxCalls:
			r.Error = fmt.Sprintf("not done: more than %d calls at once; make the others again", maxCalls)
			r.Text = "error: " + r.Error
		default:
			s.doing(c.Name)
			r = returned(c, set.Do(ctx, model.Call(c), s.room()))
			if !contains(set.Names(), r.Name) {
				r.Text += "\n" + onlyLooks
			}
		}
		r.MS = s.Now().Sub(began).Milliseconds()
		s.append(false, r)
	}
	s.doing("")
}

// onlyLooks follows the refusal of a tool that does not exist.
const onlyLooks = "Nothing was changed. Nothing here writes files of the project or runs commands: what is to change goes into Task #0, and Workers do it."

func returned(c Call, ret tool.Return) Returned {
	return Returned{ID: c.ID, Name: ret.Name, Args: ret.Args, Text: ret.Text, Error: ret.Error, Bytes: ret.Bytes}
}

func (s *Session) doing(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn != nil {
		s.turn.doing = name
	}
	s.change()
}

// room is how long a return may be, in bytes: a quarter of what the window has
// left, where that is known.
func (s *Session) room() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	window := s.windowLocked()
	if window <= 0 {
		return maxReturn
	}
	return min(max(int(float64(window-s.state.Usage.Context)*bytesAToken/4), 2<<10), maxReturn)
}
