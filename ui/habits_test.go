package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme"
	"growbench/theme/text"
)

// modelOf is a model with a recorded run on a screen of 160×48.
func modelOf(t testing.TB, run string) *model {
	t.Helper()
	look, err := theme.New(theme.None, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t.Context(), Options{
		Source: newFeed("testdata/run"), Theme: theme.None, Attention: FullAttention(),
		Clock: func() time.Time { return noon }, Getenv: func(string) string { return "" },
	}, look)
	m.update(tea.WindowSizeMsg{Width: 160, Height: 48})
	m.update(updateMsg{ctx: m.visit.ctx, update: engine.Update{Events: recorded(t, run), OwnerAlive: true}})
	return m
}

func TestClicksFocusAndSelectAndTheWheelScrollsWhatItIsOver(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	row := func(words string) int {
		for i, l := range strings.Split(g.text(), "\n") {
			if strings.Contains(l, words) {
				return i + 1
			}
		}
		t.Fatalf("%q is not on the screen", words)
		return 0
	}
	click := func(x, y int) { g.press(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x, y, x, y)) }
	click(10, row("1 parse sizes"))
	g.until("transcript of Worker 1")
	click(60, 5)
	g.until("› 2 transcript")
	g.press(fmt.Sprintf("\x1b[<65;%d;%dM", 10, 5)) // the wheel over the chain, which is not in focus
	g.until("transcript of Worker 2", "› 2 transcript")

	// In what is open on top the wheel scrolls that, and clicks beside it do nothing.
	g.press("?")
	g.until("─ keys ─", "the run")
	g.press("\x1b[<65;50;10M")
	g.until("↑ more")
	click(1, 1)
	g.until("─ keys ─")
	g.press("\x1b[27u\x10")
	g.until("─ actions ─")
	click(20, row("the agent's task"))
	g.until("the task of Worker 2")
	g.press("\x1b[27u")

	g.press("m")
	g.until("the mouse is the terminal's now")
	g.press("m")
	g.until("the mouse clicks and scrolls here again")
	g.press("q")
	g.end()
	if raw := g.bytes(); strings.Count(raw, "\x1b[?1002h") < 2 || strings.Count(raw, "\x1b[?1002l") < 2 {
		t.Error("the mouse was not given away and taken back")
	}
}

// asks are events after which the run waits for something new.
func asks(id string) []event.Event {
	return []event.Event{{Seq: 200, At: noon, Body: event.Waiting{ID: id, Kind: "permission", K: 2, Text: "run \x1b]0;evil\x07 go test", Choices: []string{"yes", "no"}}}}
}

func TestTheOperatorIsCalledOnceAndOnlyWhenAway(t *testing.T) {
	for _, c := range []struct {
		name   string
		do     func(*glass, *hand)
		called bool
	}{
		{"looks at it", func(g *glass, _ *hand) { g.press("\x1b[I") }, false},
		{"looks elsewhere", func(g *glass, _ *hand) { g.press("\x1b[I\x1b[O") }, true},
		{"no focus is reported, a key was just pressed", func(g *glass, h *hand) { h.forward(time.Minute); g.press("j") }, false},
		{"no focus is reported, no key for a while", func(g *glass, h *hand) { g.press("j"); g.until("Worker 3"); h.forward(time.Minute) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var clock hand
			g, f := watch(t, "working", Options{Clock: clock.now, Attention: FullAttention()})
			c.do(g, &clock)
			g.press("?")
			g.until("─ keys ─") // so what came before was handled
			if c.called {
				clock.forward(time.Minute)
			}
			f.news <- engine.Update{Events: asks("w7"), OwnerAlive: true}
			f.news <- engine.Update{Events: asks("w7"), OwnerAlive: true}
			g.until("waits for you")
			g.press("?")
			g.when("closed", func(s string) bool { return !strings.Contains(s, "─ keys ─") })
			g.press("q")
			g.end()
			raw := g.bytes()
			want := 0
			if c.called {
				want = 1
			}
			if n := strings.Count(raw, "\x1b]9;growbench sizes: "); n != want {
				t.Errorf("notified %d times, want %d", n, want)
			}
			if strings.Contains(raw, "\x1b]0;evil") {
				t.Error("a question wrote the title itself")
			}
		})
	}
}

func TestEachWayOfCallingCanBeSwitchedOff(t *testing.T) {
	for _, off := range []string{"title", "notify", "bell", "status"} {
		m := modelOf(t, "working")
		switch off {
		case "title":
			m.o.Attention.Title = false
		case "notify":
			m.o.Attention.Notify = false
		case "bell":
			m.o.Attention.Bell = false
		case "status":
			m.o.Attention.Status = false
		}
		m.update(tea.BlurMsg{})
		m.receive(updateMsg{ctx: m.visit.ctx, update: engine.Update{Events: asks("w7"), OwnerAlive: true}})
		v := m.view()
		if got := v.WindowTitle != ""; got != (off != "title") {
			t.Errorf("without %s the title is %q", off, v.WindowTitle)
		}
		if got := v.ProgramStatus != nil; got != (off != "status") {
			t.Errorf("without %s the status is %+v", off, v.ProgramStatus)
		}
		raw := rawOf(m.alarm("words"))
		if got := strings.Contains(raw, "\x1b]9;"); got != (off != "notify") {
			t.Errorf("without %s it writes %q", off, raw)
		}
		if got := strings.HasSuffix(raw, "\a"); got != (off != "bell") {
			t.Errorf("without %s it writes %q", off, raw)
		}
	}
}

// rawOf is what a Cmd would write to the terminal.
func rawOf(cmd tea.Cmd) string {
	if cmd == nil {
		return ""
	}
	if raw, ok := cmd().(tea.RawMsg); ok {
		return fmt.Sprint(raw.Msg)
	}
	return ""
}

func TestANotificationIsWrittenAsTheTerminalKnowsIt(t *testing.T) {
	for want, env := range map[string]map[string]string{
		"\x1b]9;a, b: c, d\x1b\\":                         {"TERM": "xterm-256color"},
		"\x1b]777;notify;a, b;c, d\x1b\\":                 {"TERM": "foot"},
		"\x1bPtmux;\x1b\x1b]9;a, b: c, d\x1b\x1b\\\x1b\\": {"TERM": "tmux-256color", "TMUX": "x"},
		"": {"TERM": "linux"},
	} {
		if got := notification(func(name string) string { return env[name] }, "a; b", "c; d\x1b\\"); got != want {
			t.Errorf("%v: %q", env, got)
		}
	}
}

func TestNoSizeBreaksTheScreen(t *testing.T) {
	keys := []tea.KeyPressMsg{
		{Code: 'p', Mod: tea.ModCtrl}, {Code: tea.KeyEscape}, {Code: '?', Text: "?"}, {Code: tea.KeyEscape},
		{Code: 'y', Text: "y"}, {Code: tea.KeyEscape}, {Code: 'e', Text: "e"}, {Code: tea.KeyEscape},
		{Code: '/', Text: "/"}, {Code: 'x', Text: "x"}, {Code: 'c', Mod: tea.ModCtrl},
	}
	for _, run := range []string{"working", "waiting", "ended"} {
		for _, s := range []size{{39, 9}, {40, 9}, {39, 10}, {20, 5}, {5, 2}, {1, 1}, {200, 1}, {1, 60}, {40, 10}, {79, 10}, {80, 10}, {119, 11}, {120, 10}, {300, 100}} {
			m := modelOf(t, run)
			look := func(after string) {
				t.Helper()
				m.update(tea.WindowSizeMsg{Width: s.width, Height: s.height})
				lines := strings.Split(m.view().Content, "\n")
				if len(lines) != s.height {
					t.Fatalf("%s at %dx%d after %s: %d lines", run, s.width, s.height, after, len(lines))
				}
				for _, l := range lines {
					if w := text.Width(text.Clean(l)); w > s.width {
						t.Fatalf("%s at %dx%d after %s: a line of %d cells: %q", run, s.width, s.height, after, w, l)
					}
				}
				if c := m.view().Cursor; c != nil && (c.X < 0 || c.X >= s.width || c.Y < 0 || c.Y >= s.height) {
					t.Fatalf("%s at %dx%d after %s: the cursor stands at %d, %d", run, s.width, s.height, after, c.X, c.Y)
				}
			}
			look("the start")
			for _, k := range keys {
				m.update(k)
				look(k.String())
			}
		}
	}
}

func TestBelowTheSmallestSizeAWordIsReadable(t *testing.T) {
	m := modelOf(t, "waiting")
	for s, words := range map[size]string{
		{39, 9}: "growbench: window too small, 40×10 at least; the run waits for you",
		{20, 5}: "growbench: window too small, 40×10 at least; the run waits for you",
	} {
		m.update(tea.WindowSizeMsg{Width: s.width, Height: s.height})
		shown := strings.Join(strings.Fields(m.view().Content), " ")
		if shown != words {
			t.Errorf("%dx%d shows %q", s.width, s.height, shown)
		}
		golden(t, fmt.Sprintf("small-%dx%d", s.width, s.height), m.view().Content)
	}
	m.update(tea.WindowSizeMsg{Width: 5, Height: 2})
	golden(t, "small-5x2", m.view().Content)
}

func TestNothingOfOursIsAnEmoji(t *testing.T) {
	for _, run := range []string{"working", "waiting", "ended"} {
		m := modelOf(t, run)
		for _, k := range []tea.KeyPressMsg{{Text: " "}, {Code: '?', Text: "?"}, {Code: tea.KeyEscape}, {Code: 'p', Mod: tea.ModCtrl}} {
			m.update(k)
			for _, r := range m.view().Content {
				if r == 0xfe0f || r >= 0x1f000 || r >= 0x2600 && r < 0x2700 || r == 0x2705 || r == 0x274c || r == 0x2728 || r == 0x231b || r == 0x23f3 {
					t.Errorf("%s shows %q", run, r)
				}
			}
		}
	}
}

func TestASecondPaintsOnlyWhatAFigureChanged(t *testing.T) {
	m := modelOf(t, "working")
	m.compose()
	before := m.view().Content
	m.ticking = true
	m.update(secondMsg{})
	if m.view().Content != before {
		t.Error("the clock stood still and the screen changed")
	}
}
