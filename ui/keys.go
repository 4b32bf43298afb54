package ui

import (
	"fmt"
	"slices"
	"strings"

	"growbench/engine/event"
	"growbench/loop"
)

// Action is what a key does.
type Action string

// Actions of the workbench.
const (
	Leave     Action = "leave"
	Stop      Action = "stop"
	Help      Action = "help"
	HelpHere  Action = "help on what is open"
	Palette   Action = "palette"
	NextPane  Action = "next pane"
	PrevPane  Action = "previous pane"
	PickPane  Action = "pick pane"
	Up        Action = "up"
	Down      Action = "down"
	PageUp    Action = "page up"
	PageDown  Action = "page down"
	HalfUp    Action = "half up"
	HalfDown  Action = "half down"
	Home      Action = "home"
	End       Action = "end"
	Open      Action = "open"
	Prompt    Action = "prompt"
	Task      Action = "task"
	Answer    Action = "answer"
	Diff      Action = "diff"
	File      Action = "file"
	Result    Action = "result"
	FoldAll   Action = "fold all"
	NextStop  Action = "next stop"
	PrevStop  Action = "previous stop"
	NextFail  Action = "next failure"
	PrevFail  Action = "previous failure"
	Wide      Action = "full width"
	Search    Action = "search"
	NextMatch Action = "next match"
	PrevMatch Action = "previous match"
	Filter    Action = "filter"
	Copy      Action = "copy"
	Edit      Action = "edit"
	Mouse     Action = "mouse"
	Look      Action = "look"
	Suspend   Action = "suspend"
	Repaint   Action = "repaint"
	Close     Action = "close"
	Talk      Action = "talk"
	Interrupt Action = "interrupt"
)

// Group is where a binding stands in the help, in the palette and in the
// README.
type Group string

// Groups in the order they are explained.
const (
	GroupRun    Group = "the run"
	GroupRuns   Group = "all runs"
	GroupMap    Group = "the map"
	GroupReplay Group = "a replay"
	GroupLoop   Group = "the grow loop"
	GroupTalk   Group = "the conversation"
	GroupForm   Group = "a form of the conversation"
	GroupTyping Group = "typing"
	GroupAgent  Group = "the agent"
	GroupMove   Group = "moving"
	GroupText   Group = "finding and taking along"
	GroupHouse  Group = "the workbench"
)

// Scope is the pane a binding belongs to, or the list of runs, or a replay. A
// key may do one thing in a pane and
// another elsewhere; what belongs to the focused pane comes first.
type Scope string

// Scopes are the panes by name; Everywhere is none of them.
const (
	Everywhere   Scope = ""
	InChain      Scope = "chain"
	InTranscript Scope = "transcript"
	InResults    Scope = "results"
	InLedger     Scope = "ledger"
	InRuns       Scope = "list of runs"
	InReplay     Scope = "replay"
	InMap        Scope = "map"
	InPreview    Scope = "preview"
	InTalk       Scope = "conversation"
	InForm       Scope = "form"
	InTaskForm   Scope = "Task #0"
	InPlanForm   Scope = "the plan"
	InText       Scope = "text"
)

// Situation is what decides whether a key does anything.
type Situation struct {
	State    *event.State
	Selected int // 0 is the planner, k Worker k
	Stopping bool
	Focus    Scope
	Filtered bool       // the focused pane shows only what a filter lets through
	Searches bool       // something is looked for in the transcript
	Waits    int        // questions that can be answered from here, over all runs
	Project  bool       // the project's runs are known
	Listing  bool       // the list of runs is on the screen; State is of the run picked
	Replay   bool       // the run is played from its record
	ReadOnly bool       // the run is only watched
	NoRun    bool       // there is none to act on
	Talks    bool       // there is a conversation to open
	Busy     string     // what is being done to the run now
	Loop     loop.State // of the grow loop, "" before anything is known of it
	// Elsewhere: that loop is another process's.
	Elsewhere bool
	Talk      TalkSituation
	Map       MapSituation
}

// Binding is one key or several that do the same. Without a key it is reached
// through the palette alone. Disabled gives the reason why it does nothing
// now, or "". One that is Over all does the same in whatever is open.
type Binding struct {
	Keys        []string
	Action      Action
	Description string
	Group       Group
	In          Scope
	Over        bool
	Disabled    func(Situation) string
}

// reason is why the binding does nothing now, or "".
func (b Binding) reason(s Situation) string {
	if b.Disabled == nil {
		return ""
	}
	return b.Disabled(s)
}

// key is the binding's first key, or "".
func (b Binding) key() string {
	if len(b.Keys) == 0 {
		return ""
	}
	return b.Keys[0]
}

// typed tells that it belongs to a place where text is typed, and to no pane.
func (b Binding) typed() bool {
	return slices.Contains([]Scope{InTalk, InForm, InTaskForm, InPlanForm, InText}, b.In)
}

// describe is what it does, with the pane it does that in, where the group does
// not say so.
func (b Binding) describe() string {
	switch b.In {
	case Everywhere, InTalk, InForm, InText:
		return b.Description
	}
	return string(b.In) + ": " + b.Description
}

// Bindings are all keys of the workbench, in the order they are explained.
// Help, palette and the README's table are made of them.
func Bindings() []Binding {
	bindings := screenBindings()
	moving := slices.IndexFunc(bindings, func(b Binding) bool { return b.Group == GroupMove })
	return slices.Concat(bindings[:moving], runBindings(), mapBindings(), replayBindings(), loopBindings(),
		talkBindings(), formBindings(), textBindings(), bindings[moving:])
}

// screenBindings are those of a run's screen.
func screenBindings() []Binding {
	return []Binding{
		{Keys: []string{"q"}, Action: Leave, Group: GroupRun, Description: "leave; the run goes on"},
		{Keys: []string{"S"}, Action: Stop, Group: GroupRun, Description: "stop the run (asks first)", Disabled: cannotStop},
		{Keys: []string{"a"}, Action: Answer, Group: GroupRun, Description: "answer what the run waits for", Disabled: nothingWaits},

		{Keys: []string{"enter"}, Action: Open, Group: GroupAgent, In: InChain, Description: "the transcript"},
		{Keys: []string{"enter", "space"}, Action: Open, Group: GroupAgent, In: InTranscript, Description: "unfold or fold the tool call at hand"},
		{Keys: []string{"enter", "space"}, Action: Open, Group: GroupAgent, In: InResults, Description: "unfold or fold the RESULT at hand"},
		{Keys: []string{"enter", "space"}, Action: Open, Group: GroupAgent, In: InLedger, Description: "the entry, and from there task, file and diff"},
		{Keys: []string{"p"}, Action: Prompt, Group: GroupAgent, Description: "the exact prompt the agent was given", Disabled: noPrompt},
		{Keys: []string{"t"}, Action: Task, Group: GroupAgent, Description: "the agent's task", Disabled: noTask},
		{Keys: []string{"d"}, Action: Diff, Group: GroupAgent, Description: "what the agent changed, file by file", Disabled: noDiff},
		{Keys: []string{"r"}, Action: Result, Group: GroupAgent, Description: "the agent's RESULT; of the planner, the plan", Disabled: noResult},
		{Keys: []string{"z"}, Action: FoldAll, Group: GroupAgent, In: InTranscript, Description: "unfold or fold all tool calls"},
		{Keys: []string{"z"}, Action: FoldAll, Group: GroupAgent, In: InResults, Description: "fold or unfold all RESULTs"},
		{Keys: []string{"]"}, Action: NextStop, Group: GroupAgent, In: InTranscript, Description: "the next tool call"},
		{Keys: []string{"]"}, Action: NextStop, Group: GroupAgent, In: InResults, Description: "the next RESULT"},
		{Keys: []string{"["}, Action: PrevStop, Group: GroupAgent, In: InTranscript, Description: "the previous tool call"},
		{Keys: []string{"["}, Action: PrevStop, Group: GroupAgent, In: InResults, Description: "the previous RESULT"},
		{Keys: []string{"}"}, Action: NextFail, Group: GroupAgent, In: InTranscript, Description: "the next tool call that failed"},
		{Keys: []string{"{"}, Action: PrevFail, Group: GroupAgent, In: InTranscript, Description: "the previous tool call that failed"},
		{Keys: []string{"f"}, Action: Wide, Group: GroupAgent, Description: "the focused pane over the full width, and back"},

		{Keys: []string{"tab", "l", "right"}, Action: NextPane, Group: GroupMove, Description: "next pane"},
		{Keys: []string{"shift+tab", "h", "left"}, Action: PrevPane, Group: GroupMove, Description: "previous pane"},
		{Keys: []string{"1"}, Action: PickPane, Group: GroupMove, Description: "the chain"},
		{Keys: []string{"2"}, Action: PickPane, Group: GroupMove, Description: "the transcript"},
		{Keys: []string{"3"}, Action: PickPane, Group: GroupMove, Description: "the results"},
		{Keys: []string{"4"}, Action: PickPane, Group: GroupMove, Description: "the ledger"},
		{Keys: []string{"5"}, Action: ToMap, Group: GroupMove, Description: "the map of the project", Disabled: noMapHere},
		{Keys: []string{"6"}, Action: ToPreview, Group: GroupMove, Description: "what the map says of what is picked", Disabled: noMapHere},
		{Keys: []string{"k", "up"}, Action: Up, Group: GroupMove, Description: "up"},
		{Keys: []string{"j", "down"}, Action: Down, Group: GroupMove, Description: "down"},
		{Keys: []string{"ctrl+u"}, Action: HalfUp, Group: GroupMove, Description: "half a page up"},
		{Keys: []string{"ctrl+d"}, Action: HalfDown, Group: GroupMove, Description: "half a page down"},
		{Keys: []string{"pgup"}, Action: PageUp, Group: GroupMove, Description: "page up"},
		{Keys: []string{"pgdown"}, Action: PageDown, Group: GroupMove, Description: "page down"},
		{Keys: []string{"g", "home"}, Action: Home, Group: GroupMove, Description: "to the start"},
		{Keys: []string{"G", "end"}, Action: End, Group: GroupMove, Description: "to the end; a transcript follows, the chain picks who works"},

		{Keys: []string{"/"}, Action: Filter, Group: GroupText, In: InChain, Description: "show only what matches"},
		{Keys: []string{"/"}, Action: Filter, Group: GroupText, In: InLedger, Description: "show only what matches"},
		{Keys: []string{"/"}, Action: Filter, Group: GroupText, In: InRuns, Description: "show only what matches", Disabled: noFilter},
		{Keys: []string{"/"}, Action: Search, Group: GroupText, In: InTranscript, Description: "search all of it"},
		{Keys: []string{"n"}, Action: NextMatch, Group: GroupText, In: InTranscript, Description: "the next match", Disabled: noSearch},
		{Keys: []string{"N"}, Action: PrevMatch, Group: GroupText, In: InTranscript, Description: "the previous match", Disabled: noSearch},
		{Keys: []string{"y"}, Action: Copy, Group: GroupText, Description: "copy what is in focus", Disabled: nothingToCopy},
		{Keys: []string{"e"}, Action: Edit, Group: GroupText, Description: "open a file of the run in your editor"},

		{Keys: []string{"c"}, Action: Talk, Group: GroupHouse, Description: "the conversation: what is decided becomes Task #0 and a run", Disabled: noTalk},
		{Keys: []string{"ctrl+p"}, Action: Palette, Group: GroupHouse, Description: "find an action by its name"},
		{Keys: []string{"?"}, Action: Help, Group: GroupHouse, Description: "this help"},
		{Keys: []string{"esc"}, Action: Close, Group: GroupHouse, Over: true, Description: "close what is open on top, clear a filter; never stops anything"},
		{Keys: []string{"m"}, Action: Mouse, Group: GroupHouse, Description: "give the mouse to the terminal, or take it back"},
		{Action: Look, Group: GroupHouse, Description: "change the look: dark, light, high contrast, no colour"},
		{Keys: []string{"ctrl+l"}, Action: Repaint, Group: GroupHouse, Description: "paint the screen anew"},
		{Keys: []string{"f1", "ctrl+g"}, Action: HelpHere, Group: GroupHouse, Over: true, Description: "the keys of what is open, also where text is typed"},
		{Keys: []string{"ctrl+z"}, Action: Suspend, Group: GroupHouse, Over: true, Description: "back to the shell; fg comes back"},
		{Keys: []string{"ctrl+c"}, Action: Interrupt, Group: GroupHouse, Over: true, Description: "leave, stop or stay; twice leaves at once"},
	}
}

// find returns the binding of a key in a pane: the pane's own, else the one
// for everywhere.
func find(bindings []Binding, key string, in Scope) (found Binding, ok bool) {
	for _, b := range bindings {
		if b.In != in && b.In != Everywhere {
			continue
		}
		for _, k := range b.Keys {
			if k == key && (!ok || b.In != Everywhere) {
				found, ok = b, true
			}
		}
	}
	return found, ok
}

// rows are the bindings as they are explained: those next to each other that
// do the same in their panes share a row.
func rows(bindings []Binding) []Binding {
	var out []Binding
	for _, b := range bindings {
		row := Binding{Keys: slices.Clone(b.Keys), Action: b.Action, Group: b.Group, Disabled: b.Disabled, Description: b.describe()}
		last := len(out) - 1
		if last < 0 || out[last].Action != b.Action {
			out = append(out, row)
			continue
		}
		for _, k := range b.Keys {
			if !slices.Contains(out[last].Keys, k) {
				out[last].Keys = append(out[last].Keys, k)
			}
		}
		if rest, same := strings.CutSuffix(out[last].Description, ": "+b.Description); same {
			out[last].Description = rest + ", " + row.Description
		} else {
			out[last].Description += "; " + row.Description
		}
	}
	return out
}

// KeyTable is every key as a Markdown table, for the README.
func KeyTable() string {
	var out strings.Builder
	out.WriteString("| key | does |\n|---|---|\n")
	group := Group("")
	for _, b := range rows(Bindings()) {
		if b.Group != group {
			group = b.Group
			fmt.Fprintf(&out, "| **%s** | |\n", group)
		}
		keys := "in the palette"
		if len(b.Keys) > 0 {
			keys = "`" + strings.Join(b.Keys, "` `") + "`"
		}
		fmt.Fprintf(&out, "| %s | %s |\n", keys, b.Description)
	}
	return out.String()
}
