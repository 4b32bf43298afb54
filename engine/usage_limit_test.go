package engine

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"growbench/engine/config"
	"growbench/engine/event"
)

// limited is a program that prints a recorded stream of a model out of quota.
func limited(t *testing.T) config.Agent {
	t.Helper()
	recording, err := filepath.Abs("agent/command/testdata/codex-0.171.0-limit.jsonl")
	must(t, err)
	a := program(t, "cat >/dev/null; cat '"+recording+"'; exit 1")
	a.Decode = "codex"
	return a
}

func TestUsageLimitWaitsForTheOperator(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs := b.createFor(limited(t), order{plan: oneTask(), attended: true})
	must(t, b.spawn(dirs, nil))
	s := b.until(dirs, waitsFor("limit"))
	if len(s.Waits) != 1 || !strings.Contains(s.Waits[0].Text, "usage limit") || s.Worker(1).State != event.WaitingFor {
		t.Fatalf("waits %+v, %s: %s", s.Waits, s.Status, s.Reason)
	}
	first := s.Waits[0].ID
	must(t, Send(context.Background(), dirs.Run, Command{Do: "answer", ID: first, Choice: "retry"}))
	s = b.until(dirs, func(s *event.State, alive bool) bool {
		return !alive || len(s.Waits) > 0 && s.Waits[0].ID != first
	})
	if len(s.Waits) != 1 || s.Worker(1).Attempts != 2 {
		t.Fatalf("after retry: waits %+v, %d attempts", s.Waits, s.Worker(1).Attempts)
	}
	must(t, Send(context.Background(), dirs.Run, Command{Do: "answer", ID: s.Waits[0].ID, Choice: "fail"}))
	if s = b.finish(dirs); s.Status != event.StatusFailed || !strings.Contains(s.Reason, "usage limit") {
		t.Errorf("after fail: %s, %s", s.Status, s.Reason)
	}
}

func TestUsageLimitWithNobodyThereFails(t *testing.T) {
	b := newBench(t, twoFiles)
	s, _ := b.runFor(limited(t), order{plan: oneTask()})
	if s.Status != event.StatusFailed || !strings.Contains(s.Reason, "usage limit") {
		t.Errorf("%s: %s", s.Status, s.Reason)
	}
}

func TestAWaitWithAnEndAnswersItself(t *testing.T) {
	b := newBench(t, twoFiles)
	dirs := b.create(order{plan: twoTasks(), script: steps(nil, nil)})
	o, err := newOwner(dirs.Run, OwnerOptions{})
	must(t, err)
	defer o.log.Close()
	choice, err := o.ask(t.Context(), event.Waiting{
		ID: "w", Kind: "limit", Choices: []string{"retry", "fail"}, Until: time.Now().Add(20 * time.Millisecond),
	})
	if err != nil || choice != "retry" || len(o.state.Waits) != 0 {
		t.Errorf("%q, %v, still waiting for %v", choice, err, o.state.Waits)
	}
	events, _, err := event.Read(filepath.Join(dirs.Run, fileEvents))
	must(t, err)
	if a, ok := events[len(events)-1].Body.(event.Answered); !ok || a.By != "time" {
		t.Errorf("the log ends with %+v", events[len(events)-1].Body)
	}
}
