package event

import (
	"slices"
	"testing"

	"growbench/engine/doc"
)

func planOf(titles ...string) doc.Plan {
	var p doc.Plan
	for i, t := range titles {
		p.Tasks = append(p.Tasks, doc.PlanTask{Title: t, Layer: i})
	}
	return p
}

// affectedChain is three Workers, the first done, the third affected by it.
func affectedChain() []Body {
	return []Body{
		RunStarted{Run: "r"}, PlanAccepted{Plan: planOf("a", "b", "c"), Bytes: []int{1, 1, 1}},
		WorkerStarted{K: 1, Attempt: 1}, ResultAccepted{K: 1}, CommitDone{K: 1, Commit: "c1"},
		LedgerEntry{Symbol: "S", File: "f", K: 1, Affected: []Affected{{K: 3}}},
		TaskAffected{K: 3, By: 1, Symbol: "S", File: "f"},
		TaskAffected{K: 2, By: 1, Symbol: "S", File: "f", Possible: true},
		WorkerEnded{K: 1, State: Done},
	}
}

func foldBodies(bodies ...Body) *State {
	s := NewState()
	for i, b := range bodies {
		s.Apply(Event{Seq: uint64(i + 1), Body: b})
	}
	return s
}

func titles(s *State) []string {
	var out []string
	for _, w := range s.Workers {
		out = append(out, w.Title)
	}
	return out
}

func TestOnlyACertainHitIsUnheeded(t *testing.T) {
	s := foldBodies(affectedChain()...)
	if hits := s.Unheeded(3); !slices.Equal(hits, []Hit{{1, "S", "f"}}) || s.Unheeded(2) != nil {
		t.Errorf("unheeded: task 3 %v, task 2 %v", hits, s.Unheeded(2))
	}
	s = foldBodies(append(affectedChain(), AffectedDecided{K: 3, Choice: AffectedContinue, Hits: []Hit{{1, "S", "f"}}})...)
	if _, undone := s.Undone(3); undone || s.Unheeded(3) != nil {
		t.Errorf("after it was decided: undone %v, unheeded %v", undone, s.Unheeded(3))
	}
}

func TestAddedTaskMovesWhatIsKnownOfTheRest(t *testing.T) {
	bodies := append(affectedChain(),
		AffectedDecided{K: 3, Choice: AffectedAdd, Hits: []Hit{{1, "S", "f"}}},
		PlanRevised{From: 3, Added: 3, Plan: planOf("a", "b", "new", "c"), Bytes: []int{1, 1, 1, 1}})
	s := foldBodies(bodies...)
	if !slices.Equal(titles(s), []string{"a", "b", "new", "c"}) || s.Plan.N != 4 || s.Plan.Revision != 1 || len(s.Plan.Earlier) != 1 {
		t.Fatalf("%v, N %d, revision %d", titles(s), s.Plan.N, s.Plan.Revision)
	}
	if s.Worker(1).State != Done || s.Worker(1).Commit != "c1" || len(s.Worker(3).Affected) != 0 || len(s.Worker(4).Affected) != 1 {
		t.Errorf("Workers %+v", s.Workers)
	}
	if s.Decisions[0].K != 4 || !s.Decisions[0].Carried || s.Unheeded(4) != nil || s.Ledger[0].Affected[0].K != 4 {
		t.Errorf("decided %+v, ledger %+v", s.Decisions, s.Ledger)
	}
}

// Files carry a Worker's number and attempt: neither begins anew with a plan.
func TestRevisedPlanKeepsAttemptsOfANumber(t *testing.T) {
	bodies := append(affectedChain(), WorkerStarted{K: 2, Attempt: 1}, WorkerEnded{K: 2, State: Failed},
		RunEnded{Status: StatusFailed}, RunResumed{From: 2, Reason: "retry"},
		PlanRevised{From: 2, Plan: planOf("a", "rest")},
		PlanRevised{From: 2, Added: 2, Plan: planOf("a", "new", "rest")})
	s := foldBodies(bodies...)
	if s.Worker(2).Attempts != 1 || s.Worker(3).Attempts != 0 || !slices.Equal(titles(s), []string{"a", "new", "rest"}) {
		t.Errorf("%v, attempts %d and %d", titles(s), s.Worker(2).Attempts, s.Worker(3).Attempts)
	}
	if len(s.Ledger[0].Affected) != 0 {
		t.Errorf("the ledger names tasks that are no more: %+v", s.Ledger[0].Affected)
	}
}

// What a Worker broke is forgotten when it runs again, and with it what was
// decided about it.
func TestDecisionsGoWithTheirCause(t *testing.T) {
	decided := AffectedDecided{K: 3, Choice: AffectedContinue, Hits: []Hit{{1, "S", "f"}}}
	kept := foldBodies(append(affectedChain(), decided, RunEnded{Status: StatusStopped}, RunResumed{From: 2})...)
	gone := foldBodies(append(affectedChain(), decided, RunEnded{Status: StatusStopped}, RunResumed{From: 1})...)
	if len(kept.Decisions) != 1 || len(gone.Decisions) != 0 || len(gone.Worker(3).Affected) != 0 {
		t.Errorf("kept %+v, gone %+v", kept.Decisions, gone.Decisions)
	}
}

func TestAWorkerThatWaitsBeforeItBeginsHasNotBegun(t *testing.T) {
	waiting := Waiting{ID: "w", Kind: "affected", K: 3, Choices: []string{"continue"}}
	s := foldBodies(append(affectedChain(), waiting)...)
	if s.Worker(3).State != WaitingFor {
		t.Errorf("it is %s", s.Worker(3).State)
	}
	for _, over := range []Body{Answered{ID: "w", Choice: "continue"}, RunEnded{Status: StatusStopped}} {
		if s := foldBodies(append(affectedChain(), waiting, over)...); s.Worker(3).State != Pending {
			t.Errorf("after %T it is %s", over, s.Worker(3).State)
		}
	}
}
