package views

import (
	"slices"
	"strings"
	"testing"
	"time"

	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/theme/text"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// atWork is a run whose Worker 1 began a minute before noon.
func atWork(bodies ...event.Body) *event.State {
	limits := event.Limits{Turns: 40, Tokens: 400_000, Cost: 5, WallS: 600, SilenceS: 180, Output: 64 << 20}
	s := event.NewState()
	all := append([]event.Body{
		event.RunStarted{Run: "r", Limits: limits},
		event.PlanAccepted{Plan: doc.Plan{Tasks: []doc.PlanTask{{Title: "one"}, {Title: "two"}}}},
		event.WorkerStarted{K: 1, Agent: "a", Attempt: 1, SandboxNote: "no sandbox: bwrap is not installed"},
	}, bodies...)
	for i, b := range all {
		s.Apply(event.Event{Seq: uint64(i + 1), At: noon.Add(-time.Minute), Body: b})
	}
	s.Look(true, noon)
	return s
}

func wordsOf(s *event.State) string { return Words(WorkerFigures(s, s.Worker(1), noon)) }

func TestFiguresStandBesideTheirLimits(t *testing.T) {
	s := atWork(event.WorkerTurn{K: 1, Turn: 12}, event.WorkerUsage{K: 1, In: 16_100, Out: 520, Cached: 8000, Cost: 0.42, Context: 90_000, Window: 200_000, Said: 1_200_000})
	want := "quiet 1m00s/3m · turns 12/40 · 16.1k in, 520 out/400k · 1m00s/10m · $0.42/5.00 · context 45% · 8.0k cached · said 1.2 MB/67.1 MB"
	if got := wordsOf(s); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	s.Limits = event.Limits{}
	if got := wordsOf(s); got != "quiet 1m00s · 12 turns · 16.1k in, 520 out · 1m00s · $0.42 · context 45% · 8.0k cached" {
		t.Errorf("without limits: %s", got)
	}
	s = atWork(event.WorkerTurn{K: 1, Turn: 12}, event.WorkerEnded{K: 1, State: event.Done})
	if got := wordsOf(s); got != "12 turns · 0s" {
		t.Errorf("ended: %s", got)
	}
}

func TestWhatIsNearItsLimitComesFirst(t *testing.T) {
	for want, bodies := range map[string][]event.Body{
		"turns 33/40":                 {event.WorkerTurn{K: 1, Turn: 33}},
		"~350.0k in, ~10.0k out/400k": {event.WorkerUsage{K: 1, In: 350_000, Out: 10_000, Estimated: true}},
		"$1.00, run $4.50/5.00":       {event.WorkerUsage{K: 0, Cost: 3.5}, event.WorkerUsage{K: 1, Cost: 1}},
		"context 95%":                 {event.WorkerUsage{K: 1, In: 1, Context: 95, Window: 100}},
		"said 60.0 MB/67.1 MB":        {event.WorkerTurn{K: 1, Turn: 1, Said: 60_000_000}},
	} {
		s := atWork(bodies...)
		got := WorkerFigures(s, s.Worker(1), noon)
		if len(got) == 0 || got[0].Text != want || !got[0].Near || slices.ContainsFunc(got[1:], func(f Figure) bool { return f.Near }) {
			t.Errorf("%+v, want %q first", got, want)
		}
	}
}

// Whatever room there is: no line too long, the most urgent figure there, no
// figure cut in two.
func TestFiguresFitEveryPane(t *testing.T) {
	s := atWork(event.WorkerTurn{K: 1, Turn: 39}, event.WorkerUsage{K: 1, In: 16_100, Out: 520, Cached: 8000, Cost: 0.42, Context: 90_000, Window: 200_000})
	whole := WorkerFigures(s, s.Worker(1), noon)
	for width := 24; width <= 120; width++ {
		for _, height := range []int{6, 12, 15, 40} {
			c := chainOf(t, s, noon, width, height)
			c.Select(1)
			screen := shown(c.View())
			found := false
			for _, line := range screen {
				line = strings.TrimSpace(text.Line(line))
				if text.Width(line) > width {
					t.Fatalf("%d×%d: %q is wider", width, height, line)
				}
				if strings.Contains(line, "turns 39/40") {
					found = true
					for part := range strings.SplitSeq(line, " · ") {
						if !slices.ContainsFunc(whole, func(f Figure) bool { return f.Text == part }) && part != "no sandbox" {
							t.Errorf("%d×%d: a piece of a figure: %q", width, height, part)
						}
					}
				}
			}
			if !found && height > 3 {
				t.Errorf("%d×%d: the most urgent figure is not there:\n%s", width, height, strings.Join(screen, "\n"))
			}
		}
	}
}

func TestMarksOfScopeLimitAndSandbox(t *testing.T) {
	s := atWork(
		event.ScopeFlagged{K: 1, Path: "x"}, event.ScopeFlagged{K: 1, Path: "y"},
		event.ScopeQuarantined{K: 1, Ref: "refs/growbench/r/1-outside", Commit: "c", Paths: []string{"y"}},
		event.Waiting{ID: "w", Kind: "limit", K: 1, Choices: []string{"retry"}, Until: noon.Add(252 * time.Second)},
	)
	s.Workers[0].Network = event.NetworkUnheld
	c := chainOf(t, s, noon, 80, 30)
	c.Select(1)
	screen := strings.Join(shown(c.View()), "\n")
	for _, words := range []string{"waits: its usage limit, 4m12s left", "1 change out of scope", "1 change set aside", "its network is not held off", "no sandbox: bwrap is not installed"} {
		if !strings.Contains(screen, words) {
			t.Errorf("no %q on\n%s", words, screen)
		}
	}
	c.SetState(s, noon.Add(251*time.Second+500*time.Millisecond))
	if screen := strings.Join(shown(c.View()), "\n"); !strings.Contains(screen, "its usage limit, 1s left") {
		t.Errorf("not counted down:\n%s", screen)
	}
}

func TestSpansAreShort(t *testing.T) {
	for seconds, want := range map[int64]string{0: "0s", 45: "45s", 90: "90s", 180: "3m", 600: "10m", 3600: "1h", 5400: "1h30m"} {
		if got := Span(seconds); got != want {
			t.Errorf("%d is %s, want %s", seconds, got, want)
		}
	}
}
