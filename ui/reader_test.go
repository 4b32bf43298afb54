package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"growbench/engine"
	"growbench/engine/event"
)

// reading opens a workbench on the recorded run at work, whose Worker 2 has a
// long prompt and a short task.
func reading(t *testing.T, width, height int) *glass {
	t.Helper()
	dir := t.TempDir()
	var prompt strings.Builder
	for i := range 80 {
		fmt.Fprintf(&prompt, "prompt line %d\n", i+1)
	}
	for name, body := range map[string]string{"prompts/worker-2.md": prompt.String(), "task2.md": "one task line\n"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := newFeed(dir)
	f.news <- engine.Update{Events: recorded(t, "working"), OwnerAlive: true}
	g := open(t, width, height, Options{Source: f, Theme: "none"})
	g.until("print sizes")
	return g
}

// foot is the last line of a screen.
func foot(screen string) string {
	lines := strings.Split(strings.TrimRight(screen, "\r\n "), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func (g *glass) foot(pattern string) {
	g.t.Helper()
	re := regexp.MustCompile("^" + pattern + "$")
	g.when(pattern+" at the bottom", func(s string) bool { return re.MatchString(foot(s)) })
}

func TestWhatIsReadHasItsOwnKeysAndItsPlace(t *testing.T) {
	g := reading(t, 80, 24)
	g.press("p")
	golden(t, "prompt-80x24", g.until("prompt line 19", "19/80", "more ↓"))
	g.foot(`esc close  j/k scroll  t task  \? keys +19/80`)
	g.press("jj")
	g.until("↑ more ↓")
	g.foot(`esc close  j/k scroll  t task  \? keys +21/80`)
	g.press("G")
	g.foot(`esc close .* 80/80`)
	if s := g.text(); strings.Contains(s, "more ↓") || !strings.Contains(s, "↑ more") {
		t.Errorf("the end is not marked as such:\n%s", s)
	}
	g.press("g")
	g.foot(`esc close .* 19/80`)
	g.press("\x1b[27u")
	g.foot(`q leave .*\? help`)
	g.press("q")
	g.end()
}

func TestTheKeysThatOpenSomethingToReadSwitch(t *testing.T) {
	g := reading(t, 80, 24)
	g.press("p")
	g.until("─ the prompt of Worker 2 ─")
	g.press("t")
	g.until("─ the task of Worker 2 ─")
	g.foot(`esc close  p prompt  \? keys +1/1`)
	g.press("?")
	g.until("─ keys ─")
	g.foot(`esc close  j/k scroll  p prompt  t task +\d+/\d+`)
	g.press("p")
	g.until("─ the prompt of Worker 2 ─")
	g.press("p") // the key that opened it, so nothing is left under it
	g.foot(`q leave .*\? help`)
	g.press("?")
	g.until("─ keys ─")
	g.press("\x1b[27u")
	g.foot(`q leave .*\? help`)
	g.press("q")
	g.end()
}

func TestWhatCannotBeReadIsSaidInItsPlace(t *testing.T) {
	g := reading(t, 80, 24)
	g.press("k")
	g.until("transcript of Worker 1")
	g.press("?")
	g.until("─ keys ─")
	g.press("t")
	g.foot("cannot show the task of Worker 1: .*")
	g.press("j")
	g.foot("esc close .*")
	g.press("\x1b[27uq")
	g.end()
}

func TestHelpIsWholeOnASmallScreen(t *testing.T) {
	g := reading(t, 60, 20)
	g.press("?")
	first := g.until("─ keys ─", "more ↓")
	golden(t, "help-60x20", first)
	if strings.Contains(first, "…") {
		t.Errorf("a description is cut:\n%s", first)
	}
	g.press("G")
	last := g.until("this help", "esc ", "ctrl+c", "once", "↑ more")
	if strings.Contains(last, "more ↓") || strings.Contains(last, "…") {
		t.Errorf("the end of the help:\n%s", last)
	}
	g.press("g")
	g.until("stop the run (asks first)")
	g.press("\x1b[27uq")
	g.end()
}

func TestQuestionsHaveTheirOwnKeys(t *testing.T) {
	g := reading(t, 80, 24)
	g.press("S")
	g.foot("y stop  esc close")
	g.press("\x1b[27u\x03")
	g.foot("l leave  s stop  esc stay")
	g.press("l")
	g.end()
}

func TestThatAgentsAreScriptedIsAlwaysSaid(t *testing.T) {
	const id = "20261130-144127-e93d1e"
	for _, c := range []struct {
		width        int
		name, header string
	}{
		{120, "sizes", "growbench  sizes · scripted agents: recorded steps, no model · run " + id},
		{80, "sizes", "growbench  sizes · scripted agents · run " + id},
		{80, strings.Repeat("long", 26) + "x", "growbench  " + strings.Repeat("long", 5) + "l… · scripted agents · run " + id},
		{60, strings.Repeat("long", 26) + "x", "growbench  " + strings.Repeat("long", 7) + "lo… · scripted agents"},
		{60, "sizes", "growbench  sizes · scripted agents"},
		{40, strings.Repeat("long", 26) + "x", "growbench  longlonglo… · scripted agents"},
	} {
		f := newFeed(t.TempDir())
		f.news <- engine.Update{OwnerAlive: true, Events: []event.Event{{Seq: 1, At: noon, Body: event.RunStarted{
			Format: 1, Run: id, Project: "/home/somebody/" + c.name, Scripted: true,
		}}}}
		g := open(t, c.width, 14, Options{Source: f, Theme: "none"})
		g.when(c.header, func(s string) bool {
			first, _, _ := strings.Cut(s, "\n")
			return strings.TrimRight(first, " \r") == c.header
		})
		g.press("q")
		g.end()
	}
}

func TestWhatTheRunWaitsForIsSaidOnce(t *testing.T) {
	wait := event.Waiting{
		ID: "b", Kind: "blocked", K: 2, Choices: []string{"widen", "fail"},
		Text: "Worker 2 is blocked: it needs size/other.go. Widen its task and run it again?",
	}
	for width, want := range map[int]string{
		160: "waits for you (a answers): blocked, Worker 2 (widen, fail): it needs size/other.go. Widen its task and run it again?",
		110: "waits for you: blocked, Worker 2 (widen, fail): it needs size/other.go. Widen its task and run it again?",
		60:  "waits: blocked (widen, fail): it needs size/other.go. Widen…",
	} {
		f := newFeed("testdata/run")
		events := append(recorded(t, "working"), event.Event{Seq: 90, At: noon, Body: wait})
		f.news <- engine.Update{Events: events, OwnerAlive: true}
		g := open(t, width, 20, Options{Source: f, Theme: "none"})
		g.until(want)
		g.press("q")
		g.end()
	}
}
