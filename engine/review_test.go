package engine

import (
	"strings"
	"syscall"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// reviewed is a run that waits with its plan.
func reviewed(t *testing.T, b *bench, answers ...string) (Dirs, event.Waiting, string) {
	t.Helper()
	lines, prompts := planner(t, answers...)
	dirs := b.createFor(program(t, lines), order{plan: oneTask(), planner: true, attended: true, review: true})
	must(t, b.spawn(dirs, nil))
	return dirs, b.waitsToReview(dirs, ""), prompts
}

// waitsToReview is the question about a plan that comes after the one named.
func (b *bench) waitsToReview(dirs Dirs, after string) event.Waiting {
	b.t.Helper()
	s := b.until(dirs, func(s *event.State, alive bool) bool {
		return !alive || len(s.Waits) > 0 && s.Waits[0].Kind == "review" && s.Waits[0].ID != after
	})
	if len(s.Waits) != 1 || s.Waits[0].Kind != "review" {
		b.t.Fatalf("waits for %+v; %s: %s\n%s", s.Waits, s.Status, s.Reason, ownerLog(dirs))
	}
	return s.Waits[0]
}

func TestAPlanIsApprovedBeforeTheFirstWorker(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs, w, _ := reviewed(t, b, fenced())
	for _, words := range []string{"one task", "#1", "layer 0", "a.txt", "bytes"} {
		if !strings.Contains(w.Text, words) {
			t.Errorf("no %q in: %s", words, w.Text)
		}
	}
	if plan, problems := CheckPlan(oneTaskBrief(), b.read(dirs, w.File), func(string) bool { return true }); doc.HasErrors(problems) || len(plan.Tasks) != 1 {
		t.Errorf("%s is no plan to begin an edit from: %v", w.File, problems)
	}
	must(t, b.answer(dirs, w, event.ReviewApprove, ""))
	if s := b.finish(dirs); s.Status != event.StatusPassed || !s.Plan.Approved {
		t.Errorf("%s: %s", s.Status, s.Reason)
	}
}

func oneTaskBrief() doc.Task {
	task0, _ := doc.LintTaskText(task0For(oneTask()), doc.LintOptions{})
	return task0
}

func TestAPlanSentBackIsMadeAnewWithTheOperatorsWords(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs, w, prompts := reviewed(t, b, fenced(), headings)
	if err := b.answer(dirs, w, event.ReviewAgain, " "); err == nil {
		t.Error("it was sent back without a word")
	}
	must(t, b.answer(dirs, w, event.ReviewAgain, "Name it after the letter.\n</file>"))
	next := b.waitsToReview(dirs, w.ID)
	second := string(mustRead(t, prompts+"2"))
	for _, words := range []string{"Name it after the letter.", `"title": "a"`, "&lt;/file>"} {
		if !strings.Contains(second, words) {
			t.Errorf("the Planner was not told %q:\n%s", words, second)
		}
	}
	must(t, b.answer(dirs, next, event.ReviewApprove, ""))
	if s := b.finish(dirs); s.Status != event.StatusPassed || s.Planner.Attempts != 2 || s.Plan.Returned != nil {
		t.Errorf("%s: %s; asked %d times", s.Status, s.Reason, s.Planner.Attempts)
	}
}

func TestAnotherPlanIsPutInPlace(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs, w, _ := reviewed(t, b, fenced())
	for _, wrong := range []string{"", doc.FormatPlan(doc.Plan{Tasks: []doc.PlanTask{task("b", 0, "b.txt")}})} {
		if err := b.answer(dirs, w, event.ReviewEdit, wrong); err == nil || wrong != "" && !strings.Contains(err.Error(), "b.txt") {
			t.Errorf("a plan of %d bytes was taken: %v", len(wrong), err)
		}
	}
	mine := oneTask()
	mine.Tasks[0].Title = "my own"
	must(t, b.answer(dirs, w, event.ReviewEdit, doc.FormatPlan(mine)))
	s := b.finish(dirs)
	if s.Status != event.StatusPassed || s.Plan.Source != "operator" || s.Worker(1).Title != "my own" {
		t.Errorf("%s: %s; plan by %s", s.Status, s.Reason, s.Plan.Source)
	}
}

// Whatever a review is ended by, the next owner asks again and the Planner is
// not.
func TestAReviewOutlivesItsOwner(t *testing.T) {
	for _, end := range []string{"stop", "kill"} {
		t.Run(end, func(t *testing.T) {
			b := newBench(t, twoFiles)
			dirs, w, _ := reviewed(t, b, fenced())
			if end == "stop" {
				must(t, b.answer(dirs, w, event.ReviewStop, ""))
				if s := b.finish(dirs); s.Status != event.StatusStopped {
					t.Fatalf("%s: %s", s.Status, s.Reason)
				}
			} else {
				o, err := readOwner(dirs.Run)
				must(t, err)
				must(t, syscall.Kill(o.PID, syscall.SIGKILL))
				b.until(dirs, func(_ *event.State, alive bool) bool { return !alive })
			}
			resumed, err := PrepareResume(dirs.Run, true)
			must(t, err)
			must(t, b.spawn(dirs, resumed))
			must(t, b.answer(dirs, b.waitsToReview(dirs, w.ID), event.ReviewApprove, ""))
			if s := b.finish(dirs); s.Status != event.StatusPassed || s.Planner.Attempts != 1 {
				t.Errorf("%s: %s; asked %d times", s.Status, s.Reason, s.Planner.Attempts)
			}
		})
	}
}

func TestAReviewWithNobodyThereFailsInWords(t *testing.T) {
	b := newBench(t, twoFiles)
	lines, _ := planner(t, fenced())
	s, _ := b.runFor(program(t, lines), order{plan: oneTask(), planner: true, review: true})
	if s.Status != event.StatusFailed || !strings.Contains(s.Reason, "resume") {
		t.Errorf("%s: %s", s.Status, s.Reason)
	}
}
