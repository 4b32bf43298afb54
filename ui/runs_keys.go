package ui

import (
	"growbench/engine/event"
)

// Actions on runs.
const (
	List     Action = "runs"
	Resume   Action = "resume"
	Retry    Action = "retry"
	Rollback Action = "roll back"
	Merge    Action = "merge"
	RunDiff  Action = "run diff"
	Prune    Action = "prune"
	PruneOld Action = "prune old runs"
	Again    Action = "replay"
)

// runBindings are the keys that are about whole runs: the one picked in the
// list, else the one on the screen.
func runBindings() []Binding {
	return []Binding{
		{Keys: []string{"L"}, Action: List, Group: GroupRuns, Description: "the runs of this project, and back", Disabled: noProject},
		{Keys: []string{"enter"}, Action: Open, Group: GroupRuns, In: InRuns, Description: "open the run", Disabled: noList},
		{Keys: []string{"R"}, Action: Resume, Group: GroupRuns, Description: "go on with the run after its last finished Worker", Disabled: cannotResume},
		{Keys: []string{"T"}, Action: Retry, Group: GroupRuns, Description: "run a Worker and what follows again, with another agent if you like", Disabled: cannotRetry},
		{Keys: []string{"B"}, Action: Rollback, Group: GroupRuns, Description: "drop a Worker and those after it", Disabled: cannotRollBack},
		{Keys: []string{"M"}, Action: Merge, Group: GroupRuns, Description: "bring the run's work into your branch (shows first what it touches)", Disabled: cannotMerge},
		{Keys: []string{"D"}, Action: RunDiff, Group: GroupRuns, Description: "what the run changed", Disabled: cannotDiff},
		{Keys: []string{"v"}, Action: Again, Group: GroupRuns, Description: "play the run again", Disabled: cannotReplay},
		{Keys: []string{"X"}, Action: Prune, Group: GroupRuns, Description: "delete the run: its record, clone and refs (asks first)", Disabled: cannotPrune},
		{Keys: []string{"ctrl+x"}, Action: PruneOld, Group: GroupRuns, Description: "delete runs that ended two weeks ago and more (shows which)", Disabled: cannotPruneOld},
	}
}

// untouchable is why nothing can be done to the run at hand.
func untouchable(s Situation) string {
	switch {
	case s.Replay:
		return "this is a replay"
	case s.ReadOnly:
		return "this run is only watched"
	case s.NoRun:
		return noRun(s)
	case s.Busy != "":
		return "wait: it is " + s.Busy
	}
	return ""
}

func noProject(s Situation) string {
	if !s.Project {
		return "this screen knows one run alone; `growbench` opens the project"
	}
	return ""
}

func notListing(s Situation) string {
	if !s.Listing {
		return "the list of runs is not on the screen; L shows it"
	}
	return ""
}

// noFilter: one that hides all runs can still be changed.
func noFilter(s Situation) string {
	if s.Listing && s.Filtered {
		return ""
	}
	return noList(s)
}

func noList(s Situation) string {
	if why := notListing(s); why != "" {
		return why
	}
	return noRun(s)
}

// noRun is why nothing can be done where no run is at hand.
func noRun(s Situation) string {
	switch {
	case s.NoRun && s.Listing && s.Filtered:
		return "no run matches; esc clears the filter"
	case s.NoRun:
		return "there is no run yet"
	}
	return ""
}

// notIdle is why nothing can be done to a run that must stand still for it.
func notIdle(s Situation) string {
	if why := noProject(s); why != "" && !s.Replay && !s.ReadOnly {
		return why
	}
	if why := untouchable(s); why != "" {
		return why
	}
	switch {
	case s.State.Owner == "alive" && s.State.IsEnded():
		return "the run is just leaving; in a moment"
	case s.State.Owner == "alive":
		return "the run is at work; S stops it"
	}
	return ""
}

func cannotResume(s Situation) string {
	if why := notIdle(s); why != "" {
		return why
	}
	if s.State.Status == event.StatusPassed {
		return "the run passed; T runs a Worker again"
	}
	return ""
}

func cannotRetry(s Situation) string {
	if why := notIdle(s); why != "" {
		return why
	}
	if s.State.Plan.N == 0 {
		return "the run has no plan yet; R goes on with it"
	}
	return ""
}

func cannotRollBack(s Situation) string {
	if why := notIdle(s); why != "" {
		return why
	}
	for _, w := range s.State.Workers {
		if w.State != event.Pending {
			return ""
		}
	}
	return "no Worker has run yet"
}

func cannotMerge(s Situation) string { return notIdle(s) }
func cannotPrune(s Situation) string { return notIdle(s) }

func cannotPruneOld(s Situation) string {
	if why := noProject(s); why != "" {
		return why
	}
	if s.Replay || s.ReadOnly {
		return untouchable(s)
	}
	return ""
}

func cannotDiff(s Situation) string {
	if why := noProject(s); why != "" && !s.Replay && !s.ReadOnly {
		return why
	}
	if why := untouchable(s); why != "" {
		return why
	}
	if s.State.Base.Commit == "" {
		return "its clone does not stand yet"
	}
	return ""
}

func cannotReplay(s Situation) string {
	switch {
	case s.Replay:
		return "it is being played"
	case s.NoRun:
		return noRun(s)
	}
	return noProject(s)
}
