package ui

import (
	"context"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme"
)

// rolls are lists of runs told by a test.
type rolls chan engine.Roll

func (r rolls) Next(ctx context.Context) (engine.Roll, error) {
	select {
	case roll := <-r:
		return roll, nil
	case <-ctx.Done():
		return engine.Roll{}, ctx.Err()
	}
}

// projectOf is a project whose runs a test tells of.
func projectOf(list rolls) *Project {
	return &Project{
		Name: "sizes", Runs: list, Watch: func(dir string) Source { return newFeed(dir) },
		Agents: []string{"claude", "local"}, Program: "growbench", Here: "growbench",
	}
}

// listed is a run as a list has it.
func listed(name, goal, status string, age time.Duration, done, n int) engine.Summary {
	s := event.NewState()
	s.Run, s.Status, s.Started = name, status, noon.Add(-age)
	sum := engine.Summary{
		Run: name, Project: "sizes", Goal: goal, Status: status, Started: s.Started, Done: done, N: n,
		Dir: "/state/sizes-1/runs/" + name, State: s, Agents: []string{"local"}, Verified: event.VerifiedNone,
	}
	switch status {
	case event.StatusRunning:
		sum.Owner = "alive"
	case event.Orphaned:
		s.Status = event.StatusRunning
	}
	s.Look(sum.Owner == "alive", noon)
	return sum
}

// someRuns are runs in every state.
func someRuns() engine.Roll {
	waits := listed("20260301-095900-aa11", "Sizes are printed in the unit a reader expects, binary or decimal, and never with more than three digits, in every place that prints one today and in the report that is sent at night.", event.StatusRunning, 55*time.Second, 1, 3)
	waits.Waiting, waits.Agents, waits.Cost = 1, []string{"claude", "local"}, 0.4
	waits.State.Waits = []event.Waiting{{ID: "w1", Kind: "permission", K: 2, Text: "run go test ./size\nin size/", Choices: []string{"allow once", "allow always", "deny"}}}
	works := listed("20260301-093000-bb22", "Read 日本語 names of units.", event.StatusRunning, 31*time.Minute, 0, 2)
	passed := listed("20260301-070000-cc33", "Round to even.", event.StatusPassed, 3*time.Hour, 4, 4)
	passed.Verified, passed.Cost, passed.Branch = event.VerifiedPassed, 12.345, "growbench/20260301-070000-cc33"
	failed := listed("20260226-100000-dd44", "Make the parser ten times as fast.", event.StatusFailed, 72*time.Hour, 2, 5)
	failed.State.Reason, failed.Verified = "limit: the agent took more than 20 minutes", event.VerifiedFailed
	stopped := listed("20260225-100000-ee55", "Drop the old printer.", event.StatusStopped, 96*time.Hour, 1, 2)
	orphaned := listed("20260224-100000-ff66", "Count in bits too.", event.Orphaned, 120*time.Hour, 0, 0)
	for _, s := range []engine.Summary{passed, failed, stopped} {
		s.State.Phase, s.State.Ended = event.PhaseEnded, noon
	}
	return engine.Roll{Runs: []engine.Summary{waits, works, passed, failed, stopped, orphaned}, Unread: 2}
}

// listScreen is a model on the list of runs.
func listScreen(t testing.TB, look string, s size, roll engine.Roll) *model {
	t.Helper()
	th, err := theme.New(look, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t.Context(), Options{Project: projectOf(nil), Theme: look, Clock: func() time.Time { return noon }}, th)
	m.update(tea.WindowSizeMsg{Width: s.width, Height: s.height})
	m.rolled(rollMsg{roll: roll})
	return m
}

// The screens about whole runs, at every size and in every look.
func TestScreensOfRuns(t *testing.T) {
	dir := t.TempDir()
	replayed := func(look string, s size) *model {
		th, err := theme.New(look, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := newModel(t.Context(), Options{Source: newFeed(dir), Mode: Replay, Theme: look, Speed: 4, Clock: func() time.Time { return noon }}, th)
		m.update(tea.WindowSizeMsg{Width: s.width, Height: s.height})
		m.receive(updateMsg{ctx: m.visit.ctx, update: engine.Update{Events: recorded(t, "ended")}})
		m.show(ledgerPane) // one pane, and little of it: the bar is what counts
		m.wide = true
		m.update(tea.WindowSizeMsg{Width: s.width, Height: s.height})
		return m
	}
	for _, screen := range []struct {
		name string
		of   func(look string, s size) *model
	}{
		{"runs", func(look string, s size) *model { return listScreen(t, look, s, someRuns()) }},
		{"runs-failed", func(look string, s size) *model {
			m := listScreen(t, look, s, someRuns())
			for range 3 {
				m.key("j", "j")
			}
			return m
		}},
		{"runs-none", func(look string, s size) *model { return listScreen(t, look, s, engine.Roll{}) }},
		{"replay", func(look string, s size) *model {
			m := replayed(look, s)
			m.onReplay(NextStart)
			m.onReplay(NextStart)
			m.onReplay(Pause)
			return m
		}},
		{"replay-end", func(look string, s size) *model {
			m := replayed(look, s)
			m.onReplay(ToLast)
			return m
		}},
		{"answers", func(look string, s size) *model {
			m := listScreen(t, look, s, someRuns())
			m.pushAnswer()
			m.top().(*answers).since = noon.Add(-grace)
			return m
		}},
		{"answers-early", func(look string, s size) *model {
			roll := someRuns()
			more := roll.Runs[0].State.Waits[0]
			more.ID, more.Kind, more.Until = "w0", "limit", noon.Add(90*time.Second)
			more.Text, more.Choices = "the account is used up until 11:00", []string{"retry", "fail"}
			roll.Runs[0].State.Waits = append([]event.Waiting{more}, roll.Runs[0].State.Waits...)
			m := listScreen(t, look, s, roll)
			m.pushAnswer()
			return m
		}},
	} {
		for _, s := range []size{{160, 48}, {100, 30}, {80, 24}, {60, 20}} {
			name := fmt.Sprintf("%s-%dx%d", screen.name, s.width, s.height)
			t.Run(name, func(t *testing.T) {
				inEveryLook(t, "runs/"+name, s, func(look string) *model { return screen.of(look, s) })
			})
		}
	}
}
