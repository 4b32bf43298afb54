package command

import (
	"encoding/json"

	"growbench/engine/agent"
	"growbench/engine/workspace"
)

// geminiStream reads `gemini --output-format stream-json`. Its one result line
// is the only end.
type geminiStream struct {
	*feed
	result  *geminiResult
	message []byte // since the last tool call
	over    bool   // a tool call came after message
}

type geminiResult struct {
	Status string
	Error  struct{ Message string }
	Stats  struct {
		Total  int64 `json:"total_tokens"`
		Input  int64 `json:"input_tokens"`
		Output int64 `json:"output_tokens"`
		Cached int64
	}
}

func (s *geminiStream) line(line []byte) {
	var e struct {
		Type, Role, Content string
		ToolName            string `json:"tool_name"`
		ToolID              string `json:"tool_id"`
		Parameters          json.RawMessage
		Status, Output      string
		Severity, Message   string
		Error               struct{ Message string }
	}
	if !s.read(line, &e) {
		return
	}
	switch e.Type {
	case "message":
		if e.Role == "assistant" {
			s.said(e.Content)
		}
	case "tool_use":
		s.goOn()
		s.over = true
		s.call(e.ToolID, e.ToolName, compact(e.Parameters))
	case "tool_result":
		a := answer{id: e.ToolID, text: e.Output}
		if e.Status == "error" {
			a.failure = orElse(e.Error.Message, orElse(firstLine(e.Output), "failed"))
		}
		s.answer(a)
	case "error":
		s.note("%s: %s", e.Severity, e.Message)
	case "result":
		s.result = new(geminiResult)
		if json.Unmarshal(line, s.result) == nil {
			st := s.result.Stats
			s.total(agent.Usage{In: st.Input, Out: max(st.Output, st.Total-st.Input), Cached: st.Cached})
		}
	}
}

func (s *geminiStream) said(text string) {
	s.goOn()
	if s.over {
		s.message, s.over = nil, false
	}
	s.text(text)
	if s.message = append(s.message, text...); len(s.message) > maxMessage {
		s.message = s.message[len(s.message)-maxMessage:]
	}
}

func (s *geminiStream) end(out workspace.Outcome) (agent.Outcome, error) {
	o := agent.Outcome{Message: string(s.message)}
	switch {
	case s.result == nil:
		return o, s.stopped("result line", out)
	case s.result.Status != "success":
		return o, failed(s.result.Error.Message)
	case s.turn == 0:
		return o, failure("it ended without an answer")
	}
	return o, nil
}
