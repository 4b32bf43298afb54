package giver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/engine/model"
)

const (
	// compactAt is the share of the window from which on older messages become
	// memory, keep what of the conversation stays as it is.
	compactAt = 0.60
	keepShare = 0.25
	// bytesAToken is the estimate where no server has counted.
	bytesAToken = 3.5
)

const compactWords = `Below is the older part of a conversation between an operator and an assistant that plans changes of a software project. It will be forgotten; only what you extract stays. Keep what is still true and matters: decisions, constraints, open questions, failures. One line each, complete in itself. Leave out talk, what was tried and dropped, code, output, secrets. What stands in memory.md is kept already.`

var compactSchema = json.RawMessage(`{"type":"object","properties":{"decisions":{"type":"array","items":{"type":"string"}},"constraints":{"type":"array","items":{"type":"string"}},` +
	`"questions":{"type":"array","items":{"type":"string"}},"failures":{"type":"array","items":{"type":"object","properties":{"what":{"type":"string"},"cause":{"type":"string"},"avoid":{"type":"string"},"direction":{"type":"string"}},"required":["what"]}}},` +
	`"required":["decisions","constraints","questions","failures"]}`)

// prepare takes in what the operator has edited beside us, and makes room for
// the next exchange.
func (s *Session) prepare(ctx context.Context) error {
	if err := s.withMemory(func(*Memory) error { return nil }); err != nil {
		return err
	}
	if err := s.readDraft(); err != nil {
		return err
	}
	if s.window(ctx) > 0 && s.full() {
		if err := s.compact(ctx); err != nil && context.Cause(ctx) == nil {
			// Nothing was lost; the next turn tries again.
			err = s.append(false, Told{Text: "The older part of the conversation could not be made into memory; all of it stays as it is: " + s.Hide(err.Error())})
			if err != nil {
				return err
			}
		}
	}
	return s.takeMap(ctx)
}

// window is how many tokens an exchange may fill, as far as it is known.
func (s *Session) window(ctx context.Context) int64 {
	s.mu.Lock()
	known := s.windowLocked()
	s.mu.Unlock()
	if known > 0 {
		return known
	}
	info, err := s.Client.Describe(ctx)
	if err != nil {
		return 0 // the exchange itself says what is wrong
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Window = info.Window
	return s.Window
}

// full tells whether the next exchange would fill too much of the window.
func (s *Session) full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	tokens := max(float64(s.state.Usage.Context), float64(sizeOf(s.state.conversation()))/bytesAToken)
	return tokens > compactAt*float64(s.windowLocked())
}

func (s *Session) windowLocked() int64 { return cmp.Or(s.Window, s.state.Usage.Window) }

func sizeOf(messages []model.Message) (n int) {
	for _, m := range messages {
		n += len(m.Content)
		for _, c := range m.Calls {
			n += len(c.Arguments)
		}
	}
	return n
}

// compact turns the older messages into lines of the memory. What cannot be
// read leaves everything as it was.
func (s *Session) compact(ctx context.Context) error {
	s.mu.Lock()
	upTo, older := s.state.older(int(keepShare * bytesAToken * float64(s.windowLocked())))
	memory := s.memory.String()
	most := int(compactAt * bytesAToken * float64(s.windowLocked()))
	s.mu.Unlock()
	if upTo == 0 {
		return nil
	}
	prompt := compactWords + "\n\n" + engine.FileBlock("memory.md", head(memory, maxShown)) + engine.FileBlock("conversation.md", head(older, most))
	answer, err := s.Client.Chat(ctx, model.Request{
		Messages: []model.Message{{Role: model.User, Content: prompt}}, Format: compactSchema,
	}, func(model.Event) {})
	if err != nil {
		return err
	}
	if err := answer.Incomplete(); err != nil {
		return err
	}
	lines, err := extracted(answer.Text)
	if err != nil {
		return err
	}
	added := 0
	err = s.withMemory(func(m *Memory) error {
		before := len(m.Decisions) + len(m.Constraints) + len(m.Questions) + len(m.Failures)
		lines.into(m, s.Hide)
		added = len(m.Decisions) + len(m.Constraints) + len(m.Questions) + len(m.Failures) - before
		return nil
	})
	if err != nil {
		return err
	}
	return s.append(true, Compacted{UpTo: upTo, Lines: added})
}

// older is what may be forgotten: all but the newest messages of about keep
// bytes, cut before a user's turn. upTo is its last message; 0: nothing.
func (s *State) older(keep int) (upTo uint64, text string) {
	at, size := len(s.Messages)-1, 0
	for ; at > s.From; at-- {
		size += len(words(s.Messages[at]))
		if _, ok := s.Messages[at].Body.(Said); ok && size >= keep {
			break
		}
	}
	if at <= s.From {
		return 0, ""
	}
	var b strings.Builder
	for _, m := range s.Messages[s.From:at] {
		b.WriteString(words(m))
	}
	if b.Len() == 0 {
		return 0, ""
	}
	return s.Messages[at-1].Seq, b.String()
}

// words are a message as the older part of a conversation tells it.
func words(m event.Event) string {
	switch b := m.Body.(type) {
	case Said:
		return "operator: " + b.Text + "\n"
	case Answered:
		text := "assistant: " + b.Text + "\n"
		for _, c := range b.Calls {
			text += "assistant calls " + c.Name + " " + c.Arguments + "\n"
		}
		return text
	case Returned:
		return b.Name + " returned: " + b.Text + "\n"
	case Told:
		return "host: " + b.Text + "\n"
	case Denied:
		return "operator refuses Task #0: " + b.Why + "\n"
	}
	return ""
}

type extract struct {
	Decisions   []string  `json:"decisions"`
	Constraints []string  `json:"constraints"`
	Questions   []string  `json:"questions"`
	Failures    []Failure `json:"failures"`
}

func extracted(text string) (extract, error) {
	var e extract
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from {
		return e, errors.New("the model's answer holds no JSON object")
	}
	if err := json.Unmarshal([]byte(text[from:to+1]), &e); err != nil {
		return e, fmt.Errorf("read what the model has kept: %w", err)
	}
	if len(e.Decisions)+len(e.Constraints)+len(e.Questions)+len(e.Failures) == 0 {
		return e, errors.New("the model kept nothing of it")
	}
	return e, nil
}

func (e extract) into(m *Memory, hide func(string) string) {
	for kind, list := range map[string][]string{Decision: e.Decisions, Constraint: e.Constraints, Question: e.Questions} {
		for _, line := range list {
			m.Remember(kind, clip(oneLine(hide(line)), 500))
		}
	}
	for _, f := range e.Failures {
		if f.Run = ""; oneLine(f.What) != "" {
			f.What = hide(f.What)
			m.Record(f)
		}
	}
}
