package native

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"growbench/engine/agent"
	"growbench/engine/model"
	"growbench/engine/tool"
	"growbench/engine/workspace"
)

// slow is a client whose server loads for a while, or says one thing and then
// nothing.
type slow struct {
	scripted
	load, silent time.Duration
}

func (s *slow) Chat(ctx context.Context, _ model.Request, emit func(model.Event)) (model.Answer, error) {
	wait := func(d time.Duration) bool {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(d):
			return true
		}
	}
	emit(model.Event{Kind: model.EventLoading})
	if !wait(s.load) {
		return model.Answer{}, context.Cause(ctx)
	}
	emit(model.Event{Kind: model.EventText, Text: "Well, "})
	if !wait(s.silent) {
		return model.Answer{}, context.Cause(ctx)
	}
	return call("submit_result", aResult).answer, nil
}

func runSlowly(t *testing.T, s *slow) (agent.Outcome, error) {
	a := New(Options{Client: s, Tools: func(req agent.Request, live func(string)) (*tool.Set, error) {
		return tool.Worker(tool.Kit{Dir: req.Dir, Live: live}, 1)
	}})
	return agent.Limit(a, agent.Limits{Silence: time.Minute}).Run(t.Context(), agent.Request{Dir: t.TempDir(), Scope: workspace.Scope{}}, func(agent.Update) {})
}

// A model that is still being loaded is not silent; one that has begun and
// says no more is.
func TestLoadingIsNotSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if out, err := runSlowly(t, &slow{load: 5 * time.Minute, silent: time.Second}); err != nil || len(out.Submitted) == 0 {
			t.Errorf("%+v, %v", out, err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if _, err := runSlowly(t, &slow{load: time.Second, silent: time.Hour}); !errors.Is(err, agent.ErrStalled) {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took > 2*time.Minute {
			t.Errorf("after %s", took)
		}
	})
}
