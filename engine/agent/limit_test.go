package agent

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"growbench/engine/event"
)

// talker says what it is told to and stops when it may not go on.
type talker []Update

func (t talker) Run(ctx context.Context, _ Request, emit func(Update)) (Outcome, error) {
	for _, u := range t {
		if err := ctx.Err(); err != nil {
			return Outcome{}, err
		}
		emit(u)
	}
	return Outcome{Message: "done"}, nil
}

func returned(name, args, text string) Update {
	return Update{Item: event.Item{Kind: event.ItemReturn, Name: name, Args: args, Text: text, MS: 7}}
}

func TestLimitsEndAnAgentInWords(t *testing.T) {
	used := func(in, out int64, cost float64) Update { return Update{Usage: &Usage{In: in, Out: out, Cost: cost}} }
	for name, c := range map[string]struct {
		limits Limits
		says   talker
		want   error
	}{
		"tokens in and out together": {Limits{Tokens: 100}, talker{used(60, 10, 0), used(30, 1, 0)}, ErrTokens},
		"tokens up to the limit":     {Limits{Tokens: 100}, talker{used(60, 10, 0), used(30, 0, 0)}, nil},
		"cost":                       {Limits{Cost: 0.5}, talker{used(1, 1, 0.3), used(1, 1, 0.3)}, ErrCost},
		"the same call three times": {Limits{Repeats: 3},
			talker{returned("bash", "ls", "a"), returned("bash", "ls", "a"), returned("bash", "ls", "a")}, ErrRepeating},
		"the same call with other results": {Limits{Repeats: 3},
			talker{returned("bash", "ls", "a"), returned("bash", "ls", "b"), returned("bash", "ls", "a")}, nil},
		"other calls between": {Limits{Repeats: 3}, talker{returned("bash", "ls", "a"), returned("bash", "ls", "a"),
			returned("read", "x", ""), returned("bash", "ls", "a")}, nil},
		"the same call by another tool": {Limits{Repeats: 2}, talker{returned("bash", "ls", "a"), returned("sh", "ls", "a")}, nil},
		"calls without their returns": {Limits{Repeats: 2}, talker{{Item: event.Item{Kind: event.ItemCall, Name: "a"}},
			{Item: event.Item{Kind: event.ItemCall, Name: "a"}}}, nil},
		"no limit": {Limits{}, talker{used(1e9, 1e9, 1e9), returned("a", "", ""), returned("a", "", ""), returned("a", "", "")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			heard := 0
			_, err := Limit(c.says, c.limits).Run(context.Background(), Request{}, func(Update) { heard++ })
			if !errors.Is(err, c.want) {
				t.Errorf("ended with %v, want %v", err, c.want)
			}
			if heard != len(c.says) {
				t.Errorf("%d of %d updates came through", heard, len(c.says))
			}
		})
	}
}

// asks waits for somebody, then works a little.
type asks struct{ work time.Duration }

func (a asks) Run(ctx context.Context, req Request, emit func(Update)) (Outcome, error) {
	emit(Update{})
	if _, err := req.Permit(ctx, "rm x"); err != nil {
		return Outcome{}, err
	}
	select {
	case <-ctx.Done():
		return Outcome{}, context.Cause(ctx)
	case <-time.After(a.work):
		return Outcome{Message: "done"}, nil
	}
}

// Waiting for the operator counts towards no limit; what comes after it does.
func TestWaitingForPermissionCountsTowardsNothing(t *testing.T) {
	wait := Request{Permit: func(ctx context.Context, _ string) (bool, error) {
		select {
		case <-ctx.Done():
			return false, context.Cause(ctx)
		case <-time.After(time.Hour):
			return true, nil
		}
	}}
	limits := Limits{Wall: time.Minute, Silence: 2 * time.Minute}
	synctest.Test(t, func(t *testing.T) {
		if out, err := Limit(asks{50 * time.Second}, limits).Run(t.Context(), wait, func(Update) {}); err != nil || out.Message != "done" {
			t.Errorf("%+v, %v", out, err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		if _, err := Limit(asks{70 * time.Second}, limits).Run(t.Context(), wait, func(Update) {}); !errors.Is(err, ErrTimedOut) {
			t.Errorf("%v", err)
		}
	})
}
