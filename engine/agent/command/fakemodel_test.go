package command

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// reply is what the model says at one point of a conversation. How many
// results of tools a request holds is the point it has come to.
type reply struct {
	Think, Text string
	Shell       string // a shell line, by whatever tool the agent has for it
	Structured  string // JSON for the agent's own tool or format of structured output
	Status      int    // an HTTP error instead; Text is its message
	Body        string // the whole body of the HTTP error
	Hang        bool   // stop in the middle and keep the line open
	Cut         bool   // stop in the middle and close the line
}

// fakeModel is a model server that speaks the four wires agents use: OpenAI's
// chat and responses, Anthropic's messages, Google's generateContent.
type fakeModel struct {
	*httptest.Server
	replies []reply
	quit    chan struct{}
	reached chan struct{} // closed when a reply hangs
	once    sync.Once
	mu      sync.Mutex
	asked   []string // bodies of the requests that had tools
	paths   []string
}

func newFakeModel(t testing.TB, replies ...reply) *fakeModel {
	m := &fakeModel{replies: replies, quit: make(chan struct{}), reached: make(chan struct{})}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(func() { close(m.quit); m.CloseClientConnections(); m.Close() })
	return m
}

func (m *fakeModel) requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

// question is what all wires' requests have in common.
type question struct {
	tools   []string
	results int // of tools, so far
}

func (m *fakeModel) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var q map[string]any
	_ = json.Unmarshal(body, &q)
	m.mu.Lock()
	m.paths = append(m.paths, r.Method+" "+r.URL.Path)
	m.mu.Unlock()
	switch {
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models"):
		io.WriteString(w, `{"object":"list","data":[{"id":"toy","object":"model","created":1,"owned_by":"x"}],"models":[]}`)
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		m.answer(w, body, question{toolNames(q["tools"]), countIn(q["messages"], "role", "tool")}, chatWire)
	case strings.HasSuffix(r.URL.Path, "/responses"):
		n := countIn(q["input"], "type", "function_call_output") + countIn(q["input"], "type", "custom_tool_call_output")
		m.answer(w, body, question{toolNames(q["tools"]), n}, responsesWire)
	case strings.HasSuffix(r.URL.Path, "/messages/count_tokens"):
		io.WriteString(w, `{"input_tokens":100}`)
	case strings.HasSuffix(r.URL.Path, "/messages"):
		m.answer(w, body, question{toolNames(q["tools"]), strings.Count(string(body), `"tool_result"`)}, messagesWire)
	case strings.HasSuffix(r.URL.Path, ":streamGenerateContent"):
		m.answer(w, body, question{toolNames(q["tools"]), strings.Count(string(body), `"functionResponse"`)}, geminiWire)
	case strings.HasSuffix(r.URL.Path, ":generateContent"):
		io.WriteString(w, `{"candidates":[{"content":{"role":"model","parts":[{"text":"{}"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`)
	case strings.HasSuffix(r.URL.Path, ":countTokens"):
		io.WriteString(w, `{"totalTokens":100}`)
	default:
		http.NotFound(w, r)
	}
}

func toolNames(v any) []string {
	var names []string
	list, _ := v.([]any)
	for _, t := range list {
		m, _ := t.(map[string]any)
		if f, ok := m["function"].(map[string]any); ok {
			m = f
		}
		if d, ok := m["functionDeclarations"]; ok {
			names = append(names, toolNames(d)...)
		}
		if d, ok := m["tools"]; ok {
			names = append(names, toolNames(d)...)
		}
		if n, ok := m["name"].(string); ok {
			names = append(names, n)
		}
	}
	return names
}

func countIn(v any, key, want string) int {
	n := 0
	list, _ := v.([]any)
	for _, e := range list {
		if m, ok := e.(map[string]any); ok && m[key] == want {
			n++
		}
	}
	return n
}

// call is a tool call as a wire carries it.
type call struct{ id, name, args string }

// shellTools are the names agents give their shell, with its argument.
var shellTools = []struct{ name, argument string }{
	{"bash", "command"}, {"Bash", "command"}, {"run_shell_command", "command"},
	{"exec_command", "cmd"}, {"shell_command", "command"},
}

func (m *fakeModel) answer(w http.ResponseWriter, body []byte, q question, wire func(*stream, reply, *call)) {
	s := &stream{w: w, model: m, point: q.results}
	if len(q.tools) == 0 {
		wire(s, reply{Text: "a title"}, nil)
		return
	}
	m.mu.Lock()
	m.asked = append(m.asked, string(body))
	m.mu.Unlock()
	r := m.replies[min(q.results, len(m.replies)-1)]
	if r.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(r.Status)
		if r.Body != "" {
			io.WriteString(w, r.Body)
			return
		}
		fmt.Fprintf(w, `{"type":"error","error":{"type":"api_error","code":%d,"status":"UNAVAILABLE","message":%q}}`, r.Status, r.Text)
		return
	}
	var c *call
	id := fmt.Sprintf("call_%d", q.results+1)
	for _, tool := range shellTools {
		if r.Shell != "" && slices.Contains(q.tools, tool.name) {
			args := map[string]any{tool.argument: r.Shell}
			if tool.name == "Bash" || tool.name == "bash" {
				args["description"] = "run it"
			}
			c = &call{id, tool.name, encode(args)}
		}
	}
	switch {
	case r.Structured != "" && slices.Contains(q.tools, "StructuredOutput"):
		c = &call{id, "StructuredOutput", r.Structured}
	case r.Structured != "" && strings.Contains(string(body), `"json_schema"`):
		r.Text = r.Structured
	}
	s.reply = r
	w.Header().Set("Content-Type", "text/event-stream")
	wire(s, r, c)
}

func encode(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSpace(b.String())
}

// stream writes server-sent events.
type stream struct {
	w     http.ResponseWriter
	model *fakeModel
	reply reply
	point int // of the conversation
}

func (s *stream) event(name string, data any) {
	if name != "" {
		fmt.Fprintf(s.w, "event: %s\n", name)
	}
	text, ok := data.(string)
	if !ok {
		text = encode(data)
	}
	fmt.Fprintf(s.w, "data: %s\n\n", text)
	s.w.(http.Flusher).Flush()
}

// middle is where a reply hangs or is cut; false means it goes no further.
func (s *stream) middle() bool {
	if s.reply.Hang {
		s.model.once.Do(func() { close(s.model.reached) })
		<-s.model.quit
	}
	if s.reply.Hang || s.reply.Cut {
		panic(http.ErrAbortHandler)
	}
	return true
}

type object = map[string]any

func chatWire(s *stream, r reply, c *call) {
	chunk := func(delta object, finish any) {
		s.event("", object{"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "toy",
			"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}}})
	}
	chunk(object{"role": "assistant"}, nil)
	if r.Think != "" {
		chunk(object{"reasoning_content": r.Think}, nil)
	}
	half := len(r.Text) / 2
	chunk(object{"content": r.Text[:half]}, nil)
	s.middle()
	chunk(object{"content": r.Text[half:]}, nil)
	finish := "stop"
	if c != nil {
		finish = "tool_calls"
		chunk(object{"tool_calls": []object{{"index": 0, "id": c.id, "type": "function",
			"function": object{"name": c.name, "arguments": c.args}}}}, nil)
	}
	chunk(object{}, finish)
	s.event("", object{"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "toy", "choices": []object{},
		"usage": object{"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050,
			"prompt_tokens_details": object{"cached_tokens": 600}}})
	s.event("", "[DONE]")
}

func responsesWire(s *stream, r reply, c *call) {
	send := func(kind string, o object) { o["type"] = kind; s.event(kind, o) }
	send("response.created", object{"response": object{"id": "r1", "status": "in_progress"}})
	s.middle()
	var output []object
	if r.Think != "" {
		output = append(output, object{"type": "reasoning", "id": "rs1", "summary": []object{{"type": "summary_text", "text": r.Think}}})
	}
	if r.Text != "" {
		output = append(output, object{"type": "message", "id": "m1", "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": r.Text, "annotations": []object{}}}})
	}
	if c != nil {
		output = append(output, object{"type": "function_call", "id": "f1", "call_id": c.id, "name": c.name, "arguments": c.args, "status": "completed"})
	}
	for i, item := range output {
		send("response.output_item.added", object{"output_index": i, "item": item})
		send("response.output_item.done", object{"output_index": i, "item": item})
	}
	send("response.completed", object{"response": object{"id": "r1", "status": "completed", "output": output,
		"usage": object{"input_tokens": 1000, "input_tokens_details": object{"cached_tokens": 600},
			"output_tokens": 50, "output_tokens_details": object{"reasoning_tokens": 10}, "total_tokens": 1050}}})
}

func messagesWire(s *stream, r reply, c *call) {
	send := func(kind string, o object) { o["type"] = kind; s.event(kind, o) }
	usage := object{"input_tokens": 400, "cache_read_input_tokens": 600, "cache_creation_input_tokens": 0, "output_tokens": 1}
	send("message_start", object{"message": object{"id": fmt.Sprintf("msg_%d", s.point), "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
		"content": []object{}, "stop_reason": nil, "usage": usage}})
	s.middle()
	index := 0
	block := func(start object, deltas ...object) {
		send("content_block_start", object{"index": index, "content_block": start})
		for _, d := range deltas {
			send("content_block_delta", object{"index": index, "delta": d})
		}
		send("content_block_stop", object{"index": index})
		index++
	}
	if r.Think != "" {
		block(object{"type": "thinking", "thinking": "", "signature": ""},
			object{"type": "thinking_delta", "thinking": r.Think}, object{"type": "signature_delta", "signature": "c2ln"})
	}
	if r.Text != "" {
		block(object{"type": "text", "text": ""}, object{"type": "text_delta", "text": r.Text})
	}
	stop := "end_turn"
	if c != nil {
		stop = "tool_use"
		block(object{"type": "tool_use", "id": "toolu_" + c.id, "name": c.name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": c.args})
	}
	send("message_delta", object{"delta": object{"stop_reason": stop}, "usage": object{"output_tokens": 50}})
	send("message_stop", object{})
}

func geminiWire(s *stream, r reply, c *call) {
	send := func(parts []object, finish string) {
		candidate := object{"index": 0, "content": object{"role": "model", "parts": parts}}
		if finish != "" {
			candidate["finishReason"] = finish
		}
		s.event("", object{"candidates": []object{candidate}, "modelVersion": "toy",
			"usageMetadata": object{"promptTokenCount": 1000, "cachedContentTokenCount": 600, "candidatesTokenCount": 50, "totalTokenCount": 1050}})
	}
	half := len(r.Text) / 2
	if r.Think != "" {
		send([]object{{"thought": true, "text": r.Think}}, "")
	}
	send([]object{{"text": r.Text[:half]}}, "")
	s.middle()
	send([]object{{"text": r.Text[half:]}}, "")
	if c != nil {
		send([]object{{"functionCall": object{"name": c.name, "args": json.RawMessage(c.args)}}}, "")
	}
	send([]object{}, "STOP")
}
