package tool

import (
	"strings"

	"growbench/engine/doc"
)

// Said takes what an agent hands in as text, without a call. words is what it
// is to be told where nothing could be taken.
func (s *Set) Said(text string) (words string, taken bool) {
	if s.said == nil {
		return "", false
	}
	return s.said(text)
}

// saidResult is for a Worker: its RESULT in words, or that it is blocked.
func saidResult(k int) func(string) (string, bool) {
	return func(text string) (string, bool) {
		if _, blocked := doc.ParseBlocked(text); blocked {
			return "", true
		}
		_, problems, err := doc.ParseResult(text, k)
		switch {
		case err != nil:
			return "That was no tool call. Go on with one; when all is done call " + SubmitResult + ".", false
		case doc.HasErrors(problems):
			var faults []string
			for _, p := range problems {
				if p.Level == doc.Error {
					faults = append(faults, p.Text)
				}
			}
			return "The RESULT is not whole: " + strings.Join(faults, "; ") + ". Hand it in with " + SubmitResult + ".", false
		}
		return "", true
	}
}

// saidPlan is for a Planner: a plan in its text is judged as one handed in.
func (w *work) saidPlan(text string) (string, bool) {
	if plan, _ := doc.ParsePlan(text); len(plan.Tasks) == 0 {
		return "That was no tool call. Hand the plan in with " + SubmitPlan + ".", false
	}
	_, err := w.takePlan(text)
	if w.set.handed.Done {
		return "", true
	}
	return err.Error(), false
}

func saidReport(string) (string, bool) {
	return "That was no tool call. Go on with one; when you have found out enough call " + Report + ".", false
}
