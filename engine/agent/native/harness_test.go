package native

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/model"
	"growbench/engine/tool"
	"growbench/engine/workspace"
)

// scripted is a client that gives one answer after the other, and keeps what
// it was asked.
type scripted struct {
	t        *testing.T
	answers  []reply
	requests []model.Request
	again    bool // the last answer is given for ever
}

// reply is one answer, or an error, or both of what happens before.
type reply struct {
	answer model.Answer
	events []model.Event
	err    error
	during func(ctx context.Context)
}

func (s *scripted) Describe(context.Context) (model.Info, error) { return model.Info{}, nil }

func (s *scripted) Chat(ctx context.Context, req model.Request, emit func(model.Event)) (model.Answer, error) {
	n := len(s.requests)
	req.Messages = append([]model.Message(nil), req.Messages...)
	s.requests = append(s.requests, req)
	if s.again {
		n = min(n, len(s.answers)-1)
	}
	if n >= len(s.answers) {
		s.t.Errorf("asked %d times, which is once too often; the last words were %q", n+1, req.Messages[len(req.Messages)-1].Content)
		return model.Answer{}, context.Canceled
	}
	if req.Sent != nil {
		req.Sent([]byte("the body"))
	}
	emit(model.Event{Kind: model.EventLoading})
	r := s.answers[n]
	for _, e := range r.events {
		emit(e)
	}
	if r.during != nil {
		r.during(ctx)
	}
	if ctx.Err() != nil {
		return model.Answer{}, context.Cause(ctx)
	}
	if r.answer.Reason == "" {
		r.answer.Reason = model.ReasonStop
	}
	return r.answer, r.err
}

// last is the last message of the last request.
func (s *scripted) last() model.Message {
	m := s.requests[len(s.requests)-1].Messages
	return m[len(m)-1]
}

// call is an answer that makes calls: names and arguments in turn.
func call(pairs ...string) reply {
	var r reply
	for i := 0; i < len(pairs); i += 2 {
		r.answer.Calls = append(r.answer.Calls, model.Call{Name: pairs[i], Arguments: pairs[i+1]})
	}
	return r
}

func text(words string) reply { return reply{answer: model.Answer{Text: words}} }

const (
	aResult  = `{"status":"done","files":{"modified":["a.txt"]},"signatures":[],"breaking":[],"summary":"Done."}`
	anEdit   = `{"path":"a.txt","old":"one","new":"ONE"}`
	aReading = `{"path":"a.txt"}`
)

// run is one Worker at work on a.txt.
type run struct {
	client  *scripted
	items   []event.Item
	usage   []agent.Usage
	dir     string
	outcome agent.Outcome
	err     error
}

func work(t *testing.T, answers ...reply) *run {
	t.Helper()
	return workWith(t, context.Background(), &scripted{t: t, answers: answers}, agent.Request{})
}

func workWith(t *testing.T, ctx context.Context, client *scripted, req agent.Request) *run {
	t.Helper()
	r := &run{client: client, dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(r.dir, "a.txt"), []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	req.Role, req.K, req.Attempt, req.Prompt, req.Dir = agent.Worker, 1, 1, "the prompt", r.dir
	req.Scope = workspace.Scope{Targets: []string{"a.txt"}}
	a := New(Options{Client: client, Tools: func(req agent.Request, live func(string)) (*tool.Set, error) {
		return tool.Worker(tool.Kit{Dir: req.Dir, Scope: req.Scope, Env: workspace.Environment(), Live: live, Permit: req.Permit, Allow: []string{"cat *"}}, req.K)
	}})
	r.outcome, r.err = agent.Limit(a, agent.Limits{Repeats: 3, Turns: 40}).Run(ctx, req, func(u agent.Update) {
		if u.Item.Kind != "" {
			r.items = append(r.items, u.Item)
		}
		if u.Usage != nil {
			r.usage = append(r.usage, *u.Usage)
		}
	})
	return r
}

func (r *run) content(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, "a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// done fails unless the Worker handed in by tool.
func (r *run) done(t *testing.T) {
	t.Helper()
	if r.err != nil || len(r.outcome.Submitted) == 0 {
		t.Fatalf("it ended with %v and handed in %q", r.err, r.outcome.Submitted)
	}
	if !json.Valid(r.outcome.Submitted) {
		t.Errorf("handed in %s", r.outcome.Submitted)
	}
}

// failed fails unless the work ended in these words.
func (r *run) failed(t *testing.T, words ...string) {
	t.Helper()
	if r.err == nil {
		t.Fatalf("it ended well, with %+v", r.outcome)
	}
	for _, w := range words {
		if !strings.Contains(r.err.Error(), w) {
			t.Errorf("%q is not in %q", w, r.err)
		}
	}
	if len(r.outcome.Submitted) > 0 || r.outcome.Message != "" {
		t.Errorf("and yet it handed in %+v", r.outcome)
	}
}

func (r *run) notes(name string) []string {
	var out []string
	for _, it := range r.items {
		if it.Kind == event.ItemNote && it.Name == name {
			out = append(out, it.Text)
		}
	}
	return out
}
