package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/giver"
	"growbench/theme/text"
)

// memoryWork is the conversation's memory in a form.
type memoryWork struct {
	session *giver.Session
	base    string
}

func (t *talk) openMemory(m *model) tea.Cmd {
	if f := t.openForm(func(w formWork) bool { _, is := w.(*memoryWork); return is }); f != nil {
		m.push(f)
		return f.check(m.ctx)
	}
	s := t.session
	return task("reading the memory", func() tea.Msg {
		typed, unsaved, err := s.MemoryForm()
		if err != nil {
			return formMsg{words: text.Line(err.Error())}
		}
		f := &form{talk: t, work: &memoryWork{s, typed.Base}, dirty: unsaved}
		f.fields = []*field{{name: giver.MemoryFile, wants: "decisions, constraints, failures, open questions"}}
		f.fields[0].area.SetText(typed.Text)
		if unsaved {
			f.note = "This was typed and not saved."
		}
		return formMsg{form: f, opened: true}
	})
}

func (*memoryWork) title() string { return "memory" }
func (*memoryWork) scope() Scope  { return InForm }

func (*memoryWork) hints(*form) []hint { return []hint{{"f2", "save"}} }

func (w *memoryWork) typed(texts []string) giver.MemoryForm {
	return giver.MemoryForm{Text: texts[0], Base: w.base}
}

func (w *memoryWork) check(_ context.Context, texts []string) found {
	return found{facts: []string{w.typed(texts).Counts()}}
}

func (w *memoryWork) keep(number uint64, texts []string) error {
	return w.session.KeepMemoryForm(number, w.typed(texts))
}

func (w *memoryWork) save(number uint64, texts []string) (string, error) {
	return "the memory is saved", w.session.SaveMemoryForm(number, w.typed(texts))
}

func (*memoryWork) key(*model, *form, string) (tea.Cmd, bool) { return nil, false }
