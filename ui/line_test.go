package ui

import (
	"strings"
	"testing"
)

// cursorAt is where the screen's cursor stands.
func (g *glass) cursorAt() (x, y int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.term.CursorPosition()
	return p.X, p.Y
}

func TestTheChainIsFilteredAsItIsTyped(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	g.press("/")
	g.until("4 of 4")
	g.press("prnt")
	g.until("/prnt", "1 of 4")
	screen := g.when("the others hidden", func(s string) bool { return !strings.Contains(s, "parse sizes") })
	golden(t, "filter-100x30", screen)
	if x, y := g.cursorAt(); x != len("/prnt") || y != 29 {
		t.Errorf("the cursor stands at %d, %d", x, y)
	}
	// Enter keeps it, and the title says so; / goes on with it.
	g.press("\r")
	g.until("/prnt 1 of 4", "q leave")
	g.press("/\x17zzz")
	g.until("0 of 4")
	g.press("\x1b[27u")
	g.when("all shown again", func(s string) bool {
		return strings.Contains(s, "parse sizes") && !strings.Contains(s, "of 4")
	})
	g.press("q")
	g.end()
}

func TestEscTakesAFilterAwayThatWasKept(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	g.press("/print\r")
	g.until("/print 1 of 4")
	g.press("\x1b[27u")
	g.when("all shown again", func(s string) bool { return strings.Contains(s, "parse sizes") && !strings.Contains(s, "/print 1") })
	g.press("q")
	g.end()
}

func TestTheLedgerIsFiltered(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	g.press("4")
	g.until("4 ledger 1")
	g.press("/qq")
	g.until("nothing matches", "0 of 1")
	g.press("\x1b[27u")
	g.when("shown again", func(s string) bool { return !strings.Contains(s, "nothing matches") })
	g.press("q")
	g.end()
}

func TestWhatIsTypedSurvivesWhatOpensAndAPaste(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	g.press("/")
	g.until("4 of 4")
	g.press("\x1b[200~siz\x07\nes\x1b[201~")
	g.until(`/siz\x07 es`)
	g.press("\x03")
	g.until("leave, stop or stay?")
	g.press("\x1b[27u")
	g.until(`/siz\x07 es`)
	// A q that is typed does not leave.
	g.press("q")
	g.until(`/siz\x07 esq`)
	g.press("\x15print")
	g.until("/print", "1 of 4")
	g.press("\x1b[27u")
	g.until("q leave")
	g.press("q")
	g.end()
}

func TestAPasteWhereNothingIsTypedDoesNothing(t *testing.T) {
	g, f := watch(t, "working", Options{})
	g.press("\x1b[200~Sy\x1b[201~")
	g.until("nothing is being typed here")
	f.none(t)
	g.press("q")
	g.end()
}

func TestThePaletteFindsAndRuns(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	g.press("\x10") // ctrl+p
	g.until("─ actions ─", "stop the run (asks first)")
	g.press("exact prompt")
	screen := g.when("narrowed", func(s string) bool {
		return strings.Contains(s, "> exact prompt") && !strings.Contains(s, "stop the run (asks first)")
	})
	golden(t, "palette-100x30", screen)
	g.press("\r")
	g.until("the prompt of Worker 2")
	g.press("\x1b[27u")

	// What does nothing now stands in it with the reason, and stays when picked.
	g.press("\x10answer what")
	g.until("answer what the run waits for — the run waits for nothing")
	g.press("\r")
	g.when("the reason at the bottom", func(s string) bool { return foot(s) == "the run waits for nothing" })
	g.press("\x1b[27u")

	// What belongs to a pane is done there.
	g.press("\x10chain show only\r")
	g.until("4 of 4")
	g.press("\x1b[27uq")
	g.end()
}

func TestThePaletteReachesWhatHasNoKey(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	g.press("\x10change the look\r")
	g.until("─ the look ─", "high contrast", "no colour")
	g.press("G\r")
	g.until("the look: no colour (--theme none keeps it)")
	g.press("q")
	g.end()
}

func TestEveryKeyOfTheBindingsDoesSomethingOrSaysWhy(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range Bindings() {
		for _, k := range b.Keys {
			if _, ok := find(Bindings(), k, b.In); !ok {
				t.Errorf("%s in %q is not found", k, b.In)
			}
			seen[k] = true
		}
	}
	for _, vim := range []string{"h", "j", "k", "l", "g", "G", "ctrl+d", "ctrl+u", "left", "down", "up", "right"} {
		if !seen[vim] {
			t.Errorf("%s does nothing", vim)
		}
	}
}
