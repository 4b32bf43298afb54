package ui

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/giver"
	"growbench/testdata/ollama/ollamatest"
)

const (
	earlierRun = "20260301-090000-a1b2"
	runAtHand  = "20260301-100000-k3f9"
)

// told is a conversation in which that was said before.
func (p *talkPlace) told(t *testing.T, bodies ...event.Body) *talkPlace {
	t.Helper()
	dir := giver.Dir(p.state, p.project.Name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	log, _, _, err := event.OpenLog(filepath.Join(dir, "messages.jsonl"), func() time.Time { return noon })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.Append(true, append([]event.Body{giver.Opened{Format: giver.Version}}, bodies...)...); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return p
}

// asks has the run at hand wait for a word about its plan. This process owns it.
func (p *talkPlace) asks(t *testing.T) *talkPlace {
	t.Helper()
	dir := engine.RunDirs(p.state, p.project.Name, runAtHand).Run
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	release, err := engine.Hold(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	record, err := os.ReadFile("testdata/working.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	planned := bytes.Index(record, []byte(`"plan.accepted"`))
	end := planned + bytes.IndexByte(record[planned:], '\n') + 1
	wait := `{"seq": 9, "at": "2026-03-01T10:00:09Z", "type": "waiting", "id": "review-8", "kind": "review", "text": "The plan has 3 tasks.", "choices": ["approve", "edit", "again", "stop"]}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "events.jsonl"), append(record[:end:end], wait...), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func runFrom(run, goal string) []event.Body {
	return []event.Body{
		giver.Drafted{SHA256: "aa" + run, By: giver.ByGiver, Bytes: 300, Goal: goal, Problems: []doc.Problem{}},
		giver.Approved{SHA256: "aa" + run, By: giver.ByOperator, Run: run, Conversation: 2000},
		giver.Ran{Run: run, State: giver.RunStarted},
		giver.Told{Text: "The operator approved Task #0. Run " + run + " has started; its end is reported here."},
	}
}

// What a conversation looks like in each of its phases.
func TestTheConversationInEachPhase(t *testing.T) {
	asked := giver.Said{Text: "Print sizes with a unit", By: giver.ByOperator}
	failed := append([]event.Body{asked}, runFrom(earlierRun, "Sizes are printed with a unit.")...)
	failed = append(failed,
		giver.Ran{Run: earlierRun, State: giver.RunEnded, Status: event.StatusFailed},
		giver.Told{Text: "Run " + earlierRun + " ended: failed, verified: none (nothing was checked).\nReason: Worker 2 ended with exit code 3\n"},
		giver.Answered{Text: "It failed: the agent ended by itself. I would look at its program first."})
	passed := append([]event.Body{asked}, runFrom(earlierRun, "Sizes are printed with a unit.")...)
	passed = append(passed,
		giver.Ran{Run: earlierRun, State: giver.RunEnded, Status: event.StatusPassed, Verified: "passed"},
		giver.Told{Text: "Run " + earlierRun + " ended: passed, verified: passed.\nRESULT #1: Sizes are printed. — size/size.go\n"},
		giver.Answered{Text: "It is done."})
	refused := ollamatest.Answer{Calls: []ollamatest.Call{{Name: "draft_task0", Arguments: map[string]any{
		"goal": "Sizes are printed with a unit.", "background": "Check with `go test ./...`.", "constraints": []string{"no new dependency"},
		"target_files": []string{"size/size.go"}, "signatures": []string{},
	}}}}
	for _, phase := range []struct {
		name    string
		answers []ollamatest.Answer
		told    []event.Body
		asks    bool
		say     string
		shows   []string
	}{
		{name: "talk", answers: []ollamatest.Answer{{Text: "Which unit do you want?"}}, say: "Print sizes\r", shows: []string{"Which unit do you want?"}},
		{name: "refused", answers: []ollamatest.Answer{refused, {Text: "I take the command out."}}, say: "Print sizes\r", shows: []string{"I take the command out.", "it does not pass", "kept back"}},
		{name: "plan", told: append([]event.Body{asked}, runFrom(runAtHand, "Sizes are printed with a unit.")...), asks: true, shows: []string{"The plan has 3 tasks."}},
		{name: "report", told: passed, shows: []string{"It is done."}},
		{name: "failed", told: failed, shows: []string{"It failed"}},
	} {
		for _, s := range []struct{ width, height int }{{160, 48}, {100, 30}, {80, 24}, {60, 20}} {
			name := fmt.Sprintf("phase-%s-%dx%d", phase.name, s.width, s.height)
			t.Run(name, func(t *testing.T) {
				p := newTalkPlace(t, phase.answers...)
				p.now = func() time.Time { return noon }
				if phase.told != nil {
					p.told(t, phase.told...)
				}
				if phase.asks {
					p.asks(t)
				}
				g := p.screen(t, s.width, s.height)
				if phase.say != "" {
					g.until("nothing has been said yet")
					g.press(phase.say)
				}
				screen := g.when(phase.name, func(screen string) bool {
					for _, words := range phase.shows {
						if !strings.Contains(screen, words) {
							return false
						}
					}
					return !strings.Contains(screen, "answering…")
				})
				golden(t, name, screen)
				leaveTalk(t, g)
			})
		}
	}
}
