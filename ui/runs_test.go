package ui

import (
	"fmt"
	"strings"
	"testing"

	"growbench/views"
)

// openList is a workbench on the list of some runs.
func openList(t *testing.T) *glass {
	t.Helper()
	list := make(rolls, 1)
	list <- someRuns()
	g := open(t, 100, 30, Options{Project: projectOf(list), Theme: "none"})
	g.until("runs 6", "› ? waiting")
	return g
}

func TestAFilterNarrowsTheListOfRuns(t *testing.T) {
	g := openList(t)
	g.press("/")
	g.until("6 of 6", "enter keep")
	g.press("printer")
	s := g.until("1 of 6", "/printer 1 of 6", "› ■ stopped", "Drop the old printer.")
	if strings.Contains(s, "Round to even") {
		t.Errorf("what does not match is shown:\n%s", s)
	}
	g.press("zzz")
	g.until("no run matches", "/printerzzz 0 of 6")
	g.press("\r\r") // keeps it; there is nothing to open
	g.until("enter does nothing now: no run matches; esc clears the filter")
	g.press("d")
	g.until("d does nothing now: this is about one run")
	g.press("R")
	g.until("R does nothing now: no run matches; esc clears the filter")
	g.press("\x1b[27u")
	g.until("› ? waiting", "Count in bits too.")

	// What is typed moves the pick too, and words of any column count.
	g.press("/local \x1b[B\x1b[B")
	g.until("6 of 6", "› ✓ passed")
	g.press("cc33\r")
	g.until("/local cc33 1 of 6", "› ✓ passed", "filter")
	g.press("\r") // opens the run, and the filter is still there afterwards
	g.until("› 1 chain")
	g.press("L")
	g.until("/local cc33 1 of 6", "› ✓ passed")
	g.press("\x1b[27u")
	g.until("Count in bits too.")
	g.press("q")
	g.end()
}

func TestTheMouseInTheListOfRuns(t *testing.T) {
	g := openList(t)
	click := func(words string) {
		for i, l := range strings.Split(g.text(), "\n") {
			if strings.Contains(l, words) {
				g.press(fmt.Sprintf("\x1b[<0;30;%dM\x1b[<0;30;%dm", i+1, i+1))
				return
			}
		}
		t.Fatalf("%q is not on the screen", words)
	}
	click("Drop the old printer.")
	g.until("› ■ stopped", "run 20260225-100000-ee55")
	click("Read 日本語 names")
	g.until("› ▸ running", "run 20260301-093000-bb22")
	g.press("\x1b[<65;30;10M\x1b[<65;30;10M")
	g.until("› ✗ failed")
	g.press("\x1b[<64;30;10M")
	g.until("› ✓ passed")
	click("run 20260301-070000-cc33") // the details are no runs
	g.press("?")
	g.until("─ keys ─")
	g.press("\x1b[27u")
	g.until("› ✓ passed", "run 20260301-070000-cc33")
	g.press("q")
	g.end()
}

func TestAListThatChangesKeepsWhatIsPickedAndFiltered(t *testing.T) {
	v := views.NewRuns(views.Look{})
	v.SetSize(80, 24)
	row := func(name, goal string) views.RunRow { return views.RunRow{Name: name, Goal: goal} }
	v.SetRows([]views.RunRow{row("c", "print"), row("b", "parse"), row("a", "print")}, noon)
	v.SetFilter("print")
	v.End()
	if at := v.Picked(); at != 2 {
		t.Fatalf("row %d is picked", at)
	}
	v.SetRows([]views.RunRow{row("e", "parse"), row("d", "print"), row("c", "print"), row("b", "parse"), row("a", "print")}, noon)
	if shown, all := v.Filtered(); v.Picked() != 4 || shown != 3 || all != 5 {
		t.Errorf("row %d is picked, %d of %d are shown", v.Picked(), shown, all)
	}
	v.SetRows([]views.RunRow{row("b", "parse")}, noon)
	if v.Picked() != -1 {
		t.Errorf("row %d is picked, which the filter hides", v.Picked())
	}
	v.SetFilter("")
	if v.Picked() != 0 {
		t.Errorf("row %d is picked", v.Picked())
	}
}
