package giver

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
)

// filePlanForm is a plan as it is being typed and not used.
const filePlanForm = "form-plan.json"

// TypedTask is a task of a plan while the operator types it.
type TypedTask struct {
	Title  string     `json:"title"`
	Layer  string     `json:"layer"`
	Agent  string     `json:"agent"`
	Fields doc.Fields `json:"fields"`
}

func typedTask(t doc.PlanTask) TypedTask {
	return TypedTask{t.Title, strconv.Itoa(t.Layer), t.Agent, t.Fields()}
}

// PlanForm is what was typed and not used, else the plan that is asked about,
// else one task that is all of Task #0.
func (s *Session) PlanForm() (tasks []TypedTask, unsaved bool) {
	if json.Unmarshal(s.typed(filePlanForm), &tasks) == nil && len(tasks) > 0 {
		return tasks, true
	}
	s.mu.Lock()
	if _, asked := Find(s.questions(), AnyPlan); asked {
		for _, t := range s.run.Plan.Tasks.Tasks {
			tasks = append(tasks, typedTask(t))
		}
	}
	s.mu.Unlock()
	if len(tasks) == 0 {
		tasks = []TypedTask{s.wholeTask()}
	}
	return tasks, false
}

func (s *Session) wholeTask() TypedTask {
	f, _ := doc.TaskFields(s.draftText())
	title, _, _ := strings.Cut(oneLine(f[0]), ".")
	return TypedTask{Title: clip(title, 60), Layer: "0", Fields: f}
}

// KeepPlanForm keeps what is being typed. Of two the one with the greater number
// counts.
func (s *Session) KeepPlanForm(number uint64, tasks []TypedTask) error {
	data, err := json.Marshal(tasks)
	if err != nil {
		return err
	}
	return s.keepTyped(filePlanForm, number, data)
}

// DropPlanForm forgets what was typed and not used.
func (s *Session) DropPlanForm(number uint64) error {
	return s.keepTyped(filePlanForm, number, nil)
}

// JudgePlan checks a plan as it is typed, against the Task #0 it is for.
func (s *Session) JudgePlan(tasks []TypedTask) []doc.Problem {
	s.mu.Lock()
	var task0 doc.Task
	_, asked := Find(s.questions(), AnyPlan)
	if asked {
		task0 = s.run.Task0
	}
	s.mu.Unlock()
	if !asked {
		task0, _ = doc.ParseTask(s.draftText())
	}
	plan, problems := planOf(tasks)
	_, more := engine.CheckPlan(task0, doc.FormatPlan(plan), s.agent)
	return append(problems, more...)
}

func (s *Session) agent(name string) bool { _, ok := s.Spec.Config.Agents[name]; return ok }

func planOf(tasks []TypedTask) (plan doc.Plan, problems []doc.Problem) {
	for i, t := range tasks {
		layer, err := strconv.Atoi(strings.TrimSpace(t.Layer))
		if err != nil {
			problems = append(problems, doc.Problem{Level: doc.Error, Section: fmt.Sprintf("Task #%d", i+1), Text: fmt.Sprintf("the layer %q is no number", t.Layer)})
		}
		plan.Tasks = append(plan.Tasks, doc.PlanTask{Title: oneLine(t.Title), Layer: layer, Agent: oneLine(t.Agent)}.WithFields(t.Fields))
	}
	return plan, problems
}

// UsePlan puts a typed plan in the place of the one that is asked about, or
// approves Task #0 with it, which starts the chain.
func (s *Session) UsePlan(number uint64, tasks []TypedTask) error {
	if problems := s.JudgePlan(tasks); doc.HasErrors(problems) {
		return errors.New("the plan does not pass; nothing was begun")
	}
	plan, _ := planOf(tasks)
	text, waits := doc.FormatPlan(plan), s.Look().Waits
	var err error
	if w, asked := Find(waits, AnyPlan); asked {
		err = s.Answer(w.ID, event.ReviewEdit, text)
	} else if w, asked := Find(waits, AnyDraft); asked {
		err = s.approveDraft(w.ID, text, ByOperator)
	} else {
		err = errNoTask
	}
	if err != nil {
		return err
	}
	return s.DropPlanForm(number)
}
