package ui

import (
	"fmt"

	"growbench/engine/event"
)

func cannotStop(s Situation) string {
	if why := untouchable(s); why != "" {
		return why
	}
	switch {
	case s.State.IsEnded():
		return "the run has ended"
	case s.State.Owner == "gone":
		return "nobody runs it now"
	case s.Stopping:
		return "it is being stopped"
	}
	return ""
}

func nothingWaits(s Situation) string {
	switch {
	case s.Waits > 0:
		return ""
	case s.ReadOnly && len(s.State.Waits) > 0:
		return "this run is only watched"
	case s.Project:
		return "no run waits for anything"
	}
	return "the run waits for nothing"
}

func noPrompt(s Situation) string {
	if s.Listing {
		return aboutOneRun
	}
	if promptOf(s.State, s.Selected).Path == "" {
		return agentName(s.Selected) + " was given no prompt yet"
	}
	return ""
}

// aboutOneRun is why a key of a run's screen does nothing in the list.
const aboutOneRun = "this is about one run; enter opens it"

func noTask(s Situation) string {
	if s.Listing {
		return aboutOneRun
	}
	if s.Selected > 0 && s.State.Worker(s.Selected) == nil {
		return "there is no plan yet"
	}
	return ""
}

func noDiff(s Situation) string {
	if s.Listing {
		return aboutOneRun
	}
	w := s.State.Worker(s.Selected)
	switch {
	case s.Selected == 0:
		return "the planner changes nothing"
	case w == nil || w.Attempts == 0:
		return agentName(s.Selected) + " has not begun"
	case w.Commit == "" && w.Partial == "":
		return "nothing of its work is kept yet"
	}
	return ""
}

func noResult(s Situation) string {
	if s.Listing {
		return aboutOneRun
	}
	w := s.State.Worker(s.Selected)
	switch {
	case s.Selected == 0 && s.State.Plan.N == 0:
		return "there is no plan yet"
	case s.Selected > 0 && (w == nil || !w.Result):
		return agentName(s.Selected) + " handed in no RESULT yet"
	}
	return ""
}

func noTalk(s Situation) string {
	if !s.Talks {
		return "this screen was opened without a conversation"
	}
	return ""
}

func noSearch(s Situation) string {
	if !s.Searches {
		return "nothing is looked for; / begins a search"
	}
	return ""
}

func nothingToCopy(s Situation) string {
	switch {
	case s.Focus == InResults && len(s.State.Results) == 0:
		return "there is no RESULT yet"
	case s.Focus == InLedger && len(s.State.Ledger) == 0:
		return "the ledger is empty"
	}
	return ""
}

func promptOf(s *event.State, k int) event.Prompt {
	if w := s.Worker(k); w != nil {
		return w.Prompt
	}
	if k == 0 {
		return s.Planner.Prompt
	}
	return event.Prompt{}
}

func agentName(k int) string {
	if k == 0 {
		return "the planner"
	}
	return fmt.Sprintf("Worker %d", k)
}
