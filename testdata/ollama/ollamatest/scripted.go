package ollamatest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Scripted is a server for a test, with a Script behind it.
type Scripted struct {
	*httptest.Server
	*Script
}

// Script speaks Ollama's wire format over HTTP and gives one answer after
// another, whatever it is asked.
type Script struct {
	mu      sync.Mutex
	react   func(Asked) Answer
	answers []Answer
	asked   []Asked
	held    chan struct{} // closed at the end: answers that never end, end
}

// NewScript has nothing to say yet.
func NewScript() *Script { return &Script{held: make(chan struct{})} }

// Answer is one of a Scripted model.
type Answer struct {
	Text     string `json:"text"`
	Calls    []Call `json:"calls"`
	Hold     bool   `json:"hold"` // say the text, then nothing more
	Lost     bool   `json:"lost"` // a call that the server could not read
	Thinking string `json:"thinking"`
}

// Call is a tool call of an answer.
type Call struct {
	Name      string `json:"name"`
	Arguments any    `json:"arguments"`
}

// Asked is what the model was sent.
type Asked struct {
	Messages []struct {
		Role      string `json:"role"`
		Content   string `json:"content"`
		ToolName  string `json:"tool_name"`
		ToolCalls []struct {
			Function struct{ Name string } `json:"function"`
		} `json:"tool_calls"`
	} `json:"messages"`
	Tools []struct {
		Function struct{ Name string } `json:"function"`
	} `json:"tools"`
	Format json.RawMessage `json:"format"`
	Body   string          `json:"-"`
}

// NewScripted starts one for a test.
func NewScripted(t testing.TB) *Scripted {
	script := NewScript()
	s := &Scripted{httptest.NewServer(script), script}
	t.Cleanup(func() {
		close(s.held)
		s.Close()
	})
	return s
}

// Will answers so from now on, in this order.
func (s *Script) Will(answers ...Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, answers...)
}

// Reacts answers from now on in place of what Will was told.
func (s *Script) Reacts(react func(Asked) Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.react = react
}

// Last is what it was sent last.
func (s *Script) Last() Asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[len(s.asked)-1]
}

// ServeHTTP answers like a server.
func (s *Script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	switch r.URL.Path {
	case "/api/show":
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		io.WriteString(w, `{"template":"{{ .Content }}","details":{"format":"gguf","family":"llama"},"model_info":{"general.architecture":"llama","llama.context_length":1048576},"capabilities":["completion","tools"]}`)
	case "/api/chat":
		var a Asked
		json.Unmarshal(body, &a)
		a.Body = string(body)
		s.mu.Lock()
		s.asked = append(s.asked, a)
		next := Answer{Text: "There is nothing more in the script."}
		if s.react != nil {
			next = s.react(a)
		} else if len(s.answers) > 0 {
			next, s.answers = s.answers[0], s.answers[1:]
		}
		s.mu.Unlock()
		s.say(w, r, next)
	default:
		http.NotFound(w, r)
	}
}

func (s *Script) say(w http.ResponseWriter, r *http.Request, a Answer) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	line := func(message map[string]any, more map[string]any) {
		message["role"] = "assistant"
		out := map[string]any{"model": Chat, "created_at": "2026-11-30T10:00:00.000000001Z", "message": message, "done": false}
		for k, v := range more {
			out[k] = v
		}
		data, _ := json.Marshal(out)
		w.Write(append(data, '\n'))
		w.(http.Flusher).Flush()
	}
	if a.Thinking != "" {
		line(map[string]any{"content": "", "thinking": a.Thinking}, nil)
	}
	for piece := range slices.Chunk([]byte(a.Text), 10) {
		line(map[string]any{"content": string(piece)}, nil)
	}
	if a.Hold {
		select {
		case <-r.Context().Done():
		case <-s.held:
		}
		return
	}
	if len(a.Calls) > 0 {
		var calls []map[string]any
		for i, c := range a.Calls {
			calls = append(calls, map[string]any{"id": fmt.Sprintf("call_%d", i), "function": map[string]any{"index": i, "name": c.Name, "arguments": c.Arguments}})
		}
		line(map[string]any{"content": "", "tool_calls": calls}, nil)
	}
	made := 20
	if a.Text == "" && len(a.Calls) == 0 && !a.Lost {
		made = 1
	}
	line(map[string]any{"content": ""}, map[string]any{"done": true, "done_reason": "stop", "prompt_eval_count": 200, "eval_count": made, "total_duration": 1})
}
