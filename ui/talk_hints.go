package ui

import (
	"slices"
	"strings"

	"growbench/engine/event"
	"growbench/engine/giver"
)

// toHelp and what closes end the hints wherever text is typed, whatever else
// finds room: a letter tells of nothing there.
var toHelp = hint{"f1", "help"}

// hints are what can be done now, what is most likely wanted first.
func (t *talk) hints(m *model) []hint {
	list, bindings, situation := m.loopHints(), talkBindings(), m.situation()
	put := func(a Action, does string) {
		i := slices.IndexFunc(bindings, func(b Binding) bool { return b.Action == a })
		if b := bindings[i]; b.reason(situation) == "" {
			list = append(list, hint{b.key(), does})
		}
	}
	l, typed := t.look, strings.TrimSpace(t.input.Text()) != ""
	_, draft := giver.Find(l.Waits, giver.AnyDraft)
	_, plan := giver.Find(l.Waits, giver.AnyPlan)
	if t.free {
		put(Say, "take it over")
	}
	if l.Turn && !l.Stopping {
		put(StopAnswer, "stop")
	}
	if len(l.Waits) > 0 && !typed {
		put(Approve, "approve")
	}
	if typed && !t.followed() {
		put(Say, "say")
	}
	if typed {
		put(Refuse, "refuse, with these words")
	} else {
		put(Refuse, "refuse")
	}
	if plan {
		put(PlanForm, "edit the plan")
	}
	if draft || plan {
		put(Crossing, "what crosses")
	}
	if l.State.Draft.SHA256 == "" {
		put(TaskForm, "write Task #0")
	} else if l.State.Draft.Used == "" {
		put(TaskForm, "edit Task #0")
	}
	if draft {
		put(PlanForm, "plan by hand")
	}
	if typed && !t.followed() {
		list = append(list, hint{"alt+enter", "new line"})
	}
	if !t.view.Following() {
		put(End, "newest")
	}
	if t.view.Above() {
		put(PageUp, "back")
	}
	if !draft && !plan && (l.State.Draft.SHA256 != "" || l.State.Run.ID != "") {
		put(Crossing, "what crosses")
	}
	put(MemoryForm, "memory")
	if t.calls() {
		put(FoldCalls, map[bool]string{true: "unfold calls", false: "fold calls"}[t.view.Folded()])
	}
	return append(list, toHelp, hint{"esc", "close"})
}

// calls tells whether tools were called of late.
func (t *talk) calls() bool {
	said := t.look.State.Messages
	return slices.ContainsFunc(said[max(len(said)-talkPage, 0):], func(e event.Event) bool {
		_, is := e.Body.(giver.Returned)
		return is
	})
}

// hints of a form: how to save it and to go on, then what it alone can do.
func (f *form) hints(*model) []hint {
	list := append([]hint{{"tab", "next"}}, f.work.hints(f)...)
	return append(list, toHelp, hint{"esc", "close, it is kept"})
}
