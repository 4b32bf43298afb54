package model

import (
	"context"
	"encoding/json"
	"strings"
)

// neutral is req with every control token in it made text.
func (c Controls) neutral(req Request) Request {
	messages := make([]Message, len(req.Messages))
	for i, m := range req.Messages {
		m.Content = c.Neutral(m.Content)
		calls := m.Calls
		m.Calls = nil
		for _, call := range calls {
			call.Name = c.Neutral(call.Name)
			call.Arguments = c.Neutral(plainJSON(call.Arguments))
			m.Calls = append(m.Calls, call)
		}
		messages[i] = m
	}
	req.Messages = messages
	return req
}

// object is a call's arguments as a JSON object, which is what servers and
// templates take. What never was one is shown to the model as it was.
func object(arguments string) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &fields) == nil && fields != nil {
		return json.RawMessage(arguments)
	}
	if strings.TrimSpace(arguments) == "" {
		return json.RawMessage("{}")
	}
	text, err := json.Marshal(map[string]string{"unreadable": arguments})
	if err != nil {
		return json.RawMessage("{}")
	}
	return text
}

// heard puts one answer together and tells of its pieces.
type heard struct {
	emit           func(Event)
	content, think joiner
	split          thinkSplitter
	text, thought  strings.Builder // content as it came, and what came as reasoning
	calls          []Call
	thoughtChunks  int64
}

// said takes a piece of content, which may hold reasoning in tags.
func (h *heard) said(piece []byte) {
	text := h.content.add(piece)
	h.text.WriteString(text)
	h.show(h.split.add(text))
}

func (h *heard) show(answer, thought string) {
	if thought != "" {
		h.emit(Event{Kind: EventThinking, Text: thought})
	}
	if answer != "" {
		h.emit(Event{Kind: EventText, Text: answer})
	}
}

// reasoned takes a piece of reasoning that came as such.
func (h *heard) reasoned(piece []byte) {
	if len(piece) == 0 {
		return
	}
	h.thoughtChunks++
	text := h.think.add(piece)
	h.thought.WriteString(text)
	h.show("", text)
}

func (h *heard) called(c Call) {
	h.calls = append(h.calls, c)
	h.emit(Event{Kind: EventCall, Call: c})
}

// answer is the whole of it, once the server has said that it ended.
func (h *heard) answer(reason Reason) Answer {
	rest := h.content.end()
	h.text.WriteString(rest)
	h.show(h.split.add(rest))
	h.show(h.split.end())
	rest = h.think.end()
	h.thought.WriteString(rest)
	h.show("", rest)
	text, inline := splitThinking(h.text.String())
	thought := h.thought.String()
	if inline != "" && thought != "" {
		thought += "\n"
	}
	return Answer{Text: text, Thinking: thought + inline, Calls: h.calls, Reason: reason}
}

// How many tokens must have come to nothing before a call counts as lost: none
// is shorter. Less is a model that said nothing. Behind reasoning, whose pieces
// may each be more than a token, it takes some more.
const (
	swallowed        = 5
	swallowedThought = 8 // beyond the pieces of the reasoning
)

// lost tells whether the server swallowed what the model said after made
// tokens.
func (h *heard) lost(a Answer, req Request, made int64) bool {
	if len(req.Tools) == 0 || a.Reason != ReasonStop || len(a.Calls) > 0 || visibleText(a.Text) {
		return false
	}
	if h.thoughtChunks > 0 {
		return made >= h.thoughtChunks+swallowedThought
	}
	return made >= swallowed
}

// untilHeard makes the exchange again, once, when a call was lost.
func untilHeard(ctx context.Context, emit func(Event), exchange func() (Answer, error)) (Answer, error) {
	first, err := exchange()
	if err != nil || !first.Lost {
		return first, err
	}
	emit(Event{Kind: EventRetry, Text: "the server lost a tool call it could not read; asked again"})
	emit(Event{Kind: EventLoading})
	second, err := exchange()
	if err != nil {
		return Answer{}, err
	}
	second.Usage.In += first.Usage.In
	second.Usage.Out += first.Usage.Out
	second.Usage.Cached += first.Usage.Cached
	second.Usage.Estimated = second.Usage.Estimated || first.Usage.Estimated
	return second, nil
}

// promptBytes is how much text the model reads of a request.
func promptBytes(req Request) int {
	n := 0
	for _, m := range req.Messages {
		n += len(m.Content) + 8
		for _, c := range m.Calls {
			n += len(c.Name) + len(c.Arguments)
		}
	}
	for _, t := range req.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	return n
}

// usage completes what the server counted; zero stands for not counted.
func (s *server) usage(req Request, a Answer, in, out, cached, window int64) Usage {
	u := Usage{In: in, Out: out, Cached: cached, Window: window}
	if in == 0 {
		u.In, u.Estimated = estimate(promptBytes(req)), true
	}
	if out == 0 {
		n := len(a.Text) + len(a.Thinking)
		for _, c := range a.Calls {
			n += len(c.Name) + len(c.Arguments)
		}
		if n > 0 {
			u.Out, u.Estimated = estimate(n), true
		}
	}
	u.Context = u.In + u.Out
	return u
}

// holds refuses an answer that is not in the format asked for: a server may
// take a format and let it be.
func (s *server) holds(req Request, a Answer) error {
	begun := a.Reason == ReasonLength && strings.HasPrefix(strings.TrimSpace(a.Text), "{")
	if len(req.Format) == 0 || begun || !visibleText(a.Text) || json.Valid([]byte(a.Text)) {
		return nil
	}
	return s.fail(Unformatted, "the answer is not in the format asked for", "choose another model, or a server that can hold one to a format", nil)
}

// readWhole refuses an answer to a prompt of which the server can have read
// only a part: it was cut to the window without a word. Where the window is
// not known, only a count that no text has tells.
func (s *server) readWhole(req Request, u Usage) error {
	want := estimate(promptBytes(req))
	cut := u.Window > 0 && u.In >= u.Window/2-64 && want >= 2*u.In ||
		u.Window == 0 && u.In >= 1000 && want >= 5*u.In
	if u.Estimated || !cut {
		return nil
	}
	return s.promptLong("the server read about "+count(u.In)+" tokens of about "+count(want)+" and left out the rest", want, u.Window)
}
