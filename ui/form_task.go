package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/doc"
	"growbench/engine/giver"
	"growbench/theme/text"
)

// taskWork is Task #0 in a form.
type taskWork struct {
	session *giver.Session
	base    string // the draft it began from
	sure    string // a key that would lose what is typed, asked about
}

// openTaskForm opens Task #0 where it was left, else the draft.
func (t *talk) openTaskForm(m *model) tea.Cmd {
	if f := t.openForm(func(w formWork) bool { _, is := w.(*taskWork); return is }); f != nil {
		m.push(f)
		return f.check(m.ctx)
	}
	return task("reading Task #0", func() tea.Msg { return t.taskForm() })
}

func (t *talk) taskForm() formMsg {
	typed, unsaved, left, err := t.session.TaskForm()
	if err != nil {
		return formMsg{words: "cannot edit Task #0: " + text.Line(err.Error())}
	}
	f := &form{talk: t, work: &taskWork{session: t.session, base: typed.Base}, dirty: unsaved}
	f.fields = sections(typed.Fields)
	switch {
	case unsaved:
		f.note = "This was typed and not saved; ctrl+r takes the draft in its place."
	case len(left) > 0:
		f.note = "Not all of the draft is in these sections; saving loses the rest (f4 opens your editor): " + text.Line(left[0].Text)
	}
	return formMsg{form: f, opened: true}
}

// sections are the fields of a task's six sections.
func sections(texts doc.Fields) []*field {
	fields := make([]*field, len(texts))
	for i, name := range doc.SectionNames() {
		fields[i] = &field{name: name, wants: doc.SectionWants(name)}
		fields[i].area.SetText(texts[i])
	}
	return fields
}

func (*taskWork) title() string { return "Task #0" }

func (*taskWork) scope() Scope { return InTaskForm }

func (*taskWork) hints(*form) []hint {
	return []hint{{"f2", "save"}, {"f4", "save, open your editor"}, {"ctrl+r", "take the draft as it is"}}
}

func (w *taskWork) typed(texts []string) giver.TaskForm {
	return giver.TaskForm{Fields: doc.Fields(texts), Base: w.base}
}

func (w *taskWork) check(ctx context.Context, texts []string) found {
	judged := w.session.JudgeTask(ctx, doc.Fields(texts))
	f := found{problems: judged.Problems, facts: []string{}}
	for _, p := range judged.Places {
		f.facts = append(f.facts, p.String())
	}
	if d := w.session.Look().State.Draft; w.base != d.SHA256 && d.SHA256 != "" {
		f.problems = append(f.problems, doc.Problem{Level: doc.Warning, Text: "there is another draft by now (by the " + d.By + "); saving replaces it, ctrl+r takes it"})
	}
	return f
}

func (w *taskWork) keep(number uint64, texts []string) error {
	return w.session.KeepTaskForm(number, w.typed(texts))
}

func (w *taskWork) save(number uint64, texts []string) (string, error) {
	if err := w.session.SaveTaskForm(number, w.typed(texts)); err != nil {
		return "", err
	}
	return "Task #0 is saved", nil
}

func (w *taskWork) key(m *model, f *form, key string) (tea.Cmd, bool) {
	asked := w.sure == key
	w.sure = ""
	switch key {
	case "f4":
		s := w.session
		return tea.Sequence(f.save(), m.editBeside("Task #0", s.Path(giver.DraftFile), s.Recheck)), true
	case "ctrl+r":
		if f.dirty && !asked {
			f.note, w.sure = "Once more forgets what is typed here and takes the draft.", key
			return nil, true
		}
		m.talk.dropForm(f)
		m.pop()
		t, n := f.talk, f.talk.typing()
		return task("reading Task #0", func() tea.Msg {
			if err := t.session.DropTaskForm(n); err != nil {
				return formMsg{words: "cannot forget what is typed: " + text.Line(err.Error())}
			}
			return t.taskForm()
		}), true
	}
	return nil, false
}
