package engine

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"growbench/engine/config"
	"growbench/engine/event"
)

// modelServer speaks as Ollama does, and answers each agent by a script.
type modelServer struct {
	*httptest.Server
	t      testing.TB
	answer func(question) said
	mu     sync.Mutex
	first  map[string][]byte   // the first request of each agent
	all    map[string][]string // every request of each
	key    string              // of every request; a wrong one is refused
}

// question is one request as a script sees it.
type question struct {
	agent string // planner, or the Worker's number
	step  int    // tool results since it began
	last  string // the newest message
	gone  <-chan struct{}
	write func(line string) // an answer of its own
}

// said is one answer.
type said struct {
	text, thinking string
	calls          []any
	own            bool // it was written already
}

var whoAsks = regexp.MustCompile(`^You are (?:the (Planner)|Worker (\d+) of|a (Scout))`)

func newModelServer(t testing.TB, answer func(question) said) *modelServer {
	t.Helper()
	s := &modelServer{t: t, answer: answer, first: map[string][]byte{}, all: map[string][]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/show", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"capabilities":["completion","tools"],"template":"<|im_start|>{{ .Prompt }}<|im_end|>","model_info":{"x.context_length":65536}}`)
	})
	mux.HandleFunc("POST /api/chat", s.chat)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

type wireMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func (s *modelServer) chat(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if s.key != "" && r.Header.Get("Authorization") != "Bearer "+s.key {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":"no such key: %s"}`, r.Header.Get("Authorization"))
		return
	}
	var req struct {
		Messages []wireMessage `json:"messages"`
	}
	if err := json.Unmarshal(body, &req); err != nil || len(req.Messages) == 0 {
		s.t.Errorf("asked with %s", body)
		return
	}
	m := whoAsks.FindStringSubmatch(req.Messages[0].Content)
	if m == nil {
		s.t.Errorf("nobody that is known asks: %.200s", req.Messages[0].Content)
		return
	}
	a := question{agent: strings.ToLower(m[1]) + m[2] + strings.ToLower(m[3]), last: req.Messages[len(req.Messages)-1].Content, gone: r.Context().Done()}
	for _, m := range req.Messages {
		if m.Role == "tool" {
			a.step++
		}
	}
	s.mu.Lock()
	if s.first[a.agent] == nil {
		s.first[a.agent] = body
	}
	s.all[a.agent] = append(s.all[a.agent], string(body))
	s.mu.Unlock()
	out := http.NewResponseController(w)
	a.write = func(line string) { io.WriteString(w, line+"\n"); out.Flush() }
	got := s.answer(a)
	if got.own {
		return
	}
	for _, part := range []string{got.thinking, got.text} {
		if part != "" {
			key := map[bool]string{true: "thinking", false: "content"}[part == got.thinking]
			a.write(string(marshal(s.t, map[string]any{"message": map[string]any{"role": "assistant", key: part}})))
		}
	}
	if len(got.calls) > 0 {
		a.write(string(marshal(s.t, map[string]any{"message": map[string]any{"role": "assistant", "tool_calls": got.calls}})))
	}
	made := 0
	if got.text != "" || len(got.calls) > 0 {
		made = 20 + len(got.text)/4
	}
	a.write(fmt.Sprintf(`{"message":{"role":"assistant"},"done":true,"done_reason":"stop","prompt_eval_count":%d,"eval_count":%d}`, len(body)/4, made))
}

// requests are what an agent sent, all of it.
func (s *modelServer) requests(agent string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.all[agent], "\n")
}

// toolCall is one call in an answer.
func toolCall(name string, args map[string]any) any {
	return map[string]any{"function": map[string]any{"name": name, "arguments": args}}
}

func callOf(name string, args map[string]any) said {
	return said{calls: []any{toolCall(name, args)}}
}

func resultOf(summary string, modified ...string) said {
	return callOf("submit_result", map[string]any{
		"status": "done", "files": map[string]any{"modified": modified}, "signatures": []string{}, "breaking": []string{}, "summary": summary,
	})
}

// steps is one answer for each step.
func answers(list ...said) func(question) said {
	return func(a question) said { return list[min(a.step, len(list)-1)] }
}

// byAgent is one script an agent.
func byAgent(scripts map[string]func(question) said) func(question) said {
	return func(a question) said { return scripts[a.agent](a) }
}

// createNative makes a run whose every role is a model of the server.
func (b *bench) createNative(s *modelServer, o order, edit func(*Spec)) Dirs {
	b.t.Helper()
	dirs := b.createFor(config.Agent{Kind: "native", Provider: "here", Model: "tiny"}, o)
	spec, err := LoadSpec(dirs.Run)
	if err != nil {
		b.t.Fatal(err)
	}
	spec.Config.Providers = map[string]config.Provider{"here": {Kind: "ollama", URL: s.URL, NumCtx: 32768}}
	if edit != nil {
		edit(&spec)
	}
	if err := saveSpec(dirs.Run, spec); err != nil {
		b.t.Fatal(err)
	}
	return dirs
}

func (b *bench) runNative(s *modelServer, o order, edit func(*Spec), env ...string) (*event.State, Dirs) {
	b.t.Helper()
	dirs := b.createNative(s, o, edit)
	if err := b.spawn(dirs, nil, env...); err != nil {
		b.t.Fatalf("%v\n%s", err, ownerLog(dirs))
	}
	return b.finish(dirs), dirs
}
