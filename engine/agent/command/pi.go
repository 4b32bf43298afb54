package command

import (
	"encoding/json"
	"strings"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// piStream reads `pi --mode json`. Pi's exit code is 0 even after a model
// error: what counts is the last answer's stop reason, and that it settled.
type piStream struct {
	*feed
	streamed, settled, aborted bool
	stop, failure, message     string
}

type piUsage struct {
	Input, Output, CacheRead, CacheWrite int64
	Cost                                 struct{ Total float64 }
}

// usage counts cached tokens as input, as everywhere else.
func (u *piUsage) usage() agent.Usage {
	if u == nil {
		return agent.Usage{}
	}
	return agent.Usage{In: u.Input + u.CacheRead + u.CacheWrite, Out: u.Output, Cached: u.CacheRead, Cost: u.Cost.Total}
}

type piMessage struct {
	Role                     string
	Content                  json.RawMessage // text, or parts
	Usage                    *piUsage
	StopReason, ErrorMessage string
}

func (s *piStream) line(line []byte) {
	var e struct {
		Type                  string
		Message               piMessage
		AssistantMessageEvent struct{ Type, Delta string }
		ToolCallID            string
		ToolName              string
		Args                  json.RawMessage
		Result                struct {
			Content json.RawMessage
			Usage   *piUsage
		}
		IsError              bool
		DurationMS           *int64
		Aborted              bool
		Attempt, MaxAttempts int
		DelayMS              int64
		ErrorMessage         string
		Reason               string
	}
	if !s.read(line, &e) {
		return
	}
	switch e.Type {
	case "turn_start":
		s.begin()
	case "message_start":
		s.streamed = false
	case "message_update":
		s.streamed = true
		switch e.AssistantMessageEvent.Type {
		case "text_delta":
			s.text(e.AssistantMessageEvent.Delta)
		case "thinking_delta":
			s.thinking(e.AssistantMessageEvent.Delta)
		}
	case "message_end":
		s.ended(e.Message)
	case "tool_execution_start":
		s.call(e.ToolCallID, e.ToolName, compact(e.Args))
	case "tool_execution_end":
		a := answer{id: e.ToolCallID, text: partsText(e.Result.Content), took: e.DurationMS}
		if e.IsError {
			a.failure = orElse(lastLine(a.text), "failed")
		}
		s.answer(a)
	case "compaction_end":
		s.usage(e.Result.Usage.usage())
		s.note("its context was compacted (%s)", e.Reason)
	case "auto_retry_start":
		s.note("try %d of %d again in %d ms: %s", e.Attempt, e.MaxAttempts, e.DelayMS, e.ErrorMessage)
	case "agent_start":
		s.settled = false
	case "agent_settled":
		s.settled, s.aborted = true, e.Aborted
	}
}

func (s *piStream) ended(m piMessage) {
	if m.Role != "assistant" {
		s.usage(m.Usage.usage()) // of models that tools have asked
		return
	}
	text := partsText(m.Content)
	if !s.streamed {
		s.whole(event.ItemText, text)
	}
	if strings.TrimSpace(text) != "" {
		s.message = text
	}
	s.stop, s.failure = m.StopReason, m.ErrorMessage
	u := m.Usage.usage()
	u.Context = u.In + u.Out
	s.usage(u)
}

func (s *piStream) end(out workspace.Outcome) (agent.Outcome, error) {
	o := agent.Outcome{Message: s.message}
	switch {
	case s.settled && s.stop == "error":
		return o, failed(s.failure)
	case !s.settled:
		return o, s.stopped("agent_settled", out)
	case s.aborted || s.stop == "aborted":
		return o, failure("it was aborted")
	case s.stop == "length":
		return o, failure("its last answer was cut off at the model's output limit")
	case s.stop == "":
		return o, failure("it ended without an answer")
	}
	return o, nil
}
