package giver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
)

// A chain that fails is not tried again by itself; what it teaches is in the
// memory, and in the next Task #0 whether the model thinks of it or not.
func TestAFailureIsInTheNextTask0(t *testing.T) {
	p := newPlace(t)
	p.plan(1)
	p.config.Checks = config.Checks{Verify: []string{"go test ./nothing"}}
	p.server.Will(
		one(), says("Look."),
		says("The check failed."),
		one(), says("I drafted it again."),
	)
	s := p.open()
	s.says("Write three files.")
	must(t, s.Approve(AnyDraft, ""))
	l := s.ends()
	run := l.State.Run.ID
	if l.State.Run.Status != event.StatusFailed || len(l.State.Failed) != 1 {
		t.Fatal(transcript(l.State))
	}
	f, ok := l.Memory.Failure(run)
	if !ok || !strings.Contains(f.What, "verification failed") {
		t.Errorf("remembered %+v", l.Memory.Failures)
	}
	l = s.says("Try again.")
	text, err := s.Draft()
	must(t, err)
	task, _ := doc.ParseTask(text)
	if !strings.Contains(task.PastFailures, run) || !strings.Contains(task.PastFailures, "verification failed") || strings.Contains(task.PastFailures, "go test") {
		t.Errorf("Past failures:\n%s", task.PastFailures)
	}
	if doc.HasErrors(l.State.Draft.Problems) || len(l.Waits) != 1 {
		t.Errorf("it does not wait: %+v", l.State.Draft.Problems)
	}
	runs, err := engine.Runs(filepath.Join(p.base, "state"), p.project.Name)
	must(t, err)
	if len(runs) != 1 {
		t.Errorf("%d runs: it was tried again", len(runs))
	}
}

// The operator's own Task #0 is given the failure as well; what the model
// records in words of its own takes the host's place.
func TestWhatTheModelRecordsOfAFailure(t *testing.T) {
	p := newPlace(t)
	p.config.Agents["worker"] = p.program("worker", "cat > /dev/null; exit 7")
	p.plan(1)
	s := p.open()
	p.server.Will(one(), says("Look."))
	s.says("Write three files.")
	args := map[string]any{
		"class": "operational", "what": "the agent died at once", "cause": "it lacks its key", "avoid": "starting it bare", "direction": "set the key first", "correction": "ask about keys",
	}
	p.server.Will(calls(toolFailure, args), says("Recorded."))
	must(t, s.Approve(AnyDraft, ""))
	args["run"] = s.Look().State.Run.ID
	l := s.ends()
	f, _ := l.Memory.Failure(l.State.Run.ID)
	if f.Class != engine.Operational || f.Cause != "it lacks its key" || f.Correction != "ask about keys" || len(l.Memory.Failures) != 1 {
		t.Errorf("%+v", l.Memory.Failures)
	}
	mine := doc.Task{Goal: "Write it.", Background: "decided", PastFailures: doc.None, Constraints: []string{"small"}, TargetFiles: []string{"new1.txt"}}
	must(t, s.SetDraft(doc.FormatTask(mine)))
	if text, _ := s.Draft(); !strings.Contains(text, "it lacks its key") || strings.Contains(text, doc.None) {
		t.Error(text)
	}
}

// After a run that passed, older failures are no longer in the way.
func TestAPassedRunSettlesWhatFailedBefore(t *testing.T) {
	p := newPlace(t)
	p.plan(1)
	good := p.config.Agents["worker"]
	p.config.Agents["worker"] = p.program("bad", "cat > /dev/null; exit 7")
	p.server.Reacts(obeys)
	s := p.open()
	brief := func(goal string) {
		t.Helper()
		must(t, s.SetDraft(doc.FormatTask(doc.Task{Goal: goal, Background: "x", PastFailures: doc.None, Constraints: []string{"small"}, TargetFiles: []string{"new1.txt"}})))
		must(t, s.Approve(AnyDraft, ""))
		s.ends()
	}
	brief("One.")
	p.config.Agents["worker"] = good // the configuration is shared with the session
	brief("Two.")
	must(t, s.SetDraft(doc.FormatTask(doc.Task{Goal: "Three.", Background: "x", PastFailures: doc.None, Constraints: []string{"small"}, TargetFiles: []string{"new1.txt"}})))
	if text, _ := s.Draft(); !strings.Contains(text, doc.None) {
		t.Error(text)
	}
}

// Coding I/O does not come back: neither what a check printed nor what Workers
// wrote is in the conversation.
func TestOnlyResultsComeBack(t *testing.T) {
	p := newPlace(t)
	p.plan(1)
	p.config.Checks = config.Checks{Verify: []string{"echo GARGANTUAN OUTPUT; false"}}
	p.server.Will(one(), says("Look."), answer{Calls: []call{{Name: toolStatus, Arguments: map[string]any{}}, {Name: toolResults, Arguments: map[string]any{"k": 1}}, {Name: toolResults, Arguments: map[string]any{"run": "../x"}}}}, says("So."))
	s := p.open()
	s.says("Write three files.")
	must(t, s.Approve(AnyDraft, ""))
	l := s.ends()
	text := strings.ReplaceAll(transcript(l.State), "echo GARGANTUAN OUTPUT; false", "")
	if strings.Contains(text, "GARGANTUAN") || strings.Contains(text, "by 1") {
		t.Error(text)
	}
	returns := bodies[Returned](l)
	if n := len(returns); n != 4 || !strings.Contains(returns[1].Text, "failed") || !strings.Contains(returns[2].Text, "# RESULT #1") || returns[3].Error == "" {
		t.Error(transcript(l.State))
	}
	if _, err := os.Stat(filepath.Join(engine.RunDirs(filepath.Join(p.base, "state"), p.project.Name, l.State.Run.ID).Run, "report.md")); err != nil {
		t.Error(err)
	}
}

// Who reports that something is broken has somebody look before anything is
// planned.
func TestABugReportIsLookedAtFirst(t *testing.T) {
	p := newPlace(t)
	p.server.Will(task0(), calls(toolScout, map[string]any{"question": "Where are sizes parsed?"}), task0(), says("It waits."))
	l := p.open().says("Parse crashes when the text is empty.")
	returns := bodies[Returned](l)
	if len(returns) != 3 || !strings.Contains(returns[0].Error, "scout") || !strings.Contains(returns[1].Text, noted) || returns[2].Error != "" || len(l.Waits) != 1 {
		t.Error(transcript(l.State))
	}
	for text, want := range map[string]bool{
		"The parser returns the wrong unit": true, "it doesn't work any more": true, "fix the bug in b.go": true, "It stopped working": true,
		"Add error handling to Parse": false, "Write a crash course": true, "Make sizes readable": false, "debug output is wanted": false,
	} {
		if got := reportsBug(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
