package event

import "growbench/engine/doc"

// What an operator can say of a plan before its first Worker.
const (
	ReviewApprove = "approve"
	ReviewEdit    = "edit"  // another plan stands in its place
	ReviewAgain   = "again" // the Planner is told what to change
	ReviewStop    = "stop"
)

// PlanReviewed is what the operator said of the plan in force. After an edit
// the plan that replaces it is a plan.accepted of its own, before this.
type PlanReviewed struct {
	Choice string `json:"choice"`
	By     string `json:"by"`
	// Text is what the Planner is told.
	Text string `json:"text,omitempty"`
}

// Type is the event's name in the log.
func (PlanReviewed) Type() string { return "plan.reviewed" }

var _ = register[PlanReviewed]()

// Returned is a plan that was sent back, and the words that went with it.
type Returned struct {
	Plan doc.Plan `json:"plan"`
	Text string   `json:"text"`
}

// review puts the operator's word in force: a plan that is sent back is no
// longer one, and its tasks are gone.
func (s *State) review(b PlanReviewed) {
	if b.Choice != ReviewAgain {
		s.Plan.Approved, s.Plan.Returned = true, nil
		return
	}
	returned := Returned{s.Plan.Tasks, b.Text}
	s.setTasks(doc.Plan{}, 1)
	s.Plan.Source, s.Plan.Problems, s.Plan.Returned = "", []doc.Problem{}, &returned
	s.Phase = PhasePlanning
}
