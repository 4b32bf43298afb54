package ui

import (
	"regexp"
	"strings"
	"testing"

	"growbench/engine/giver"
	"growbench/testdata/ollama/ollamatest"
)

var countdown = regexp.MustCompile(`grow-loop \d+s`)

// arms is an answer that schedules the next turn in an hour.
func arms() ollamatest.Answer {
	return ollamatest.Answer{Text: "There is more.", Calls: []ollamatest.Call{{Name: "grow_loop", Arguments: map[string]any{"after_seconds": 3600}}}}
}

// A loop of a real conversation: deferred while the turn goes on, then it counts;
// a letter ends it at once and stands in the input box; the next arming is the
// next number; the hurry key sends the turn now.
func TestALoopOnTheScreen(t *testing.T) {
	p := newTalkPlace(t,
		arms(), ollamatest.Answer{Text: "I go on to think", Hold: true},
		arms(), ollamatest.Answer{Text: "That was the second."},
		arms(), ollamatest.Answer{Text: "That was the third."},
		ollamatest.Answer{Text: "The loop's own turn", Hold: true},
	)
	g := p.screen(t, 160, 48)
	g.until("nothing has been said yet")
	g.press("Make it better, slice by slice\r")
	g.until("I go on to think", "grow-loop ∞1", "f8 no next turn")
	g.press("\x18") // the turn is stopped, and with it what it armed
	g.when("a loop that is gone", func(s string) bool { return strings.Contains(s, "(stopped)") && !strings.Contains(s, "grow-loop ") })

	counts := func(s string) bool { return countdown.MatchString(s) }
	g.press("Once more\r")
	g.until("That was the second.")
	g.when("a countdown", counts)
	g.press("h")
	g.when("the letter, and no loop", func(s string) bool { return strings.Contains(s, "› h") && !counts(s) })
	g.press("\x7fAnd again\r")
	g.until("That was the third.")
	g.when("a countdown", counts)

	for _, key := range []string{"\x1b[5~", "\x1b[6~", "\x1b[18~" /* f7 */, "\x1b[18~", "\x1b[D", "\x0f"} {
		g.press(key)
	}
	g.press("\x1b[27u2") // the conversation is closed: a letter is a key of the panes
	g.when("the panes, and the countdown", func(s string) bool { return strings.Contains(s, "› 2 transcript") && counts(s) })
	g.press("c")
	g.until("That was the third.")
	g.press("\x1b[20~") // f9
	g.until("The loop's own turn", "grow-loop ∞3", "while true | grow loop")
	g.press("\x1b[19~") // f8 takes the sign away; the turn goes on
	g.when("no sign of a loop", func(s string) bool {
		return !strings.Contains(s, "grow-loop ∞3") && strings.Contains(s, "answering…")
	})
	g.press("\x18")
	g.until("(stopped)")
	leaveTalk(t, g)
}

// Whoever types before the conversation is open loses nothing of it.
func TestWhatIsTypedWhileTheConversationOpensIsKept(t *testing.T) {
	p := newTalkPlace(t)
	first := p.screen(t, 100, 30)
	first.until("nothing has been said yet")
	first.press("half ")
	first.until("› half")
	leaveTalk(t, first)
	opens, open := make(chan struct{}), p.open
	p.open = func() (*giver.Session, error) { <-opens; return open() }
	g := p.screen(t, 100, 30)
	g.until("opening the conversation…")
	g.press("a thought")
	g.until("› a thought")
	close(opens)
	g.until("› half a thought")
	leaveTalk(t, g)
}
