package giver

import (
	"context"

	"growbench/engine/event"
	"growbench/loop"
)

// Look is a conversation at one moment.
type Look struct {
	State  State
	Memory Memory
	Run    RunView
	Waits  []Waiting
	// Turn is true while an answer is made, Queued is how many turns come after.
	Turn   bool
	Doing  string // the tool that runs
	Queued int
	Model  bool // there is one
	// Stopping: the turn was told to end and has not ended yet.
	Stopping bool
	Loop     loop.Status
}

// Busy tells whether something goes on by itself.
func (l Look) Busy() bool { return l.Turn || l.Queued > 0 || l.atWork() }

// atWork tells whether a run goes on, or has ended and is not reported yet.
func (l Look) atWork() bool {
	unreported := l.State.Run.Started && !l.State.Run.Ended && l.Run.Status != event.StatusRunning && l.Run.Status != event.Orphaned
	return l.Run.Lives() || unreported
}

// RunView is the run at hand in short.
type RunView struct {
	Run      string   `json:"run"`
	Phase    string   `json:"phase,omitempty"`
	Status   string   `json:"status"` // running, passed, failed, stopped, orphaned
	Verified string   `json:"verified,omitempty"`
	N        int      `json:"n"`
	Done     int      `json:"done"`
	Working  int      `json:"working,omitempty"` // the Worker at work
	Waiting  bool     `json:"waiting,omitempty"`
	Branch   string   `json:"branch,omitempty"`
	GP       *float64 `json:"g_p,omitempty"`
	// PW and WG are the least isolation of all tasks and RESULTs so far.
	PW    *float64 `json:"p_w,omitempty"`
	WG    *float64 `json:"w_g,omitempty"`
	alive bool
}

// Lives tells whether the run goes on.
func (r RunView) Lives() bool { return r.Run != "" && r.alive && r.Status == event.StatusRunning }

func viewOf(run *event.State, alive bool) RunView {
	if run == nil || run.Run == "" {
		return RunView{}
	}
	v := RunView{
		Run: run.Run, Phase: run.Phase, Status: run.Status, Verified: run.Verified, N: run.Plan.N, Done: run.DoneWorkers(),
		Waiting: len(run.Waits) > 0, Branch: run.Branch, GP: run.Isolated.GP, PW: least(run.Isolated.PW), WG: least(run.Isolated.WG), alive: alive,
	}
	if w := run.Current(); w != nil {
		v.Working = w.K
	}
	if !run.IsEnded() {
		v.Status, v.Verified = event.StatusRunning, ""
		if !alive {
			v.Status = event.Orphaned
		}
	}
	return v
}

func least(values []*float64) *float64 {
	var low *float64
	for _, v := range values {
		if v != nil && (low == nil || *v < *low) {
			low = v
		}
	}
	return low
}

// Look is how things stand.
func (s *Session) Look() Look {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.look()
}

func (s *Session) look() Look {
	l := Look{
		State: *s.state, Memory: s.memory, Run: viewOf(s.run, s.alive), Waits: s.questions(),
		Turn: s.turn != nil, Queued: len(s.queue), Model: s.Client != nil,
		Loop: s.grow.scheduler.Status(),
	}
	if s.turn != nil {
		l.Doing, l.Stopping = s.turn.doing, s.turn.stops
	}
	return l
}

// Until blocks until the conversation is as wanted, and returns how it is then.
func (s *Session) Until(ctx context.Context, wanted func(Look) bool) (Look, error) {
	for {
		s.mu.Lock()
		l, changed, closed := s.look(), s.changed, s.closed
		s.mu.Unlock()
		if wanted(l) {
			return l, nil
		}
		if closed {
			return l, ErrClosed
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return l, context.Cause(ctx)
		}
	}
}
