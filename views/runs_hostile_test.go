package views

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"growbench/engine/event"
	"growbench/theme"
	"growbench/theme/text"
)

var today = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// harmless checks that a line fills its width in every way of counting and
// that nothing in it is a command to a terminal.
func harmless(t *testing.T, line string, width int, from string) {
	t.Helper()
	for _, m := range []text.Measure{text.WcWidth, text.Grapheme} {
		if got := m.Width(line); got != width {
			t.Fatalf("%d cells in a pane of %d: %q (text %.200q)", got, width, line, from)
		}
	}
	if strings.ContainsFunc(ansi.Strip(line), unicode.IsControl) || strings.ContainsAny(line, "\u202a\u202e\u2066\u2028\u009b\u009d\u009c") {
		t.Fatalf("a control reaches the screen: %q (text %.200q)", line, from)
	}
}

// hostileRow is a run whose every text is s.
func hostileRow(r *rand.Rand, name, s string) RunRow {
	statuses := []string{event.StatusRunning, event.StatusPassed, event.StatusFailed, event.Orphaned, s}
	row := RunRow{
		Name: name, Status: statuses[r.IntN(len(statuses))], Verified: s, Reason: s, Goal: s, Branch: s, Agents: []string{s, s}, Dir: s,
		Ended: r.IntN(2) == 0, Waiting: r.IntN(3), Done: r.IntN(1000), N: r.IntN(100_000),
		Cost: []float64{0, 1.5, 1e12, math.Inf(1), math.NaN(), -3}[r.IntN(6)], Started: []time.Time{{}, today.Add(time.Hour), today.AddDate(-200, 0, 0)}[r.IntN(3)],
	}
	if r.IntN(3) == 0 {
		row.Busy = s
	}
	return row
}

func TestHostileTextsStayInsideTheListOfRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	th, err := theme.New(theme.Dark, nil)
	if err != nil {
		t.Fatal(err)
	}
	check := func(s string, width, height int) {
		v := NewRuns(NewLook(th))
		v.SetSize(width, height)
		v.SetRows([]RunRow{hostileRow(r, s, s), hostileRow(r, s+"1", s), hostileRow(r, "plain", s)}, today)
		if r.IntN(4) == 0 {
			v.SetFilter(scraps[r.IntN(len(scraps))])
		}
		if r.IntN(8) == 0 {
			v.SetRows(nil, today)
			v.SetEmpty(s, s, s, "")
		}
		v.Scroll(r.IntN(3))
		lines := v.View()
		if len(lines) != height {
			t.Fatalf("%d lines in a pane of %d", len(lines), height)
		}
		for _, l := range lines {
			harmless(t, l, width, s)
		}
	}
	for range 1000 {
		check(scrap(r), 1+r.IntN(180), 1+r.IntN(20))
	}
	for _, piece := range scraps {
		long := strings.Repeat(piece, 10_000/len(piece)+1)
		for _, width := range []int{1, 160} {
			check(long, width, 16)
		}
	}
}

func TestEveryColumnOfTheListStandsWhateverIsInIt(t *testing.T) {
	look, err := theme.New(theme.None, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 1))
	v := NewRuns(NewLook(look))
	v.SetSize(160, 24)
	for range 500 {
		s := scrap(r)
		row := hostileRow(r, "the-run", s)
		row.Started = today
		v.SetRows([]RunRow{row}, today)
		line := v.View()[1]
		// The name stands in the last column, from the cell its head stands in.
		from := text.Width(strings.TrimSuffix(strings.TrimRight(v.View()[0], " "), "run"))
		if got := text.Width(line[:max(strings.LastIndex(line, "the-run"), 0)]); got != from {
			t.Fatalf("the name stands at cell %d, its column at %d: %q (text %q)", got, from, line, s)
		}
	}
}

func TestTheTimeBarFitsAtAnyWidth(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	th, err := theme.New(theme.Light, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := NewTimeBar(NewLook(th))
	for width := range 240 {
		for range 8 {
			s := scrap(r)
			last := []int{0, 1, 27, 100_000, math.MaxInt32}[r.IntN(5)]
			p := Playing{
				Speed: s, Paused: r.IntN(2) == 0, Short: r.IntN(2) == 0, Loading: r.IntN(4) == 0, Last: last, Event: r.IntN(last + 1),
				At: time.Duration(r.Int64()), Length: time.Duration(r.Int64()), Moment: today,
				Marks: []int{0, 1, last, r.IntN(last + 1)},
			}
			if r.IntN(2) == 0 {
				p.Speed = "×4"
			}
			slices.Sort(p.Marks)
			b.SetSize(width)
			b.Set(p)
			line := b.View()
			harmless(t, line, width, s)
			if width >= 40 && !strings.HasPrefix(ansi.Strip(line), "REPLAY  ") {
				t.Fatalf("the bar of %d cells does not say what it is: %q", width, line)
			}
		}
	}
}
