package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"
)

// describer is a server of language models that speaks both wire formats. It
// describes whatever it is asked about, unless act says what it does instead.
type describer struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string // prompts, as they came
	act   func(n int, prompt string) reply
	ended chan struct{}
}

// reply is what a describer does when it is asked.
type reply struct {
	text   string
	status int  // of HTTP, when not 200
	broken bool // end the connection in the middle of the text
	hang   bool // say nothing until the asker goes away
}

func newDescriber(t *testing.T) *describer {
	d := &describer{ended: make(chan struct{})}
	d.Server = httptest.NewServer(http.HandlerFunc(d.serve))
	t.Cleanup(func() {
		close(d.ended)
		d.Close()
	})
	return d
}

var subject = regexp.MustCompile(`(?m)^(Path|Directory): (.*)$`)

// about is the path that a prompt asks about.
func about(prompt string) string {
	m := subject.FindStringSubmatch(prompt)
	if m == nil {
		return ""
	}
	if m[1] == "Directory" {
		return m[2] + "/"
	}
	return m[2]
}

// tells is what a describer says when nobody tells it otherwise.
func tells(prompt string) string {
	name := about(prompt)
	return fmt.Sprintf("PURPOSE: Told of %s by the model.\nDEPS: none\nCONCEPTS: telling\nROLE: Told of %s.\nARCH: Parts of %s are told.\n", name, name, name)
}

func (d *describer) will(act func(n int, prompt string) reply) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.act = act
}

// subjects are what it was asked about since the last time this was called.
func (d *describer) subjects() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := []string{}
	for _, p := range d.asked {
		out = append(out, about(p))
	}
	d.asked = nil
	slices.Sort(out)
	return out
}

func (d *describer) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	switch r.URL.Path {
	case "/api/show":
		io.WriteString(w, `{"template":"{{ .Content }}","details":{"format":"gguf","family":"llama"},"model_info":{"general.architecture":"llama","llama.context_length":131072},"capabilities":["completion"]}`)
		return
	case "/api/chat", "/v1/chat/completions":
	default:
		http.NotFound(w, r)
		return
	}
	var sent struct{ Messages []struct{ Content string } }
	json.Unmarshal(body, &sent)
	prompt := ""
	for _, m := range sent.Messages {
		prompt += m.Content
	}
	d.mu.Lock()
	n := len(d.asked)
	d.asked = append(d.asked, prompt)
	a := reply{text: tells(prompt)}
	if d.act != nil {
		a = d.act(n, prompt)
	}
	d.mu.Unlock()
	switch {
	case a.hang:
		select {
		case <-r.Context().Done():
		case <-d.ended:
		}
		return
	case a.status != 0:
		w.WriteHeader(a.status)
		io.WriteString(w, `{"error":"the model server is in trouble"}`)
		return
	}
	say := sayOllama
	if r.URL.Path != "/api/chat" {
		say = sayOpenAI
	}
	say(w, a.text, a.broken)
}

func sayOllama(w http.ResponseWriter, text string, broken bool) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	line := func(v map[string]any) {
		data, _ := json.Marshal(v)
		w.Write(append(data, '\n'))
		w.(http.Flusher).Flush()
	}
	half := len(text) / 2
	for _, piece := range []string{text[:half], text[half:]} {
		line(map[string]any{"model": "tiny", "message": map[string]any{"role": "assistant", "content": piece}, "done": false})
		if broken {
			panic(http.ErrAbortHandler)
		}
	}
	line(map[string]any{"model": "tiny", "message": map[string]any{"role": "assistant", "content": ""}, "done": true, "done_reason": "stop", "prompt_eval_count": 100, "eval_count": 10})
}

func sayOpenAI(w http.ResponseWriter, text string, broken bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(v any) {
		data, _ := json.Marshal(v)
		fmt.Fprintf(w, "data: %s\n\n", data)
		w.(http.Flusher).Flush()
	}
	choice := func(content string, reason any) map[string]any {
		return map[string]any{"id": "c", "object": "chat.completion.chunk", "model": "tiny", "choices": []any{
			map[string]any{"index": 0, "delta": map[string]any{"role": "assistant", "content": content}, "finish_reason": reason}}}
	}
	half := len(text) / 2
	for _, piece := range []string{text[:half], text[half:]} {
		event(choice(piece, nil))
		if broken {
			panic(http.ErrAbortHandler)
		}
	}
	end := choice("", "stop")
	end["usage"] = map[string]any{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
	event(end)
	io.WriteString(w, "data: [DONE]\n\n")
}

// described configures the model of a describer as the agent "teller", asked
// without a rest and as often again as retries says.
func (p *place) described(d *describer, kind string, retries int) {
	p.t.Helper()
	url := d.URL
	if kind == "openai" {
		url += "/v1"
	}
	putJSON(p.t, filepath.Join(p.base, "config", "growbench", "config.json"), map[string]any{
		"providers": map[string]any{"here": map[string]any{"kind": kind, "url": url}},
		"agents":    map[string]any{"teller": map[string]any{"kind": "native", "provider": "here", "model": "tiny"}},
	})
	putJSON(p.t, filepath.Join(p.repo, ".pi-project-map.json"), map[string]any{"retries": retries, "batchDelayMs": 0, "concurrency": 4})
}

// llmCache is the cache of what models said.
func (p *place) llmCache() string {
	return filepath.Join(p.base, "home", ".cache", "pi-project-map", "llm-cache.json")
}
