package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/giver"
	"growbench/testdata/ollama/ollamatest"
)

const (
	keyF2  = "\x1bOQ"
	keyF4  = "\x1bOS"
	keyF6  = "\x1b[17~"
	keyF12 = "\x1b[24~"
	keyTab = "\t"
)

// sized gives the project a file that signatures can be of.
func (p *talkPlace) sized(t *testing.T) *talkPlace {
	t.Helper()
	text := "package size\n\n// Parse reads a size.\nfunc Parse(text string) (int, error) { return 0, nil }\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(p.state), "project", "size.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

// fillIn types Task #0, all but its last section.
func fillIn(g *glass) {
	for _, words := range []string{
		"Sizes have a unit.", keyTab, "Bytes stay\rexact.", keyTab, keyTab, "- no new dependency", keyTab, "size.go", keyTab,
	} {
		g.press(words)
	}
	g.until("exact.", "no new dependency", "size.go: 4 lines")
}

// Task #0 is written section by section, with what is wrong beside it, and
// becomes the draft at once and whole.
func TestTask0IsWrittenInAForm(t *testing.T) {
	for _, s := range []struct{ width, height int }{{160, 48}, {100, 30}, {80, 24}, {60, 20}} {
		name := fmt.Sprintf("form-%dx%d", s.width, s.height)
		t.Run(name, func(t *testing.T) {
			p := newTalkPlace(t).sized(t)
			g := p.screen(t, s.width, s.height)
			g.until("nothing has been said yet")
			g.press(keyF4)
			g.until("─ Task #0 ─", "does not pass")
			for _, words := range []string{"Sizes have a unit.", keyTab, "Bytes stay\rexact.", keyTab, keyTab, "- no new dependency", keyTab, "size.go", keyTab, "Parse(text string) int — size.go"} {
				g.press(words)
			}
			screen := g.when("the signature is compared", func(s string) bool {
				return strings.Contains(s, "declares; it is") && strings.Contains(s, "› Signatures") && !strings.Contains(s, "is empty")
			})
			golden(t, name, screen)
			for range len([]rune("int — size.go")) {
				g.press("\x7f")
			}
			g.press("(int, error) — size.go")
			g.when("it passes", func(s string) bool {
				return strings.Contains(s, "It passes.") && strings.Contains(s, "(int, error) — size.go")
			})
			g.press(keyF2)
			g.until("─ conversation ─", "Task #0 by the operator: it passes", "Task #0: Sizes have a unit.")
			text, err := os.ReadFile(filepath.Join(p.dir(t), giver.DraftFile))
			if err != nil || !strings.Contains(string(text), "Bytes stay\nexact.") || !strings.Contains(string(text), "Parse(text string) (int, error) — size.go") {
				t.Errorf("the draft is %v\n%s", err, text)
			}
			if left, _ := filepath.Glob(filepath.Join(p.dir(t), "form-*")); len(left) > 0 {
				t.Errorf("what was saved is kept as unsaved: %v", left)
			}
			leaveTalk(t, g)
		})
	}
}

// dir is where the conversation lies.
func (p *talkPlace) dir(t *testing.T) string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(p.state, "*", "session"))
	if err != nil || len(dirs) != 1 {
		t.Fatalf("%v %v", dirs, err)
	}
	return dirs[0]
}

// What is typed into a form and not saved is there again: after closing the
// form, and after leaving the workbench. The draft is what it was.
func TestAFormKeepsWhatIsTyped(t *testing.T) {
	p := newTalkPlace(t).sized(t)
	g := p.screen(t, 100, 30)
	g.until("nothing has been said yet")
	g.press(keyF4)
	g.until("─ Task #0 ─")
	fillIn(g)
	g.press("\x1b")
	g.until("─ conversation ─")
	g.press(keyF4)
	g.until("exact.", "no new dependency", "› Signatures")
	g.press("half a sig")
	g.until("half a sig")
	g.press("\x1b")
	g.until("─ conversation ─")
	leaveTalk(t, g)
	if _, err := os.Stat(filepath.Join(p.dir(t), giver.DraftFile)); err == nil {
		t.Error("a draft was written that nobody saved")
	}
	again := p.screen(t, 100, 30)
	again.until("nothing has been said yet")
	again.press(keyF4)
	again.until("half a sig", "exact.", "typed and not saved")
	again.press("\x12") // ctrl+r
	again.until("Once more forgets")
	again.press("\x12")
	again.when("an empty form", func(s string) bool {
		return strings.Contains(s, "─ Task #0 ─") && !strings.Contains(s, "half a sig") && strings.Contains(s, "Goal is empty")
	})
	again.press("\x1b")
	again.until("─ conversation ─")
	leaveTalk(t, again)
}

// A plan is written by hand, task after task, checked against Task #0.
func TestAPlanIsWrittenInAForm(t *testing.T) {
	for _, s := range []struct{ width, height int }{{160, 48}, {100, 30}, {80, 24}, {60, 20}} {
		name := fmt.Sprintf("plan-form-%dx%d", s.width, s.height)
		t.Run(name, func(t *testing.T) {
			p := newTalkPlace(t).sized(t)
			g := p.screen(t, s.width, s.height)
			g.until("nothing has been said yet")
			g.press(keyF4)
			g.until("─ Task #0 ─")
			fillIn(g)
			g.press("None")
			g.when("it passes", func(s string) bool { return strings.Contains(s, "It passes.") && strings.Contains(s, "    None") })
			g.press(keyF2)
			g.until("Task #0 by the operator: it passes")
			g.press(keyF6)
			g.until("─ the plan ─", "Task #1 of 1", "It passes.")
			g.press("\x0e") // ctrl+n
			g.until("Task #2 of 2", "does not pass")
			g.press("second" + keyTab + "\x7fone")
			golden(t, name, g.until("second", `the layer "one" is no number`))
			g.press(keyF2)
			g.until("nothing was begun", "─ the plan ─")
			g.press("\x14") // ctrl+t
			g.until("Once more takes Task #2 out")
			g.press("\x14") // ctrl+t
			g.until("Task #1 of 1", "It passes.")
			g.press("\x1b")
			g.until("─ conversation ─")
			g.press(keyF6)
			g.until("Task #1 of 1")
			g.press("\x1b")
			g.until("─ conversation ─")
			leaveTalk(t, g)
		})
	}
}

// The memory is read and written from the conversation; what the model keeps
// meanwhile is not lost.
func TestTheMemoryIsReadAndWrittenOnTheScreen(t *testing.T) {
	keep := ollamatest.Answer{Calls: []ollamatest.Call{{Name: "remember", Arguments: map[string]any{"kind": "decision", "text": "Bytes stay exact."}}}}
	p := newTalkPlace(t, keep, ollamatest.Answer{Text: "It is kept."})
	g := p.screen(t, 100, 30)
	g.until("nothing has been said yet")
	g.press(keyF12)
	g.until("─ memory ─", "## Open questions", "0 decisions")
	g.press("- Which unit?")
	g.until("1 open questions")
	g.press("\x1b")
	g.until("─ conversation ─")
	g.press("Keep bytes\r")
	g.until("It is kept.")
	g.press(keyF12)
	g.until("- Which unit?", "0 decisions")
	g.press(keyF2)
	g.until("─ conversation ─", "the memory is saved")
	g.press(keyF12)
	g.until("- Which unit?", "- Bytes stay exact.", "1 decisions, 0 constraints, 0 failures, 1 open questions")
	g.press("\x1b")
	g.until("─ conversation ─")
	leaveTalk(t, g)
}

// What is typed after a save is kept like what was typed before it.
func TestAFormKeepsWhatIsTypedAfterASave(t *testing.T) {
	p := newTalkPlace(t).sized(t)
	g := p.screen(t, 100, 30)
	g.until("nothing has been said yet")
	g.press(keyF4)
	g.until("─ Task #0 ─")
	fillIn(g)
	g.press(keyF2)
	g.until("Task #0 by the operator")
	g.press(keyF4)
	g.until("─ Task #0 ─", "Sizes have a unit.")
	g.press(" Soon.")
	g.until("a unit. Soon.")
	g.press("\x1b")
	g.until("─ conversation ─")
	leaveTalk(t, g)
	again := p.screen(t, 100, 30)
	again.until("Task #0 by the operator")
	again.press(keyF4)
	again.until("a unit. Soon.", "typed and not saved")
	again.press("\x1b")
	again.until("─ conversation ─")
	leaveTalk(t, again)
}
