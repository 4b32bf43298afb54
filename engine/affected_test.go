package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
)

// brokenOrder is a chain whose Worker 1 breaks what task 2 relies on for
// certain, and task 3 names alone.
func brokenOrder(choice string) order {
	plan := doc.Plan{Tasks: []doc.PlanTask{task("a", 0, "a.txt"), task("b", 1, "b.txt"), task("keep", 1, "keep.txt")}}
	plan.Tasks[1].Signatures = []string{"Old() — a.txt"}
	plan.Tasks[2].Background = "Old is called by others."
	return order{plan: plan, affected: choice, attended: choice == affectedAsk, script: steps(
		[]step{edit("a.txt", "one", "ONE"), result([]string{"a.txt"}, "Old() removed — a.txt")},
		[]step{edit("b.txt", "two", "TWO"), result([]string{"b.txt"})},
		[]step{edit("keep.txt", "kept", "KEPT"), result([]string{"keep.txt"})},
		[]step{{"write": "late.txt", "content": "late\n"}, {"result": step{"status": "done", "files": step{"created": []string{"late.txt"}}, "summary": "Done."}}},
	)}
}

// begun starts a run and follows it until it asks about a broken export.
func (b *bench) begun(o order) (Dirs, event.Waiting) {
	b.t.Helper()
	dirs := b.create(o)
	must(b.t, b.spawn(dirs, nil))
	return dirs, b.asks(dirs)
}

func (b *bench) asks(dirs Dirs) event.Waiting {
	b.t.Helper()
	s := b.until(dirs, waitsFor("affected"))
	if len(s.Waits) != 1 {
		b.t.Fatalf("it asked nothing: %s, %s\n%s", s.Status, s.Reason, ownerLog(dirs))
	}
	return s.Waits[0]
}

func (b *bench) answer(dirs Dirs, w event.Waiting, choice, text string) error {
	return Send(context.Background(), dirs.Run, Command{Do: "answer", ID: w.ID, Choice: choice, Text: text, By: "test"})
}

func passes(t *testing.T, s *event.State, dirs Dirs) {
	t.Helper()
	if s.Status != event.StatusPassed {
		t.Fatalf("%s: %s\n%s", s.Status, s.Reason, ownerLog(dirs))
	}
}

// decisions are "k choice by" of each decision in a state.
func decisions(s *event.State) []string {
	var out []string
	for _, d := range s.Decisions {
		out = append(out, strings.Join([]string{string(rune('0' + d.K)), d.Choice, d.By}, " "))
	}
	return out
}

// labels fails unless every task file, and no other, is that of the plan in
// force.
func labels(t *testing.T, b *bench, dirs Dirs, s *event.State) {
	t.Helper()
	for k := 1; k <= s.Plan.N; k++ {
		if got := b.read(dirs, taskFile(k)); got != doc.FormatTask(s.Plan.Tasks.Task(k)) {
			t.Errorf("%s is\n%s", taskFile(k), got)
		}
	}
	if _, err := os.Stat(filepath.Join(dirs.Run, taskFile(s.Plan.N+1))); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s: %v", taskFile(s.Plan.N+1), err)
	}
}

func TestAffectedGoesOnWithNobodyThere(t *testing.T) {
	b := newBench(t, twoFiles)
	s, dirs := b.run(brokenOrder(""))
	passes(t, s, dirs)
	if got := decisions(s); !slices.Equal(got, []string{"2 continue policy"}) {
		t.Errorf("decided %q", got)
	}
	if report := b.read(dirs, "report.md"); !strings.Contains(report, "Task 2 relied on `Old`") || !strings.Contains(report, "continue (policy)") {
		t.Errorf("the report does not say what was done:\n%s", report)
	}
	labels(t, b, dirs, s)
}

func TestAffectedAskedWithNobodyThereFailsInWords(t *testing.T) {
	b := newBench(t, twoFiles)
	o := brokenOrder(affectedAsk)
	o.attended = false
	s, _ := b.run(o)
	if s.Status != event.StatusFailed || s.Worker(2).State != event.Failed || !strings.Contains(s.Reason, "Old by Worker 1") || !strings.Contains(s.Reason, "resume") {
		t.Errorf("%s: %s; Worker 2 %s", s.Status, s.Reason, s.Worker(2).State)
	}
}

func TestAffectedIsShownAndContinued(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs, w := b.begun(brokenOrder(affectedAsk))
	for _, part := range []string{"Old — a.txt", "Worker 1", "Old() removed", "task #2 says: Old() — a.txt"} {
		if !strings.Contains(w.Text, part) {
			t.Errorf("the question does not show %q:\n%s", part, w.Text)
		}
	}
	if w.K != 2 || !slices.Equal(w.Choices, []string{"continue", "edit", "add", "replan", "stop"}) {
		t.Errorf("it asks about task %d with %q", w.K, w.Choices)
	}
	s, _, err := Load(dirs.Run, time.Now())
	must(t, err)
	if s.Worker(2).State != event.WaitingFor || !s.Worker(2).Started.IsZero() {
		t.Errorf("Worker 2 is %s, started %v", s.Worker(2).State, s.Worker(2).Started)
	}
	if err := b.answer(dirs, w, "continue", "words"); err == nil {
		t.Error("continue takes a text")
	}
	must(t, b.answer(dirs, w, "continue", ""))
	s = b.finish(dirs)
	passes(t, s, dirs)
	if got := decisions(s); !slices.Equal(got, []string{"2 continue test"}) || len(s.Waits) != 0 || s.Plan.Revision != 0 {
		t.Errorf("decided %q, waits %v, revision %d", got, s.Waits, s.Plan.Revision)
	}
}

func TestAffectedTaskIsEdited(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs, w := b.begun(brokenOrder(affectedAsk))
	task := b.read(dirs, "task2.md")
	newer := strings.Replace(task, "Old() — a.txt", "New() — a.txt", 1)
	for name, c := range map[string]struct{ text, says string }{
		"nothing":          {"", "--file"},
		"a section gone":   {strings.Replace(newer, "### Goal\n", "", 1), "Goal"},
		"another's task":   {strings.Replace(newer, "Task #2", "Task #3", 1), "Task #3"},
		"a foreign target": {strings.Replace(newer, "\nb.txt\n", "\nb.txt\nother.txt\n", 1), "other.txt"},
		"a lost target":    {strings.Replace(newer, "\nb.txt\n", "\na.txt\n", 1), "assigned to no task"},
		"no path":          {strings.Replace(newer, "New() — a.txt", "New()", 1), "names no file"},
	} {
		if err := b.answer(dirs, w, "edit", c.text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := b.read(dirs, "task2.md"); got != task {
		t.Errorf("a refused text changed task2.md:\n%s", got)
	}
	must(t, b.answer(dirs, w, "edit", newer))
	s := b.finish(dirs)
	passes(t, s, dirs)
	labels(t, b, dirs, s)
	if prompt := b.read(dirs, "prompts/worker-2.md"); !strings.Contains(prompt, "New() — a.txt") || strings.Contains(prompt, "Old() — a.txt\n\n") {
		t.Errorf("Worker 2 was given\n%s", prompt)
	}
	if s.Worker(2).Title != "b" || s.Plan.N != 3 || len(s.Decisions) != 1 || !s.Decisions[0].Carried || s.Decisions[0].Text == "" {
		t.Errorf("title %q, N %d, decided %+v", s.Worker(2).Title, s.Plan.N, s.Decisions)
	}
}

func TestAffectedTaskGetsOneBeforeIt(t *testing.T) {
	b := newBench(t, twoFiles)
	o := brokenOrder(affectedAsk)
	dirs, w := b.begun(o)
	first := b.read(dirs, "prompts/worker-1.md")
	added := doc.FormatTask(doc.Task{
		K: 2, Goal: "Bring Old back for those who call it.", Background: "decided", PastFailures: doc.None,
		Constraints: []string{"stay small"}, TargetFiles: []string{"b.txt"},
	})
	if err := b.answer(dirs, w, "add", strings.Replace(added, "b.txt", "other.txt", 1)); err == nil || !strings.Contains(err.Error(), "other.txt") {
		t.Errorf("a foreign target: %v", err)
	}
	if err := b.answer(dirs, w, "add", doc.FormatPlan(o.plan)); err == nil || !strings.Contains(err.Error(), "one is added") {
		t.Errorf("three at once: %v", err)
	}
	o.script = steps(nil, []step{edit("b.txt", "two", "2"), result([]string{"b.txt"})},
		[]step{edit("b.txt", "2", "TWO"), result([]string{"b.txt"})},
		[]step{edit("keep.txt", "kept", "KEPT"), result([]string{"keep.txt"})})
	must(t, os.WriteFile(filepath.Join(dirs.Run, dirAttached, "script.json"), marshal(t, o.script), 0o600))
	must(t, b.answer(dirs, w, "add", added))
	s := b.finish(dirs)
	passes(t, s, dirs)
	labels(t, b, dirs, s)
	if s.Plan.N != 4 || s.Worker(2).Title != "Bring Old back for those who call it" || s.Worker(3).Title != "b" || s.Worker(2).Layer != 1 {
		t.Errorf("N %d, %q then %q", s.Plan.N, s.Worker(2).Title, s.Worker(3).Title)
	}
	if len(s.Worker(2).Affected) != 0 || len(s.Worker(3).Affected) != 1 || s.Ledger[0].Affected[0].K != 3 {
		t.Errorf("marks %v and %v, ledger %+v", s.Worker(2).Affected, s.Worker(3).Affected, s.Ledger)
	}
	if got := decisions(s); !slices.Equal(got, []string{"3 add test"}) {
		t.Errorf("decided %q", got)
	}
	if b.read(dirs, "prompts/worker-1.md") != first || !strings.Contains(b.read(dirs, "prompts/worker-3.md"), "Worker 3 of 4") {
		t.Error("the prompts do not fit the plan")
	}
	for n, want := range map[string]int{"plan.1.md": 3, "plan.2.md": 4} {
		if plan, problems := doc.ParsePlan(b.read(dirs, n)); len(plan.Tasks) != want || doc.HasErrors(problems) {
			t.Errorf("%s has %d tasks: %v", n, len(plan.Tasks), problems)
		}
	}
	if got := git(t, b.project.Root, "rev-list", "--count", "main.."+s.Branch); got != "4" {
		t.Errorf("%s commits", got)
	}
}

// replanned is brokenOrder with a Planner who answers each time as given.
func replanned(policy string, first doc.Plan, again ...doc.Plan) order {
	o := brokenOrder(policy)
	part := step{"steps": []step{{"turn": 1}, {"plan": first}}}
	if len(again) > 0 {
		part["again"] = []step{{"plan": again[0]}}
	}
	o.script.(map[string]any)["planner"] = part
	return o
}

func TestAffectedRestIsPlannedAnew(t *testing.T) {
	b := newBench(t, twoFiles)
	short := doc.Plan{Tasks: []doc.PlanTask{task("both", 1, "b.txt", "keep.txt")}}
	low := doc.Plan{Tasks: []doc.PlanTask{task("low", 0, "b.txt")}}
	o := replanned(affectedAsk, low, short)
	o.plan.Tasks[0].Layer = 1
	dirs, w := b.begun(o)
	commit := b.until(dirs, waitsFor("affected")).Worker(1).Commit
	must(t, b.answer(dirs, w, "replan", ""))
	s := b.finish(dirs)
	passes(t, s, dirs)
	labels(t, b, dirs, s)
	if s.Plan.N != 2 || s.Worker(2).Title != "both" || s.Worker(1).Commit != commit || s.Plan.Revision != 1 {
		t.Errorf("N %d, %q, revision %d", s.Plan.N, s.Worker(2).Title, s.Plan.Revision)
	}
	prompt := b.read(dirs, "prompts/planner.md")
	for _, part := range []string{"# Task #0", "# RESULT #1", "Worker 1: Old", `"title": "b"`, `"title": "keep"`} {
		if !strings.Contains(prompt, part) {
			t.Errorf("the Planner was not given %q:\n%s", part, prompt)
		}
	}
	if strings.Contains(prompt, `"title": "a"`) {
		t.Error("the Planner was given what is done to plan")
	}
	if again := b.read(dirs, "prompts/planner.2.md"); !strings.Contains(again, "refused") || !strings.Contains(again, "assigned to no task") || !strings.Contains(again, "layers never decrease") {
		t.Errorf("the plan did not go back with the lint's words:\n%s", again)
	}
	if head, _, _ := strings.Cut(prompt, "\n[Read from:"); len(head) > maxContract {
		t.Errorf("%d bytes of our own words", len(head))
	}
}

func TestReplanAsPolicyNeedsNobody(t *testing.T) {
	b := newBench(t, twoFiles)
	three := doc.Plan{Tasks: []doc.PlanTask{task("b", 1, "b.txt"), task("keep", 1, "keep.txt"), task("more", 2, "late.txt", "b.txt")}}
	o := replanned("replan", three)
	o.task0 = strings.Replace(task0For(o.plan), "keep.txt\n", "keep.txt\nlate.txt\n", 1)
	o.plan.Tasks[2].TargetFiles = []string{"keep.txt", "late.txt"}
	s, dirs := b.run(o)
	passes(t, s, dirs)
	labels(t, b, dirs, s)
	if got := decisions(s); s.Plan.N != 4 || !slices.Equal(got, []string{"2 replan policy"}) || len(s.Worker(2).Affected) != 0 {
		t.Errorf("N %d, decided %q", s.Plan.N, got)
	}
}

func TestReplanThatBringsNothingIsSaid(t *testing.T) {
	b := newBench(t, twoFiles)
	low := doc.Plan{Tasks: []doc.PlanTask{task("low", 0, "b.txt")}}
	s, dirs := b.run(replanned("replan", low))
	passes(t, s, dirs)
	if got := decisions(s); !slices.Equal(got, []string{"2 replan policy", "2 continue policy"}) || !strings.Contains(s.Decisions[1].Why, "assigned to no task") {
		t.Errorf("decided %q: %+v", got, s.Decisions)
	}
	if s.Plan.N != 3 || s.Plan.Revision != 0 {
		t.Errorf("N %d, revision %d", s.Plan.N, s.Plan.Revision)
	}

	o := replanned("replan", low)
	o.attended = true
	dirs, w := b.begun(o)
	if slices.Contains(w.Choices, "replan") || !strings.Contains(w.Text, "assigned to no task") {
		t.Errorf("after a plan that was refused it offers %q:\n%s", w.Choices, w.Text)
	}
	must(t, b.answer(dirs, w, "continue", ""))
	passes(t, b.finish(dirs), dirs)
}

func TestStopAtAnAffectedTaskAndResumeAsksAgain(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs, w := b.begun(brokenOrder(affectedAsk))
	must(t, b.answer(dirs, w, "stop", ""))
	s := b.finish(dirs)
	if s.Status != event.StatusStopped || s.DoneWorkers() != 1 || s.Worker(2).State != event.Pending {
		t.Fatalf("%s: %s, Worker 2 %s", s.Status, s.Reason, s.Worker(2).State)
	}
	resumed, err := PrepareResume(dirs.Run, true)
	must(t, err)
	must(t, b.spawn(dirs, resumed))
	must(t, b.answer(dirs, b.asks(dirs), "continue", ""))
	passes(t, b.finish(dirs), dirs)
}

func TestAffectedDelayGoesOnByItself(t *testing.T) {
	b := newBench(t, twoFiles)
	o := brokenOrder(affectedAsk)
	o.delay, o.attended = 30*time.Millisecond, false
	s, dirs := b.run(o)
	passes(t, s, dirs)
	if got := decisions(s); !slices.Equal(got, []string{"2 continue time"}) {
		t.Errorf("decided %q", got)
	}
}

// The time a run waits for its operator is in no limit.
func TestWaitingIsNoTimeOfTheChain(t *testing.T) {
	b := newBench(t, twoFiles)
	at := time.Now()
	dirs := b.create(order{plan: twoTasks(), script: steps(nil, nil), limits: config.Defaults().Limits})
	o, err := newOwner(dirs.Run, OwnerOptions{Now: func() time.Time { at = at.Add(time.Hour); return at }})
	must(t, err)
	defer o.log.Close()
	before := o.limits(1)
	_, err = o.ask(t.Context(), event.Waiting{ID: "w", Kind: "affected", Choices: []string{"continue"}, Until: at.Add(time.Hour)})
	must(t, err)
	if after := o.limits(1); after.Wall != before.Wall {
		t.Errorf("an agent had %v before the wait and has %v after it", before.Wall, after.Wall)
	}
}

// everyRevised set means that all events of the revised chain are killed at,
// not only those that TestKillAtEveryEvent does not have.
const everyRevised = "GROWBENCH_TEST_REVISED_ALL"

// A run that waits, has a task edited, one added and the rest planned anew,
// killed at its events and answered the same way again.
func TestKillAtEventsOfARevisedChain(t *testing.T) {
	o := crashRevised()
	pick := func(e event.Event) bool {
		switch e.Body.(type) {
		case event.Waiting, event.Answered, event.AffectedDecided, event.TaskEdited, event.PlanRequested, event.PlanRevised:
			return true
		}
		return os.Getenv(everyRevised) != ""
	}
	sweep(t, pick, answering(t, o), func(t *testing.T) (*bench, Dirs) {
		b := newBench(t, twoFiles)
		return b, b.create(o.order)
	})
}

// revisedOrder is a run and what each question about a task is answered with.
type revisedOrder struct {
	order
	answers map[int]Command
}

func crashRevised() revisedOrder {
	plan := doc.Plan{Tasks: []doc.PlanTask{
		task("a", 0, "a.txt"), task("b", 1, "b.txt"), task("keep", 1, "keep.txt"), task("end", 2, "end.txt"),
	}}
	plan.Tasks[1].Signatures = []string{"Old() — a.txt"}
	plan.Tasks[2].Signatures = []string{"Older() — b.txt"}
	plan.Tasks[3].Signatures = []string{"Oldest() — keep.txt"}
	edited := plan.Task(2)
	edited.Signatures = []doc.Signature{{Signature: "New()", Path: "a.txt"}}
	added := task("between", 1, "b.txt")
	rest := doc.Plan{Tasks: []doc.PlanTask{task("end", 2, "end.txt"), task("more", 3, "end.txt")}}
	script := steps(
		[]step{edit("a.txt", "one", "ONE"), result([]string{"a.txt"}, "Old() removed — a.txt")},
		[]step{edit("b.txt", "two", "TWO"), result([]string{"b.txt"}, "Older() removed — b.txt")},
		[]step{edit("b.txt", "TWO", "2"), result([]string{"b.txt"})},
		[]step{edit("keep.txt", "kept", "KEPT"), result([]string{"keep.txt"}, "Oldest() removed — keep.txt")},
		[]step{{"write": "end.txt", "content": "end\n"}, result(nil)},
		[]step{edit("end.txt", "end", "END"), result([]string{"end.txt"})},
	)
	script["planner"] = step{"steps": []step{{"plan": rest}}}
	return revisedOrder{
		order: order{plan: plan, script: script, attended: true, affected: affectedAsk, verify: []string{"grep -q END end.txt"}},
		answers: map[int]Command{
			2: {Choice: "edit", Text: doc.FormatTask(edited)},
			3: {Choice: "add", Text: doc.FormatPlan(doc.Plan{Tasks: []doc.PlanTask{added}})},
			5: {Choice: "replan"},
		},
	}
}

// answering follows a run until its owner is gone and answers what it asks.
func answering(t *testing.T, o revisedOrder) func(*bench, Dirs) *event.State {
	return func(b *bench, dirs Dirs) *event.State {
		given := map[string]bool{}
		return b.until(dirs, func(s *event.State, alive bool) bool {
			for _, w := range s.Waits {
				c := o.answers[w.K]
				c.Do, c.ID, c.By = "answer", w.ID, "test"
				if alive && !given[w.ID] && Send(context.Background(), dirs.Run, c) == nil {
					given[w.ID] = true // else its owner is gone, and the next one asks again
				}
			}
			return !alive
		})
	}
}
