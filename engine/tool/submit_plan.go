package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"growbench/engine/doc"
)

// SubmitPlan is the name of the tool by which a Planner hands in.
const SubmitPlan = "submit_plan"

const (
	largeFile = 500 // lines from which on a Planner may look into a target
	sendBacks = 2   // of a plan that does not pass
)

var tasksShape = json.RawMessage(`{"type":"array","description":"in the order in which they are done","items":{"type":"object","properties":{` +
	`"title":{"type":"string"},"layer":{"type":"integer","description":"from 0, never less than that of the task before"},` +
	`"goal":{"type":"string","description":"one sentence"},"background":{"type":"string"},` +
	`"past_failures":{"type":"string","description":"None — first attempt, if there were none"},` +
	`"constraints":{"type":"array","items":{"type":"string"}},` +
	`"target_files":{"type":"array","items":{"type":"string"},"description":"from Task #0's"},` +
	`"signatures":{"type":"array","items":{"type":"string"},"description":"signature — path"}},` +
	`"required":["title","layer","goal","background","past_failures","constraints","target_files","signatures"]}}`)

func (w *work) submitPlan() Tool {
	return Tool{
		Name:        SubmitPlan,
		Description: "Hand in the plan. This ends your work, unless the plan is sent back with what is wrong.",
		Params:      []Param{{Name: "tasks", Type: "free", Shape: tasksShape}},
		run: func(_ context.Context, a args) (string, error) {
			return w.takePlan(string(a.whole))
		},
	}
}

func (w *work) takePlan(plan string) (string, error) {
	var problems []doc.Problem
	if w.Plan != nil {
		problems = w.Plan(plan)
	}
	if !doc.HasErrors(problems) {
		w.set.handed = Handed{Plan: []byte(plan), Done: true}
		return "the plan is taken\n", nil
	}
	if w.set.sentBack++; w.set.sentBack > sendBacks {
		w.set.handed = Handed{Plan: []byte(plan), Done: true, Refused: true}
		return "", errWords("the plan was sent back %d times and still does not pass", sendBacks)
	}
	var b strings.Builder
	for _, p := range problems {
		if p.Level == doc.Error {
			fmt.Fprintf(&b, "\n- %s", strings.TrimSpace(p.Section+": "+p.Text))
		}
	}
	return "", errWords("the plan does not pass; hand it in again, whole, without these faults:%s", b.String())
}

// large are the targets a Planner may look into.
func (w *work) large(targets []string) []string {
	var out []string
	for _, t := range targets {
		if content, err := w.files.Read(t); err == nil && lineCount(string(content.Data)) > largeFile {
			out = append(out, content.Path)
		}
	}
	return out
}
