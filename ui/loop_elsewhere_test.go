package ui

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/giver"
	"growbench/loop"
	"growbench/testdata/ollama/ollamatest"
	"growbench/theme/text"
)

var countsElsewhere = regexp.MustCompile(`elsewhere: grow-loop \d+s`)

// A loop of another process stands in the status line of whoever watches, also
// before the conversation is opened there; its keys say whose it is, and once
// the conversation is taken over they are this screen's.
func TestALoopElsewhereIsShownAndLeftAlone(t *testing.T) {
	p := newTalkPlace(t, arms(), ollamatest.Answer{Text: "That was the first."}, arms(), ollamatest.Answer{Text: "That was the second."}, arms(), ollamatest.Answer{Text: "That was the third."})
	owner, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	f := newFeed("testdata/run")
	f.news <- engine.Update{Events: recorded(t, "working"), OwnerAlive: true}
	dir := p.dir(t)
	g := open(t, 100, 30, Options{
		Source: f, Theme: "none", Talk: p.open,
		Overhear:     func() *giver.Follower { return giver.Follow(dir) },
		OverhearLoop: func() *giver.LoopFollower { return giver.FollowLoop(dir) },
	})
	g.until("print sizes")
	counts := func(s string) bool { return countsElsewhere.MatchString(s) }
	say := func(words string) {
		t.Helper()
		if err := owner.Say(words, giver.ByOperator); err != nil {
			t.Fatal(err)
		}
	}
	say("Make it better")
	g.when("the countdown, over the panes", counts)
	g.press("c")
	g.until("That was the first.", "another growbench has this conversation")
	g.press("\x1b[20~") // f9
	g.until("f9 does nothing now: another growbench has the grow loop")
	g.press("\x1b[19~") // f8
	g.until("f8 does nothing now: another growbench has the grow loop")
	g.press("x")
	g.until("nothing can be said here")
	g.when("a loop that goes on", counts)
	if owner.Loop().Status.State != loop.Countdown {
		t.Errorf("whoever only watches ended the loop: %+v", owner.Loop().Status)
	}
	owner.CancelLoop()
	g.when("that it was dropped", func(s string) bool {
		return !counts(s) && strings.Contains(s, "elsewhere, the grow loop's next turn was dropped")
	})
	say("Go on")
	g.until("That was the second.")
	g.when("a countdown", counts)
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	g.when("nobody's loop", func(s string) bool { return !counts(s) && strings.Contains(s, "enter takes it over") })
	g.press("\r")
	g.when("the conversation, taken over", func(s string) bool { return strings.Contains(s, "enter sends it") })
	g.press("Mine\r")
	g.until("That was the third.")
	g.when("a loop of its own", func(s string) bool { return countdown.MatchString(s) && !counts(s) })
	g.press("\x1b[19~")
	g.until("what the grow loop had scheduled is dropped")
	leaveTalk(t, g)
}

func TestALoopElsewhereFitsTheStatusLine(t *testing.T) {
	for _, width := range []int{60, 80, 160} {
		m := talkScreen(t)
		m.update(tea.WindowSizeMsg{Width: width, Height: 20})
		title := m.view().WindowTitle
		lock, surface, entries := someHistory()
		hear := func(s loop.Status, proof *loop.StopProof) string {
			m.update(elsewhereMsg{elsewhere: elsewhere{giver.LoopView{Status: s, Lock: lock, Surface: surface, Proof: proof}, entries}})
			m.compose()
			return statusLine(m)
		}
		hear(loop.Status{State: loop.Idle}, lock.Stop)
		if m.notice != "" {
			t.Errorf("an end of long ago is told as news: %q", m.notice)
		}
		for _, c := range []struct {
			status loop.Status
			want   string
		}{
			{loop.Status{State: loop.Deferred, N: 2}, "elsewhere, waits: grow-loop ∞2"},
			{counting(2, 3600), "elsewhere: grow-loop 3600s"},
			{loop.Status{State: loop.Active, N: 2}, "elsewhere: grow-loop ∞2"},
		} {
			if line := hear(c.status, nil); !strings.HasSuffix(line, c.want) || text.Width(line) != width {
				t.Errorf("%d columns: the status line is %q", width, line)
			}
			if hints := lastLine(m.frame); strings.Contains(hints, "f8") || strings.Contains(hints, "f9") {
				t.Errorf("keys that do nothing are named: %q", hints)
			}
			if got := m.view().WindowTitle; got != title {
				t.Errorf("another's loop has the window's title: %q", got)
			}
		}
		m.update(special(tea.KeyF7))
		if !strings.Contains(m.frame, "stop proof: passes 2 and 3") {
			t.Errorf("its history is not shown:\n%s", m.frame)
		}
		m.update(special(tea.KeyF7))
		hear(loop.Status{State: loop.Idle, N: 2}, lock.Stop)
		if !strings.Contains(m.notice, "the grow loop has ended: passes 2 and 3") {
			t.Errorf("that it has ended is not said: %q", m.notice)
		}
	}
}
