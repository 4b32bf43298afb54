package giver

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"

	"growbench/engine/model"
	"growbench/engine/tool"
)

// exchange asks the model once and keeps what it answered. It returns as soon
// as the turn is stopped, whether the server has noticed or not.
func (s *Session) exchange(ctx context.Context, set *tool.Set) (Answered, error) {
	h := &hearing{s: s}
	type outcome struct {
		answer model.Answer
		err    error
	}
	done := make(chan outcome, 1)
	request := s.request(set)
	s.spawn("ask the Giver's model", func() {
		answer, err := s.Client.Chat(ctx, request, h.hear)
		done <- outcome{answer, err}
	})
	select {
	case <-ctx.Done():
		text := h.end()
		if text != "" {
			s.append(true, Answered{Text: text, Cut: true})
		}
		return Answered{}, context.Cause(ctx)
	case o := <-done:
		h.end()
		if o.err != nil {
			if ctx.Err() != nil && h.text.Len() > 0 {
				s.append(true, Answered{Text: h.text.String(), Cut: true})
			}
			return Answered{}, o.err
		}
		return s.keep(o.answer)
	}
}

// keep writes an answer down. Its calls get names of their own, so that what
// they return finds them.
func (s *Session) keep(answer model.Answer) (Answered, error) {
	a := Answered{Text: s.Hide(answer.Text), Usage: usageOf(answer.Usage)}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range answer.Calls {
		a.Calls = append(a.Calls, Call{ID: fmt.Sprintf("c%d-%d", s.state.LastSeq+1, i+1), Name: c.Name, Arguments: s.Hide(c.Arguments)})
	}
	if p := s.grow.pass; p != nil {
		p.tokens += a.Usage.In + a.Usage.Out
		p.said = cmp.Or(a.Text, p.said)
	}
	if len(a.Calls) == 0 {
		if why := answer.Incomplete(); why != nil {
			a.Error = why.Error()
		}
	}
	return a, s.appendLocked(true, a)
}

// request is all the model is sent.
func (s *Session) request(set *tool.Set) model.Request {
	draft, pass := s.draftText(), s.passPrompt()
	s.mu.Lock()
	defer s.mu.Unlock()
	messages := append([]model.Message{{Role: model.System, Content: s.state.prompt(s.memory, draft) + s.mapText + pass}}, s.state.conversation()...)
	return model.Request{Messages: messages, Tools: set.Definitions()}
}

// hearing hands the pieces of an answer on, until the turn is over.
type hearing struct {
	s    *Session
	mu   sync.Mutex
	text strings.Builder
	over bool
}

func (h *hearing) hear(e model.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return
	}
	switch e.Kind {
	case model.EventText:
		h.text.WriteString(h.s.Hide(e.Text))
		h.s.piece(Update{Delta: h.s.Hide(e.Text)})
	case model.EventRetry:
		h.text.Reset()
		h.s.piece(Update{Void: true})
	}
}

// end lets nothing more through, and returns what came.
func (h *hearing) end() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	return h.text.String()
}

func (s *Session) piece(u Update) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tell(u)
}
