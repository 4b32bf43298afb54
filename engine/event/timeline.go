package event

import (
	"slices"
	"sort"
	"time"
)

// markEvery is how many events apart a Timeline keeps a whole state: going to
// any place folds fewer events than that.
const markEvery = 1024

// shortIdle is what is left of a gap in which nothing was at work.
const shortIdle = time.Second

// Timeline is a run as a recording: the state after any number of its events,
// and when each of them is played. Events may be added while it plays.
type Timeline struct {
	events []Event
	marks  []*State // marks[i] is the state after i*markEvery events
	last   *State   // after all of them
	whole  []time.Duration
	short  []time.Duration
	starts []int // numbers of the events that began a Worker, counting from 1
}

// NewTimeline is a recording without events.
func NewTimeline() *Timeline {
	return &Timeline{marks: []*State{NewState()}, last: NewState()}
}

// Add appends events; one that is there already (by Seq) is left out.
func (t *Timeline) Add(events ...Event) {
	for _, e := range events {
		if e.Seq != 0 && e.Seq <= t.last.LastSeq {
			continue
		}
		var whole, short time.Duration
		if n := len(t.events); n > 0 {
			gap := max(e.At.Sub(t.events[n-1].At), 0) // a clock may have been set back
			whole, short = t.whole[n-1]+gap, t.short[n-1]+gap
			if idle(t.last, e) {
				short = t.short[n-1] + min(gap, shortIdle)
			}
		}
		t.last.Apply(e)
		t.events = append(t.events, e)
		t.whole, t.short = append(t.whole, whole), append(t.short, short)
		if b, ok := e.Body.(WorkerStarted); ok && !b.Again {
			t.starts = append(t.starts, len(t.events))
		}
		if len(t.events)%markEvery == 0 {
			t.marks = append(t.marks, t.last.Clone())
		}
	}
}

// idle tells whether nothing was at work between the state and the event
// after it: the run waited for somebody, had ended, or had lost its owner.
func idle(before *State, next Event) bool {
	switch next.Body.(type) {
	case RunOrphaned, RunResumed:
		return true
	}
	return len(before.Waits) > 0 || before.IsEnded()
}

// Len is how many events there are.
func (t *Timeline) Len() int { return len(t.events) }

// Event returns event n, counting from 1.
func (t *Timeline) Event(n int) Event { return t.events[n-1] }

// State is the state after the first n events. It is the caller's own.
func (t *Timeline) State(n int) *State {
	n = min(max(n, 0), len(t.events))
	s := t.marks[n/markEvery].Clone()
	for _, e := range t.events[n/markEvery*markEvery : n] {
		s.Apply(e)
	}
	return s
}

// offsets are when the events are played; with short, gaps in which nothing
// was at work are cut to a second.
func (t *Timeline) offsets(short bool) []time.Duration {
	if short {
		return t.short
	}
	return t.whole
}

// Offset is when event n, counting from 1, is played, after the first one.
func (t *Timeline) Offset(n int, short bool) time.Duration {
	if len(t.events) == 0 {
		return 0
	}
	return t.offsets(short)[min(max(n, 1), len(t.events))-1]
}

// Length is how long playing all of it takes.
func (t *Timeline) Length(short bool) time.Duration { return t.Offset(len(t.events), short) }

// Until is how many events have been played at an offset.
func (t *Timeline) Until(offset time.Duration, short bool) int {
	all := t.offsets(short)
	return sort.Search(len(all), func(i int) bool { return all[i] > offset })
}

// Start is the place of the first Worker's start after event n (by > 0) or of
// the last one before it (by < 0); n when there is none.
func (t *Timeline) Start(n, by int) int {
	i, here := slices.BinarySearch(t.starts, n)
	switch {
	case by > 0 && here:
		i++
	case by < 0:
		i--
	}
	if i < 0 || i >= len(t.starts) {
		return n
	}
	return t.starts[i]
}

// StartOf is the place of Worker k's last start, or 0.
func (t *Timeline) StartOf(k int) int {
	for _, n := range slices.Backward(t.starts) {
		if b, ok := t.events[n-1].Body.(WorkerStarted); ok && b.K == k {
			return n
		}
	}
	return 0
}

// Last is the state after all events. It is only to be read.
func (t *Timeline) Last() *State { return t.last }

// Starts are the places of all Workers' starts.
func (t *Timeline) Starts() []int { return slices.Clone(t.starts) }
