package model

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Trouble is a kind of failure, for callers that decide on it.
type Trouble string

const (
	NotRunning  Trouble = "not running"  // nobody answers at the address
	NoModel     Trouble = "no model"     // the server lacks the model
	NoTools     Trouble = "no tools"     // the model cannot call tools
	PromptLong  Trouble = "prompt long"  // it does not fit into the context
	Denied      Trouble = "denied"       // 401, 403: no key, or not this one
	RateLimited Trouble = "rate limited" // 429, longer than the client waits
	Refused     Trouble = "refused"      // the server will not have this request
	Failed      Trouble = "failed"       // the server or its runner broke
	Broken      Trouble = "broken off"   // the answer ended without its end
	Garbled     Trouble = "garbled"      // what came is not what this kind of server says
	Unformatted Trouble = "unformatted"  // it is not in the format asked for
	TooMuch     Trouble = "too much"     // a line or an answer over its bound
	LoadTimeout Trouble = "load timeout" // nothing came
	Silent      Trouble = "silent"       // something came, then nothing
)

// Error is why there is no answer, and what to do about it. None of its words
// holds a key or what an address may hide.
type Error struct {
	Trouble Trouble
	Doing   string // what was being done, on what
	Detail  string // what went wrong, in the server's words where it had any
	Next    string // what to do
	Status  int    // of HTTP; 0 for none
	// After is how long the server wants to be left alone.
	After time.Duration
	// Need is the num_ctx that would hold the prompt, as far as it is known.
	Need int64
	Err  error
}

func (e *Error) Error() string {
	text := e.Doing + ": " + e.Detail
	if e.Next != "" {
		text += "; " + e.Next
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// TroubleOf is the kind of failure behind err, "" for another's error.
func TroubleOf(err error) Trouble {
	var e *Error
	if errors.As(err, &e) {
		return e.Trouble
	}
	return ""
}

// Incomplete says in words why an answer that ended well cannot be used: it
// was cut, or holds neither text nor call. Nil for a usable one. The caller
// decides whether to ask the model again.
func (a Answer) Incomplete() error {
	said := visibleText(a.Text) || len(a.Calls) > 0
	switch {
	case a.Reason == ReasonLength && !said && visibleText(a.Thinking):
		return fmt.Errorf("the model thought until its limit and said nothing (%s)", a.limit())
	case a.Reason == ReasonLength:
		return fmt.Errorf("the answer was cut at its limit and is not whole (%s)", a.limit())
	case said:
		return nil
	case a.Lost:
		return errors.New("the model called a tool in a form that the server could not read, twice: the call is lost; choose a model that calls tools better")
	case visibleText(a.Thinking):
		return errors.New("the model thought, then neither answered nor called a tool")
	}
	return errors.New("the model's answer is empty")
}

func (a Answer) limit() string {
	u := a.Usage
	if u.Window > 0 && u.Context >= u.Window-1 {
		return fmt.Sprintf("the context of %d tokens is full: raise num_ctx, or give it less", u.Window)
	}
	return fmt.Sprintf("%d tokens were made: the limit of one answer", u.Out)
}

// visibleText tells whether there is anything to read.
func visibleText(text string) bool {
	return strings.Trim(text, " \t\r\n\u00a0\u200b\u200c\u200d\u2060\ufeff") != ""
}
