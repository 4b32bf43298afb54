package event

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"growbench/engine/doc"
)

func at(seconds int) time.Time {
	return time.Date(2026, 11, 30, 12, 0, seconds, 0, time.UTC)
}

// events numbers bodies from 1, a second apart.
func events(bodies ...Body) []Event {
	out := make([]Event, len(bodies))
	for i, b := range bodies {
		out[i] = Event{uint64(i + 1), at(i + 1), b}
	}
	return out
}

var threeTasks = doc.Plan{Tasks: []doc.PlanTask{
	{Title: "type", Layer: 0, TargetFiles: []string{"a.go"}},
	{Title: "table", Layer: 1, TargetFiles: []string{"b.go"}},
	{Title: "command", Layer: 1, TargetFiles: []string{"c.go"}},
}}

func started() []Body {
	return []Body{
		RunStarted{Format: Version, Run: "r1", Project: "/p", Base: "head", Task0Bytes: 1000},
		TreeReady{Base: "head", Commit: "c0"},
		PlanAccepted{Source: "file", Plan: threeTasks, Bytes: []int{100, 150, 250}},
	}
}

func workerDone(k int, commit string) []Body {
	return []Body{
		WorkerStarted{K: k, Agent: "script", Attempt: 1},
		WorkerTurn{K: k, Turn: 1},
		WorkerToolStarted{K: k, Name: "edit_file", ArgsPreview: "a.go"},
		WorkerTool{K: k, Name: "edit_file"},
		WorkerUsage{K: k, In: 100, Out: 10, Cached: 50, Estimated: true},
		ResultAccepted{K: k, Source: "tool", Tree: "t", Result: doc.Result{K: k, Files: doc.Files{Modified: []string{"a.go"}}}},
		CommitIntended{K: k, Tree: "t"},
		CommitDone{K: k, Commit: commit},
		WorkerEnded{K: k, State: Done, TranscriptBytes: 1000, ResultBytes: 20},
	}
}

func TestFoldOfAWholeRun(t *testing.T) {
	bodies := started()
	bodies = append(bodies, workerDone(1, "c1")...)
	bodies = append(bodies,
		LedgerEntry{Symbol: "Parse", K: 1, Affected: []Affected{{K: 3}}},
		TaskAffected{K: 3, By: 1, Symbol: "Parse"})
	bodies = append(bodies, workerDone(2, "c2")...)
	bodies = append(bodies, workerDone(3, "c3")...)
	bodies = append(bodies,
		CheckRan{When: "verify", Command: "go test ./...", Passed: true},
		RunEnded{Run: "r1", Status: StatusPassed, Verified: VerifiedPassed, Branch: "giver/task/x", Commit: "c3"})
	s := Fold(events(bodies...))

	if s.Status != StatusPassed || s.Verified != VerifiedPassed || s.Phase != PhaseEnded || s.Branch != "giver/task/x" {
		t.Errorf("ended as %q %q %q on %q", s.Status, s.Verified, s.Phase, s.Branch)
	}
	if !reflect.DeepEqual(s.Plan.Layers, [][]int{{1}, {2, 3}}) || s.Plan.N != 3 {
		t.Errorf("layers %v, n %d", s.Plan.Layers, s.Plan.N)
	}
	if s.DoneWorkers() != 3 || len(s.Results) != 3 || len(s.Ledger) != 1 {
		t.Errorf("%d done, %d results, %d ledger entries", s.DoneWorkers(), len(s.Results), len(s.Ledger))
	}
	w := s.Worker(1)
	if w.Turns != 1 || w.ToolCalls != 1 || w.Tool != "" || w.Tokens != (Tokens{100, 10, 50, true}) || w.Commit != "c1" {
		t.Errorf("worker 1 is %+v", w)
	}
	if len(s.Worker(3).Affected) != 1 || s.Usage.In != 300 {
		t.Errorf("affected %v, usage %+v", s.Worker(3).Affected, s.Usage)
	}
	if pw := s.Isolated.PW[0]; pw == nil || *pw != 1-100.0/1500 {
		t.Errorf("isolation of the first task %v", pw)
	}
	if wg := s.Isolated.WG[2]; wg == nil || *wg != 0.98 {
		t.Errorf("isolation of the third RESULT %v", wg)
	}
}

func TestAllWorkersShowFromThePlanOn(t *testing.T) {
	s := Fold(events(started()...))
	if len(s.Workers) != 3 || s.Workers[2].State != Pending || s.Workers[2].Title != "command" {
		t.Errorf("workers %+v", s.Workers)
	}
}

func TestWaitingAndAnswer(t *testing.T) {
	bodies := append(started(),
		WorkerStarted{K: 1, Attempt: 1},
		Waiting{ID: "w1", Kind: "blocked", K: 1, Choices: []string{"widen", "fail"}})
	s := Fold(events(bodies...))
	if s.Worker(1).State != WaitingFor || len(s.Waits) != 1 {
		t.Fatalf("state %q, waits %v", s.Worker(1).State, s.Waits)
	}
	s.Apply(Event{s.LastSeq + 1, at(9), Answered{ID: "w1", Choice: "widen"}})
	if s.Worker(1).State != Running || len(s.Waits) != 0 {
		t.Errorf("after the answer: state %q, waits %v", s.Worker(1).State, s.Waits)
	}
}

func TestRetryTakesBackWhatFollows(t *testing.T) {
	bodies := started()
	bodies = append(bodies, workerDone(1, "c1")...)
	bodies = append(bodies, workerDone(2, "c2")...)
	bodies = append(bodies,
		LedgerEntry{Symbol: "A", K: 1}, TaskAffected{K: 3, By: 1, Symbol: "A"},
		LedgerEntry{Symbol: "B", K: 2}, TaskAffected{K: 3, By: 2, Symbol: "B"},
		WorkerStarted{K: 3, Attempt: 1},
		WorkerEnded{K: 3, State: Failed, Reason: "no"},
		RunEnded{Status: StatusFailed, Verified: VerifiedNone},
		RunResumed{From: 2, Reason: "retry", Agent: "other"})
	s := Fold(events(bodies...))
	if s.IsEnded() || s.Worker(1).State != Done || s.Worker(2).State != Pending || s.Worker(3).State != Pending {
		t.Errorf("states %q %q %q", s.Worker(1).State, s.Worker(2).State, s.Worker(3).State)
	}
	if len(s.Results) != 1 || len(s.Ledger) != 1 || len(s.Worker(3).Affected) != 1 {
		t.Errorf("%d results, %d entries, affected %v", len(s.Results), len(s.Ledger), s.Worker(3).Affected)
	}
	if s.Worker(2).Agent != "other" || s.Worker(2).Attempts != 1 {
		t.Errorf("worker 2: agent %q, %d attempts", s.Worker(2).Agent, s.Worker(2).Attempts)
	}
}

func TestOneResultAWorkerInOrder(t *testing.T) {
	bodies := started()
	for _, k := range []int{2, 1, 2} {
		bodies = append(bodies, ResultAccepted{K: k, Result: doc.Result{K: k, Summary: strings.Repeat("x", k)}})
	}
	s := Fold(events(bodies...))
	if len(s.Results) != 2 || s.Results[0].K != 1 || s.Results[1].K != 2 {
		t.Errorf("results %+v", s.Results)
	}
}

func TestFoldTwiceIsFoldOnce(t *testing.T) {
	all := events(append(started(), workerDone(1, "c1")...)...)
	once, twice := Fold(all), Fold(all)
	for _, e := range all {
		twice.Apply(e)
	}
	if !reflect.DeepEqual(once, twice) {
		t.Error("folding the same events again changed the state")
	}
}

func TestLookMarksTheSilentAndTheOrphaned(t *testing.T) {
	s := Fold(events(append(started(), WorkerStarted{K: 1, Attempt: 1})...))
	s.Look(true, s.LastAt.Add(7*time.Second))
	if s.Owner != "alive" || s.Worker(1).SilenceS != 7 {
		t.Errorf("owner %q, silent for %d s", s.Owner, s.Worker(1).SilenceS)
	}
	s.Look(false, s.LastAt.Add(time.Hour))
	if s.Owner != "gone" || s.Worker(1).State != Orphaned || s.Worker(1).SilenceS != 0 {
		t.Errorf("owner %q, state %q, silent for %d s", s.Owner, s.Worker(1).State, s.Worker(1).SilenceS)
	}
}

func TestStateHasListsWhereListsAreMeant(t *testing.T) {
	data, err := json.Marshal(Fold(events(append(started(), workerDone(1, "c1")...)...)))
	if err != nil {
		t.Fatal(err)
	}
	var shown map[string]any
	if err := json.Unmarshal(data, &shown); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"workers", "results", "ledger", "waiting", "problems"} {
		if _, ok := shown[key].([]any); !ok {
			t.Errorf("%s is %T", key, shown[key])
		}
	}
	worker := shown["workers"].([]any)[1].(map[string]any)
	for _, key := range []string{"affected", "files", "flagged", "checks"} {
		if _, ok := worker[key].([]any); !ok {
			t.Errorf("workers[1].%s is %T", key, worker[key])
		}
	}
}

func TestThePlannerShowsSignsOfLife(t *testing.T) {
	s := Fold(events(
		RunStarted{Format: Version, Run: "r1", Planner: "scripted"},
		PlanRequested{Agent: "scripted", Attempt: 1},
		WorkerTurn{K: 0, Turn: 2},
		WorkerToolStarted{K: 0, Name: "read_file", ArgsPreview: "a.go"}))
	s.Look(true, s.LastAt.Add(4*time.Second))
	p := s.Planner
	if p.State != Running || p.Turns != 2 || p.Tool != "read_file" || p.SilenceS != 4 {
		t.Errorf("planner %+v", p)
	}
	s.Apply(Event{s.LastSeq + 1, at(9), PlanAccepted{Source: "planner", Plan: threeTasks}})
	if p := s.Planner; p.State != Done || p.Tool != "" {
		t.Errorf("after the plan: %+v", p)
	}
}
