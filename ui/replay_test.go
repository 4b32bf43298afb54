package ui

import (
	"strings"
	"testing"
	"time"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
)

// playRun is a workbench that plays a recording; no time passes but the test's.
func playRun(t *testing.T, events []event.Event) (*glass, *hand) {
	t.Helper()
	clock := &hand{}
	f := newFeed("testdata/run")
	f.news <- engine.Update{Events: events}
	g := open(t, 160, 48, Options{Source: f, Mode: Replay, Speed: 1, Theme: "none", Clock: clock.now})
	return g, clock
}

// plays presses keys and waits for the bar.
func (g *glass) plays(keys string, bar ...string) {
	g.t.Helper()
	g.press(keys)
	g.until(append(bar, "REPLAY")...)
}

func TestAReplayIsPausedSteppedAndSped(t *testing.T) {
	g, clock := playRun(t, recorded(t, "ended"))
	g.until("REPLAY  playing  ×1", "0s of 52s  event 2 of 27  10:00:00")
	clock.forward(12 * time.Second)
	g.until("12s of 52s  event 6 of 27  10:00:12", "0 of 3 done")

	g.plays(" ", "REPLAY  paused")
	clock.forward(20 * time.Second)
	g.plays("\x1b[C", "REPLAY  paused", "13s of 52s  event 7 of 27  10:00:13", "Worker 1 of 3 at work")
	g.plays(".", "14s of 52s  event 8 of 27")
	g.plays("\x1b[D,,", "9s of 52s  event 5 of 27  10:00:09")
	g.plays(" ", "REPLAY  playing", "9s of 52s  event 5 of 27") // the pause itself is not played

	g.plays("++", "REPLAY  playing  ×4")
	clock.forward(5 * time.Second)
	g.until("29s of 52s  event 10 of 27  10:00:29")
	g.plays("-", "REPLAY  playing  ×2")
	clock.forward(2 * time.Second)
	g.until("33s of 52s  event 17 of 27  10:00:33")
	g.plays("---", "REPLAY  playing  ×1") // slower than it was it does not get
	g.plays("++++++", "REPLAY  playing  ×64")
	g.plays("+", "REPLAY  at the end  instant", "52s of 52s  event 27 of 27", "failed · verified: none")
	g.plays("+", "instant")

	g.plays(" ", "REPLAY  paused  instant", "event 1 of 27") // at once it would be at the end again
	g.plays("-", "REPLAY  paused  ×64")
	g.plays("\x1b[F", "REPLAY  at the end", "event 27 of 27")
	g.plays(" ", "REPLAY  playing  ×64", "0s of 52s")
	g.plays("\x1b[F", "event 27 of 27", "transcript of Worker 2")
	g.plays("s", "event 20 of 27", "Worker 2 of 3 at work")
	g.press("q")
	if out := g.end(); out.err != nil {
		t.Error(out.err)
	}
}

func TestPausesOfAReplayAreCutOrKept(t *testing.T) {
	at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	events := []event.Event{
		{Seq: 1, At: at(0), Body: event.RunStarted{Format: event.Version, Run: "r"}},
		{Seq: 2, At: at(2), Body: event.PlanAccepted{Plan: doc.Plan{Tasks: []doc.PlanTask{{Title: "one"}}}}},
		{Seq: 3, At: at(4), Body: event.WorkerStarted{K: 1, Attempt: 1}},
		{Seq: 4, At: at(10), Body: event.Waiting{ID: "w1", Kind: "permission", K: 1, Text: "may I", Choices: []string{"yes", "no"}}},
		{Seq: 5, At: at(610), Body: event.Answered{ID: "w1", Choice: "yes"}},
		{Seq: 6, At: at(620), Body: event.WorkerEnded{K: 1, State: event.Done}},
		{Seq: 7, At: at(622), Body: event.RunEnded{Status: event.StatusPassed, Verified: event.VerifiedNone}},
	}
	g, clock := playRun(t, events)
	g.until("0s of 23s", "pauses cut")
	clock.forward(10 * time.Second)
	g.until("10s of 23s  event 4 of 7", "it waits for an answer")
	clock.forward(time.Second)
	g.until("11s of 23s  event 5 of 7", "Worker 1 of 1 at work")

	g.press("c")
	bar := g.until("10m10s of 10m22s  event 5 of 7")
	if strings.Contains(bar, "pauses cut") {
		t.Errorf("the bar says that pauses are cut:\n%s", bar)
	}
	g.plays("\x1b[D", "REPLAY  paused", "10s of 10m22s  event 4 of 7")
	g.plays(" ", "REPLAY  playing")
	clock.forward(300 * time.Second)
	g.until("5m10s of 10m22s  event 4 of 7", "it waits for an answer")
	g.plays("c", "of 23s", "pauses cut", "event 4 of 7")
	clock.forward(time.Second)
	g.until("event 5 of 7")
	clock.forward(12 * time.Second)
	g.until("REPLAY  at the end", "passed · verified: none")
	g.press("q")
	g.end()
}

// What is shown of a transcript is what there was at the moment on the screen.
func TestATranscriptOfAReplayEndsAtTheMoment(t *testing.T) {
	g, _ := playRun(t, recorded(t, "ended"))
	g.until("REPLAY  playing")
	g.plays(" ", "REPLAY  paused")
	g.plays("]]", "event 20 of 27", "transcript of Worker 2")
	without := func(words ...string) {
		t.Helper()
		g.when("without "+strings.Join(words, ", "), func(s string) bool {
			for _, w := range words {
				if strings.Contains(s, w) {
					return false
				}
			}
			return true
		})
	}
	without("I will look at the file")
	g.plays(".", "event 21 of 27", "I will look at the file fi")
	without("first.", "Then I write it.")
	g.plays(".", "event 22 of 27", "I will look at the file first.", "Then I write it.", "read_file")
	without("Now the printer.")
	g.plays(".", "event 23 of 27", "Now the printer.")
	without("edit_file {")
	g.plays(".", "event 24 of 27", "edit_file {")
	g.plays(",,", "event 22 of 27")
	without("Now the printer.", "edit_file {")
	g.plays("\x1b[F", "event 27 of 27")
	g.press("q")
	g.end()
}
