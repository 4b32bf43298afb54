package model

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
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
	emit(Event{Kind: EventLoading})
	known, unlisted := c.Describe(ctx)
	if ctx.Err() != nil {
		return Answer{}, context.Cause(ctx)
	}
	if unlisted != nil { // not every server lists its models, or all of them
		known = Info{Model: c.Model}
	}
	req = known.Controls.neutral(req)
	a, err := untilHeard(ctx, emit, func() (Answer, error) { return c.understood(ctx, req, known, emit) })
	if TroubleOf(err) == NoModel && TroubleOf(unlisted) == NoModel {
		return a, unlisted // it names those that are there
	}
	return a, err
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
		emit(Event{Kind: EventLoading})
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

func (c *openaiClient) once(ctx context.Context, req Request, plain dialect, known Info, emit func(Event)) (Answer, error) {
	body, err := c.body(req, plain, known)
	if err != nil {
		return Answer{}, err
	}
	if req.Sent != nil {
		req.Sent(body)
	}
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
