// Package agent is what does the work of a role: a Planner, a Scout, a Worker.
// Every kind of agent yields the same stream of items and obeys the same
// limits; what it is given and what it hands on is the engine's business.
package agent

import (
	"context"
	"errors"

	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// Role is what an agent is asked to be.
type Role string

const (
	Planner Role = "planner"
	Scout   Role = "scout"
	Worker  Role = "worker"
)

// Request is one piece of work. The agent starts fresh: it knows the prompt,
// the directory and nothing else.
type Request struct {
	Role    Role
	K       int // Worker number from 1; 0 for the Planner
	Attempt int // from 1
	// Again asks for the RESULT alone: the work itself is done.
	Again  bool
	Prompt string
	// Dir is the project's directory in the run's clone.
	Dir   string
	Scope workspace.Scope
	// Env is the whole environment of every process the agent starts.
	Env []string
	// OutputDir takes the whole output of commands.
	OutputDir string
	// Reads are files beyond the targets of Scope that a Worker needs; of a
	// Planner, the targets of Task #0.
	Reads []string
	// Permit asks somebody whether a command may be run that no rule allows;
	// nil: nobody is there. What it takes counts towards no limit.
	Permit func(ctx context.Context, command string) (bool, error)
	// Judge says what is wrong with a plan.
	Judge func(plan string) []doc.Problem
	// Sent, where set, is given what leaves for a model server at first, whole.
	Sent func(body []byte)
}

// Prompter is an agent that cannot send every text as it is. Prompt is the
// text as it will be sent.
type Prompter interface {
	Prompt(ctx context.Context, text string) string
}

// Update is one sign of life: an item for the transcript, tokens used, or both.
// An item without a kind only says which turn has begun.
type Update struct {
	Item  event.Item
	Usage *Usage
}

// Usage is what one exchange with a model cost. Tokens; Cost in the
// provider's currency.
type Usage struct {
	In, Out, Cached int64
	Cost            float64
	Estimated       bool
	// Context is how much of the model's Window this exchange filled, in
	// tokens; 0 when that is not known.
	Context, Window int64
}

// Outcome is what an agent ends with. Submitted and Plan are what it handed
// in by tool or structured output, as JSON; Message is its last message.
type Outcome struct {
	Submitted []byte
	Plan      []byte
	Message   string
	// Asked says that the agent was asked for what is missing as often as it
	// may be.
	Asked bool
}

// Agent does one request. It returns when the work is over and every process
// it started has ended. emit must not be called after Run returned.
type Agent interface {
	Run(ctx context.Context, req Request, emit func(Update)) (Outcome, error)
}

// Errors an agent's run ends with when it was ended from outside. Stopped is
// the operator's; the others are limits.
var (
	ErrTimedOut    = errors.New("over its wall-clock limit")
	ErrStalled     = errors.New("silent for too long")
	ErrOutputLimit = errors.New("over its output limit")
)
