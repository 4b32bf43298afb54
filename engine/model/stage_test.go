package model_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"growbench/engine/model"
	"growbench/testdata/ollama/ollamatest"
)

var (
	readFile = model.Tool{Name: "read_file", Description: "Read a file.", Schema: json.RawMessage(
		`{"type":"object","properties":{"path":{"type":"string"},"lines":{"type":"array","items":{"type":"integer"}}},"required":["path"]}`)}
	writeFile = model.Tool{Name: "write_file", Description: "Write a file.", Schema: json.RawMessage(
		`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}`)}
	tools = []model.Tool{readFile, writeFile}
)

func knownTool(name string) (model.Tool, bool) {
	for _, t := range tools {
		if t.Name == name {
			return t, true
		}
	}
	return model.Tool{}, false
}

// stage is one scene's server and client.
type stage struct {
	*testing.T
	site ollamatest.Site
	kind model.Kind
	tape []model.Event
	sent [][]byte
}

// client asks a model of the stage; every wait is short.
func (s *stage) client(name string) model.Client {
	s.Helper()
	url := s.site.URL
	if s.kind == model.OpenAI {
		url += "/v1"
	}
	c, err := model.New(model.Options{Kind: s.kind, URL: url, Model: name, NumCtx: ollamatest.NumCtx, MaxTokens: 200,
		Retries: []time.Duration{time.Millisecond}})
	if err != nil {
		s.Fatal(err)
	}
	return c
}

func (s *stage) emit(e model.Event) { s.tape = append(s.tape, e) }

// ask makes one exchange that must go well.
func (s *stage) ask(c model.Client, req model.Request) model.Answer {
	s.Helper()
	req.Sent = func(body []byte) { s.sent = append(s.sent, body) }
	a, err := c.Chat(s.Context(), req, s.emit)
	if err != nil {
		s.Fatal(err)
	}
	return a
}

// told is everything of one kind that was emitted since the last retry.
func (s *stage) told(kind model.EventKind) string {
	var b strings.Builder
	for _, e := range s.tape {
		switch e.Kind {
		case model.EventRetry:
			b.Reset()
		case kind:
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

func (s *stage) retries() int {
	n := 0
	for _, e := range s.tape {
		if e.Kind == model.EventRetry {
			n++
		}
	}
	return n
}

func (s *stage) equal(what string, got, want any) {
	s.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		s.Errorf("%s is\n%v\nnot\n%v", what, got, want)
	}
}

func say(script string) []model.Message {
	return []model.Message{{Role: model.User, Content: "<|say:" + script + "|>"}}
}

// failure is the error of an exchange that must fail.
func (s *stage) failure(c model.Client, req model.Request, want model.Trouble) *model.Error {
	s.Helper()
	a, err := c.Chat(s.Context(), req, s.emit)
	var e *model.Error
	if !errors.As(err, &e) {
		s.Fatalf("an answer in place of an error: %+v, %v", a, err)
	}
	if e.Trouble != want || e.Next == "" || a.Text != "" || len(a.Calls) > 0 {
		s.Fatalf("trouble %q (wanted %q), next %q: %v", e.Trouble, want, e.Next, err)
	}
	return e
}

// lost plays a call that the server cannot read: asked for again, then told.
func (s *stage) lost(script, name string) model.Answer {
	s.Helper()
	a := s.ask(s.client(name), model.Request{Messages: say(script), Tools: tools})
	if !a.Lost || a.Text != "" || len(a.Calls) > 0 || s.retries() != 1 {
		s.Errorf("%+v after %d retries", a, s.retries())
	}
	s.incomplete(a, "the call is lost")
	if len(s.sent) != 2 || string(s.sent[0]) != string(s.sent[1]) {
		s.Errorf("%d requests were sent", len(s.sent))
	}
	return a
}

func (s *stage) incomplete(a model.Answer, words string) {
	s.Helper()
	if err := a.Incomplete(); err == nil || !strings.Contains(err.Error(), words) {
		s.Errorf("it says %v, not %q", err, words)
	}
}

func (s *stage) thinks(name string) {
	s.Helper()
	a := s.ask(s.client(name), model.Request{Messages: say("think")})
	s.equal("the answer", a.Text, "There are 3 files.")
	s.equal("the thinking", a.Thinking, "Let me count the files first.\nThere are three of them.")
	s.equal("the text emitted", s.told(model.EventText), a.Text)
	s.equal("the thinking emitted", s.told(model.EventThinking), a.Thinking)
}

// killed ends something of the server once an answer has begun.
func (s *stage) killed(kill func()) *model.Error {
	s.Helper()
	begun := false
	_, err := s.client(ollamatest.Chat).Chat(s.Context(), model.Request{Messages: say("forever"), MaxTokens: 3500}, func(e model.Event) {
		if e.Kind == model.EventText && !begun {
			begun = true
			if s.site.Real != nil {
				kill()
			}
		}
		s.emit(e)
	})
	var e *model.Error
	if !errors.As(err, &e) || e.Next == "" || s.told(model.EventText) == "" {
		s.Fatalf("%v after %q", err, s.told(model.EventText))
	}
	if s.retries() > 0 {
		s.Error("it was asked again after an answer had begun")
	}
	return e
}

// constrained has a model that knows nothing of JSON answer in it.
func (s *stage) constrained(name string) {
	s.Helper()
	schema := `{"type":"object","properties":{"ok":{"type":"boolean"},"n":{"enum":[1,2,3]}},"required":["ok","n"]}`
	a := s.ask(s.client(name), model.Request{Format: json.RawMessage(schema), Messages: []model.Message{{Role: model.User, Content: "Well?"}}})
	var got struct {
		OK *bool `json:"ok"`
		N  int   `json:"n"`
	}
	if err := json.Unmarshal([]byte(a.Text), &got); err != nil || got.OK == nil || got.N < 1 || a.Thinking != "" {
		s.Errorf("%q: %v", a.Text, err)
	}
}
