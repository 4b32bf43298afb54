package giver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"growbench/engine/model"
	"growbench/loop"
)

// script is a model in this process: answers in turn, no network, so that time
// can be a test's own.
type script struct {
	mu      sync.Mutex
	answers []answer
	asked   []model.Request
}

func (c *script) Describe(context.Context) (model.Info, error) { return model.Info{}, nil }

func (c *script) Chat(ctx context.Context, r model.Request, emit func(model.Event)) (model.Answer, error) {
	c.mu.Lock()
	c.asked = append(c.asked, r)
	next := answer{Text: "There is nothing more in the script."}
	if len(c.answers) > 0 {
		next, c.answers = c.answers[0], c.answers[1:]
	}
	c.mu.Unlock()
	if next.Hold {
		emit(model.Event{Kind: model.EventText, Text: next.Text})
		<-ctx.Done()
		return model.Answer{}, ctx.Err()
	}
	if next.Lost {
		return model.Answer{}, fmt.Errorf("the server is gone")
	}
	a := model.Answer{Text: next.Text, Reason: model.ReasonStop, Usage: model.Usage{In: 200, Out: 20}}
	for i, k := range next.Calls {
		a.Calls = append(a.Calls, model.Call{ID: fmt.Sprint(i), Name: k.Name, Arguments: string(mustJSON(k.Arguments))})
	}
	return a, nil
}

func (c *script) last() model.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked[len(c.asked)-1]
}

// looping is a conversation with a script, in a bubble of its own time.
type looping struct {
	*session
	script *script
	mu     sync.Mutex
	began  time.Time
	seen   []string // every change of the loop: seconds since the beginning, state, N
}

// inTime runs a test of a conversation with files in the project.
func inTime(t *testing.T, files map[string]string, test func(t *testing.T, s *looping), answers ...answer) {
	t.Helper()
	p := newPlace(t)
	for name, text := range files {
		put(t, p.project.Root+"/"+name, text)
	}
	p.server = nil
	o := p.options()
	synctest.Test(t, func(t *testing.T) {
		s := openLooping(t, o, answers...)
		test(t, s)
		must(t, s.Close())
		synctest.Wait()
	})
}

func openLooping(t *testing.T, o Options, answers ...answer) *looping {
	t.Helper()
	s := &looping{script: &script{answers: answers}, began: time.Now()}
	o.Client = s.script
	opened, err := Open(o)
	must(t, err)
	s.session = &session{opened, t}
	feed := s.Listen()
	go func() {
		for {
			updates, err := feed.Next(context.Background())
			if err != nil {
				return
			}
			s.mu.Lock()
			for _, u := range updates {
				if u.Loop != nil {
					s.seen = append(s.seen, fmt.Sprintf("%d %s", int(time.Since(s.began).Seconds()), statusWord(u.Loop.Status)))
				}
			}
			s.mu.Unlock()
		}
	}()
	return s
}

func statusWord(v loop.Status) string {
	if v.State == loop.Countdown {
		return fmt.Sprintf("%ds", v.Seconds)
	}
	return fmt.Sprintf("%s%d", v.State, v.N)
}

// say puts words in and lets everything happen that needs no time.
func (s *looping) say(text string) {
	s.t.Helper()
	must(s.t, s.Say(text, ByOperator))
	synctest.Wait()
}

// pass lets seconds go by.
func (s *looping) pass(seconds int) {
	time.Sleep(time.Duration(seconds) * time.Second)
	synctest.Wait()
}

func (s *looping) changes() string {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, c := range s.seen {
		if n := len(all); n == 0 || all[n-1] != c {
			all = append(all, c)
		}
	}
	return strings.Join(all, ", ")
}

func (s *looping) is(want string) {
	s.t.Helper()
	if got := statusWord(s.Loop().Status); got != want {
		s.t.Errorf("the loop is %s, not %s\n%s", got, want, transcript(s.Look().State))
	}
}

// ended expects a stop proof with a reason.
func (s *looping) ended(reason string) {
	s.t.Helper()
	v := s.Loop()
	if v.Status.State != loop.Idle || v.Proof == nil || !strings.Contains(v.Proof.Reason, reason) {
		s.t.Errorf("the loop did not end with %q: %+v %+v\n%s", reason, v.Status, v.Proof, transcript(s.Look().State))
		return
	}
	told := bodies[Told](s.Look())
	if !slices.ContainsFunc(told, func(b Told) bool { return strings.Contains(b.Text, "The loop has stopped: "+v.Proof.Reason) }) {
		s.t.Errorf("the proof was not told\n%s", transcript(s.Look().State))
	}
	history := s.Handoffs()
	if n := len(history); n == 0 || history[n-1].Stop == nil || *history[n-1].Stop != *v.Proof {
		s.t.Errorf("the history does not end with the proof: %+v", history)
	}
}

// grows is a pass's last answer but words: it hands off and schedules.
func grows(seconds any, item string) answer {
	return answer{Calls: []call{handsOff(item), {Name: toolGrow, Arguments: delayed(seconds)}}}
}

func delayed(seconds any) map[string]any {
	if seconds == nil {
		return map[string]any{}
	}
	return map[string]any{"after_seconds": seconds}
}

func handsOff(item string) call {
	return call{Name: toolHandoff, Arguments: map[string]any{"selected": item, "surfaces": []string{"BACKLOG.md"}, "validation": "it passes"}}
}

var backlog = map[string]string{"BACKLOG.md": "# Backlog\n\n- [ ] one\n- [ ] two\n- [ ] three\n"}

// Three passes, each after as long as the one before asked for, then the end.
func TestALoopWaitsAsLongAsItWasAsked(t *testing.T) {
	inTime(t, backlog, func(t *testing.T, s *looping) {
		s.say("grow loop")
		s.is("3s")
		s.pass(3)
		s.is("60s")
		s.pass(59)
		s.is("1s")
		s.pass(1)
		s.ended("no further pass was scheduled")
		var countdown []string
		for left := 60; left > 0; left-- {
			countdown = append(countdown, fmt.Sprintf("%d %ds", 63-left, left))
		}
		want := "0 idle0, 0 deferred1, 0 3s, 1 2s, 2 1s, 3 active1, 3 deferred2, " + strings.Join(countdown, ", ") + ", 63 active2, 63 idle2"
		if got := s.changes(); got != want {
			t.Errorf("the loop was\n%s\nnot\n%s", got, want)
		}
		said := bodies[Said](s.Look())
		if len(said) != 3 || said[1] != (Said{loop.Trigger, ByLoop}) || said[2] != said[1] {
			t.Errorf("said %+v", said)
		}
		passes := s.Loop().Lock.Passes
		if len(passes) != 3 || passes[2].N != 3 || passes[2].Handoff.Selected != "three" || passes[0].Tokens != 440 || passes[0].Signature == passes[1].Signature {
			t.Errorf("passes %+v", passes)
		}
		if given := bodies[Given](s.Look()); len(given) != 2 || given[0].Skill != "grow-loop" || given[1].Skill != "while-true" || given[1].Source != loop.BuiltIn {
			t.Errorf("given %+v", given)
		}
		system := s.script.last().Messages[0].Content
		for _, words := range []string{"- [ ] two", `<skill name="while-true">`, "the nearest BACKLOG.md", "Scope, in the operator's words: grow loop", "Pass 1: one", "The last handoff, pass 2"} {
			if !strings.Contains(system, words) {
				t.Errorf("the model is not told %q:\n%s", words, system)
			}
		}
	},
		grows(nil, "one"), says("One is done."), grows(60, "two"), says("Two is done."),
		answer{Calls: []call{handsOff("three")}}, says("All is done."))
}
