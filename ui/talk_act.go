package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/giver"
	"growbench/theme/text"
)

func (t *talk) key(m *model, key string) tea.Cmd { return t.typed(m, key, "") }

func (t *talk) paste(m *model, s string) tea.Cmd {
	if t.followed() {
		return t.typed(m, "", "")
	}
	t.input.Insert(strings.TrimRight(s, "\r\n"))
	return t.keep()
}

// keep puts what is typed on disk.
func (t *talk) keep() tea.Cmd {
	if t.session == nil {
		return nil
	}
	t.kept++
	s, n, words := t.session, t.kept, t.input.Text()
	return task("keeping what is typed", func() tea.Msg {
		if err := s.KeepInput(n, words); err != nil {
			return actedMsg{"what you type is not kept: " + text.Line(err.Error())}
		}
		return nil
	})
}

func (t *talk) typed(m *model, key, typed string) tea.Cmd {
	b, ok := find(talkBindings(), key, InTalk)
	if !ok {
		return t.write(m, key, typed)
	}
	if reason := b.reason(m.situation()); reason != "" {
		m.notice = key + " does nothing now: " + reason
		return nil
	}
	switch a := b.Action; a {
	case Up, Down:
		if !t.input.Press(key, "") { // no further row of what is typed
			moveIn(&t.view, a, t.height)
		}
	case PageUp, PageDown, Home, End:
		moveIn(&t.view, a, t.height)
	case FoldCalls:
		t.view.FoldAll(!t.view.Folded())
	default:
		return t.act(m, a)
	}
	return nil
}

// write does what a key does in the text that is typed.
func (t *talk) write(m *model, key, typed string) tea.Cmd {
	if t.followed() {
		m.notice = "nothing can be said here: you only watch"
		return nil
	}
	before := t.input.Text()
	if t.input.Press(key, typed) && t.input.Text() != before {
		return t.keep()
	}
	return nil
}

// followed tells that the conversation is another process's.
func (t *talk) followed() bool { return t.reader != nil && t.session == nil }

// act does what a key of the conversation stands for.
func (t *talk) act(m *model, a Action) tea.Cmd {
	if t.session == nil {
		return m.openTalk() // the only thing that can be done to one that is free
	}
	s, words := t.session, t.input.Text()
	switch a {
	case Say:
		if strings.TrimSpace(words) == "" {
			return nil
		}
		m.spoke()
		t.input.SetText("")
		t.view.End()
		return tea.Batch(t.keep(), acting("say it", func() error { return s.Say(words, giver.ByOperator) }))
	case Approve:
		first := t.look.Waits[0]
		return acting("approve it", func() error { return s.Approve(first.ID, "") })
	case Refuse:
		first := t.look.Waits[0]
		t.input.SetText("")
		return tea.Batch(t.keep(), acting("refuse it", func() error { return s.Deny(first.ID, words) }))
	case TaskForm:
		return t.openTaskForm(m)
	case PlanForm:
		return t.openPlanForm(m)
	case MemoryForm:
		return t.openMemory(m)
	case Crossing:
		return task("reading what crosses", func() tea.Msg {
			body, err := s.Crossed()
			if err == nil && body == "" {
				return actedMsg{"nothing crosses yet: there is no Task #0"}
			}
			return documentMsg{Talk, "what crosses, and nothing else", body, err}
		})
	case StopAnswer:
		if !s.Stop() {
			m.notice = "no answer is being made"
			return nil
		}
		t.look.Stopping = true // until the news of its end comes
		t.reader.soon()
	}
	return nil
}

// acting does something of the operator's. What becomes of it is seen in the
// conversation; that it failed is said.
func acting(what string, do func() error) tea.Cmd {
	return task("to "+what, func() tea.Msg {
		if err := do(); err != nil {
			return actedMsg{"could not " + what + ": " + text.Line(err.Error())}
		}
		return nil
	})
}
