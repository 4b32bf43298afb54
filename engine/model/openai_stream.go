package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"strings"
)

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
