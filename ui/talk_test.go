package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/giver"
	llm "growbench/engine/model"
	"growbench/engine/workspace"
	"growbench/testdata/ollama/ollamatest"
)

// talkPlace is a project with a conversation on a scripted model.
type talkPlace struct {
	server *ollamatest.Scripted
	open   func() (*giver.Session, error)
	state  string

	project workspace.Project
	now     func() time.Time // nil: the clock's
}

func newTalkPlace(t testing.TB, answers ...ollamatest.Answer) *talkPlace {
	t.Helper()
	base := t.TempDir()
	root := filepath.Join(base, "project")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	project, err := workspace.FindProject(root)
	if err != nil {
		t.Fatal(err)
	}
	p := &talkPlace{server: ollamatest.NewScripted(t), state: filepath.Join(base, "state"), project: project}
	p.server.Will(answers...)
	p.open = func() (*giver.Session, error) {
		client, err := llm.New(llm.Options{Kind: llm.Ollama, URL: p.server.URL, Model: ollamatest.Chat, NumCtx: 1 << 20, Retries: []time.Duration{}})
		if err != nil {
			return nil, err
		}
		return giver.Open(giver.Options{StateRoot: p.state, Project: project, Client: client, Window: 1 << 20, Spec: engine.Spec{Config: config.Defaults()}, Now: p.now})
	}
	return p
}

func (p *talkPlace) screen(t testing.TB, width, height int) *glass {
	t.Helper()
	f := newFeed("testdata/run")
	f.news <- engine.Update{Events: recorded(t, "working"), OwnerAlive: true}
	g := open(t, width, height, Options{Source: f, Theme: "none", Talk: p.open, Talking: true})
	g.until("at work") // the run below the conversation is whole
	return g
}

func draftOfSizes() ollamatest.Answer {
	return ollamatest.Answer{Text: "I draft it.", Calls: []ollamatest.Call{{Name: "draft_task0", Arguments: map[string]any{
		"goal": "Sizes are printed with a unit, so that people can read the listing.", "background": "Bytes stay exact.", "constraints": []string{"no new dependency"},
		"target_files": []string{"size/size.go"}, "signatures": []string{},
	}}}}
}

func leaveTalk(t testing.TB, g *glass) {
	t.Helper()
	g.press("\x1b")
	g.until("print sizes")
	g.press("q")
	if out := g.end(); out.err != nil {
		t.Error(out.err)
	}
}

func TestTheConversationOnTheScreen(t *testing.T) {
	for _, s := range []struct{ width, height int }{{160, 48}, {100, 30}, {80, 24}, {60, 20}} {
		name := fmt.Sprintf("talk-%dx%d", s.width, s.height)
		t.Run(name, func(t *testing.T) {
			p := newTalkPlace(t, draftOfSizes(), ollamatest.Answer{Text: "It waits for you."})
			p.now = func() time.Time { return noon } // a call takes no time
			g := p.screen(t, s.width, s.height)
			g.until("nothing has been said yet")
			g.press("Print sizes with a unit")
			g.until("Print sizes with a unit")
			g.press("\r")
			screen := g.when("the answer, and nothing more", func(screen string) bool {
				return strings.Contains(screen, "It waits for you.") && strings.Contains(screen, "Task #0: Sizes are printed") && strings.Contains(screen, "338 bytes said · kept back")
			})
			golden(t, name, screen)
			leaveTalk(t, g)
		})
	}
}

// What is typed is there again, after closing the conversation and after
// leaving the workbench.
func TestWhatIsTypedIsNeverLost(t *testing.T) {
	p := newTalkPlace(t)
	g := p.screen(t, 100, 30)
	g.until("nothing has been said yet")
	g.press("half a thou")
	g.until("half a thou")
	g.press("\x1b")
	g.when("the run alone", func(s string) bool { return !strings.Contains(s, "half a thou") && strings.Contains(s, "print sizes") })
	g.press("c")
	g.until("half a thou")
	g.press("ght")
	g.until("half a thought")
	leaveTalk(t, g)
	again := p.screen(t, 100, 30)
	again.until("half a thought")
	leaveTalk(t, again)
}

func TestAnAnswerIsStoppedByAKey(t *testing.T) {
	p := newTalkPlace(t, ollamatest.Answer{Text: "I begin to explain", Hold: true})
	g := p.screen(t, 100, 30)
	g.until("nothing has been said yet")
	g.press("Explain\r")
	g.until("I begin to explain", "answering")
	g.press("\x18")
	g.until("(stopped)")
	leaveTalk(t, g)
}

// A refusal takes the words that were typed with it; what goes on to the
// Planner is one key away.
func TestADraftIsRefusedAndReadOnTheScreen(t *testing.T) {
	p := newTalkPlace(t, draftOfSizes(), ollamatest.Answer{Text: "It waits for you."}, ollamatest.Answer{Text: "I shall say it shorter."})
	g := p.screen(t, 160, 48)
	g.until("nothing has been said yet")
	g.press("Print sizes\r")
	g.until("It waits for you.", "It passes.")
	g.press("\x1b[15~") // f5
	g.until("what crosses, and nothing else", "Giver → Planner, Task #0", "### Target Files")
	g.press("\x1b")
	g.when("the conversation", func(s string) bool { return !strings.Contains(s, "### Target Files") })
	g.press("Say it shorter")
	g.until("Say it shorter")
	g.press("\x1bOR") // f3
	g.until("you refused Task #0. Say it shorter", "I shall say it shorter.", "You refused it.")
	leaveTalk(t, g)
}

func TestAConversationOfAnotherProcessIsSaid(t *testing.T) {
	p := newTalkPlace(t)
	p.open = func() (*giver.Session, error) { return nil, fmt.Errorf("take it: %w", engine.ErrOwned) }
	g := p.screen(t, 100, 30)
	g.until("another growbench has this conversation")
	leaveTalk(t, g)
}

// While another process has the conversation it is shown as it goes on; once
// that has left, a key takes it over.
func TestAConversationOfAnotherProcessIsFollowed(t *testing.T) {
	p := newTalkPlace(t, ollamatest.Answer{Text: "Which unit?"}, ollamatest.Answer{Text: "Binary it is."})
	owner, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	f := newFeed("testdata/run")
	f.news <- engine.Update{Events: recorded(t, "working"), OwnerAlive: true}
	g := open(t, 100, 30, Options{Source: f, Theme: "none", Talk: p.open, Talking: true, Overhear: func() *giver.Follower { return giver.Follow(p.dir(t)) }})
	g.until("another growbench has this conversation")
	if err := owner.Say("Sizes need a unit", giver.ByOperator); err != nil {
		t.Fatal(err)
	}
	g.until("you: Sizes need a unit", "Which unit?")
	g.press("x")
	g.until("nothing can be said here")
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	g.until("enter takes it over")
	g.press("\r")
	g.when("the conversation, taken over", func(s string) bool {
		return strings.Contains(s, "Which unit?") && !strings.Contains(s, "takes it over") && strings.Contains(s, "bytes said")
	})
	g.press("Binary\r")
	g.until("Binary it is.")
	leaveTalk(t, g)
}

// What is typed may have lines, and a paste keeps its own; all of it is said.
func TestSeveralLinesAreSaid(t *testing.T) {
	p := newTalkPlace(t, ollamatest.Answer{Text: "Both are clear."})
	g := p.screen(t, 100, 30)
	g.until("nothing has been said yet")
	g.press("first line")
	g.until("first line")
	g.press("\x1b\r") // alt+enter
	g.press("second line")
	g.press("\x1b[200~\nthird\n  fourth\n\x1b[201~")
	g.when("four lines being typed", func(s string) bool {
		return strings.Contains(s, "› first line") && strings.Contains(s, "  second line") && strings.Contains(s, "    fourth")
	})
	g.press("\r")
	g.until("Both are clear.")
	if said := p.server.Last().Messages; !strings.Contains(said[len(said)-1].Content, "first line\nsecond line\nthird\n  fourth") {
		t.Errorf("said %q", said[len(said)-1].Content)
	}
	leaveTalk(t, g)
}

// From the key to the screen that shows the answer stopped.
func BenchmarkAnAnswerIsStopped(b *testing.B) {
	p := newTalkPlace(b)
	n := 0
	p.server.Reacts(func(ollamatest.Asked) ollamatest.Answer {
		n++
		return ollamatest.Answer{Text: fmt.Sprintf("Answer number %d begins", n), Hold: true}
	})
	g := p.screen(b, 100, 30)
	g.until("nothing has been said yet")
	var sum, worst time.Duration
	for i := range b.N {
		g.press("Explain\r")
		g.until(fmt.Sprintf("Answer number %d begins", i+1), "answering…")
		began := time.Now()
		g.press("\x18")
		g.when("the answer stopped", func(s string) bool { return !strings.Contains(s, "answering…") })
		took := time.Since(began)
		sum, worst = sum+took, max(worst, took)
	}
	b.ReportMetric(0, "ns/op") // most of it is the wait for an answer
	b.ReportMetric(float64(sum.Microseconds())/1000/float64(b.N), "ms/stop")
	b.ReportMetric(float64(worst.Microseconds())/1000, "ms/worst")
	leaveTalk(b, g)
}
