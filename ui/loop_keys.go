package ui

import "growbench/loop"

// Actions on the grow loop. Their keys are the loop's in whatever is open: what
// has been scheduled must be in reach of one key.
const (
	CancelLoop  Action = "cancel the loop"
	HurryLoop   Action = "hurry the loop"
	LoopHistory Action = "the loop's history"
)

func loopBindings() []Binding {
	return []Binding{
		{Keys: []string{"f7"}, Action: LoopHistory, Group: GroupLoop, Over: true, Description: "what its passes handed over, and why it ended", Disabled: noConversation},
		{Keys: []string{"f8"}, Action: CancelLoop, Group: GroupLoop, Over: true, Description: "drop what is scheduled; typing in the conversation does the same", Disabled: nothingScheduled},
		{Keys: []string{"f9"}, Action: HurryLoop, Group: GroupLoop, Over: true, Description: "send the next turn now, without the rest of the countdown", Disabled: noCountdown},
	}
}

// loopElsewhere is why nothing can be done to a loop that is only watched.
const loopElsewhere = "another growbench has the grow loop"

func noConversation(s Situation) string {
	if s.Loop == "" {
		return "the conversation is not open; c opens it"
	}
	return ""
}

func nothingScheduled(s Situation) string {
	if s.Elsewhere {
		return loopElsewhere
	}
	switch s.Loop {
	case loop.Deferred, loop.Countdown, loop.Active:
		return ""
	}
	return "the grow loop has nothing scheduled"
}

func noCountdown(s Situation) string {
	if s.Elsewhere {
		return loopElsewhere
	}
	switch s.Loop {
	case loop.Countdown:
		return ""
	case loop.Deferred:
		return "the countdown begins when nothing is at work and nothing waits"
	}
	return "no countdown runs"
}
