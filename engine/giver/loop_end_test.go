package giver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"growbench/loop"
)

// quietFor expects that nothing is sent for hours.
func (s *looping) quietFor(t *testing.T) {
	t.Helper()
	before := len(bodies[Said](s.Look()))
	s.pass(3 * loop.MaxDelay)
	if said := bodies[Said](s.Look()); len(said) != before {
		t.Errorf("it went on: %+v", said[before:])
	}
}

func TestALoopThatGoesWrongEnds(t *testing.T) {
	same := []answer{grows(3, "one"), says("Done.")}
	for name, c := range map[string]struct {
		answers []answer
		reason  string
		n       int
	}{
		"arms and fails":             {[]answer{grows(3, "one"), {Lost: true}}, "the turn failed: the server is gone", 1},
		"repeats its checkpoint":     {slices.Concat(same, same, same), "passes 1 and 2 ended at the same place", 2},
		"hands nothing off, repeats": {slices.Concat(onlyGrows("Still at it."), onlyGrows("Still at it."), onlyGrows("Still at it.")), "passes 1 and 2 ended at the same place", 2},
		"calls and calls":            {slices.Repeat([]answer{grows(3, "one")}, 40), "the turn failed: it came to no end", 1},
		"schedules nothing":          {[]answer{{Calls: []call{handsOff("one")}}, says("Enough.")}, "no further pass was scheduled", 0},
		"says nothing at all":        {[]answer{says("")}, "no further pass was scheduled", 0},
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, backlog, func(t *testing.T, s *looping) {
				s.say("grow loop")
				s.pass(10)
				s.ended(c.reason)
				if n := s.Loop().Status.N; n != c.n {
					t.Errorf("N is %d", n)
				}
				s.quietFor(t)
			}, c.answers...)
		})
	}
}

func onlyGrows(words string) []answer {
	return []answer{calls(toolGrow, delayed(3)), says(words)}
}

// What differs in words alone goes on: the host cannot know better.
func TestAPassWithoutAHandoffIsToldByItsWords(t *testing.T) {
	inTime(t, nil, func(t *testing.T, s *looping) {
		s.say("grow loop until the report is written")
		s.pass(7)
		s.ended("no further pass was scheduled")
		if passes := s.Loop().Lock.Passes; len(passes) != 3 || passes[1].Handoff.Selected != "A second part." || passes[1].Handoff.Validation != "nothing was run" {
			t.Errorf("%+v", passes)
		}
		if v := s.Loop(); v.Lock.Surface != "" || !strings.Contains(v.Surface.Reason, "BACKLOG.md") {
			t.Errorf("found %+v", v.Surface)
		}
	}, slices.Concat(onlyGrows("A first part."), onlyGrows("A second part."), []answer{says("All of it.")})...)
}

func TestArmingTwiceCountsOnce(t *testing.T) {
	inTime(t, backlog, func(t *testing.T, s *looping) {
		s.say("grow loop")
		s.pass(3)
		s.ended("no further pass was scheduled")
		if got, want := s.changes(), "0 idle0, 0 deferred1, 0 3s, 1 2s, 2 1s, 3 active1, 3 idle1"; got != want {
			t.Errorf("the loop was\n%s\nnot\n%s", got, want)
		}
	},
		answer{Calls: []call{{Name: toolGrow, Arguments: delayed(3600)}, {Name: toolGrow, Arguments: delayed(60)}}},
		calls(toolGrow, delayed(3)), says("Soon."), says("Done."))
}

func TestADelayOutOfRangeChangesNothing(t *testing.T) {
	wrong := []any{2, 3601, 3.5, -3, "soon", "60", true}
	var answers []answer
	for _, w := range wrong {
		answers = append(answers, calls(toolGrow, delayed(w)))
	}
	inTime(t, backlog, func(t *testing.T, s *looping) {
		s.say("grow loop")
		s.ended("no further pass was scheduled")
		returns := bodies[Returned](s.Look())
		if len(returns) != len(wrong) || s.Loop().Status.N != 0 {
			t.Fatalf("%+v", returns)
		}
		for i, r := range returns {
			if !strings.Contains(r.Error, "from 3 to 3600") {
				t.Errorf("%v: %q", wrong[i], r.Error)
			}
		}
	}, append(answers, says("Then not."))...)
}

// A turn that never ends holds the loop up, and what it has armed goes with it.
func TestATurnThatIsStoppedArmsNothing(t *testing.T) {
	inTime(t, backlog, func(t *testing.T, s *looping) {
		s.say("grow loop")
		s.pass(2 * loop.MaxDelay)
		s.is("deferred1")
		if !s.Stop() {
			t.Error("nothing to stop")
		}
		if l := s.Look(); !l.Stopping && l.Turn {
			t.Error("it does not say that it is stopping")
		}
		s.until("a stop", func(l Look) bool { return !l.Turn })
		s.is("idle1")
		s.quietFor(t)
		if v := s.Loop(); v.Proof != nil || v.Lock == nil || len(s.Handoffs()) != 1 {
			t.Errorf("%+v, %+v", v, s.Handoffs())
		}
		s.say(loop.Trigger) // and it can be resumed
		s.is("3s")
		if n := s.Loop().Status.N; n != 2 {
			t.Errorf("N is %d", n)
		}
	}, grows(3, "one"), answer{Text: "Thinking", Hold: true}, grows(3, "two"), says("Later."))
}

// In one bounded pass nothing can be scheduled.
func TestASinglePassSchedulesNothing(t *testing.T) {
	inTime(t, backlog, func(t *testing.T, s *looping) {
		s.say("Please run while-true once.")
		names := toolNames(s)
		if slices.Contains(names, toolGrow) || slices.Contains(names, toolScope) || !slices.Contains(names, toolHandoff) {
			t.Errorf("tools %v", names)
		}
		if r := bodies[Returned](s.Look()); len(r) != 2 || r[0].Error != "" || r[1].Error == "" {
			t.Errorf("%+v", r)
		}
		if v := s.Loop(); v.Lock != nil || v.Status.N != 0 || v.Proof != nil {
			t.Errorf("%+v", v)
		}
		if h := s.Handoffs(); len(h) != 1 || h[0].Pass == nil || h[0].Pass.Skill != "while-true" || h[0].Pass.Handoff.Selected != "one" {
			t.Errorf("%+v", h)
		}
		s.quietFor(t)
	}, grows(3, "one"), says("One pass is over."))
}

func toolNames(s *looping) (names []string) {
	for _, k := range s.script.last().Tools {
		names = append(names, k.Name)
	}
	return names
}

// Without a named protocol it is the model that may begin a loop; the scope is
// what the operator has said.
func TestAnOrdinaryTurnMayBecomeALoop(t *testing.T) {
	inTime(t, backlog, func(t *testing.T, s *looping) {
		s.say("Every file of the manual needs its own revision.")
		if names := toolNames(s); slices.Contains(names, toolHandoff) || !slices.Contains(names, toolGrow) {
			t.Errorf("tools %v", names)
		}
		if system := s.script.last().Messages[0].Content; strings.Contains(system, "<skill") {
			t.Error("a skill was given unasked")
		}
		s.is("3s")
		s.pass(3)
		s.ended("no further pass was scheduled")
		if lock := s.Loop().Lock; lock.Skill != "while-true" || lock.Scope != "Every file of the manual needs its own revision." || lock.Surface != "BACKLOG.md" {
			t.Errorf("%+v", lock)
		}
		if system := s.script.last().Messages[0].Content; !strings.Contains(system, `<skill name="while-true">`) || !strings.Contains(system, "needs its own revision") {
			t.Error(system)
		}
	}, calls(toolGrow, nil), says("Part by part."), says("The first part was all."))
}

func TestWordsEndTheRhythm(t *testing.T) {
	inTime(t, backlog, func(t *testing.T, s *looping) {
		s.say("grow loop")
		s.pass(2)
		s.is("1s")
		s.Typed()
		s.is("idle1")
		s.quietFor(t)
		s.say("How is it going?")
		s.is("60s") // the answer has armed again
		if n := s.Loop().Status.N; n != 2 {
			t.Errorf("N is %d", n)
		}
		s.say("How far?")
		s.is("idle2")
		s.say(loop.Trigger)
		s.is("3600s")
		s.HurryLoop()
		synctest.Wait()
		s.ended("no further pass was scheduled")
		if passes := s.Loop().Lock.Passes; len(passes) != 3 {
			t.Errorf("%+v", passes)
		}
	},
		grows(3, "one"), says("One."), calls(toolGrow, delayed(60)), says("Well."), says("Far."), grows(3600, "two"), says("Two."), says("Three."))
}

// A lock outlives the process; N does not, and nothing is scheduled any more.
func TestALoopIsResumedAfterARestart(t *testing.T) {
	p := newPlace(t)
	put(t, filepath.Join(p.project.Root, "BACKLOG.md"), backlog["BACKLOG.md"])
	p.server = nil
	o := p.options()
	synctest.Test(t, func(t *testing.T) {
		s := openLooping(t, o, grows(60, "one"), says("One."))
		mirror := &shownTo{}
		if !s.LoopMirror("m", mirror) || s.LoopMirror("m", mirror) {
			t.Error("a mirror is registered once")
		}
		s.say("grow loop over the list")
		s.is("60s")
		must(t, s.Close())
		<-s.LoopGone()
		if last := mirror.last; last.State != loop.Idle || !mirror.closed {
			t.Errorf("the mirror shows %+v", mirror)
		}

		s = openLooping(t, o, calls(toolHandoff, handsOff("one").Arguments.(map[string]any)), says("Nothing new."))
		s.is("idle0")
		s.quietFor(t)
		if v := s.Loop(); v.Lock == nil || v.Lock.Scope != "grow loop over the list" || len(v.Lock.Passes) != 1 || len(s.Handoffs()) != 1 {
			t.Errorf("%+v", v)
		}
		s.say(loop.Trigger)
		s.ended("passes 1 and 2 ended at the same place")
		if len(s.script.asked) != 2 || !strings.Contains(s.script.last().Messages[0].Content, "kept since the loop began") {
			t.Error(s.script.last().Messages[0].Content)
		}
		must(t, s.Close())

		put(t, filepath.Join(s.dir, fileLoop), "{")
		s = openLooping(t, o)
		if v := s.Loop(); v.Lock != nil || !strings.Contains(v.Notice, "loop.json") {
			t.Errorf("%+v", v)
		}
		s.say(loop.Trigger)
		s.ended("there is nothing to resume")
		if len(s.script.asked) != 0 {
			t.Error("the model was asked")
		}
		must(t, s.Close())
		synctest.Wait()
	})
}

type shownTo struct {
	last   loop.Status
	closed bool
}

func (m *shownTo) Show(s loop.Status) { m.last = s }
func (m *shownTo) Close()             { m.closed = true }

func TestALoopWhoseSkillIsGoneStops(t *testing.T) {
	p := newPlace(t)
	p.server = nil
	file := filepath.Join(p.base, "tidy", loop.SkillFile)
	put(t, file, "---\nname: tidy\ndescription: Tidies up\n---\nSweep.\n")
	o := p.options()
	o.Skills = func() ([]loop.Skill, []error) { return loop.Skills([]string{file}) }
	synctest.Test(t, func(t *testing.T) {
		s := openLooping(t, o, grows(3, "a corner"), says("One."))
		s.say("tidy loop")
		s.is("3s")
		must(t, os.Remove(file))
		s.pass(3)
		s.ended("the skill tidy, which the loop is locked to, is not there any more")
		if text := transcript(s.Look().State); !strings.Contains(text, "no such file") {
			t.Errorf("it does not say why:\n%s", text)
		}
		must(t, s.Close())
		synctest.Wait()
	})
}

// The scope is asked for once; words about the pass belong to it.
func TestTheScopeIsApprovedOnce(t *testing.T) {
	asks := calls(toolScope, map[string]any{"targets": []string{"docs/", "a.txt"}})
	inTime(t, backlog, func(t *testing.T, s *looping) {
		s.say("grow loop")
		l := s.Look()
		if w, ok := Find(l.Waits, AnyScope); !ok || !strings.Contains(w.Text, "docs/, a.txt") {
			t.Fatalf("asked %+v", l.Waits)
		}
		s.is("deferred1")
		s.quietFor(t)
		s.say("What for?")
		if names := toolNames(s); !slices.Contains(names, toolHandoff) {
			t.Errorf("words about the pass have ended it: %v", names)
		}
		must(t, s.Deny(AnyScope, "leave a.txt"))
		synctest.Wait()
		if text := fmt.Sprint(s.script.last().Messages); !strings.Contains(text, "leave a.txt") {
			t.Errorf("the model is not told: %s", text)
		}
		if w, ok := Find(s.Look().Waits, AnyScope); !ok || !strings.HasSuffix(w.Text, ": docs/") {
			t.Fatalf("asked %+v", s.Look().Waits)
		}
		must(t, s.Approve(AnyScope, ""))
		synctest.Wait()
		s.is("3s")
		if scope := s.Look().State.Scope; !slices.Equal(scope, []string{"docs/"}) {
			t.Errorf("approved %v", scope)
		}
		s.pass(3)
		s.ended("no further pass was scheduled")
		if scope := s.Look().State.Scope; len(scope) != 0 {
			t.Errorf("the scope has outlived its loop: %v", scope)
		}
		returns := bodies[Returned](s.Look())
		if r := returns[len(returns)-1]; r.Name != toolScope || !strings.Contains(r.Error, "docs/") {
			t.Errorf("%+v", r)
		}
	},
		answer{Calls: append(asks.Calls, call{Name: toolGrow, Arguments: delayed(3)})}, says("May I?"), says("To write them."),
		calls(toolScope, map[string]any{"targets": []string{"docs/"}}), says("And so?"),
		grows(3, "one"), says("Thanks."),
		calls(toolScope, map[string]any{"targets": []string{"more/"}}), says("Done."))
}

func TestATargetOutsideOfTheProjectIsNoScope(t *testing.T) {
	inTime(t, backlog, func(t *testing.T, s *looping) {
		s.say("grow loop")
		for _, r := range bodies[Returned](s.Look()) {
			if r.Error == "" {
				t.Errorf("%+v", r)
			}
		}
		if waits := s.Look().Waits; len(waits) != 0 {
			t.Errorf("%+v", waits)
		}
	}, calls(toolScope, map[string]any{"targets": []string{"../x"}}), calls(toolScope, map[string]any{"targets": []string{"/etc/"}}),
		calls(toolScope, map[string]any{"targets": []string{}}), says("None."))
}

// A run that the loop has started holds it up until its end is taken in.
func TestALoopWaitsForItsRun(t *testing.T) {
	p := newPlace(t)
	p.server.Will(
		answer{Calls: append(task0().Calls, call{Name: toolStart, Arguments: map[string]any{}}, call{Name: toolGrow, Arguments: delayed(3600)})},
		says("It runs."), says("It is done."))
	s := p.open()
	feed := s.Listen()
	defer feed.Close()
	must(t, s.ApproveScope([]string{"new1.txt", "new2.txt", "new3.txt"}))
	must(t, s.Say("grow loop", ByOperator))
	s.until("a countdown", func(l Look) bool { return l.Loop.State == loop.Countdown })
	updates, err := feed.Next(t.Context())
	must(t, err)
	var order []string
	for _, u := range updates {
		switch {
		case u.Loop != nil:
			order = append(order, string(u.Loop.Status.State))
		case u.Message != nil:
			switch b := u.Message.Body.(type) {
			case Ran:
				order = append(order, "run "+b.State)
			case Answered:
				order = append(order, b.Text)
			}
		}
	}
	order = slices.DeleteFunc(slices.Compact(order), func(w string) bool { return w == "" })
	if got, want := strings.Join(order, ", "), "idle, run started, deferred, It runs., run ended, It is done., countdown"; got != want {
		t.Errorf("it went\n%s\nnot\n%s", got, want)
	}
	if passes := s.Loop().Lock.Passes; len(passes) != 1 || passes[0].Handoff.Validation != "a run passed, verified: none" || !slices.Equal(passes[0].Handoff.Surfaces, []string{"new1.txt", "new2.txt", "new3.txt"}) {
		t.Errorf("%+v", passes)
	}
	s.CancelLoop()
	s.until("its end", func(l Look) bool { return l.Loop.State == loop.Idle })
}
