package ui

import (
	"fmt"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

// playEvery is how often a replay moves on.
const playEvery = 80 * time.Millisecond

// instant is a speed without any waiting.
const instant = 0

// speeds are what + and - go through.
var speeds = []float64{1, 2, 4, 8, 16, 32, 64, instant}

// replay is a run played from its record. The state on the screen is the fold
// of its first n events.
type replay struct {
	line    *event.Timeline
	bar     views.TimeBar
	n       int
	at      time.Duration // how far it has been played
	speed   float64
	paused  bool
	short   bool // pauses in which nothing was at work are cut
	alive   bool // whether the run's owner lives, whatever is on the screen
	loaded  bool
	now     atomic.Int64 // the moment, for those who read in the background
	last    time.Time    // when it moved on last
	ticking bool
}

func newReplay(look views.Look) *replay {
	return &replay{line: event.NewTimeline(), bar: views.NewTimeBar(look), speed: 1, short: true}
}

// playMsg moves a replay on.
type playMsg struct{ of *replay }

// moment is what time it is in the run that is played.
func (r *replay) moment() time.Time {
	if r.line.Len() == 0 {
		return time.Time{}
	}
	if r.n == 0 {
		return r.line.Event(1).At
	}
	now := r.line.Event(r.n).At.Add(max(r.at-r.line.Offset(r.n, r.short), 0))
	if r.n < r.line.Len() {
		if next := r.line.Event(r.n + 1).At; now.After(next) {
			return next
		}
	}
	return now
}

// now is the time the screen is about: of the clock, or in the run played.
func (m *model) now() time.Time {
	if m.replay != nil && m.replay.line.Len() > 0 {
		return m.replay.moment()
	}
	return m.o.Clock()
}

// record adds what has been read to the recording and begins to play.
func (m *model) record(events []event.Event, alive bool) tea.Cmd {
	r := m.replay
	r.line.Add(events...)
	r.alive = alive
	more := len(events) == engine.MaxBatch
	var cmds []tea.Cmd
	if r.n == 0 && r.line.Len() > 0 {
		cmds = append(cmds, m.playTo(1)) // the rest comes behind what is seen
	}
	if r.loaded = !more || r.loaded; !r.loaded {
		return tea.Batch(append(cmds, m.ask(0))...)
	}
	return tea.Batch(append(cmds, m.ask(streamEvery), m.play())...)
}

// play asks for the next step of a replay that goes on.
func (m *model) play() tea.Cmd {
	r := m.replay
	if r == nil || r.ticking || r.paused || !r.loaded || r.n >= r.line.Len() {
		return nil
	}
	r.ticking, r.last = true, m.o.Clock()
	return tea.Tick(playEvery, func(time.Time) tea.Msg { return playMsg{r} })
}

// played moves a replay on by the time that has passed.
func (m *model) played(msg playMsg) tea.Cmd {
	r := m.replay
	if msg.of != r {
		return nil
	}
	r.ticking = false
	if r.paused {
		return nil
	}
	n := r.line.Len()
	if r.speed == instant {
		r.at = r.line.Length(r.short)
	} else {
		passed := max(m.o.Clock().Sub(r.last), 0)
		r.at = min(r.at+time.Duration(float64(passed)*r.speed), r.line.Length(r.short))
		n = max(r.line.Until(r.at, r.short), r.n)
	}
	return tea.Batch(m.stand(n), m.play())
}

// playTo goes to the moment after the first n events.
func (m *model) playTo(n int) tea.Cmd {
	r := m.replay
	n = min(max(n, min(1, r.line.Len())), r.line.Len())
	r.at = r.line.Offset(n, r.short)
	return tea.Batch(m.stand(n), m.play())
}

// stand folds the state after n events and shows it.
func (m *model) stand(n int) tea.Cmd {
	r := m.replay
	switch {
	case n > r.n && n-r.n < 1024 && m.state.LastSeq > 0:
		for i := r.n + 1; i <= n; i++ {
			m.state.Apply(r.line.Event(i))
		}
	case n != r.n:
		m.state = r.line.State(n)
	}
	r.n = n
	m.owner = r.alive || n < r.line.Len()
	m.look()
	r.now.Store(r.moment().UnixNano())
	return m.followChain()
}

// pagesOf is the transcript of agent k as far as it had come at the moment on
// the screen, and of the attempt that was then.
func (m *model) pagesOf(k int) event.Pages {
	dir, r := m.visit.source.Dir(), m.replay
	if r == nil {
		return event.TranscriptPages(dir, k)
	}
	attempt, last := m.attempt(k), r.line.Last().Planner.Attempts
	if w := r.line.Last().Worker(k); w != nil {
		last = w.Attempts
	}
	pages := event.TranscriptPages(dir, k)
	if attempt > 0 && attempt < last {
		pages = event.AttemptPages(dir, k, attempt)
	}
	return pages.Until(func() time.Time { return time.Unix(0, r.now.Load()) })
}

// onReplay does what a key of the replay says.
func (m *model) onReplay(a Action) tea.Cmd {
	r := m.replay
	switch a {
	case NextStart, PrevStart, ToStart, ToFirst:
		// At once it would be at the end again.
		r.paused = r.paused || r.speed == instant
	}
	switch a {
	case Pause:
		r.last = m.o.Clock() // the time of a pause is not played
		if r.n == r.line.Len() {
			r.paused = r.speed == instant
			return m.playTo(1) // from the end it begins anew
		}
		r.paused = !r.paused
		return m.play()
	case StepBack, StepOn:
		r.paused = true
		if a == StepBack {
			return m.playTo(r.n - 1)
		}
		return m.playTo(r.n + 1)
	case Faster, Slower:
		r.faster(a == Faster)
		return m.play()
	case NextStart:
		return m.playTo(r.line.Start(r.n, 1))
	case PrevStart:
		return m.playTo(r.line.Start(r.n, -1))
	case ToStart:
		return m.toStart()
	case ToFirst:
		return m.playTo(1)
	case ToLast:
		return m.playTo(r.line.Len())
	case CutPauses:
		r.short = !r.short
		r.at = r.line.Offset(r.n, r.short)
	}
	return nil
}

// toStart goes to where the Worker picked in the chain began.
func (m *model) toStart() tea.Cmd {
	k := m.board.chain.Selected()
	n := m.replay.line.StartOf(k)
	switch {
	case k == 0:
		n = 1 // with the planner all begins
	case n == 0:
		m.notice = agentName(k) + " never started"
		return nil
	}
	m.pinned = false
	return m.playTo(n)
}

// pauseWord says what the key for a pause does now.
func (r *replay) pauseWord() string {
	switch {
	case r.loaded && r.n == r.line.Len():
		return "again"
	case r.paused:
		return "go on"
	}
	return "pause"
}

func (r *replay) faster(up bool) {
	at := 0
	for i, s := range speeds {
		if s == r.speed || s != instant && r.speed != instant && s <= r.speed {
			at = i
		}
	}
	if up {
		at = min(at+1, len(speeds)-1)
	} else {
		at = max(at-1, 0)
	}
	r.speed = speeds[at]
}

// timeBar draws the line of a replay.
func (m *model) timeBar() string {
	r := m.replay
	speed := "instant"
	if r.speed != instant {
		speed = fmt.Sprintf("×%g", r.speed)
	}
	r.bar.SetLook(m.theme)
	r.bar.SetSize(m.screen.width)
	r.bar.Set(views.Playing{
		Speed: text.Line(speed), Paused: r.paused, At: min(r.at, r.line.Length(r.short)), Length: r.line.Length(r.short),
		Event: r.n, Last: r.line.Len(), Marks: r.line.Starts(), Moment: r.moment(), Short: r.short, Loading: !r.loaded,
	})
	return r.bar.View()
}
