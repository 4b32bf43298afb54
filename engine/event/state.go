package event

import (
	"time"

	"growbench/engine/doc"
)

// Worker states.
const (
	Pending     = "pending"
	Running     = "running"
	WaitingFor  = "waiting"
	Done        = "done"
	Failed      = "failed"
	Stopped     = "stopped"
	Interrupted = "interrupted"
	TimedOut    = "timed_out"
	Stalled     = "stalled"
	Orphaned    = "orphaned"
)

// Run statuses. A run has none (Running) until it ended.
const (
	StatusRunning = "running"
	StatusPassed  = "passed"
	StatusFailed  = "failed"
	StatusStopped = "stopped"
)

// Verification outcomes.
const (
	VerifiedPassed = "passed"
	VerifiedFailed = "failed"
	VerifiedNone   = "none"
)

// Phases of a run, in order.
const (
	PhaseStarting  = "starting"
	PhasePlanning  = "planning"
	PhaseWorking   = "working"
	PhaseVerifying = "verifying"
	PhaseEnded     = "ended"
)

// State is the fold of a run's events: everything a screen or a script needs.
// The zero value is a run before its first event.
type State struct {
	Run       string        `json:"run"`
	Project   string        `json:"project"`
	Base      Base          `json:"base"`
	Branch    string        `json:"branch"`
	Tip       string        `json:"tip"` // the commit Branch was last put at
	Phase     string        `json:"phase"`
	Status    string        `json:"status"`
	Verified  string        `json:"verified"`
	Reason    string        `json:"reason,omitempty"`
	Scripted  bool          `json:"scripted"`
	Single    bool          `json:"single"`
	Task0Sum  string        `json:"task0_sha256"`
	Limits    Limits        `json:"limits"`
	Owner     string        `json:"owner"` // alive or gone; set by who looks, not by the fold
	Task0     doc.Task      `json:"task0"`
	Problems  []doc.Problem `json:"problems"`
	Planner   Planner       `json:"planner"`
	Plan      Plan          `json:"plan"`
	Workers   []Worker      `json:"workers"`
	Results   []doc.Result  `json:"results"`
	Ledger    []LedgerEntry `json:"ledger"`
	Setup     []SetupRan    `json:"setup"`
	Verify    Verify        `json:"verify"`
	Blame     []Bisected    `json:"blame"` // whose commits fail which check
	Waits     []Waiting     `json:"waiting"`
	Decisions []Decision    `json:"decisions"` // about affected tasks, in order
	Usage     Usage         `json:"usage"`
	Isolated  Isolation     `json:"isolation"`
	Started   time.Time     `json:"started"`
	Ended     time.Time     `json:"ended,omitzero"`
	LastSeq   uint64        `json:"seq"`
	LastAt    time.Time     `json:"last_at"`
	sizes     sizes
	attempts  []int // of each Worker number, whatever the plan was
}

// Base is what the run's clone was made from.
type Base struct {
	Kind        string   `json:"kind"`
	Commit      string   `json:"commit"`
	Uncommitted bool     `json:"uncommitted"`
	Notes       []string `json:"notes"`
	// Lineage is empty unless the run began where an earlier one ended: the
	// user's own commit, then the end of each run below, the last one being Commit.
	Lineage []Ancestor `json:"lineage,omitempty"`
	Behind  int        `json:"behind,omitempty"` // commits the user stood on that this base lacks
	Chosen  []string   `json:"chosen,omitempty"` // how, where that was not by the operator
}

// Runs are those whose work the base holds, oldest first.
func (b Base) Runs() []string {
	var runs []string
	for _, a := range b.Lineage {
		if a.Run != "" {
			runs = append(runs, a.Run)
		}
	}
	return runs
}

// Run is the one that ended where this one began; empty: none did.
func (b Base) Run() string {
	if len(b.Lineage) == 0 {
		return ""
	}
	return b.Lineage[len(b.Lineage)-1].Run
}

// Planner is the one agent before the chain; State is empty when the plan
// was given by hand.
type Planner struct {
	Agent    string    `json:"agent"`
	State    string    `json:"state"`
	Attempts int       `json:"attempts"`
	Prompt   Prompt    `json:"prompt"`
	Started  time.Time `json:"started,omitzero"`
	Ended    time.Time `json:"ended,omitzero"`
	Usage    Usage     `json:"usage"`
	Turns    int       `json:"turns"`
	Tool     string    `json:"tool"` // the call that runs now
	ToolArgs string    `json:"tool_args"`
	LastAt   time.Time `json:"last_at,omitzero"` // last sign of life
	SilenceS int64     `json:"silence_s"`        // set by who looks
}

// Plan is the exact chain.
type Plan struct {
	N        int           `json:"n"`
	Source   string        `json:"source"`
	Layers   [][]int       `json:"layers"` // worker numbers, layer by layer
	Tasks    doc.Plan      `json:"-"`
	Problems []doc.Problem `json:"problems"`
	Revision int           `json:"revision"` // how often it was revised
	Earlier  []doc.Plan    `json:"-"`        // what was in force before each revision
	Approved bool          `json:"approved"` // by the operator, before the first Worker
	// Returned is the plan the Planner is to make anew.
	Returned *Returned `json:"returned,omitempty"`
}

// Usage is tokens and cost; Estimated when any part of it was not counted by
// the provider.
type Usage struct {
	In        int64   `json:"in"`
	Out       int64   `json:"out"`
	Cached    int64   `json:"cached"`
	Cost      float64 `json:"cost"`
	Estimated bool    `json:"estimated"`
}

func (u *Usage) add(w WorkerUsage) {
	u.In += w.In
	u.Out += w.Out
	u.Cached += w.Cached
	u.Cost += w.Cost
	u.Estimated = u.Estimated || w.Estimated
}

// Tokens of a Worker as scripts read them.
type Tokens struct {
	In        int64 `json:"in"`
	Out       int64 `json:"out"`
	Cached    int64 `json:"cached"`
	Estimated bool  `json:"estimated"`
}

// Worker is one link of the chain.
type Worker struct {
	K           int            `json:"k"`
	Title       string         `json:"title"`
	Layer       int            `json:"layer"`
	State       string         `json:"state"`
	Reason      string         `json:"reason,omitempty"`
	Agent       string         `json:"agent"`
	Attempts    int            `json:"attempts"`
	Sandboxed   bool           `json:"sandboxed"`
	SandboxNote string         `json:"sandbox_note,omitempty"`
	Network     string         `json:"network,omitempty"` // on, off or unheld
	Affected    []TaskAffected `json:"affected"`
	Started     time.Time      `json:"started,omitzero"`
	Ended       time.Time      `json:"ended,omitzero"`
	LastAt      time.Time      `json:"last_at,omitzero"` // last sign of life
	Turns       int            `json:"turns"`
	ToolCalls   int            `json:"tool_calls"`
	Tokens      Tokens         `json:"tokens"`
	Cost        float64        `json:"cost"`
	Metrics     Metrics        `json:"metrics"`
	Output      int64          `json:"output"`  // bytes it has said
	Context     int64          `json:"context"` // tokens of Window its last exchange filled; 0 is unknown
	Window      int64          `json:"window"`
	Tool        string         `json:"tool"` // the call that runs now
	ToolArgs    string         `json:"tool_args"`
	SilenceS    int64          `json:"silence_s"` // set by who looks
	Files       []string       `json:"files"`
	Flagged     []ScopeFlagged `json:"flagged"`
	Checks      []CheckRan     `json:"checks"`
	Commit      string         `json:"commit"`
	Partial     string         `json:"partial,omitempty"`
	Prompt      Prompt         `json:"prompt"`
	ResultFrom  string         `json:"result_source"` // tool, message, observed
	Result      bool           `json:"result"`        // RESULT #k was handed in
	Standing    string         `json:"standing"`      // of the RESULT: "", reported, accepted, contested
	Differences []Difference   `json:"differences"`   // why it is contested
	Uncompared  []string       `json:"uncompared"`    // what nothing but claims is known of, and why
	Outside     Outside        `json:"outside,omitzero"`
	Tree        string         `json:"-"` // what is committed: what it left, or what of it is in scope
	AcceptedAt  time.Time      `json:"-"` // of its RESULT
	ScopeChoice string         `json:"-"` // what the operator said of changes outside its task
	Intended    CommitIntended `json:"-"`
	IntendedAt  time.Time      `json:"-"`
	bytesIn     int64
	bytesOut    int64
}

// Outside is what a Worker changed outside its task and what is not in its
// commit.
type Outside struct {
	Ref    string   `json:"ref"`
	Commit string   `json:"commit"`
	Paths  []string `json:"paths"`
}

// Active tells whether the Worker's agent is at work or waited for.
func (w Worker) Active() bool { return w.State == Running || w.State == WaitingFor }

// Verify is the check of the whole chain.
type Verify struct {
	Ran   []CheckRan `json:"ran"`
	Found []string   `json:"found"` // listed, never run
}

// Isolation is 1 − transmitted / un-isolated bytes per boundary; a boundary
// that was not measured is absent (GP) or null.
type Isolation struct {
	GP *float64   `json:"g_p"`
	PW []*float64 `json:"p_w"`
	WG []*float64 `json:"w_g"`
}

type sizes struct {
	task0 int64
	tasks []int64
	read  int64
}

// IsEnded tells whether the run has come to an end (and was not resumed).
func (s *State) IsEnded() bool { return s.Status != "" && s.Status != StatusRunning }

// Worker returns Worker k, counting from 1, or nil.
func (s *State) Worker(k int) *Worker {
	if k < 1 || k > len(s.Workers) {
		return nil
	}
	return &s.Workers[k-1]
}

// Current returns the Worker that is at work or waited for, or nil.
func (s *State) Current() *Worker {
	for i := range s.Workers {
		if s.Workers[i].Active() {
			return &s.Workers[i]
		}
	}
	return nil
}

// DoneWorkers counts the Workers that ended well.
func (s *State) DoneWorkers() int {
	n := 0
	for i := range s.Workers {
		if s.Workers[i].State == Done {
			n++
		}
	}
	return n
}

// Look fills in what depends on who looks and when: the owner's life and the
// silence of what runs.
func (s *State) Look(ownerAlive bool, now time.Time) {
	s.Owner = "gone"
	if ownerAlive {
		s.Owner = "alive"
	}
	s.Planner.SilenceS = 0
	if p := &s.Planner; p.State == Running && ownerAlive && !p.LastAt.IsZero() {
		p.SilenceS = max(0, int64(now.Sub(p.LastAt).Seconds()))
	}
	for i := range s.Workers {
		w := &s.Workers[i]
		w.SilenceS = 0
		switch {
		case w.State == Running && ownerAlive && !w.LastAt.IsZero():
			w.SilenceS = max(0, int64(now.Sub(w.LastAt).Seconds()))
		case w.Active() && !ownerAlive:
			w.State, w.Tool, w.ToolArgs = Orphaned, "", ""
		}
	}
}
