package command

import (
	"encoding/json"
	"fmt"
	"strings"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// codexStream reads `codex exec --json`. It ends with turn.completed or
// turn.failed; usage is told once, for the whole.
type codexStream struct {
	*feed
	done             bool
	failure, message string
	failed           bool
}

type codexItem struct {
	ID, Type, Text, Message, Status string
	Command                         string
	Output                          string `json:"aggregated_output"`
	Exit                            *int   `json:"exit_code"`
	Changes                         json.RawMessage
	Server, Tool, Query             string
	Arguments, Result               json.RawMessage
	Error                           *struct{ Message string }
}

func (s *codexStream) line(line []byte) {
	var e struct {
		Type, Message string
		Item          codexItem
		Error         struct{ Message string }
		Usage         struct {
			Input  int64 `json:"input_tokens"`
			Cached int64 `json:"cached_input_tokens"`
			Output int64 `json:"output_tokens"`
		}
	}
	if !s.read(line, &e) {
		return
	}
	switch e.Type {
	case "item.started":
		s.started(e.Item)
	case "item.completed":
		s.completed(e.Item, line)
	case "turn.started":
		s.done = false
	case "turn.completed":
		s.done = true
		s.total(agent.Usage{In: e.Usage.Input, Out: e.Usage.Output, Cached: e.Usage.Cached})
	case "turn.failed":
		s.done, s.failed, s.failure = true, true, e.Error.Message
	case "error":
		// Also for each try that is followed by another.
		s.failure = e.Message
		s.note("%s", e.Message)
	}
}

// tool is what an item of work is called, and its arguments.
func (i codexItem) tool() (name, args string) {
	switch i.Type {
	case "command_execution":
		return "shell", i.Command
	case "file_change":
		return "apply_patch", compact(i.Changes)
	case "mcp_tool_call":
		return strings.Trim(i.Server+"."+i.Tool, "."), compact(i.Arguments)
	case "web_search":
		return "web_search", i.Query
	}
	return i.Type, ""
}

func (s *codexStream) started(i codexItem) {
	switch i.Type {
	case "agent_message", "reasoning", "error", "todo_list", "":
		return
	}
	s.goOn()
	name, args := i.tool()
	s.call(i.ID, name, args)
}

func (s *codexStream) completed(i codexItem, line []byte) {
	switch i.Type {
	case "agent_message":
		s.goOn()
		s.whole(event.ItemText, i.Text)
		s.message = i.Text
	case "reasoning":
		s.goOn()
		s.whole(event.ItemThinking, i.Text)
	case "error":
		s.note("%s", i.Message)
	case "todo_list", "":
	default:
		if _, begun := s.calls[i.ID]; !begun {
			s.started(i) // some are told only when they are over
		}
		s.answer(i.answer(line))
	}
}

func (i codexItem) answer(line []byte) answer {
	a := answer{id: i.ID, text: i.Output}
	switch {
	case i.Type == "command_execution":
		if i.Exit != nil && *i.Exit != 0 {
			a.failure = fmt.Sprintf("exit code %d", *i.Exit)
		}
	case len(i.Result) > 0 && string(i.Result) != "null":
		a.text = compact(i.Result)
	case i.Type != "file_change" && i.Type != "web_search":
		a.text = string(line)
	}
	if i.Error != nil {
		a.failure = orElse(i.Error.Message, "failed")
	}
	if a.failure == "" && (i.Status == "failed" || i.Status == "declined") {
		a.failure = i.Status
	}
	return a
}

func (s *codexStream) end(out workspace.Outcome) (agent.Outcome, error) {
	o := agent.Outcome{Message: s.message}
	switch {
	case s.failed:
		return o, failed(s.failure)
	case !s.done && s.failure != "":
		return o, failed(s.failure)
	case !s.done:
		return o, s.stopped("turn.completed", out)
	case s.turn == 0:
		return o, failure("it ended without an answer")
	}
	return o, nil
}
