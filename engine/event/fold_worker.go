package event

import (
	"slices"
	"time"

	"growbench/engine/doc"
)

// applyWorker folds the events that concern one Worker.
func (s *State) applyWorker(e Event) {
	if u, ok := e.Body.(WorkerUsage); ok {
		s.usage(u, e)
		return
	}
	k := workerOf(e.Body)
	if k == 0 {
		s.applyPlanner(e)
		return
	}
	w := s.Worker(k)
	if w == nil {
		return
	}
	defer func() { w.Metrics = w.metrics() }()
	switch b := e.Body.(type) {
	case WorkerStarted:
		s.start(w, b, e)
	case WorkerTurn:
		w.Turns, w.LastAt, w.Output = b.Turn, e.At, max(w.Output, b.Said)
	case WorkerToolStarted:
		w.Tool, w.ToolArgs, w.LastAt = b.Name, b.ArgsPreview, e.At
	case WorkerTool:
		w.ToolCalls++
		w.Tool, w.ToolArgs, w.LastAt, w.Output = "", "", e.At, max(w.Output, b.Said)
	case ScopeFlagged:
		w.Flagged = append(w.Flagged, b)
	case ResultAccepted:
		s.acceptResult(w, b)
		w.AcceptedAt = e.At
	case ResultCompared:
		s.compare(w, b)
	case ScopeQuarantined:
		w.Tree, w.Outside = b.Tree, Outside{b.Ref, b.Commit, append([]string{}, b.Paths...)}
		w.Files = append([]string{}, b.Result.Files.All()...)
		s.putResult(b.Result, b.K)
	case CommitIntended:
		w.Intended, w.IntendedAt = b, e.At
	case CommitDone:
		w.Commit = b.Commit
	case PartialKept:
		w.Partial = b.Ref
	case TaskAffected:
		w.Affected = append(w.Affected, b)
	case WorkerEnded:
		w.State, w.Reason, w.Ended = b.State, b.Reason, e.At
		w.Tool, w.ToolArgs = "", ""
		w.bytesIn, w.bytesOut = b.TranscriptBytes, b.ResultBytes
		if b.State == Failed && w.Result { // refused after all
			w.Result, w.Standing = false, ""
			s.Results = slices.DeleteFunc(s.Results, func(r doc.Result) bool { return r.K == b.K })
		}
		s.measure()
	}
}

// applyPlanner folds the signs of life of the Planner, which is agent 0.
func (s *State) applyPlanner(e Event) {
	p := &s.Planner
	switch b := e.Body.(type) {
	case WorkerTurn:
		p.Turns, p.LastAt = b.Turn, e.At
	case WorkerToolStarted:
		p.Tool, p.ToolArgs, p.LastAt = b.Name, b.ArgsPreview, e.At
	case WorkerTool:
		p.Tool, p.ToolArgs, p.LastAt = "", "", e.At
	}
}

func workerOf(body Body) int {
	switch b := body.(type) {
	case WorkerStarted:
		return b.K
	case WorkerTurn:
		return b.K
	case WorkerToolStarted:
		return b.K
	case WorkerTool:
		return b.K
	case ScopeFlagged:
		return b.K
	case ScopeQuarantined:
		return b.K
	case ResultAccepted:
		return b.K
	case ResultCompared:
		return b.K
	case CommitIntended:
		return b.K
	case CommitDone:
		return b.K
	case PartialKept:
		return b.K
	case TaskAffected:
		return b.K
	case WorkerEnded:
		return b.K
	}
	return 0
}

func (s *State) start(w *Worker, b WorkerStarted, e Event) {
	s.Phase = PhaseWorking
	w.State, w.Agent, w.Reason, w.Prompt = Running, b.Agent, "", b.Prompt
	w.Sandboxed, w.SandboxNote, w.Network = b.Sandboxed, b.SandboxNote, b.Network
	w.LastAt, w.Tool, w.ToolArgs = e.At, "", ""
	if b.Again {
		return
	}
	w.Attempts = b.Attempt
	for len(s.attempts) < w.K {
		s.attempts = append(s.attempts, 0)
	}
	s.attempts[w.K-1] = b.Attempt
	w.Started, w.Turns, w.ToolCalls = e.At, 0, 0
	w.Tokens, w.Cost, w.Output, w.Context, w.Window = Tokens{}, 0, 0, 0, 0
	w.Files, w.Flagged, w.Checks = []string{}, []ScopeFlagged{}, []CheckRan{}
	w.Commit, w.Partial, w.ResultFrom, w.Tree, w.Result = "", "", "", "", false
	w.Standing, w.Differences, w.Uncompared = "", []Difference{}, []string{}
	w.Intended, w.IntendedAt, w.Ended = CommitIntended{}, time.Time{}, time.Time{}
	w.Outside, w.AcceptedAt, w.ScopeChoice = Outside{}, time.Time{}, ""
	w.bytesIn, w.bytesOut = 0, 0
}

func (s *State) usage(u WorkerUsage, e Event) {
	s.Usage.add(u)
	if u.K == 0 {
		s.Planner.Usage.add(u)
		return
	}
	w := s.Worker(u.K)
	if w == nil {
		return
	}
	w.Tokens.In += u.In
	w.Tokens.Out += u.Out
	w.Tokens.Cached += u.Cached
	w.Tokens.Estimated = w.Tokens.Estimated || u.Estimated
	w.Cost += u.Cost
	w.LastAt, w.Output = e.At, max(w.Output, u.Said)
	if u.Context > 0 {
		w.Context = u.Context
	}
	if u.Window > 0 {
		w.Window = u.Window
	}
	w.Metrics = w.metrics()
}

func (s *State) acceptResult(w *Worker, b ResultAccepted) {
	w.Result, w.ResultFrom, w.Tree, w.Standing = true, b.Source, b.Tree, Reported
	w.Files = append([]string{}, b.Result.Files.All()...)
	s.putResult(b.Result, b.K)
}

// measure works out the isolation per boundary from the sizes seen so far.
func (s *State) measure() {
	all := s.sizes.task0 + s.sizes.read
	for _, n := range s.sizes.tasks {
		all += n
	}
	s.Isolated.PW = make([]*float64, len(s.Workers))
	s.Isolated.WG = make([]*float64, len(s.Workers))
	for i := range s.Workers {
		if i < len(s.sizes.tasks) {
			s.Isolated.PW[i] = isolation(s.sizes.tasks[i], all)
		}
		if w := s.Workers[i]; w.State == Done {
			s.Isolated.WG[i] = isolation(w.bytesOut, w.bytesIn)
		}
	}
}

func isolation(transmitted, whole int64) *float64 {
	if whole <= 0 {
		return nil
	}
	v := max(0, 1-float64(transmitted)/float64(whole))
	return &v
}
