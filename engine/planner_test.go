package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// A plan that leaves a target of Task #0 to nobody.
const wrongPlan = `echo '{"tasks": [{"title": "b", "layer": 0, "goal": "g", "background": "d", "past_failures": "None — first attempt", "constraints": ["c"], "target_files": ["elsewhere.txt"], "signatures": []}]}'`

// planner answers each time it is asked with the next of some shell lines, the
// last one ever after; a Worker does a.txt.
func planner(t *testing.T, answers ...string) (agentLines, prompts string) {
	t.Helper()
	dir := t.TempDir()
	for i, a := range answers {
		must(t, os.WriteFile(filepath.Join(dir, "answer"+string(rune('1'+i))), []byte(a+"\n"), 0o644))
	}
	return `prompt=$(cat)
case $prompt in
"You are the Planner"*)
  n=$(ls ` + dir + ` | grep -c prompt); n=$((n+1))
  printf '%s' "$prompt" > ` + dir + `/prompt$n
  while [ ! -e ` + dir + `/answer$n ]; do n=$((n-1)); done
  . ` + dir + `/answer$n;;
*) echo ONE > a.txt; ` + say + `1 1 a.txt First.;;
esac`, filepath.Join(dir, "prompt")
}

const headings = `cat <<'END'
I split it like this.

## Task 1: a

### Goal
do a

### Background
decided

### Past failures
None — first attempt

### Constraints
- stay small

### Target Files
a.txt

### Signatures
None
END`

func fenced() string {
	return "echo 'Here it is:'; echo '```json'; echo '" + doc.FormatPlan(oneTask()) + "'; echo '```'"
}

func TestAWrongPlanGoesBackOnceWithWhatIsWrong(t *testing.T) {
	for name, right := range map[string]string{"JSON in a fence": fenced(), "headings": headings} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, twoFiles)
			lines, prompts := planner(t, wrongPlan, right)
			s, dirs := b.runFor(program(t, lines), order{plan: oneTask(), planner: true})
			if s.Status != event.StatusPassed || s.Plan.N != 1 || s.Planner.Attempts != 2 {
				t.Fatalf("%s: %s; %d tasks, asked %d times\n%s", s.Status, s.Reason, s.Plan.N, s.Planner.Attempts, ownerLog(dirs))
			}
			second := string(mustRead(t, prompts+"2"))
			for _, words := range []string{"Your last plan was refused:", "elsewhere.txt", "a.txt"} {
				if !strings.Contains(second, words) {
					t.Errorf("it was not told %q:\n%s", words, second)
				}
			}
			if first := string(mustRead(t, prompts+"1")); strings.Contains(first, "refused") {
				t.Error("it was told so before it had answered")
			}
			if got := b.read(dirs, "prompts/planner.2.md"); strings.TrimSpace(got) != strings.TrimSpace(second) {
				t.Error("what is kept is not what it was given")
			}
		})
	}
}

func TestTwoWrongPlansWithNobodyThereFailInWords(t *testing.T) {
	b := newBench(t, twoFiles)
	lines, _ := planner(t, wrongPlan)
	s, _ := b.runFor(program(t, lines), order{plan: oneTask(), planner: true})
	if s.Status != event.StatusFailed || s.Planner.Attempts != 2 {
		t.Errorf("%s, asked %d times", s.Status, s.Planner.Attempts)
	}
	for _, words := range []string{"the plan was refused", "elsewhere.txt", "--plan FILE", "--planner", "--single"} {
		if !strings.Contains(s.Reason, words) {
			t.Errorf("no %q in: %s", words, s.Reason)
		}
	}
}

func TestTwoWrongPlansWaitForTheOperator(t *testing.T) {
	for choice, want := range map[string]struct {
		status string
		asked  int
		source string
	}{"again": {event.StatusPassed, 3, "planner"}, "single": {event.StatusPassed, 2, "operator"}, "fail": {event.StatusFailed, 2, ""}} {
		t.Run(choice, func(t *testing.T) {
			b := newBench(t, twoFiles)
			lines, _ := planner(t, wrongPlan, wrongPlan, fenced())
			dirs := b.createFor(program(t, lines), order{plan: oneTask(), planner: true, attended: true})
			must(t, b.spawn(dirs, nil))
			s := b.until(dirs, waitsFor("plan"))
			if len(s.Waits) != 1 || !strings.Contains(s.Waits[0].Text, "elsewhere.txt") || len(s.Waits[0].Meanings) != 3 {
				t.Fatalf("waits for %+v; %s: %s\n%s", s.Waits, s.Status, s.Reason, ownerLog(dirs))
			}
			must(t, Send(context.Background(), dirs.Run, Command{Do: "answer", ID: s.Waits[0].ID, Choice: choice}))
			s = b.finish(dirs)
			if s.Status != want.status || s.Planner.Attempts != want.asked || s.Plan.Source != want.source {
				t.Errorf("%s: %s; asked %d times, plan by %q", s.Status, s.Reason, s.Planner.Attempts, s.Plan.Source)
			}
		})
	}
}
