package giver

import (
	"fmt"

	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/model"
	"growbench/engine/workspace"
)

// Version is the format of messages.jsonl, carried by its first line.
const Version = 1

// Who a word or a draft is by.
const (
	ByOperator = "operator"
	ByGiver    = "giver"
	ByLoop     = "loop"
	ByFile     = "file" // the document was changed beside us
)

// The kinds of messages. A stream of them is a conversation.
type (
	// Opened is the first line.
	Opened struct {
		Format int `json:"format"`
	}
	// Said is a user's turn.
	Said struct {
		Text string `json:"text"`
		By   string `json:"by"`
	}
	// Answered is one answer of the model: what it said and what it called. Cut:
	// it was stopped. Error is why there is no answer, or not a whole one.
	Answered struct {
		Text  string `json:"text"`
		Calls []Call `json:"calls,omitempty"`
		Cut   bool   `json:"cut,omitempty"`
		Error string `json:"error,omitempty"`
		Usage Usage  `json:"usage,omitzero"`
	}
	// Returned is what a call gave back, bounded.
	Returned struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		Args  string `json:"args"`
		Text  string `json:"text"`
		Error string `json:"error,omitempty"`
		Bytes int64  `json:"bytes"` // of the whole
		MS    int64  `json:"ms,omitempty"`
	}
	// Told are the host's own words to the model and the operator.
	Told struct {
		Text string `json:"text"`
	}
	// Drafted says that draft-task0.md has become another one.
	Drafted struct {
		SHA256   string        `json:"sha256"`
		By       string        `json:"by"`
		Bytes    int           `json:"bytes"`
		Goal     string        `json:"goal"`
		Targets  []string      `json:"targets,omitempty"`
		Problems []doc.Problem `json:"problems"`
	}
	// Approved is the operator's word for a draft. It comes before the run of
	// that name is made.
	Approved struct {
		SHA256       string `json:"sha256"`
		By           string `json:"by"`
		Run          string `json:"run"`
		Plan         string `json:"plan,omitempty"` // given by hand
		Conversation int64  `json:"conversation"`   // bytes the draft was made from
		// Lineage is what the run rests on that goes on from an earlier one of its
		// loop, Chosen how that was found.
		Lineage []workspace.Ancestor `json:"lineage,omitempty"`
		Chosen  []string             `json:"chosen,omitempty"`
	}
	// Denied is the operator's no to a draft.
	Denied struct {
		SHA256 string `json:"sha256"`
		By     string `json:"by"`
		Why    string `json:"why"`
	}
	// Ran refers to a run that has started, or ended, or was not to be started.
	Ran struct {
		Run      string `json:"run"`
		State    string `json:"state"`
		Status   string `json:"status,omitempty"`
		Verified string `json:"verified,omitempty"`
		Why      string `json:"why,omitempty"`
	}
	// Compacted takes the messages up to a number out of what the model is sent.
	Compacted struct {
		UpTo  uint64 `json:"up_to"`
		Lines int    `json:"lines"` // that went into the memory
	}
	// Given says that the model was given a skill's document.
	Given struct {
		Skill  string `json:"skill"`
		Source string `json:"source"`
		Bytes  int    `json:"bytes"`
		SHA256 string `json:"sha256"`
	}
	// ScopeAsked asks the operator what a loop may change without a question.
	ScopeAsked struct {
		Targets []string `json:"targets"`
	}
	// Scoped is what the operator approved once for a loop; no targets end it.
	Scoped struct {
		Targets []string `json:"targets"`
		By      string   `json:"by"`
	}
)

// States of a run that a conversation refers to.
const (
	RunStarted    = "started"
	RunEnded      = "ended"
	RunNotStarted = "not_started"
)

// Call is a tool call as the model wrote it.
type Call struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Words say so.
func (g Given) Words() string {
	return fmt.Sprintf("The model was given the skill %s (%s, %d bytes).", g.Skill, g.Source, g.Bytes)
}

// Usage is what an answer cost, in tokens, and how much of the model's window
// it filled.
type Usage struct {
	In      int64 `json:"in"`
	Out     int64 `json:"out"`
	Context int64 `json:"context,omitempty"`
	Window  int64 `json:"window,omitempty"`
}

func usageOf(u model.Usage) Usage {
	return Usage{In: u.In, Out: u.Out, Context: u.Context, Window: u.Window}
}

// Type names each kind in the log.
func (Opened) Type() string     { return "opened" }
func (Said) Type() string       { return "user" }
func (Answered) Type() string   { return "giver" }
func (Returned) Type() string   { return "tool" }
func (Told) Type() string       { return "engine" }
func (Drafted) Type() string    { return "draft" }
func (Approved) Type() string   { return "approved" }
func (Denied) Type() string     { return "denied" }
func (Ran) Type() string        { return "run" }
func (Compacted) Type() string  { return "compacted" }
func (Scoped) Type() string     { return "scope" }
func (Given) Type() string      { return "skill" }
func (ScopeAsked) Type() string { return "scope.asked" }

var _ = []struct{}{
	event.Register[Opened](), event.Register[Said](), event.Register[Answered](), event.Register[Returned](),
	event.Register[Told](), event.Register[Drafted](), event.Register[Approved](), event.Register[Denied](),
	event.Register[Ran](), event.Register[Compacted](), event.Register[Scoped](),
	event.Register[Given](), event.Register[ScopeAsked](), event.Register[Mapped](),
}
