package ui

import (
	"fmt"
	"strings"

	"growbench/engine/event"
)

// Action is what a key does.
type Action string

// Actions of the first screen.
const (
	Leave     Action = "leave"
	Stop      Action = "stop"
	Help      Action = "help"
	NextPane  Action = "next pane"
	PrevPane  Action = "previous pane"
	PickPane  Action = "pick pane"
	Up        Action = "up"
	Down      Action = "down"
	PageUp    Action = "page up"
	PageDown  Action = "page down"
	Home      Action = "home"
	End       Action = "end"
	Open      Action = "open"
	Prompt    Action = "prompt"
	Task      Action = "task"
	Answer    Action = "answer"
	Close     Action = "close"
	Interrupt Action = "interrupt"
)

// Situation is what decides whether a key does anything.
type Situation struct {
	State    *event.State
	Selected int // 0 is the planner, k Worker k
	Stopping bool
}

// Binding is one key or several that do the same. Disabled gives the reason
// why it does nothing now, or "".
type Binding struct {
	Keys        []string
	Action      Action
	Description string
	Disabled    func(Situation) string
}

// Bindings are all keys of the workbench, in the order they are explained.
func Bindings() []Binding {
	return []Binding{
		{Keys: []string{"q"}, Action: Leave, Description: "leave; the run goes on"},
		{Keys: []string{"S"}, Action: Stop, Description: "stop the run (asks first)", Disabled: cannotStop},
		{Keys: []string{"a"}, Action: Answer, Description: "answer what the run waits for", Disabled: nothingWaits},
		{Keys: []string{"enter"}, Action: Open, Description: "chain: the transcript; transcript: unfold or fold tool calls"},
		{Keys: []string{"p"}, Action: Prompt, Description: "the exact prompt the agent was given", Disabled: noPrompt},
		{Keys: []string{"t"}, Action: Task, Description: "the agent's task", Disabled: noTask},
		{Keys: []string{"tab"}, Action: NextPane, Description: "next pane"},
		{Keys: []string{"shift+tab"}, Action: PrevPane, Description: "previous pane"},
		{Keys: []string{"1", "2", "3", "4"}, Action: PickPane, Description: "chain, transcript, results, ledger"},
		{Keys: []string{"k", "up"}, Action: Up, Description: "up"},
		{Keys: []string{"j", "down"}, Action: Down, Description: "down"},
		{Keys: []string{"pgup"}, Action: PageUp, Description: "page up"},
		{Keys: []string{"pgdown"}, Action: PageDown, Description: "page down"},
		{Keys: []string{"g", "home"}, Action: Home, Description: "to the start"},
		{Keys: []string{"G", "end"}, Action: End, Description: "to the end; a transcript follows, the chain picks who works"},
		{Keys: []string{"?"}, Action: Help, Description: "this help"},
		{Keys: []string{"esc"}, Action: Close, Description: "close what is open on top; never stops anything"},
		{Keys: []string{"ctrl+c"}, Action: Interrupt, Description: "leave, stop or stay; twice leaves at once"},
	}
}

func cannotStop(s Situation) string {
	switch {
	case s.State.IsEnded():
		return "the run has ended"
	case s.State.Owner == "gone":
		return "nobody runs it now"
	case s.Stopping:
		return "it is being stopped"
	}
	return ""
}

func nothingWaits(s Situation) string {
	if len(s.State.Waits) == 0 {
		return "the run waits for nothing"
	}
	return ""
}

func noPrompt(s Situation) string {
	if promptOf(s.State, s.Selected).Path == "" {
		return agentName(s.Selected) + " was given no prompt yet"
	}
	return ""
}

func noTask(s Situation) string {
	if s.Selected > 0 && s.State.Worker(s.Selected) == nil {
		return "there is no plan yet"
	}
	return ""
}

func promptOf(s *event.State, k int) event.Prompt {
	if w := s.Worker(k); w != nil {
		return w.Prompt
	}
	if k == 0 {
		return s.Planner.Prompt
	}
	return event.Prompt{}
}

func agentName(k int) string {
	if k == 0 {
		return "the planner"
	}
	return fmt.Sprintf("Worker %d", k)
}

// find returns the binding of a key.
func find(bindings []Binding, key string) (Binding, bool) {
	for _, b := range bindings {
		for _, k := range b.Keys {
			if k == key {
				return b, true
			}
		}
	}
	return Binding{}, false
}

// KeyTable is every key as a Markdown table, for the README.
func KeyTable() string {
	var out strings.Builder
	out.WriteString("| key | does |\n|---|---|\n")
	for _, b := range Bindings() {
		fmt.Fprintf(&out, "| `%s` | %s |\n", strings.Join(b.Keys, "` `"), b.Description)
	}
	return out.String()
}
