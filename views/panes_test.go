package views

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"growbench/engine/doc"
	"growbench/engine/event"
)

var now = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

func folded(bodies ...event.Body) *event.State {
	s := event.NewState()
	for i, b := range bodies {
		s.Apply(event.Event{Seq: uint64(i + 1), At: now, Body: b})
	}
	s.Look(true, now)
	return s
}

func planOf(n int) event.PlanAccepted {
	var p event.PlanAccepted
	for k := range n {
		p.Plan.Tasks = append(p.Plan.Tasks, doc.PlanTask{Title: fmt.Sprintf("task %d", k+1), Layer: k / 10})
	}
	return p
}

func chainOf(t *testing.T, s *event.State, at time.Time, width, height int) *Chain {
	t.Helper()
	c := NewChain(plainTheme(t))
	c.SetSize(width, height)
	c.SetState(s, at)
	return &c
}

func TestTheChainShowsEveryWorkerFromTheStart(t *testing.T) {
	view := strings.Join(shown(chainOf(t, folded(planOf(12)), now, 40, 40).View()), "\n")
	for k := 1; k <= 12; k++ {
		if !strings.Contains(view, fmt.Sprintf("%d task %d", k, k)) {
			t.Errorf("Worker %d is not shown", k)
		}
	}
	if n := strings.Count(view, "pending"); n != 12 {
		t.Errorf("%d say that they are pending", n)
	}
	if !strings.Contains(view, "layer 0") || !strings.Contains(view, "layer 1") {
		t.Error("the layers are not shown")
	}
}

func TestTheSelectedWorkerIsAlwaysInSight(t *testing.T) {
	c := chainOf(t, folded(planOf(200)), now, 40, 10)
	for _, k := range []int{200, 1, 100, 99, 101, 0, 57} {
		c.Select(k)
		want := "planner: not started"
		if k > 0 {
			want = fmt.Sprintf("› · %d task %d", k, k)
		} else if c.state.Plan.N > 0 {
			want = "plan given"
		}
		if view := strings.Join(shown(c.View()), "\n"); !strings.Contains(view, want) {
			t.Errorf("%q is out of sight:\n%s", want, view)
		}
	}
	c.Select(200)
	if lines := shown(c.View()); strings.TrimSpace(lines[len(lines)-1]) == "" && strings.TrimSpace(lines[len(lines)-2]) == "" {
		t.Errorf("there is room below the end:\n%s", strings.Join(lines, "\n"))
	}
}

func TestAWorkerAtWorkTellsHowLongItHasBeenQuiet(t *testing.T) {
	s := folded(planOf(1), event.WorkerStarted{K: 1, Agent: "local", Attempt: 1},
		event.WorkerUsage{K: 1, In: 12345, Out: 67, Estimated: true}, event.WorkerToolStarted{K: 1, Name: "run", ArgsPreview: "go\tvet"})
	s.Look(true, now.Add(75*time.Second))
	view := strings.Join(shown(chainOf(t, s, now.Add(75*time.Second), 70, 20).View()), "\n")
	for _, want := range []string{"running", "quiet 1m15s", "~12.3k in, ~67 out", `▸ run go\tvet`} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is missing:\n%s", want, view)
		}
	}
	s.Look(false, now.Add(75*time.Second))
	view = strings.Join(shown(chainOf(t, s, now.Add(75*time.Second), 70, 20).View()), "\n")
	if !strings.Contains(view, "orphaned") || strings.Contains(view, "quiet") {
		t.Errorf("without an owner it shows:\n%s", view)
	}
}

func TestMarksOfAWorker(t *testing.T) {
	s := folded(planOf(2), event.TaskAffected{K: 2, By: 1, Symbol: "Size", Possible: true},
		event.WorkerStarted{K: 2, Attempt: 2}, event.ScopeFlagged{K: 2, Path: "x"}, event.Waiting{ID: "w", Kind: "affected", K: 2})
	view := strings.Join(shown(chainOf(t, s, now, 60, 20).View()), "\n")
	for _, want := range []string{"affected by 1: Size (possible)", "1 change out of scope", "waits: affected", "waiting", "attempt 2"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is missing:\n%s", want, view)
		}
	}
}

func TestBeforeThePlan(t *testing.T) {
	for _, c := range []struct {
		state *event.State
		want  string
	}{
		{folded(), "planner: not started yet"},
		{folded(event.PlanRequested{Agent: "local", Attempt: 1}), "planning… local"},
		{folded(event.PlanRequested{Agent: "local", Attempt: 1}, event.RunEnded{Status: "failed", Verified: "none"}), "failed"},
		{folded(planOf(3)), "plan given, 3 Workers"},
	} {
		if view := strings.Join(shown(chainOf(t, c.state, now, 50, 8).View()), "\n"); !strings.Contains(view, c.want) {
			t.Errorf("%q is missing:\n%s", c.want, view)
		}
	}
}

func TestNothingCheckedIsSaid(t *testing.T) {
	s := folded(planOf(1), event.ChecksFound{Commands: []string{"make test"}}, event.RunEnded{Status: "passed", Verified: "none"})
	view := strings.Join(shown(chainOf(t, s, now, 60, 12).View()), "\n")
	if !strings.Contains(view, "verified: none — nothing was checked") || !strings.Contains(view, "found, not run: make test") {
		t.Errorf("shows:\n%s", view)
	}
}

func TestTheLedgerTellsWhoIsAffected(t *testing.T) {
	l := NewLedger(plainTheme(t))
	l.SetSize(60, 8)
	l.SetEntries([]event.LedgerEntry{{Symbol: "Size.Bytes", Kind: "renamed", Class: "breaking", File: "size.go", K: 1, Source: "both",
		Text: "Bytes is N now", Observed: "Size.Bytes → Size.N (renamed)",
		Affected: []event.Affected{{K: 2, Possible: true}, {K: 3}}, Unowned: []string{"a.md:1", "b.md:2"}}})
	expect(t, l.View(), "! Size.Bytes renamed", "  size.go · by Worker 1, both", "  claimed: Bytes is N now", "  seen: Size.Bytes → Size.N (renamed)",
		"  affects Worker 2 (possible), Worker 3", "  used where no later task looks: a.md:1 and 1 more", "", "")
	l.SetSize(60, 2)
	l.End()
	expect(t, l.View(), "! Size.Bytes renamed", "  size.go · by Worker 1, both")
}

func TestTheLedgerTellsAClaimFromWhatWasSeen(t *testing.T) {
	l := NewLedger(plainTheme(t))
	l.SetSize(60, 13)
	l.SetEntries([]event.LedgerEntry{
		{Symbol: "Zero", Kind: "removed", Class: "unknown", File: "size.go", K: 1, Source: "observed", Observed: "Zero removed",
			Unowned: []string{"a.go:1"}, Possible: []string{"b.go:2"}, More: 3},
		{Kind: "signature changed", Class: "breaking", K: 2, Source: "claimed", Text: "the wire format"},
		{Symbol: "F", Kind: "signature changed", Class: "additive", File: "f.go", K: 2, Source: "observed", Observed: "F() → F(a?)"},
	})
	expect(t, l.View(), "! Zero removed, perhaps breaking", "  size.go · by Worker 1, observed", "  not claimed", "  seen: Zero removed",
		"  used where no later task looks: a.go:1", "  perhaps used: b.go:2 and 3 more",
		"! the wire format signature changed", "   · by Worker 2, claimed", "  claimed: the wire format", "  not seen in the code",
		"+ F signature changed", "  f.go · by Worker 2, observed", "  not claimed")
}

func TestAChainTellsDoneFromAccepted(t *testing.T) {
	done := func(k int, verdict string, differences ...event.Difference) []event.Body {
		return []event.Body{event.WorkerStarted{K: k, Sandboxed: true}, event.ResultAccepted{K: k},
			event.ResultCompared{K: k, Verdict: verdict, Differences: differences}, event.WorkerEnded{K: k, State: event.Done}}
	}
	bodies := append([]event.Body{planOf(3)}, done(1, event.Accepted)...)
	bodies = append(bodies, done(2, event.Contested, event.Difference{Text: "a.go was \x1b[31mmodified"}, event.Difference{Text: "b"}, event.Difference{Text: "c"})...)
	view := strings.Join(shown(chainOf(t, folded(append(bodies, event.WorkerStarted{K: 3}, event.ResultAccepted{K: 3})...), now, 70, 30).View()), "\n")
	for _, want := range []string{"accepted\n", " contested\n", "! contested: a.go was", "! contested: b", "! 1 more difference", "running\n"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is missing:\n%s", want, view)
		}
	}
}

func TestResultsAreTextUntilTheyAreRendered(t *testing.T) {
	r := NewResults(plainTheme(t))
	r.SetSize(24, 5)
	expect(t, r.View(), "no RESULT yet", "", "", "", "")
	r.SetResults([]Result{{K: 1, Source: "two \x1b[31mthree four five six"}})
	expect(t, r.View(), "# RESULT #1 (by Worker …", "", "two three four five six", "", "")
	r.SetRendered("two \x1b[31mthree four five six", []string{"ONE", "TWO"})
	expect(t, r.View(), "# RESULT #1 (by Worker …", "", "ONE", "TWO", "")
	r.SetResults([]Result{{K: 1, Source: "changed"}})
	expect(t, r.View(), "# RESULT #1 (by Worker …", "", "changed", "", "")
	r.SetRendered("changed", []string{"ONE"})
	r.SetSize(10, 3)
	expect(t, r.View(), "# RESULT …", "", "changed")
}

func TestResultsAreGoneThroughOneByOne(t *testing.T) {
	r := NewResults(plainTheme(t))
	r.SetSize(40, 4)
	var all []Result
	for k := 1; k <= 3; k++ {
		all = append(all, Result{K: k, Source: "a\nb", Summary: fmt.Sprintf("does %d", k)})
	}
	r.SetResults(all)
	if !r.Step(1) || r.Current() != 2 {
		t.Fatalf("at %d", r.Current())
	}
	expect(t, r.View(), "# RESULT #2 (by Worker 2)", "", "a", "b")
	r.Toggle()
	expect(t, r.View(), "# RESULT #2 (by Worker 2) does 2", "# RESULT #3 (by Worker 3)", "", "a")
	if !r.Step(1) || r.Step(1) || r.Current() != 3 {
		t.Errorf("at %d", r.Current())
	}
	r.ToggleAll()
	expect(t, r.View(), "# RESULT #1 (by Worker 1) does 1", "# RESULT #2 (by Worker 2) does 2", "# RESULT #3 (by Worker 3) does 3", "")
	r.GoTo(1)
	expect(t, r.View(), "# RESULT #1 (by Worker 1)", "", "a", "b")
	r.End()
	expect(t, r.View(), "b", "", "# RESULT #2 (by Worker 2) does 2", "# RESULT #3 (by Worker 3) does 3")
	if !r.Click(2) || r.Current() != 2 {
		t.Errorf("clicked into %d", r.Current())
	}
}

func TestFigures(t *testing.T) {
	for got, want := range map[string]string{
		Duration(59 * time.Second): "59s", Duration(65 * time.Second): "1m05s", Duration(127 * time.Minute): "2h07m", Duration(-1): "0s",
		Count(999): "999", Count(1000): "1.0k", Count(999_949): "999.9k", Count(999_950): "1.0M", Count(4_000_000): "4.0M",
		Tokens(1, 2, false): "1 in, 2 out", Tokens(1200, 2, true): "~1.2k in, ~2 out",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
