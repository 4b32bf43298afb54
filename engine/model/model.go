// Package model talks to language models: one interface, one adapter a wire
// format. A stream that breaks off, a call the server lost and an answer cut at
// its limit are errors or reasons here, never a shorter text that looks whole.
package model

import (
	"context"
	"encoding/json"
)

// Client is one model of one server.
type Client interface {
	// Chat sends one exchange and hands each event of the answer to emit, from
	// its own goroutine, until it returns. An error means that there is no
	// answer: what was emitted is no more than a sign of life.
	Chat(ctx context.Context, req Request, emit func(Event)) (Answer, error)
	// Describe asks the server what the model can do.
	Describe(ctx context.Context) (Info, error)
}

// Request is one exchange: all that the model sees.
type Request struct {
	Messages []Message
	Tools    []Tool
	// Format is a JSON schema the answer must follow; not together with Tools.
	Format json.RawMessage
	// MaxTokens bounds the answer; 0 for the client's own bound, never none.
	MaxTokens int
	// Sent, where set, is given the exact body before it leaves.
	Sent func(body []byte)
}

// Roles of a message.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
	ToolRole  = "tool"
)

// Message is one turn of a conversation. Calls belong to an assistant's;
// CallID and CallName say which call a tool's message answers.
type Message struct {
	Role     string
	Content  string
	Calls    []Call
	CallID   string
	CallName string
}

// Tool is what a model may call. Schema is the JSON schema of its arguments.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage
}

// Call is a tool call as it came: Arguments may be no JSON at all.
type Call struct {
	ID        string
	Name      string
	Arguments string
}

// EventKind tells what a piece of an answer is.
type EventKind string

const (
	EventLoading  EventKind = "loading"  // asked, or about to be asked again; nothing has come yet
	EventText     EventKind = "text"     // Text follows what was said before
	EventThinking EventKind = "thinking" // Text; never part of the answer
	EventCall     EventKind = "call"     // Call is whole
	EventRetry    EventKind = "retry"    // Text says why the exchange begins anew; what came before is void
)

// Event is one piece of an answer. Text ends on a whole rune.
type Event struct {
	Kind EventKind
	Text string
	Call Call
}

// Reason is why an answer ended.
type Reason string

const (
	ReasonStop   Reason = "stop"   // the model was done, or called tools
	ReasonLength Reason = "length" // MaxTokens or the context was full: what there is, is not whole
)

// Answer is a whole one, as the server said.
type Answer struct {
	Text     string
	Thinking string
	Calls    []Call
	Reason   Reason
	Usage    Usage
	// Lost says that the server swallowed a tool call it could not read: tokens
	// were made, and neither text nor call came.
	Lost bool
}

// Usage is what one exchange cost, in tokens. Estimated where the server did
// not count. Context is how much of Window the exchange filled.
type Usage struct {
	In, Out, Cached int64
	Estimated       bool
	Context, Window int64
}

// Info is what a server says of a model. Window is what an exchange may fill,
// Longest what the model itself could hold, in tokens; 0 if not known.
type Info struct {
	Model           string
	Window, Longest int64
	Tools, Thinking bool
	Chats           bool // it can be talked with; others embed, or draw
	// Known says whether the server tells capabilities at all.
	Known bool
	// Controls are the tokens Chat makes text of in whatever it sends. Who
	// writes down what a model is given writes Controls.Neutral of it.
	Controls Controls
}
