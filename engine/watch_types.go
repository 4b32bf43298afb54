// Package engine runs the pipeline: Task #0, plan, a chain of exactly N
// Workers, verification, report. A run belongs to one detached owner process;
// everybody else watches it and sends it commands.
package engine

import "growbench/engine/event"

// Command is what an operator asks of a run's owner.
type Command struct {
	Do     string `json:"do"` // stop or answer
	ID     string `json:"id,omitempty"`
	Choice string `json:"choice,omitempty"`
	By     string `json:"by,omitempty"`
	// Text is what an answer brings with it, such as a task's new text.
	Text string `json:"text,omitempty"`
	// Interrupt tells a stop by Ctrl-C apart from one by command.
	Interrupt bool `json:"interrupt,omitempty"`
}

// Update is what has come since a watcher looked last.
type Update struct {
	Events     []event.Event
	OwnerAlive bool
}
