package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// openaiClient speaks what OpenAI, vLLM, llama.cpp, LM Studio and many
// gateways understand.
type openaiClient struct {
	*server
	facts *facts

	mu    sync.Mutex
	plain dialect // what this server has refused, so far
}

// dialect is what a server does not understand of a request.
type dialect struct {
	noUsage  bool // stream_options
	newLimit bool // max_tokens, of which max_completion_tokens is the new name
	// A model that thinks may let a format be until it is told not to.
	noThinking bool
}

type openaiRequest struct {
	Model         string          `json:"model"`
	Messages      []openaiMessage `json:"messages"`
	Tools         []openaiTool    `json:"tools,omitempty"`
	Format        *openaiFormat   `json:"response_format,omitempty"`
	Stream        bool            `json:"stream"`
	StreamOptions *streamOptions  `json:"stream_options,omitempty"`
	MaxTokens     int64           `json:"max_tokens,omitempty"`
	MaxNew        int64           `json:"max_completion_tokens,omitempty"`
	Effort        string          `json:"reasoning_effort,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type openaiMessage struct {
	Role    string       `json:"role"`
	Content string       `json:"content"`
	Calls   []openaiCall `json:"tool_calls,omitempty"`
	CallID  string       `json:"tool_call_id,omitempty"`
}

type openaiCall struct {
	ID       string         `json:"id"`
	Type     string         `json:"type"`
	Function openaiFunction `json:"function"`
}

type openaiFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type openaiTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

type openaiFormat struct {
	Type   string `json:"type"`
	Schema struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

func (c *openaiClient) Chat(ctx context.Context, req Request, emit func(Event)) (Answer, error) {
	known, err := c.Describe(ctx)
	if err != nil { // not every server lists its models; what is wrong is said again below
		if ctx.Err() != nil {
			return Answer{}, context.Cause(ctx)
		}
		known = Info{Model: c.Model}
	}
	req = known.Controls.neutral(req)
	return untilHeard(ctx, emit, func() (Answer, error) { return c.understood(ctx, req, known, emit) })
}

// understood makes the exchange without what the server does not know.
func (c *openaiClient) understood(ctx context.Context, req Request, known Info, emit func(Event)) (Answer, error) {
	for {
		c.mu.Lock()
		plain := c.plain
		c.mu.Unlock()
		a, err := c.once(ctx, req, plain, known, emit)
		var e *Error
		if err == nil || !errors.As(err, &e) || e.Trouble != Refused && e.Trouble != Unformatted {
			return a, err
		}
		simpler := plain
		simpler.noUsage = plain.noUsage || strings.Contains(e.Detail, "stream_options")
		simpler.newLimit = plain.newLimit || strings.Contains(e.Detail, "max_completion_tokens")
		simpler.noThinking = plain.noThinking || e.Trouble == Unformatted
		if simpler == plain {
			return a, err
		}
		c.mu.Lock()
		c.plain = simpler
		c.mu.Unlock()
		emit(Event{Kind: EventRetry, Text: e.Detail + "; asked in another way"})
	}
}

func (c *openaiClient) body(req Request, plain dialect, known Info) ([]byte, error) {
	out := openaiRequest{Model: c.Model, Stream: true, Messages: []openaiMessage{}}
	if !plain.noUsage {
		out.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if bound := c.bound(req, known); plain.newLimit {
		out.MaxNew = bound
	} else {
		out.MaxTokens = bound
	}
	if len(req.Format) > 0 {
		out.Format = &openaiFormat{Type: "json_schema"}
		out.Format.Schema.Name, out.Format.Schema.Schema = "answer", req.Format
		if plain.noThinking {
			out.Effort = "none"
		}
	}
	for _, m := range req.Messages {
		to := openaiMessage{Role: m.Role, Content: m.Content, CallID: m.CallID}
		for _, call := range m.Calls {
			to.Calls = append(to.Calls, openaiCall{ID: call.ID, Type: "function",
				Function: openaiFunction{Name: call.Name, Arguments: string(object(call.Arguments))}})
		}
		out.Messages = append(out.Messages, to)
	}
	for _, t := range req.Tools {
		tool := openaiTool{Type: "function"}
		tool.Function.Name, tool.Function.Description, tool.Function.Parameters = t.Name, t.Description, t.Schema
		out.Tools = append(out.Tools, tool)
	}
	return encode(out)
}

// smallestAnswer is what a server is asked for at least.
const smallestAnswer = 256

// bound is how many tokens an answer may have: some servers refuse a prompt
// that leaves less room than that.
func (c *openaiClient) bound(req Request, known Info) int64 {
	bound := cmp.Or(int64(req.MaxTokens), int64(c.MaxTokens), defaultMaxTokens)
	if known.Window > 0 {
		room := known.Window - estimate(promptBytes(req))*5/4
		bound = min(bound, max(room, smallestAnswer))
	}
	return bound
}

type openaiChunk struct {
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		Delta   openaiDelta `json:"delta"`
		Message openaiDelta `json:"message"`
		Finish  string      `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		In      int64 `json:"prompt_tokens"`
		Out     int64 `json:"completion_tokens"`
		Details struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
}

type openaiDelta struct {
	Content   json.RawMessage `json:"content"`
	Refusal   json.RawMessage `json:"refusal"`
	Reasoning json.RawMessage `json:"reasoning"`
	Thinking  json.RawMessage `json:"reasoning_content"`
	Calls     []callDelta     `json:"tool_calls"`
}

type callDelta struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// openaiStream reads one answer.
type openaiStream struct {
	*heard
	open            []*openCall
	finish          string
	in, out, cached int64
}

// openCall is a call whose pieces are still coming.
type openCall struct {
	index     int
	call      Call
	arguments joiner
	text      strings.Builder
}

func (c *openaiClient) once(ctx context.Context, req Request, plain dialect, known Info, emit func(Event)) (Answer, error) {
	body, err := c.body(req, plain, known)
	if err != nil {
		return Answer{}, err
	}
	if req.Sent != nil {
		req.Sent(body)
	}
	emit(Event{Kind: EventLoading})
	var s *openaiStream
	err = c.chatStream(ctx, "chat/completions", body, emit, func(l *lines) error {
		s = &openaiStream{heard: &heard{emit: emit}}
		return c.read(events{l}, s)
	})
	var e *Error
	if errors.As(err, &e) && e.Trouble == PromptLong && e.Next == "" {
		err = c.promptLong(e.Detail, max(estimate(promptBytes(req)), largestNumber(e.Detail)), known.Window)
	}
	if err != nil {
		return Answer{}, err
	}
	reason := ReasonStop
	if s.finish == "length" {
		reason = ReasonLength
	}
	s.close()
	a := s.answer(reason)
	a.Usage = c.usage(req, a, s.in, s.out, s.cached, known.Window)
	if err := c.readWhole(req, a.Usage); err != nil {
		return Answer{}, err
	}
	a.Lost = s.lost(a, req, s.out)
	return a, c.holds(req, a)
}

// read follows a stream to its end: a reason to finish, then [DONE] or the end
// of the stream. Counts may come after the reason.
func (c *openaiClient) read(from events, s *openaiStream) error {
	for {
		data, err := from.next()
		switch {
		case err == io.EOF && s.finish != "":
			return nil
		case err != nil:
			return c.endedEarly(err)
		case bytes.Equal(bytes.TrimSpace(data), []byte("[DONE]")):
			if s.finish == "" {
				return c.endedEarly(io.EOF)
			}
			return nil
		}
		var chunk openaiChunk
		if json.Unmarshal(data, &chunk) != nil {
			return c.garbled(data)
		}
		if words := errorWords(chunk.Error); words != "" && words != "null" {
			return c.said(words)
		}
		if chunk.Usage != nil {
			s.in, s.out, s.cached = chunk.Usage.In, chunk.Usage.Out, chunk.Usage.Details.Cached
		}
		if len(chunk.Choices) == 0 {
			continue
		}
		first := chunk.Choices[0]
		s.take(first.Delta)
		s.take(first.Message)
		s.finish = cmp.Or(first.Finish, s.finish)
		if s.finish == "content_filter" {
			return c.fail(Refused, "the server's content filter stopped the answer", "change what is asked, or choose another model", nil)
		}
	}
}

func (s *openaiStream) take(d openaiDelta) {
	s.reasoned(raw(d.Thinking))
	if len(d.Thinking) == 0 || string(d.Thinking) == "null" {
		s.reasoned(raw(d.Reasoning))
	}
	s.said(raw(d.Refusal))
	s.parts(d.Content)
	for _, piece := range d.Calls {
		s.piece(piece)
	}
}

// parts takes content that is a text or a list of texts and thoughts.
func (s *openaiStream) parts(content json.RawMessage) {
	if content = bytes.TrimSpace(content); len(content) == 0 || content[0] != '[' {
		s.said(raw(content))
		return
	}
	var list []struct {
		Type     string          `json:"type"`
		Text     json.RawMessage `json:"text"`
		Thinking json.RawMessage `json:"thinking"`
	}
	if json.Unmarshal(content, &list) != nil {
		return
	}
	for _, part := range list {
		if part.Type != "thinking" {
			s.said(raw(part.Text))
			continue
		}
		var inner []struct {
			Text json.RawMessage `json:"text"`
		}
		if json.Unmarshal(part.Thinking, &inner) != nil {
			s.reasoned(raw(part.Thinking))
		}
		for _, in := range inner {
			s.reasoned(raw(in.Text))
		}
	}
}

// piece joins a call's pieces by their index. An id that differs begins
// another call whatever the index says: some servers count none.
func (s *openaiStream) piece(d callDelta) {
	index := max(0, len(s.open)-1)
	if d.Index != nil {
		index = *d.Index
	} else if d.ID != "" {
		index = len(s.open)
	}
	at := -1
	for i := range s.open {
		if s.open[i].index == index && (d.ID == "" || s.open[i].call.ID == "" || s.open[i].call.ID == d.ID) {
			at = i
		}
	}
	if at < 0 {
		s.open = append(s.open, &openCall{index: index})
		at = len(s.open) - 1
	}
	call := s.open[at]
	call.call.ID = cmp.Or(call.call.ID, d.ID)
	call.call.Name = cmp.Or(call.call.Name, d.Function.Name)
	if value := bytes.TrimSpace(d.Function.Arguments); len(value) > 0 && value[0] == '"' {
		call.text.WriteString(call.arguments.add(raw(value)))
	} else if string(value) != "null" {
		call.text.Write(value)
	}
}

// close makes calls of their pieces. One that the limit cut is none.
func (s *openaiStream) close() {
	for _, o := range s.open {
		o.text.WriteString(o.arguments.end())
		o.call.Arguments = o.text.String()
		if strings.TrimSpace(o.call.Arguments) == "" {
			o.call.Arguments = "{}"
		}
		if s.finish == "length" && !json.Valid([]byte(o.call.Arguments)) {
			continue
		}
		s.called(o.call)
	}
}

// events are the data of server-sent events; comments and names are no matter.
type events struct{ lines *lines }

func (e events) next() ([]byte, error) {
	for {
		line, err := e.lines.next()
		if err != nil {
			return nil, err
		}
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			return data, nil
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 || bytes.HasPrefix(line, []byte(":")) {
			continue
		}
		name, _, _ := bytes.Cut(line, []byte(":"))
		switch string(name) {
		case "event", "id", "retry":
			continue
		}
		return line, nil // a server that does not stream, or no such server at all
	}
}

var numbers = regexp.MustCompile(`\d{3,9}`)

// largestNumber is what a server says a prompt would need, where it says so.
func largestNumber(words string) int64 {
	var most int64
	for _, digits := range numbers.FindAllString(words, -1) {
		n, _ := strconv.ParseInt(digits, 10, 64)
		most = max(most, n)
	}
	return most
}
