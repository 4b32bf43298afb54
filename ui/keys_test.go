package ui

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"growbench/engine"
	"growbench/engine/event"
)

func watch(t *testing.T, run string, o Options) (*glass, *feed) {
	t.Helper()
	f := newFeed("testdata/run")
	f.news <- engine.Update{Events: recorded(t, run), OwnerAlive: true}
	o.Source, o.Theme = f, "none"
	g := open(t, 100, 30, o)
	g.until("print sizes", "edit_file {")
	return g, f
}

// hand is a clock moved by the test.
type hand struct{ at atomic.Int64 }

func (h *hand) now() time.Time           { return noon.Add(time.Duration(h.at.Load())) }
func (h *hand) forward(by time.Duration) { h.at.Add(int64(by)) }

func (f *feed) none(t *testing.T) {
	t.Helper()
	select {
	case c := <-f.commands:
		t.Errorf("a command was sent: %+v", c)
	default:
	}
}

func TestLeavingLeavesTheRunAlone(t *testing.T) {
	g, f := watch(t, "working", Options{})
	g.press("q")
	if out := g.end(); out.err != nil || out.exit.How != Left || out.exit.State.Run == "" {
		t.Errorf("left with %+v", out)
	}
	f.none(t)
}

func TestStopAsksAndMeansNoUnlessYes(t *testing.T) {
	for _, no := range []string{"n", "\r", "x"} {
		g, f := watch(t, "working", Options{})
		g.press("S")
		g.until("stop the run?")
		g.press(no)
		g.when("the question is gone", func(s string) bool { return !strings.Contains(s, "stop the run?") })
		f.none(t)
		g.press("q")
		g.end()
	}
}

func TestStopIsSentAndTheScreenStays(t *testing.T) {
	g, f := watch(t, "working", Options{})
	g.press("S")
	g.until("stop the run?")
	g.press("y")
	if c := <-f.commands; c.Do != "stop" || c.Interrupt {
		t.Errorf("sent %+v", c)
	}
	g.until("stopping…")
	f.news <- engine.Update{OwnerAlive: true, Events: []event.Event{{Seq: 90, At: noon, Body: event.RunEnded{Status: "stopped", Verified: "none"}}}}
	g.until("stopped · verified: none (nothing was checked)")
	g.press("q")
	if out := g.end(); out.exit.How != Stopped {
		t.Errorf("left with %+v", out)
	}
}

func TestARefusedStopIsSaid(t *testing.T) {
	f := newFeed("testdata/run")
	f.refuse = errors.New("the owner \x1b[31mdoes not answer")
	f.news <- engine.Update{Events: recorded(t, "working"), OwnerAlive: true}
	g := open(t, 100, 30, Options{Source: f, Theme: "none"})
	g.until("Worker 2 of 3")
	g.press("Sy")
	g.until("could not stop: the owner does not answer", "Worker 2 of 3")
	g.press("q")
	g.end()
}

func TestEscClosesAndNeverStops(t *testing.T) {
	g, f := watch(t, "working", Options{})
	g.press("S")
	g.until("stop the run?")
	g.press("\x1b")
	g.when("closed", func(s string) bool { return !strings.Contains(s, "stop the run?") })
	g.press("\x1b[27u") // esc as a terminal writes it that can tell it from the start of a sequence
	g.press("?")
	g.until("─ keys ─")
	g.press("\x1b")
	g.when("closed", func(s string) bool { return !strings.Contains(s, "─ keys ─") })
	f.none(t)
	g.press("q")
	g.end()
}

func TestCtrlCOffersThenLeaves(t *testing.T) {
	for _, overlay := range []string{"", "?", "S"} {
		var clock hand
		g, f := watch(t, "working", Options{Clock: clock.now, ComeBack: "growbench attach r1"})
		g.press(overlay)
		g.press("\x03")
		g.until("leave, stop or stay?", "growbench attach r1")
		clock.forward(3 * time.Second) // too late to count as the second
		g.press("\x03")
		g.press("?")
		g.until("leave, stop or stay?")
		clock.forward(time.Second)
		g.press("\x03")
		if out := g.end(); out.exit.How != Left || out.err != nil {
			t.Errorf("left with %+v", out)
		}
		f.none(t)
	}
}

func TestCtrlCStopsAndLeavesWhenTheRunHasEnded(t *testing.T) {
	g, f := watch(t, "working", Options{})
	g.press("\x03")
	g.until("leave, stop or stay?")
	g.press("s")
	if c := <-f.commands; c.Do != "stop" || !c.Interrupt {
		t.Errorf("sent %+v", c)
	}
	f.news <- engine.Update{OwnerAlive: true, Events: []event.Event{{Seq: 90, At: noon, Body: event.RunEnded{Status: "stopped", Verified: "none"}}}}
	if out := g.end(); out.exit.How != Stopped {
		t.Errorf("left with %+v", out)
	}
}

func TestAnAnswerCountsOnlyAfterAMoment(t *testing.T) {
	var clock hand
	g, f := watch(t, "waiting", Options{Clock: clock.now})
	g.until("waits for you (a answers): permission, Worker 2 (allow once, allow always, deny): run go test ./size")
	g.press("a")
	g.until("the run waits for you", "a moment")
	g.press("1\r\x03")
	g.until("leave, stop or stay?") // so the keys before it were handled
	clock.forward(1100 * time.Millisecond)
	g.press("\x1b[27u")
	g.until("allow always", "a moment") // it is on the screen again only now
	f.none(t)
	clock.forward(600 * time.Millisecond)
	g.press("\r2")
	if c := <-f.commands; c.Do != "answer" || c.ID != "w1" || c.Choice != "allow always" {
		t.Errorf("sent %+v", c)
	}
	g.until("answered: allow always")
	g.press("q")
	g.end()
}

func TestAKeyThatDoesNothingSaysWhy(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	g.press("a")
	g.until("a does nothing now: the run waits for nothing")
	g.press("?")
	g.until("answer what the run waits for — the run waits for nothing")
	g.press("\x03\x03")
	g.end()
}

func TestPromptAndTaskAreShownExactly(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	g.press("p")
	g.until("the prompt of Worker 2", "[Read from: task2.md, results.md]")
	g.press("\x1b[27ut")
	g.until("the task of Worker 2", "Print sizes the short way.")
	g.press("\x1b[27uk")
	g.until("transcript of Worker 1")
	g.press("t")
	g.until("cannot show the task of Worker 1")
	g.press("q")
	g.end()
}

func TestToolCallsUnfold(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	if strings.Contains(g.text(), "Size counts bytes") {
		t.Error("a tool's result is shown though nobody asked")
	}
	g.press("\r[[ ") // the call before the last
	g.until("Size counts bytes")
	g.press("z")
	g.when("all unfolded", func(s string) bool { return strings.Contains(s, "Size counts bytes") })
	g.press("z")
	g.when("folded", func(s string) bool { return !strings.Contains(s, "Size counts bytes") })
	g.press("q")
	g.end()
}

func TestAKeyDoesOneThingInOnePlace(t *testing.T) {
	type place struct {
		key string
		in  Scope
	}
	taken := map[place]Action{}
	table := KeyTable()
	for _, b := range Bindings() {
		if b.Description == "" || b.Group == "" || b.Action == "" {
			t.Errorf("%+v is not explained", b)
		}
		if _, ok := paneOf(b.In); b.In != Everywhere && b.In != InRuns && b.In != InReplay && !b.typed() && !ok {
			t.Errorf("%s belongs to %q, which is no pane", b.Action, b.In)
		}
		for _, k := range b.Keys {
			if other, is := taken[place{k, b.In}]; is {
				t.Errorf("%s does both %s and %s", k, other, b.Action)
			}
			taken[place{k, b.In}] = b.Action
			if !strings.Contains(table, "`"+k+"`") {
				t.Errorf("the table lacks %s", k)
			}
		}
		if !strings.Contains(table, b.Description) {
			t.Errorf("the table lacks %q", b.Description)
		}
	}
}
