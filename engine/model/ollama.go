package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ollama/ollama/api"
)

// ollamaClient speaks to Ollama in its own words: its OpenAI endpoint ignores
// num_ctx and cuts prompts.
type ollamaClient struct {
	*server
	facts *facts
}

func (c *ollamaClient) Chat(ctx context.Context, req Request, emit func(Event)) (Answer, error) {
	emit(Event{Kind: EventLoading})
	known, err := c.know(ctx, emit)
	if err != nil {
		return Answer{}, err
	}
	if len(req.Tools) > 0 && known.Known && !known.Tools {
		return Answer{}, c.cannotCall(ctx)
	}
	req = known.Controls.neutral(req)
	body, err := c.body(req, known)
	if err != nil {
		return Answer{}, err
	}
	return untilHeard(ctx, emit, func() (Answer, error) { return c.once(ctx, req, body, known, emit) })
}

// body is the request as it is sent.
func (c *ollamaClient) body(req Request, known Info) ([]byte, error) {
	no, yes := false, true
	out := api.ChatRequest{
		Model: c.Model, Stream: &yes, Format: req.Format,
		// A prompt that does not fit is an error, and an answer that fills the
		// context ends: neither loses what was said first.
		Truncate: &no, Shift: &no,
		Options: map[string]any{"num_ctx": c.NumCtx, "num_predict": c.bound(req, known)},
	}
	if len(req.Format) > 0 {
		// A model that thinks would let the format be.
		out.Think = &api.ThinkValue{Value: false}
	}
	for _, m := range req.Messages {
		to := api.Message{Role: m.Role, Content: m.Content, ToolCallID: m.CallID, ToolName: m.CallName}
		for i, call := range m.Calls {
			var arguments api.ToolCallFunctionArguments
			if err := json.Unmarshal(object(call.Arguments), &arguments); err != nil {
				return nil, fmt.Errorf("write the arguments of a call of %s: %w", call.Name, err)
			}
			to.ToolCalls = append(to.ToolCalls, api.ToolCall{ID: call.ID, Function: api.ToolCallFunction{Index: i, Name: call.Name, Arguments: arguments}})
		}
		out.Messages = append(out.Messages, to)
	}
	for _, t := range req.Tools {
		tool := api.Tool{Type: "function", Function: api.ToolFunction{Name: t.Name, Description: t.Description}}
		if err := json.Unmarshal(t.Schema, &tool.Function.Parameters); err != nil {
			return nil, fmt.Errorf("write the schema of tool %s: %w", t.Name, err)
		}
		out.Tools = append(out.Tools, tool)
	}
	return encode(out)
}

// encode is JSON with < and > as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("write a request to a model: %w", err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// bound is how many tokens an answer may have.
func (c *ollamaClient) bound(req Request, known Info) int64 {
	window := cmp.Or(known.Window, int64(c.NumCtx))
	return min(cmp.Or(int64(req.MaxTokens), int64(c.MaxTokens), min(window/2, defaultMaxTokens)), window)
}

// ollamaLine is one line of an answer. Texts and arguments stay as they came.
type ollamaLine struct {
	Error   string `json:"error"`
	Message struct {
		Content   json.RawMessage `json:"content"`
		Thinking  json.RawMessage `json:"thinking"`
		ToolCalls []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"message"`
	Done       bool   `json:"done"`
	DoneReason string `json:"done_reason"`
	Prompt     int64  `json:"prompt_eval_count"`
	Made       int64  `json:"eval_count"`
}

// once is one exchange.
func (c *ollamaClient) once(ctx context.Context, req Request, body []byte, known Info, emit func(Event)) (Answer, error) {
	var h *heard
	var last ollamaLine
	if req.Sent != nil {
		req.Sent(body)
	}
	err := c.chatStream(ctx, "api/chat", body, emit, func(l *lines) error {
		h = &heard{emit: emit}
		for !last.Done {
			line, err := l.next()
			if err != nil {
				return c.endedEarly(err)
			}
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			last = ollamaLine{}
			if err := c.readLine(line, &last); err != nil {
				return err
			}
			h.take(last)
		}
		return nil
	})
	var e *Error
	if errors.As(err, &e) {
		if e.Trouble == Failed && strings.Contains(e.Detail, "error parsing tool call") {
			return Answer{Reason: ReasonStop, Lost: true, Usage: c.usage(req, Answer{}, 0, 0, 0, known.Window)}, nil
		}
		if e.Trouble == PromptLong && e.Next == "" {
			err = c.promptLong(e.Detail, estimate(promptBytes(req)), known.Window)
		}
	}
	if err != nil {
		return Answer{}, err
	}
	reason := ReasonStop
	if last.DoneReason == "length" {
		reason = ReasonLength
	}
	a := h.answer(reason)
	a.Usage = c.usage(req, a, last.Prompt, last.Made, 0, known.Window)
	if err := c.readWhole(req, a.Usage); err != nil {
		return Answer{}, err
	}
	a.Lost = h.lost(a, req, last.Made)
	return a, c.holds(req, a)
}

func (h *heard) take(line ollamaLine) {
	h.reasoned(raw(line.Message.Thinking))
	h.said(raw(line.Message.Content))
	for _, call := range line.Message.ToolCalls {
		h.called(Call{ID: call.ID, Name: call.Function.Name, Arguments: arguments(call.Function.Arguments)})
	}
}

// arguments are JSON text, whether they came as an object or as a string.
func arguments(value json.RawMessage) string {
	var text string
	switch {
	case len(value) == 0 || string(value) == "null":
		return "{}"
	case json.Unmarshal(value, &text) == nil:
		return text
	}
	return string(value)
}

// readLine decodes a line, or says what it is in place of one.
func (c *ollamaClient) readLine(line []byte, to *ollamaLine) error {
	if err := json.Unmarshal(line, to); err != nil {
		return c.garbled(line)
	}
	if to.Error != "" {
		return c.said(oneLine(to.Error))
	}
	return nil
}

// said is an error that came where an answer should have gone on.
func (s *server) said(words string) error {
	switch {
	case speaksOfContext(words):
		return s.fail(PromptLong, words, "", nil)
	case speaksOfTools(words):
		return s.fail(NoTools, words, s.toolsAdvice(words), nil)
	}
	return s.fail(Failed, words, "look at the server's log; it may lack memory for this model and num_ctx", nil)
}

func (s *server) garbled(line []byte) error {
	words := serverWords(line)
	detail, next := "it sent what is no answer: "+words, "look at what serves this address, and at the provider's kind"
	if r := []rune(words); len(r) > 80 {
		detail = "it sent what is no answer: " + string(r[:80]) + "…"
	}
	if s.Kind == Ollama && bytes.HasPrefix(bytes.TrimSpace(line), []byte("data:")) {
		next = `it speaks OpenAI's format: set the provider's kind to "openai"`
	}
	return s.fail(Garbled, detail, next, nil)
}

// endedEarly is a stream that stopped before its end was said.
func (s *server) endedEarly(err error) error {
	if err != io.EOF {
		return err
	}
	return s.fail(Broken, "the answer ended without its end: it is not whole", "ask again; if it stays so, look at the server's log", io.ErrUnexpectedEOF)
}

// promptLong says how large num_ctx must be, as far as that is known.
func (s *server) promptLong(detail string, tokens, window int64) *Error {
	held := window
	if s.Kind == Ollama {
		held = max(held, 1)
	}
	tokens = max(tokens, held+1)
	need := (tokens + tokens/4 + 1023) / 1024 * 1024
	e := s.fail(PromptLong, detail, "", nil)
	e.Need = need
	switch {
	case s.Kind != Ollama:
		e.Next = fmt.Sprintf("start the server with a context of at least %d tokens, or give the model less", need)
	case window > 0 && window < int64(s.NumCtx):
		e.Next = fmt.Sprintf("the model itself holds %d tokens: choose one with a longer context, or give it less", window)
	default:
		e.Next = fmt.Sprintf("raise num_ctx of the provider to at least %d, or give the model less", need)
	}
	return e
}

func count(n int64) string { return strconv.FormatInt(n, 10) }
