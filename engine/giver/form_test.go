package giver

import (
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// The newest of what is typed is kept, whenever its turn comes; saved, it is
// the draft and nothing is left of it.
func TestATypedTask0IsKeptUntilItIsSaved(t *testing.T) {
	p := newPlace(t)
	p.server = nil
	s := p.open()
	first, unsaved, _, err := s.TaskForm()
	if err != nil || unsaved || first.Fields[2] != doc.None {
		t.Fatalf("%+v %v %v", first, unsaved, err)
	}
	newer := TaskForm{Fields: doc.Fields{"Sizes have a unit.", "decided", doc.None, "- small", "size.go\nnew.txt\nlong.go", "Parse(text string) int — size.go"}}
	must(t, s.KeepTaskForm(2, newer))
	must(t, s.KeepTaskForm(1, first))
	if got, unsaved, _, _ := s.TaskForm(); !unsaved || got != newer {
		t.Errorf("%+v", got)
	}
	judged := s.JudgeTask(t.Context(), newer.Fields)
	places := []string{}
	for _, place := range judged.Places {
		places = append(places, place.String())
	}
	if got := strings.Join(places, ", "); got != "size.go: 9 lines, new.txt: new, long.go: 604 lines, long" {
		t.Errorf("%s", got)
	}
	if said := listed(judged.Problems, doc.Warning); !strings.Contains(said, "(int, error)") {
		t.Errorf("%v", judged.Problems)
	}
	must(t, s.SaveTaskForm(3, newer))
	must(t, s.KeepTaskForm(2, newer))
	if _, unsaved, _, _ := s.TaskForm(); unsaved {
		t.Error("what was saved is kept as unsaved")
	}
	if d := s.Look().State.Draft; d.By != ByOperator || d.Goal != newer.Fields[0] || !d.Waits() {
		t.Errorf("%+v", d)
	}
}

// Without a model: Task #0 in its form, a plan in its own, and it runs.
func TestAPlanByHandStartsTheChain(t *testing.T) {
	p := newPlace(t)
	p.server = nil
	s := p.open()
	if err := s.UsePlan(1, []TypedTask{{Title: "x", Layer: "0", Fields: doc.Fields{"x", "x", doc.None, "None", "new1.txt", "None"}}}); err == nil {
		t.Error("a plan was used without a Task #0")
	}
	must(t, s.SaveTaskForm(1, TaskForm{Fields: doc.Fields{"Two texts are written.", "decided", doc.None, "- small", "new1.txt\nnew2.txt", "None"}}))
	tasks, _ := s.PlanForm()
	if len(tasks) != 1 || doc.HasErrors(s.JudgePlan(tasks)) {
		t.Fatalf("%+v %v", tasks, s.JudgePlan(tasks))
	}
	second := tasks[0]
	tasks[0].Fields[4], second.Fields[4] = "new1.txt", "new2.txt"
	tasks = append(tasks, second)
	tasks[1].Layer = "x"
	if !doc.HasErrors(s.JudgePlan(tasks)) || s.UsePlan(2, tasks) == nil {
		t.Error("a layer that is no number passes")
	}
	tasks[1].Layer = "1"
	must(t, s.KeepPlanForm(3, tasks))
	if got, unsaved := s.PlanForm(); !unsaved || len(got) != 2 || got[1] != tasks[1] {
		t.Errorf("%+v", got)
	}
	must(t, s.UsePlan(4, tasks))
	l := s.ends()
	if l.State.Run.Status != event.StatusPassed || l.Run.N != 2 {
		t.Errorf("%+v", l.Run)
	}
	if _, unsaved := s.PlanForm(); unsaved {
		t.Error("the plan that was used is kept as unused")
	}
}

// A plan that is asked about is where its form begins, and what it says stands
// in its place.
func TestAPlanThatIsAskedAboutIsEdited(t *testing.T) {
	p := newPlace(t)
	p.server, p.review = nil, true
	s := p.open()
	must(t, s.SaveTaskForm(1, TaskForm{Fields: doc.Fields{"Texts are written.", "decided", doc.None, "- small", "new1.txt\nnew2.txt\nnew3.txt", "None"}}))
	must(t, s.Approve(AnyDraft, ""))
	s.until("the plan is asked about", func(l Look) bool { _, asked := Find(l.Waits, AnyPlan); return asked })
	tasks, unsaved := s.PlanForm()
	if unsaved || len(tasks) != 3 || tasks[2].Layer != "2" || tasks[2].Fields[4] != "new3.txt" {
		t.Fatalf("%+v", tasks)
	}
	tasks[0].Fields[4] = "new1.txt\nnew2.txt"
	must(t, s.UsePlan(1, []TypedTask{tasks[0], tasks[2]}))
	l := s.ends()
	if l.State.Run.Status != event.StatusPassed || l.Run.N != 2 {
		t.Errorf("%+v", l.Run)
	}
}
