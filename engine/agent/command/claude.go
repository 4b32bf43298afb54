package command

import (
	"encoding/json"
	"strings"
	"time"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// claudeStream reads `claude -p --output-format stream-json`. Its one result
// line is the only end.
type claudeStream struct {
	*feed
	streamed  bool // partial messages come, so whole ones say nothing new
	messageID string
	message   string
	turnUsage claudeUsage
	limit     *claudeLimit
	result    *claudeResult
}

type claudeUsage struct {
	Input      int64 `json:"input_tokens"`
	CacheRead  int64 `json:"cache_read_input_tokens"`
	CacheWrite int64 `json:"cache_creation_input_tokens"`
	Output     int64 `json:"output_tokens"`
}

func (u claudeUsage) usage() agent.Usage {
	return agent.Usage{In: u.Input + u.CacheRead + u.CacheWrite, Out: u.Output, Cached: u.CacheRead}
}

type claudeLimit struct {
	Status   string
	ResetsAt int64  // Unix seconds
	Type     string `json:"rateLimitType"`
}

type claudeResult struct {
	Subtype    string
	IsError    bool `json:"is_error"`
	Result     string
	Errors     []string
	Structured json.RawMessage `json:"structured_output"`
	Usage      claudeUsage
	Cost       float64 `json:"total_cost_usd"`
	StopReason string  `json:"stop_reason"`
	Models     map[string]struct {
		Window int64 `json:"contextWindow"`
	} `json:"modelUsage"`
	Denials []struct {
		Tool string `json:"tool_name"`
	} `json:"permission_denials"`
}

type claudePart struct {
	Type, Text, Thinking, ID, Name string
	Input                          json.RawMessage
	ToolUseID                      string `json:"tool_use_id"`
	Content                        json.RawMessage
	IsError                        bool `json:"is_error"`
}

func (s *claudeStream) line(line []byte) {
	var e struct {
		Type, Subtype string
		Parent        *string `json:"parent_tool_use_id"`
		Message       struct {
			ID      string
			Content json.RawMessage
		}
		Event claudeEvent
		Limit *claudeLimit `json:"rate_limit_info"`
		// of a retry
		Attempt int
		Max     int     `json:"max_retries"`
		Delay   float64 `json:"retry_delay_ms"`
		Error   json.RawMessage
	}
	if !s.read(line, &e) {
		return
	}
	if e.Limit != nil {
		s.limit = e.Limit
	}
	own := e.Parent == nil // not of an agent that this one has started
	switch e.Type {
	case "stream_event":
		if own {
			s.streamed = true
			s.partial(e.Event)
		}
	case "assistant":
		var parts []claudePart
		if json.Unmarshal(e.Message.Content, &parts) == nil {
			s.said(e.Message.ID, parts, own)
		}
	case "user":
		var parts []claudePart
		if json.Unmarshal(e.Message.Content, &parts) == nil {
			s.returns(parts)
		}
	case "system":
		if e.Subtype == "api_retry" {
			s.note("try %d of %d again in %.0f ms: %s", e.Attempt, e.Max, e.Delay, compact(e.Error))
		}
	case "result":
		s.result = new(claudeResult)
		if json.Unmarshal(line, s.result) == nil {
			u := s.result.Usage.usage()
			u.Cost = s.result.Cost
			for _, m := range s.result.Models {
				u.Window = max(u.Window, m.Window)
			}
			s.total(u)
			for _, d := range s.result.Denials {
				s.note("it was refused the use of %s", d.Tool)
			}
		}
	}
}

// claudeEvent is a piece of a message on its way.
type claudeEvent struct {
	Type    string
	Message struct{ Usage claudeUsage }
	Delta   struct{ Type, Text, Thinking string }
	Usage   claudeUsage
}

func (s *claudeStream) partial(e claudeEvent) {
	switch e.Type {
	case "message_start":
		s.begin()
		s.turnUsage = e.Message.Usage
	case "content_block_delta":
		s.text(e.Delta.Text)
		s.thinking(e.Delta.Thinking)
	case "content_block_stop":
		if s.kind == event.ItemText && s.pending.Len() > 0 {
			s.text("\n")
		}
	case "message_delta":
		// Cumulative, and final for the output.
		s.turnUsage.Output = e.Usage.Output
	case "message_stop":
		u := s.turnUsage.usage()
		u.Context = u.In + u.Out
		s.usage(u)
		s.turnUsage = claudeUsage{}
	}
}

// said takes a whole message, which comes in several lines of one part each.
func (s *claudeStream) said(id string, parts []claudePart, own bool) {
	if own && id != s.messageID {
		s.messageID, s.message = id, ""
		if !s.streamed {
			s.begin()
		}
	}
	for _, p := range parts {
		switch {
		case p.Type == "tool_use":
			s.call(p.ID, p.Name, compact(p.Input))
		case !own:
		case p.Type == "text":
			s.message = strings.TrimPrefix(s.message+"\n\n"+p.Text, "\n\n")
			if !s.streamed {
				s.whole(event.ItemText, p.Text)
			}
		case p.Type == "thinking" && !s.streamed:
			s.whole(event.ItemThinking, p.Thinking)
		}
	}
}

func (s *claudeStream) returns(parts []claudePart) {
	for _, p := range parts {
		if p.Type != "tool_result" {
			continue
		}
		a := answer{id: p.ToolUseID, text: partsText(p.Content)}
		if p.IsError {
			a.failure = orElse(firstLine(a.text), "failed")
		}
		s.answer(a)
	}
}

func (s *claudeStream) end(out workspace.Outcome) (agent.Outcome, error) {
	if s.result == nil {
		return agent.Outcome{Message: s.message}, s.stopped("result line", out)
	}
	r := s.result
	o := agent.Outcome{Message: orElse(r.Result, s.message)}
	if isObject(r.Structured) {
		o.Submitted = r.Structured
	}
	if !r.IsError && r.Subtype == "success" {
		if r.StopReason == "max_tokens" && len(o.Submitted) == 0 {
			return o, failure("its last answer was cut off at the model's output limit")
		}
		return o, nil
	}
	text := orElse(r.Result, strings.Join(r.Errors, "; "))
	if text == "" {
		text = strings.ReplaceAll(r.Subtype, "_", " ")
	}
	if s.limit != nil && s.limit.Status == "rejected" {
		limit := &agent.UsageLimit{Text: cut(text, maxNote)}
		if s.limit.ResetsAt > 0 {
			limit.Until = time.Unix(s.limit.ResetsAt, 0)
		}
		return o, limit
	}
	return o, failed(text)
}
