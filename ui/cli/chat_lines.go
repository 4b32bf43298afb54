package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"growbench/engine/event"
	"growbench/engine/giver"
	"growbench/loop"
	"growbench/theme/text"
)

// chatLine is one line of input.
type chatLine struct {
	Say     *string `json:"say"`
	Draft   *string `json:"draft"`
	Approve *string `json:"approve"`
	Plan    string  `json:"plan"`
	Deny    *string `json:"deny"`
	Why     string  `json:"why"`
	Answer  *string `json:"answer"`
	Choice  string  `json:"choice"`
	Text    string  `json:"text"`
	Stop    bool    `json:"stop"`
	Loop    *string `json:"loop"`
	// Scope is what a loop may change without a question; empty ends that.
	Scope *[]string `json:"scope"`
}

// parseChatLine reads JSON with exactly one act, or plain text to say.
func parseChatLine(raw string) (chatLine, error) {
	var l chatLine
	raw = strings.TrimSpace(raw)
	if !strings.HasPrefix(raw, "{") {
		l.Say = &raw
		return l, nil
	}
	dec := json.NewDecoder(strings.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return l, fmt.Errorf("read the line %s: %w; to say text that begins with a brace, use {\"say\":TEXT}", text.Line(raw), err)
	}
	acts := 0
	for _, is := range []bool{l.Say != nil, l.Draft != nil, l.Approve != nil, l.Deny != nil, l.Answer != nil, l.Stop, l.Loop != nil, l.Scope != nil} {
		if is {
			acts++
		}
	}
	if acts != 1 || dec.More() {
		return l, fmt.Errorf("read the line %s: it must hold one of say, draft, approve, deny, answer, scope, loop, stop", text.Line(raw))
	}
	if l.Loop != nil && *l.Loop != loopCancel && *l.Loop != loopNow {
		return l, fmt.Errorf("read the line %s: loop is %q or %q", text.Line(raw), loopCancel, loopNow)
	}
	return l, nil
}

// talk carries lines out, one after another.
type talk struct {
	*App
	s      *giver.Session
	before string // a run that had ended before
	said   bool
	wrong  bool // a line could not be carried out
	silent bool // nobody was there to answer
}

// run reads to the end of the input, waits for what runs, and returns the exit
// code.
func (t *talk) run(ctx context.Context, said string) int {
	lines := make(chan chatLine)
	ended := make(chan struct{})
	defer close(ended)
	if said != "" {
		t.act(ctx, chatLine{Say: &said})
	}
	go t.read(lines, ended)
	for {
		select {
		case l, more := <-lines:
			if !more {
				return t.finish(ctx)
			}
			t.act(ctx, l)
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return t.left(ctx)
		}
	}
}

func (t *talk) left(ctx context.Context) int {
	if errors.Is(context.Cause(ctx), errInterrupted) {
		return exitInterrupted
	}
	return exitOK
}

// read hands lines on. A stop does not wait for the line before it.
func (t *talk) read(lines chan<- chatLine, ended <-chan struct{}) {
	defer close(lines)
	in := bufio.NewReader(t.In)
	for {
		raw, err := readChatLine(in)
		if len(raw) > 0 && len(bytes.TrimSpace(raw)) == 0 {
			t.s.Typed()
		} else if len(raw) > 0 {
			l, wrong := parseChatLine(string(raw))
			switch {
			case wrong != nil:
				l = chatLine{}
				t.say("growbench: %s", text.Clean(wrong.Error()))
			case l.Stop:
				t.s.Stop()
				l = chatLine{Stop: true}
			default:
				t.arrived(l)
			}
			select {
			case lines <- l:
			case <-ended:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// maxChatLine bounds a line of input, in bytes.
const maxChatLine = 4 << 20

func readChatLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) <= maxChatLine {
			line = append(line, part...)
		}
		switch {
		case err == nil:
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return line, io.EOF
		default:
			return nil, err
		}
	}
}

// act carries one line out.
func (t *talk) act(ctx context.Context, l chatLine) {
	var err error
	switch {
	case l.Say != nil:
		t.said = true
		if err = t.s.Say(*l.Say, giver.ByOperator); err == nil {
			var look giver.Look
			look, err = t.s.Until(ctx, func(l giver.Look) bool { return !l.Turn && l.Queued == 0 })
			t.silent = t.silent || !look.Model
		}
	case l.Draft != nil:
		err = t.s.SetDraft(*l.Draft)
	case l.Approve != nil:
		if err = t.asked(ctx, *l.Approve); err == nil {
			err = t.s.Approve(*l.Approve, l.Plan)
		}
	case l.Deny != nil:
		if err = t.asked(ctx, *l.Deny); err == nil {
			if err = t.s.Deny(*l.Deny, l.Why); err == nil {
				_, err = t.s.Until(ctx, func(l giver.Look) bool { return !l.Turn && l.Queued == 0 })
			}
		}
	case l.Answer != nil:
		if err = t.asked(ctx, *l.Answer); err == nil {
			err = t.s.Answer(*l.Answer, l.Choice, l.Text)
		}
	case l.Scope != nil && len(*l.Scope) == 0:
		err = t.s.EndScope()
	case l.Scope != nil:
		err = t.s.ApproveScope(*l.Scope)
	case !l.Stop && l.Loop == nil:
		t.wrong = true
	}
	if err != nil && ctx.Err() == nil {
		t.wrong = true
		t.say("growbench: %s", text.Clean(err.Error()))
	}
}

// asked waits until that question is there, or nothing can bring it any more.
func (t *talk) asked(ctx context.Context, id string) error {
	_, err := t.s.Until(ctx, func(l giver.Look) bool {
		_, there := giver.Find(l.Waits, id)
		return there || !l.Busy()
	})
	return err
}

func ofRun(w giver.Waiting) bool { return w.Run != "" }

// finish waits for what runs, and says how it all ended.
func (t *talk) finish(ctx context.Context) int {
	l, err := t.s.Until(ctx, func(l giver.Look) bool {
		return !l.Busy() && (l.Loop.State == loop.Idle || len(l.Waits) > 0) || !l.Turn && l.Queued == 0 && slices.ContainsFunc(l.Waits, ofRun)
	})
	if err != nil {
		return t.left(ctx)
	}
	run := l.State.Run
	if run.ID == t.before {
		run = giver.Run{}
	}
	for _, w := range l.Waits {
		if ofRun(w) {
			t.say("Run %s waits for an answer: %s answer %s %s CHOICE", w.Run, self(), w.Run, w.ID)
		}
	}
	switch {
	case l.Run.Status == event.Orphaned:
		t.say("Run %s has lost its owner. To go on: %s resume %s", l.Run.Run, self(), l.Run.Run)
		return exitProblems
	case run.Started && (!run.Ended || run.Status != event.StatusPassed):
		return exitProblems
	case t.wrong:
		return exitUsage
	case t.silent:
		return exitEnvironment
	case l.State.Unanswered && t.said:
		return exitProblems
	}
	return exitOK
}
