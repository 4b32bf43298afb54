package ui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/doc"
	"growbench/engine/giver"
)

// planWork is a plan by hand in a form, task after task.
type planWork struct {
	session *giver.Session
	sure    string
}

// ofTask is how many fields a task of a plan has; the first are its own.
const ofTask = 3 + len(doc.Fields{})

func (t *talk) openPlanForm(m *model) tea.Cmd {
	if f := t.openForm(func(w formWork) bool { _, is := w.(*planWork); return is }); f != nil {
		m.push(f)
		return f.check(m.ctx)
	}
	s := t.session
	return task("reading the plan", func() tea.Msg {
		tasks, unsaved := s.PlanForm()
		f := &form{talk: t, work: &planWork{session: s}, dirty: unsaved}
		for _, one := range tasks {
			f.fields = append(f.fields, taskFields(one)...)
		}
		f.number()
		return formMsg{form: f, opened: true}
	})
}

func taskFields(t giver.TypedTask) []*field {
	fields := []*field{
		{name: "Title", wants: "a few words", short: true},
		{name: "Layer", wants: "0 first; what builds on it comes in a later one", short: true},
		{name: "Agent", wants: "empty: the Worker's", short: true},
	}
	for i, s := range []string{t.Title, t.Layer, t.Agent} {
		fields[i].area.SetText(s)
	}
	return append(fields, sections(t.Fields)...)
}

// number heads each task with its place.
func (f *form) number() {
	n := len(f.fields) / ofTask
	for i, field := range f.fields {
		if field.head = ""; i%ofTask == 0 {
			field.head = fmt.Sprintf("Task #%d of %d", i/ofTask+1, n)
		}
	}
}

func (*planWork) title() string { return "the plan" }

func (*planWork) scope() Scope { return InPlanForm }

func (*planWork) hints(f *form) []hint {
	list := []hint{{"f2", "use it"}}
	if doc.HasErrors(f.found.problems) {
		list = nil // it would be refused
	}
	return append(list, []hint{{"pgdown", "next task"}, {"ctrl+n", "one more task"}, {"ctrl+t", "take this one out"}}...)
}

func typedTasks(texts []string) (tasks []giver.TypedTask) {
	for t := range slices.Chunk(texts, ofTask) {
		tasks = append(tasks, giver.TypedTask{Title: t[0], Layer: t[1], Agent: t[2], Fields: doc.Fields(t[3:])})
	}
	return tasks
}

func (w *planWork) check(_ context.Context, texts []string) found {
	return found{problems: w.session.JudgePlan(typedTasks(texts)), facts: []string{}}
}

func (w *planWork) keep(number uint64, texts []string) error {
	return w.session.KeepPlanForm(number, typedTasks(texts))
}

func (w *planWork) save(number uint64, texts []string) (string, error) {
	return "the chain goes on with this plan", w.session.UsePlan(number, typedTasks(texts))
}

func (w *planWork) key(m *model, f *form, key string) (tea.Cmd, bool) {
	asked := w.sure == key
	w.sure = ""
	first := f.at / ofTask * ofTask
	switch key {
	case "pgdown":
		f.at = min(first+ofTask, len(f.fields)-ofTask)
	case "pgup":
		f.at = max(first-ofTask, 0)
	case "ctrl+n":
		layer := f.fields[first+1].area.Text()
		more := taskFields(giver.TypedTask{Layer: layer, Fields: doc.Fields{2: doc.None}})
		f.fields = slices.Insert(f.fields, first+ofTask, more...)
		f.at = first + ofTask
	case "ctrl+t":
		switch {
		case len(f.fields) == ofTask:
			f.note = "A plan has at least one task."
			return nil, true
		case !asked:
			f.note, w.sure = fmt.Sprintf("Once more takes Task #%d out, with what is typed in it.", first/ofTask+1), key
			return nil, true
		}
		f.fields = slices.Delete(f.fields, first, first+ofTask)
		f.at = min(first, len(f.fields)-ofTask)
	default:
		return nil, false
	}
	f.number()
	if key == "ctrl+n" || key == "ctrl+t" {
		return f.changed(m), true
	}
	return nil, true
}
