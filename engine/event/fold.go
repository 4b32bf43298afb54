package event

import (
	"slices"

	"growbench/engine/doc"
)

// Fold returns the state after all events.
func Fold(events []Event) *State {
	s := NewState()
	for _, e := range events {
		s.Apply(e)
	}
	return s
}

// NewState is the state before the first event. Lists are empty, not nil, so
// that JSON never says null where a list is meant.
func NewState() *State {
	return &State{
		Phase:     PhaseStarting,
		Status:    StatusRunning,
		Verified:  VerifiedNone,
		Base:      Base{Notes: []string{}},
		Task0:     emptyTask(),
		Problems:  []doc.Problem{},
		Plan:      Plan{Layers: [][]int{}, Problems: []doc.Problem{}},
		Workers:   []Worker{},
		Results:   []doc.Result{},
		Ledger:    []LedgerEntry{},
		Setup:     []SetupRan{},
		Verify:    Verify{Ran: []CheckRan{}, Found: []string{}},
		Waits:     []Waiting{},
		Decisions: []Decision{},
		Blame:     []Bisected{},
		Isolated:  Isolation{PW: []*float64{}, WG: []*float64{}},
	}
}

func emptyTask() doc.Task {
	return doc.Task{Constraints: []string{}, TargetFiles: []string{}, Signatures: []doc.Signature{}}
}

// Apply folds one event in. An event already folded (its Seq is not newer) is
// ignored, so that a log may be read twice.
func (s *State) Apply(e Event) {
	if e.Seq != 0 && e.Seq <= s.LastSeq {
		return
	}
	s.LastSeq, s.LastAt = e.Seq, e.At
	switch b := e.Body.(type) {
	case RunStarted:
		s.Run, s.Project, s.Branch = b.Run, b.Project, b.Branch
		s.Base.Kind, s.Task0, s.Scripted = b.Base, b.Task0, b.Scripted
		s.Single, s.Task0Sum, s.Limits = b.Single, b.Task0SHA256, b.Limits
		s.Started = e.At
		s.Planner.Agent = b.Planner
		s.sizes.task0 = int64(b.Task0Bytes)
		s.Isolated.GP = isolation(s.sizes.task0, b.Conversation)
	case T0Linted:
		s.Problems = append([]doc.Problem{}, b.Problems...)
	case TreeReady:
		s.Base = Base{b.Base, b.Commit, b.Uncommitted, append([]string{}, b.Notes...), b.Lineage, b.Behind, b.Chosen}
	case SetupRan:
		s.Setup = append(s.Setup, b)
	case PlanRequested:
		s.Phase = PhasePlanning
		p := &s.Planner
		p.Agent, p.State, p.Attempts, p.Prompt = b.Agent, Running, b.Attempt, b.Prompt
		if p.Started.IsZero() {
			p.Started = e.At
		}
		p.Turns, p.Tool, p.ToolArgs, p.LastAt = 0, "", "", e.At
	case PlanAccepted:
		s.acceptPlan(b)
		if s.Planner.State != "" {
			s.Planner.State, s.Planner.Ended = Done, e.At
			s.Planner.Tool, s.Planner.ToolArgs = "", ""
		}
	case PlanReviewed:
		s.review(b)
	case PlanRevised:
		s.revise(b, e)
	case TaskEdited:
		s.edit(b)
	case AffectedDecided:
		s.decide(b, e)
	case Waiting:
		s.Waits = append(s.Waits, b)
		if w := s.Worker(b.K); w != nil && (w.Active() || b.Kind == "affected" && w.State == Pending || w.State == Orphaned && w.Result) {
			w.State = WaitingFor
		}
	case Answered:
		s.answer(b, e)
	case CheckRan:
		s.check(b)
	case ChecksFound:
		s.Verify.Found = append([]string{}, b.Commands...)
	case LedgerEntry:
		b.Affected = append([]Affected{}, b.Affected...)
		b.Unowned = append([]string{}, b.Unowned...)
		b.Possible = append([]string{}, b.Possible...)
		b.Through = append([]Through{}, b.Through...)
		s.Ledger = append(s.Ledger, b)
	case Bisected:
		s.bisected(b)
	case RunOrphaned:
		s.orphan()
	case RunResumed:
		s.resume(b)
	case RunEnded:
		s.end(b, e)
	default:
		s.applyWorker(e)
	}
}

func (s *State) acceptPlan(b PlanAccepted) {
	s.Phase = PhaseWorking
	s.Plan.Source = b.Source
	s.Plan.Problems = append([]doc.Problem{}, b.Problems...)
	s.sizes.read = b.ReadBytes
	s.sizes.tasks = s.sizes.tasks[:0]
	for _, n := range b.Bytes {
		s.sizes.tasks = append(s.sizes.tasks, int64(n))
	}
	s.setTasks(b.Plan, 1)
	s.measure()
}

// setTasks lays out the chain from task number from on; earlier Workers stay
// as they are.
func (s *State) setTasks(plan doc.Plan, from int) {
	keep := min(max(from-1, 0), len(s.Workers))
	s.Plan.Tasks, s.Plan.N = plan, len(plan.Tasks)
	workers := append([]Worker{}, s.Workers[:keep]...)
	for k := keep + 1; k <= len(plan.Tasks); k++ {
		w := pendingWorker(k, plan.Tasks[k-1])
		if k <= len(s.attempts) {
			w.Attempts = s.attempts[k-1] // they name files that are there
		}
		workers = append(workers, w)
	}
	s.Workers = workers
	s.Plan.Layers = layers(plan)
}

func pendingWorker(k int, task doc.PlanTask) Worker {
	return Worker{
		K: k, Title: task.Title, Layer: task.Layer, Agent: task.Agent, State: Pending,
		Affected: []TaskAffected{}, Files: []string{}, Flagged: []ScopeFlagged{}, Checks: []CheckRan{},
		Differences: []Difference{}, Uncompared: []string{},
	}
}

func layers(plan doc.Plan) [][]int {
	out := [][]int{}
	last := 0
	for i, t := range plan.Tasks {
		if i == 0 || t.Layer != last {
			out = append(out, nil)
			last = t.Layer
		}
		out[len(out)-1] = append(out[len(out)-1], i+1)
	}
	return out
}

func (s *State) answer(b Answered, e Event) {
	i := slices.IndexFunc(s.Waits, func(w Waiting) bool { return w.ID == b.ID })
	if i < 0 {
		return
	}
	wait := s.Waits[i]
	s.Waits = slices.Delete(slices.Clone(s.Waits), i, i+1)
	w := s.Worker(wait.K)
	if w != nil && w.State == WaitingFor {
		w.State, w.LastAt = Running, e.At
		if w.Started.IsZero() {
			w.State = Pending
		}
	}
	if w != nil && wait.Kind == "scope" {
		w.ScopeChoice = b.Choice
	}
}

func (s *State) check(b CheckRan) {
	if b.Failures == nil {
		b.Failures = []Failure{}
	}
	if b.When == "verify" {
		s.Phase = PhaseVerifying
		s.Verify.Ran = append(s.Verify.Ran, b)
		return
	}
	if w := s.Worker(b.K); w != nil {
		w.Checks = append(w.Checks, b)
	}
}

func (s *State) orphan() {
	for i := range s.Workers {
		if w := &s.Workers[i]; w.Active() {
			w.State, w.Tool, w.ToolArgs = Orphaned, "", ""
		}
	}
	s.Waits = []Waiting{}
}

// resume takes back what Workers from b.From on have left: they run again.
func (s *State) resume(b RunResumed) {
	s.Status, s.Reason, s.Waits = StatusRunning, "", []Waiting{}
	s.Verified, s.Verify.Ran, s.Blame = VerifiedNone, []CheckRan{}, []Bisected{}
	s.Phase = PhaseStarting
	if s.Plan.N > 0 {
		s.Phase = PhaseWorking
	}
	if b.From < 1 {
		return
	}
	if b.Agent != "" && b.From <= len(s.Plan.Tasks.Tasks) {
		tasks := slices.Clone(s.Plan.Tasks.Tasks)
		tasks[b.From-1].Agent = b.Agent
		s.Plan.Tasks.Tasks = tasks
	}
	for i := range s.Workers {
		if w := &s.Workers[i]; w.K >= b.From {
			attempts := w.Attempts
			affected := slices.DeleteFunc(w.Affected, func(a TaskAffected) bool { return a.By >= b.From })
			*w = pendingWorker(w.K, s.Plan.Tasks.Tasks[i])
			w.Attempts, w.Affected = attempts, affected
		}
	}
	s.Results = slices.DeleteFunc(s.Results, func(r doc.Result) bool { return r.K >= b.From })
	s.Ledger = slices.DeleteFunc(s.Ledger, func(l LedgerEntry) bool { return l.K >= b.From })
	s.undecide(b.From)
	s.measure()
}

func (s *State) end(b RunEnded, e Event) {
	s.Phase, s.Status, s.Verified, s.Reason, s.Ended = PhaseEnded, b.Status, b.Verified, b.Reason, e.At
	if b.Branch != "" {
		s.Branch, s.Tip = b.Branch, b.Commit
	}
	if s.Planner.State == Running {
		s.Planner.State, s.Planner.Ended = b.Status, e.At
		s.Planner.Tool, s.Planner.ToolArgs = "", ""
	}
	s.Waits = []Waiting{}
	for i := range s.Workers {
		if w := &s.Workers[i]; w.State == WaitingFor && w.Started.IsZero() {
			w.State = Pending
		}
	}
}
