package command

import (
	"encoding/json"
	"strings"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// opencodeStream reads `opencode run --format json`. It has no end marker of
// its own: the last step's reason says whether the model was done.
type opencodeStream struct {
	*feed
	reason, failure string
	erred           bool
	text            string // of the step at hand
	message         string
}

type opencodePart struct {
	Text, Reason, Tool, CallID string
	Cost                       float64
	Tokens                     struct {
		Total, Input, Output, Reasoning int64
		Cache                           struct{ Read, Write int64 }
	}
	State struct {
		Status, Output, Error string
		Input                 json.RawMessage
		Time                  struct{ Start, End int64 } // Unix milliseconds
	}
}

func (p opencodePart) usage() agent.Usage {
	t := p.Tokens
	u := agent.Usage{In: t.Input + t.Cache.Read + t.Cache.Write, Out: t.Output + t.Reasoning, Cached: t.Cache.Read, Cost: p.Cost}
	if t.Total > u.In {
		u.Out = t.Total - u.In // whether or not reasoning is part of the output
	}
	return u
}

func (s *opencodeStream) line(line []byte) {
	var e struct {
		Type  string
		Part  opencodePart
		Error struct {
			Name string
			Data struct{ Message string }
		}
	}
	if !s.read(line, &e) {
		return
	}
	p := e.Part
	switch e.Type {
	case "step_start":
		s.begin()
		s.text, s.reason = "", ""
	case "text":
		s.whole(event.ItemText, p.Text)
		s.text = strings.TrimPrefix(s.text+"\n\n"+p.Text, "\n\n")
		s.message = s.text
	case "reasoning":
		s.whole(event.ItemThinking, p.Text)
	case "tool_use":
		s.call(p.CallID, p.Tool, compact(p.State.Input))
		took := max(0, p.State.Time.End-p.State.Time.Start)
		a := answer{id: p.CallID, text: p.State.Output, took: &took}
		if p.State.Status == "error" {
			a.failure = orElse(p.State.Error, "failed")
		}
		s.answer(a)
	case "step_finish":
		s.reason = p.Reason
		u := p.usage()
		u.Context = u.In + u.Out
		s.usage(u)
	case "error":
		s.erred, s.failure = true, orElse(e.Error.Data.Message, e.Error.Name)
	}
}

func (s *opencodeStream) end(out workspace.Outcome) (agent.Outcome, error) {
	o := agent.Outcome{Message: s.message}
	switch {
	case s.erred:
		return o, failed(s.failure)
	case s.reason == "length":
		return o, failure("its last answer was cut off at the model's output limit")
	case s.reason == "content-filter":
		return o, failure("its model server refused the answer (content filter)")
	case s.reason != "stop":
		return o, s.stopped("last step", out)
	}
	return o, nil
}
