package giver

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/loop"
)

// growingPlace is a place with a list that every pass adds a line to, and a backlog
// that it ticks off. A Worker whose task says so hands nothing in.
func growingPlace(t *testing.T) *place {
	t.Helper()
	p := newPlace(t)
	put(t, filepath.Join(p.project.Root, "list.txt"), "")
	put(t, filepath.Join(p.project.Root, "BACKLOG.md"), "# Backlog\n\n- [ ] one\n- [ ] two\n- [ ] three\n")
	p.git("add", "-A")
	p.git("commit", "-qm", "open work")
	p.config.Agents["worker"] = p.program("worker", `prompt=$(cat)
if printf '%s' "$prompt" | grep -q 'Goal: fail\|come to nothing'; then echo no; exit 1; fi
n=$(($(wc -l < list.txt) + 1))
echo "line $n" >> list.txt
sed -i '0,/- \[ \]/s//- [x]/' BACKLOG.md
printf 'package size\n\n// Made%s is of pass %s.\nfunc Made%s(n int) {}\n' $n $n $n > made$n.go
printf '# RESULT #1 (by Worker 1)\n\n## Files\n- modified: list.txt\n- modified: BACKLOG.md\n- created: made%s.go\n\n## Signatures\n- none\n\n## Breaking\n- none\n\n## Summary\nAdded.\n' $n`)
	p.config.Agents["planner"] = p.program("planner", `prompt=$(cat)
goal="Add a line."
if printf '%s' "$prompt" | grep -q 'come to nothing'; then goal="It shall come to nothing."; fi
cat '`+filepath.Join(p.base, "plan.json")+`' | sed "s/GOAL/$goal/"`)
	put(t, filepath.Join(p.base, "plan.json"), doc.FormatPlan(doc.Plan{Tasks: []doc.PlanTask{{
		Title: "a line", Goal: "GOAL", Background: "decided", PastFailures: doc.None,
		Constraints: []string{"stay small"}, TargetFiles: growingTargets, Signatures: []string{},
	}}}))
	return p
}

var growingTargets = []string{"list.txt", "BACKLOG.md", "made1.go", "made2.go", "made3.go"}

func (p *place) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", p.project.Root, "-c", "user.name=U", "-c", "user.email=u@example.com"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// onePass is a pass with one run; goal names what its Task #0 is about. more
// are calls after the chain was started.
func onePass(goal string, signatures []string, more ...call) []answer {
	draft := task0(map[string]any{"goal": goal, "target_files": growingTargets, "signatures": append([]string{}, signatures...)})
	start := append(draft.Calls, call{Name: toolStart, Arguments: map[string]any{}})
	return []answer{{Calls: append(start, more...)}, says("It runs."), {Calls: []call{handsOff(goal)}}, says("Handed off: " + goal)}
}

func later() call { return call{Name: toolGrow, Arguments: delayed(loop.MaxDelay)} }

// grown has the loop's next pass begin, and waits until it is over.
func (s *session) grown(passes int) *event.State {
	s.t.Helper()
	if passes == 1 {
		must(s.t, s.ApproveScope(growingTargets))
		must(s.t, s.Say("grow loop", ByOperator))
	} else {
		s.until("a countdown", func(l Look) bool { return l.Loop.State == loop.Countdown })
		s.HurryLoop()
	}
	s.until("the end of a pass", func(l Look) bool {
		lock := s.Loop().Lock
		return lock != nil && len(lock.Passes) == passes && !l.Busy()
	})
	run, _, err := engine.Load(s.runDirs(s.Look().State.Run.ID).Run, time.Now())
	if err != nil {
		s.t.Fatalf("pass %d: %v\n%s", passes, err, transcript(s.Look().State))
	}
	return run
}

// Each pass goes on where the last one that passed ended: its files, its open
// work, its signatures. One merge brings all of them.
func TestThePassesOfALoopBuildOnEachOther(t *testing.T) {
	p := growingPlace(t)
	p.server.Will(slices.Concat(
		onePass("The first line.", nil, later()),
		onePass("It shall come to nothing.", nil, later()),
		onePass("The second line.", []string{"func Made1(n string) — made1.go"})[:1],
		onePass("The second line.", []string{"func Made1(n int) — made1.go"}, later()),
		onePass("The third line.", []string{"func Made2(n int) — made2.go"}),
	)...)
	s := p.open()
	own := p.git("rev-parse", "HEAD")
	first := s.grown(1)
	if first.Status != event.StatusPassed || first.Base.Kind != "head" || first.Base.Commit != own {
		t.Fatalf("%s, %+v\n%s", first.Status, first.Base, transcript(s.Look().State))
	}
	failed := s.grown(2)
	if failed.Status != event.StatusFailed || failed.Base.Run() != first.Run {
		t.Fatalf("%s, %+v\n%s", failed.Status, failed.Base, transcript(s.Look().State))
	}
	put(t, filepath.Join(p.project.Root, "mine.txt"), "mine\n")
	p.git("add", "-A")
	p.git("commit", "-qm", "the operator goes on")
	second := s.grown(3)
	if second.Status != event.StatusPassed || second.Base.Run() != first.Run || second.Base.Commit != first.Tip || second.Base.Behind != 1 {
		t.Fatalf("%s, %+v\n%s", second.Status, second.Base, transcript(s.Look().State))
	}
	third := s.grown(4)
	if third.Status != event.StatusPassed || !slices.Equal(third.Base.Runs(), []string{first.Run, second.Run}) {
		t.Fatalf("%s, %+v\n%s", third.Status, third.Base, transcript(s.Look().State))
	}

	told := transcript(s.Look().State)
	for _, words := range []string{
		"It begins where run " + first.Run + " ended.", "what run " + failed.Run + " left (failed) is not built upon",
		"is not what made1.go declares; it is Made1(n int)",
		"It begins where run " + second.Run + " ended", "1 commit of yours since are not in it",
		"To merge its work: growbench merge " + third.Run + ", which brings the work of 3 runs",
	} {
		if !strings.Contains(told, words) {
			t.Errorf("it is not told: %s\n%s", words, told)
		}
	}
	report, err := os.ReadFile(filepath.Join(s.runDirs(second.Run).Run, "report.md"))
	if err != nil || !strings.Contains(string(report), "what run "+failed.Run+" left (failed) is not built upon") {
		t.Errorf("the report does not say what is missing: %v\n%s", err, report)
	}
	system := p.server.Last().Messages[0].Content
	if !strings.Contains(system, "- [x] three") || !strings.Contains(system, "- [x] two") {
		t.Errorf("the open work is not that of the last run:\n%s", system)
	}

	p.git("config", "user.name", "U")
	p.git("config", "user.email", "u@example.com")
	out, err := engine.Merge(context.Background(), s.runDirs(third.Run).Run, engine.MergeOptions{Now: time.Now()})
	must(t, err)
	if out.How != workspace.MergeCommit || !slices.Equal(out.Runs, []string{first.Run, second.Run}) {
		t.Errorf("merged %+v", out)
	}
	if list, err := os.ReadFile(filepath.Join(p.project.Root, "list.txt")); err != nil || string(list) != "line 1\nline 2\nline 3\n" {
		t.Errorf("the list is %q, %v", list, err)
	}
}

// What the operator has merged is in their own commit; a branch they have
// deleted is not built upon.
func TestWhereALoopsRunBeginsIsTheOperatorsToChange(t *testing.T) {
	p := growingPlace(t)
	p.server.Will(slices.Concat(onePass("The first line.", nil, later()), onePass("The second line.", nil, later()))...)
	s := p.open()
	first, second := s.grown(1), s.grown(2)
	runs := s.Loop().Lock.Runs
	if !slices.Equal(runs, []string{first.Run, second.Run}) {
		t.Fatalf("the loop's runs are %v\n%s", runs, transcript(s.Look().State))
	}
	begins := func(want string, words ...string) {
		t.Helper()
		b := s.baseAfter(t.Context(), runs)
		got := ""
		if n := len(b.lineage); n > 0 {
			got = b.lineage[n-1].Run
		}
		if got != want {
			t.Errorf("it begins where %q ended, not %q: %+v", got, want, b)
		}
		for _, w := range words {
			if !strings.Contains(b.words(), w) {
				t.Errorf("it does not say %q: %s", w, b.words())
			}
		}
	}
	begins(second.Run)
	p.git("branch", "-qD", second.Branch)
	begins(first.Run, "run "+second.Run+" is not built upon: its branch "+second.Branch+" is gone")
	must(t, workspace.RemoveDir(s.runDirs(second.Run).Run))
	begins(first.Run, "of run "+second.Run+" nothing is left")
	p.git("merge", "-q", "--ff-only", first.Branch)
	begins("", "the work of run "+first.Run+" is merged", "your own commit")
	p.git("switch", "-q", "--orphan", "another")
	p.git("commit", "-q", "--allow-empty", "-m", "another history")
	p.git("branch", "-qD", "main")
	begins("", "shares no history", "so it begins at your own commit")
}

// Killed between the word for a pass's run and the run itself, the conversation
// makes the run where it was to begin.
func TestTheBaseOfAPassOutlivesAKill(t *testing.T) {
	p := growingPlace(t)
	p.server.Will(onePass("The first line.", nil, later())...)
	s := p.open()
	first := s.grown(1)
	must(t, s.Close())
	p.server.Will(onePass("The second line.", nil)...)
	if err := p.conversation(part{KillOn: "approved", Words: loop.Trigger}).Run(); err == nil {
		t.Fatal("it was not killed")
	}
	s = p.open()
	l := s.ends()
	approved := bodies[Approved](l)
	if len(approved) != 2 || len(approved[1].Lineage) != 2 {
		t.Fatalf("%+v\n%s", approved, transcript(l.State))
	}
	second, _, err := engine.Load(s.runDirs(l.State.Run.ID).Run, time.Now())
	must(t, err)
	if second.Status != event.StatusPassed || second.Base.Run() != first.Run || second.Base.Commit != first.Tip {
		t.Errorf("%s, %+v", second.Status, second.Base)
	}
	if lock := s.Loop().Lock; !slices.Equal(lock.Runs, []string{first.Run, second.Run}) || !slices.Equal(lock.Holds, lock.Runs) {
		t.Errorf("the loop's runs are %v, the last one holds %v", lock.Runs, lock.Holds)
	}
}

// A loop that an ordinary turn begins has that turn's run below it.
func TestTheRunOfTheTurnThatBeganALoopIsTheLoops(t *testing.T) {
	p := growingPlace(t)
	begins := onePass("The first line.", nil)
	p.server.Will(slices.Concat([]answer{{Calls: begins[0].Calls[:1]}, says("Shall I?"), calls(toolGrow, delayed(loop.MaxDelay)), says("One is done.")},
		onePass("The second line.", nil))...)
	s := p.open()
	s.says("Every line needs a run of its own.")
	must(t, s.Approve(AnyDraft, ""))
	s.until("a countdown", func(l Look) bool { return l.Loop.State == loop.Countdown })
	first := s.Look().State.Run.ID
	if lock := s.Loop().Lock; !slices.Equal(lock.Runs, []string{first}) || !slices.Equal(lock.Holds, lock.Runs) {
		t.Fatalf("the loop's runs are %v, the last one holds %v", lock.Runs, lock.Holds)
	}
	must(t, s.ApproveScope(growingTargets))
	s.HurryLoop()
	s.until("the end of the second run", func(l Look) bool { return l.State.Run.ID != first && l.State.Run.Ended && !l.Busy() })
	second, _, err := engine.Load(s.runDirs(s.Look().State.Run.ID).Run, time.Now())
	must(t, err)
	if second.Status != event.StatusPassed || second.Base.Run() != first {
		t.Errorf("%s, %+v\n%s", second.Status, second.Base, transcript(s.Look().State))
	}
}
