package giver

import (
	"slices"
	"sync/atomic"
	"time"

	"growbench/engine/event"
	"growbench/loop"
)

// LoopView is the loop of a conversation at one moment.
type LoopView struct {
	Status  loop.Status
	Lock    *loop.Lock      // what the loop keeps; nil before the first
	Surface loop.Surface    // the open work, as the last pass found it
	Due     time.Time       // of the next turn, while a countdown runs
	Notice  string          // what went wrong last
	Proof   *loop.StopProof // why the last loop has ended; nil while one goes on
}

// growing is the conversation's loop. Session.mu guards it; it is taken before
// the scheduler's own lock, never after.
type growing struct {
	scheduler *loop.Scheduler
	seat      *seat
	lock      *loop.Lock
	surface   loop.Surface
	proof     *loop.StopProof
	notice    string
	pass      *pass // at work; nil between passes
	given     map[string]string
	told      map[string]bool // problems of skills that were told of
	log       *event.Log
	history   []LoopEntry
	version   int // of what a view holds beside the status
	shown     shownLoop
	published loopNow // what watchers were told last
	tick      *time.Timer
}

// shownLoop is what the feeds were told last.
type shownLoop struct {
	status  loop.Status
	due     time.Time
	version int
}

// seat is the session as the scheduler sees it. What it answers was put there
// under Session.mu, so that asking takes no lock.
type seat struct {
	s       *Session
	idle    atomic.Bool
	pending atomic.Bool
}

func (b *seat) Idle() bool    { return b.idle.Load() }
func (b *seat) Pending() bool { return b.pending.Load() }

// Send puts the loop's trigger in, unless something else came first.
func (b *seat) Send(text string) error {
	s := b.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn != nil || len(s.queue) > 0 || !s.grow.scheduler.Input(text) {
		return loop.ErrOvertaken
	}
	return s.enqueueLocked(turn{&Said{Text: text, By: ByLoop}})
}

func (s *Session) openLoop() error {
	g := &s.grow
	g.given, g.told = map[string]string{}, map[string]bool{}
	g.seat = &seat{s: s}
	g.scheduler = loop.New(g.seat, s.loopNotice)
	g.shown.status = g.scheduler.Status()
	g.published = loopNow{State: loop.Idle}
	s.unpublishLoop() // of one that was killed
	g.tick = time.AfterFunc(time.Hour, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.showLoop()
	})
	g.tick.Stop()
	return s.loadLoop()
}

// Loop is the conversation's loop as it is now.
func (s *Session) Loop() LoopView {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loopView()
}

func (s *Session) loopView() LoopView {
	g := &s.grow
	v := LoopView{Status: g.scheduler.Status(), Surface: g.surface, Due: g.scheduler.Due(), Notice: g.notice, Proof: g.proof}
	if g.lock != nil {
		lock := *g.lock
		lock.Passes, lock.Runs, lock.Holds = slices.Clone(lock.Passes), slices.Clone(lock.Runs), slices.Clone(lock.Holds)
		v.Lock = &lock
	}
	return v
}

// Typed tells of text that is being typed or pasted and not sent yet: the loop
// gives way to it.
func (s *Session) Typed() { s.CancelLoop() }

// CancelLoop drops the turn that the loop has scheduled. A turn that runs goes
// on.
func (s *Session) CancelLoop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.grow.scheduler.Status().State != loop.Idle {
		s.grow.scheduler.Cancel()
		s.change()
	}
}

// HurryLoop brings a countdown to its end.
func (s *Session) HurryLoop() { s.grow.scheduler.Hurry() }

// LoopMirror registers a mirror of the loop's status, once a name.
func (s *Session) LoopMirror(name string, m loop.Mirror) bool {
	return s.grow.scheduler.Mirror(name, m)
}

// LoopGone is closed when every mirror was told of the end, after Close.
func (s *Session) LoopGone() <-chan struct{} { return s.grow.scheduler.Gone() }

// NoteLoop shows words beside the loop, until its next pass begins.
func (s *Session) NoteLoop(words string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grow.notice = words
	s.grow.version++
	s.showLoop()
}

// loopNotice is told of a trigger that could not be sent. The loop has stopped.
func (s *Session) loopNotice(words string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grow.notice = words
	s.grow.version++
	if s.appendLocked(false, Told{Text: words}) != nil && !s.closed {
		s.change()
	}
}

// loopChanged lets the scheduler see what has become of the session. The caller
// holds mu.
func (s *Session) loopChanged() {
	g := &s.grow
	g.seat.idle.Store(s.quiet() && g.pass == nil && !s.closed)
	g.seat.pending.Store(len(s.queue) > 0)
	g.scheduler.Changed()
	s.showLoop()
}

// quiet tells that no turn and no run goes on, and none that was approved is
// still to be made. The caller holds mu.
func (s *Session) quiet() bool {
	return s.turn == nil && len(s.queue) == 0 && !s.reporting && s.state.Draft.Approved == nil &&
		!Look{State: *s.state, Run: viewOf(s.run, s.alive)}.atWork()
}

// showLoop tells the feeds of the loop, where they do not know. The caller
// holds mu.
func (s *Session) showLoop() {
	g := &s.grow
	now := shownLoop{status: g.scheduler.Status(), due: g.scheduler.Due(), version: g.version}
	if now == g.shown || s.closed {
		return
	}
	g.shown = now
	s.publishLoop(now.status, now.due)
	v := s.loopView()
	s.tell(Update{Loop: &v})
	if left := now.status.Seconds; now.status.State == loop.Countdown && left > 1 {
		g.tick.Reset(time.Until(now.due.Add(-time.Duration(left-1) * time.Second)))
	}
}

// closeLoop drops what is scheduled. The caller holds no lock.
func (s *Session) closeLoop() {
	s.grow.scheduler.Close()
	s.grow.tick.Stop()
}
