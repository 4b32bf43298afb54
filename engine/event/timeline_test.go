package event

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"growbench/engine/doc"
)

// story is a run with everything in it that changes a state in place.
func story() []Event {
	plan := doc.Plan{Tasks: []doc.PlanTask{{Title: "a"}, {Title: "b", Layer: 1}}}
	bodies := []Body{
		RunStarted{Run: "r", Task0Bytes: 100}, TreeReady{Commit: "c", Notes: []string{"n"}}, SetupRan{Command: "x"},
		PlanAccepted{Plan: plan, Bytes: []int{10, 20}},
		WorkerStarted{K: 1, Attempt: 1}, ScopeFlagged{K: 1, Path: "p"}, Waiting{ID: "w", K: 1}, Waiting{ID: "v", K: 1},
		Answered{ID: "w"}, Answered{ID: "v"}, CheckRan{When: "each", K: 1}, ResultAccepted{K: 1, Result: doc.Result{K: 1}},
		LedgerEntry{K: 1, Symbol: "S"}, TaskAffected{K: 2, By: 1, Symbol: "S"}, WorkerEnded{K: 1, State: Done, TranscriptBytes: 9},
		WorkerStarted{K: 2, Attempt: 1}, ScopeFlagged{K: 2, Path: "q"}, ResultAccepted{K: 2, Result: doc.Result{K: 2}},
		LedgerEntry{K: 2, Symbol: "T"}, WorkerEnded{K: 2, State: Failed},
		RunEnded{Status: StatusFailed}, RunResumed{From: 1, Reason: "retry"},
		WorkerStarted{K: 1, Attempt: 2}, LedgerEntry{K: 1, Symbol: "U"}, CheckRan{When: "verify"}, RunOrphaned{},
		TaskAffected{K: 2, By: 1, Symbol: "U"}, AffectedDecided{K: 2, Choice: AffectedEdit, Hits: []Hit{{By: 1, Symbol: "U"}}},
		TaskEdited{K: 2, Task: doc.PlanTask{Title: "e", Layer: 1}}, AffectedDecided{K: 2, Choice: AffectedAdd, Hits: []Hit{{By: 1, Symbol: "U"}}},
		PlanRevised{From: 2, Added: 2, Plan: planOf("a", "n", "e"), Bytes: []int{1, 2, 3}}, PlanRevised{From: 2, Plan: planOf("a", "z"), Bytes: []int{1, 2}},
	}
	var events []Event
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	for i, b := range bodies {
		events = append(events, Event{Seq: uint64(i + 1), At: at.Add(time.Duration(i) * 10 * time.Second), Body: b})
	}
	return events
}

func TestACloneStaysAsItWasWhenTheStateGoesOn(t *testing.T) {
	events := story()
	for cut := range events {
		s := Fold(events[:cut])
		c := s.Clone()
		for _, e := range events[cut:] {
			s.Apply(e)
		}
		if want := Fold(events[:cut]); !reflect.DeepEqual(c, want) {
			t.Errorf("after %d events: the clone became\n%+v, not\n%+v", cut, c, want)
		}
		for _, e := range events[cut:] {
			c.Apply(e)
		}
		if !reflect.DeepEqual(c, s) {
			t.Errorf("after %d events: folding on the clone gives\n%+v, not\n%+v", cut, c, s)
		}
	}
}

// A field that is added to State must be thought of in Clone: every list in a
// state is either copied or listed here as never changed in place.
func TestACloneSharesOnlyWhatIsNeverChanged(t *testing.T) {
	kept := []string{
		".Task0.", ".Problems[0].", ".Plan.Layers", ".Plan.Tasks", ".Plan.Problems", ".Isolated.",
		".Workers[0].Differences", ".Workers[0].Uncompared", ".Results[0].", ".Ledger[0].", ".Workers[0].Checks[0].", ".Verify.Ran[0].", ".Waits[0].",
		".Decisions[0].", ".Blame[0].", ".Plan.Earlier",
	}
	s := &State{}
	fill(reflect.ValueOf(s).Elem())
	s.sizes.tasks = []int64{1}
	shared(t, "", reflect.ValueOf(s).Elem(), reflect.ValueOf(s.Clone()).Elem(), func(path string) bool {
		for _, k := range kept {
			if strings.HasPrefix(path, k) {
				return true
			}
		}
		return false
	})
}

// fill gives every list one element.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	}
}

func shared(t *testing.T, path string, a, b reflect.Value, allowed func(string) bool) {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			shared(t, path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i), allowed)
		}
	case reflect.Slice:
		if a.Len() == 0 || allowed(path) {
			return
		}
		if a.Pointer() == b.Pointer() {
			t.Errorf("%s is shared with the clone: copy it in Clone, or list it here if no event changes it in place", path)
			return
		}
		shared(t, path+"[0]", a.Index(0), b.Index(0), allowed)
	}
}

// long is a run of n events between a start and an end.
func long(n int) []Event {
	events := story()[:5]
	for i := len(events); i < n; i++ {
		events = append(events, Event{Seq: uint64(i + 1), At: events[0].At.Add(time.Duration(i) * time.Second), Body: WorkerTurn{K: 1, Turn: i}})
	}
	return events
}

func TestATimelineHasTheStateOfEveryMoment(t *testing.T) {
	for _, events := range [][]Event{story(), long(3 * markEvery)} {
		line := NewTimeline()
		for i := range events { // one by one, and some twice
			line.Add(events[max(i-1, 0) : i+1]...)
		}
		if line.Len() != len(events) {
			t.Fatalf("%d events of %d", line.Len(), len(events))
		}
		for _, n := range []int{0, 1, 5, len(events) / 2, markEvery - 1, markEvery, markEvery + 1, len(events) - 1, len(events), len(events) + 9} {
			if got, want := line.State(n), Fold(events[:min(n, len(events))]); !reflect.DeepEqual(got, want) {
				t.Errorf("after %d events: %+v, not %+v", n, got, want)
			}
		}
	}
}

func TestATimelineShortensOnlyWhatWasIdle(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	when := func(s int) time.Time { return at.Add(time.Duration(s) * time.Second) }
	line := NewTimeline()
	line.Add(
		Event{1, when(0), RunStarted{Run: "r"}},
		Event{2, when(60), Waiting{ID: "w"}},    // work
		Event{3, when(3660), Answered{ID: "w"}}, // an hour of waiting
		Event{4, when(3670), RunEnded{Status: "failed"}},
		Event{5, when(90_000), RunResumed{}}, // a day of nothing
		Event{6, when(89_990), WorkerTurn{}}, // the clock was set back
		Event{7, when(90_100), RunOrphaned{}},
	)
	want := []time.Duration{0, 60, 61, 71, 72, 72, 73}
	for i, w := range want {
		if got := line.Offset(i+1, true); got != w*time.Second {
			t.Errorf("event %d is played at %v, want %v", i+1, got, w*time.Second)
		}
	}
	if got := line.Length(false); got != 90_110*time.Second {
		t.Errorf("the whole takes %v", got)
	}
	for offset, n := range map[time.Duration]int{-1: 0, 0: 1, 59 * time.Second: 1, 60 * time.Second: 2, 72 * time.Second: 6, time.Hour: 7} {
		if got := line.Until(offset, true); got != n {
			t.Errorf("at %v %d events are played, want %d", offset, got, n)
		}
	}
}

func TestATimelineKnowsWhereWorkersStart(t *testing.T) {
	line := NewTimeline()
	line.Add(story()...)
	starts := []int{5, 16, 23}
	if got := line.Starts(); !reflect.DeepEqual(got, starts) {
		t.Fatalf("starts at %v", got)
	}
	for _, c := range []struct{ from, by, want int }{
		{0, 1, 5}, {5, 1, 16}, {16, 1, 23}, {23, 1, 23}, {26, -1, 23}, {23, -1, 16}, {6, -1, 5}, {5, -1, 5}, {0, -1, 0},
	} {
		if got := line.Start(c.from, c.by); got != c.want {
			t.Errorf("from %d by %d: %d, want %d", c.from, c.by, got, c.want)
		}
	}
	if line.StartOf(1) != 23 || line.StartOf(2) != 16 || line.StartOf(3) != 0 {
		t.Errorf("Workers start at %d, %d, %d", line.StartOf(1), line.StartOf(2), line.StartOf(3))
	}
}

func BenchmarkStepBackInAHundredThousandEvents(b *testing.B) {
	line := NewTimeline()
	line.Add(long(100_000)...)
	n := line.Len()
	for b.Loop() {
		if n--; n == 0 {
			n = line.Len()
		}
		line.State(n)
	}
	b.ReportMetric(float64(len(line.marks)), "states")
}

func ExampleTimeline() {
	line := NewTimeline()
	line.Add(story()...)
	fmt.Println(line.State(line.StartOf(2)).Worker(2).State)
	// Output: running
}
