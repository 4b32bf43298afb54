package engine

import (
	"fmt"
	"strings"

	"growbench/engine/event"
	"growbench/engine/workspace"
)

// Classes of a failure, by what has to change before it is tried again.
const (
	Strategic   = "Strategic"   // the plan or Task #0
	Tactical    = "Tactical"    // how one Worker did its task
	Operational = "Operational" // what runs it: time, programs, the machine
)

// FailureClass guesses the class of a run's failure from what the log holds,
// never from what anybody says of it. why names the fact; an empty class means
// that no fact tells.
func FailureClass(s *event.State) (class, why string) {
	if s.Status != event.StatusFailed {
		return "", ""
	}
	for _, c := range s.Setup {
		if !c.Passed {
			return Operational, fmt.Sprintf("workspace.setup `%s` ended with exit code %d", c.Command, c.Exit)
		}
	}
	if s.Plan.N == 0 {
		if s.Planner.Attempts > 1 {
			return Strategic, "no plan of the Planner passed the lint"
		}
		return "", ""
	}
	for _, w := range s.Workers {
		if class, why := workerClass(s, w); class != "" {
			return class, why
		}
	}
	for _, c := range s.Verify.Ran {
		if !c.Passed {
			return checkClass(s, c)
		}
	}
	return "", ""
}

func workerClass(s *event.State, w event.Worker) (class, why string) {
	who := fmt.Sprintf("Worker %d", w.K)
	switch w.State {
	case event.TimedOut, event.Stalled, event.Orphaned, event.Interrupted, event.Stopped:
		return Operational, fmt.Sprintf("%s is %s", who, w.State)
	case event.Failed:
	default:
		return "", ""
	}
	switch {
	case strings.HasPrefix(w.Reason, "blocked: "):
		return Strategic, who + " needs a file that its task does not have"
	case len(s.Unheeded(w.K)) > 0:
		return Strategic, fmt.Sprintf("the task of %s relies on what an earlier one broke", who)
	case w.Turns == 0 && w.ToolCalls == 0:
		return Operational, who + " ended before its first turn"
	}
	return Tactical, who + " was at work and ended without a RESULT that stands"
}

// checkClass looks at a check that failed: who was found to break it, and whose
// files it names.
func checkClass(s *event.State, c event.CheckRan) (class, why string) {
	if c.Exit == 126 || c.Exit == 127 {
		return Operational, fmt.Sprintf("`%s` could not be started (exit code %d)", c.Command, c.Exit)
	}
	for _, b := range s.Blame {
		switch {
		case b.Command != c.Command:
		case b.Flaky:
			return Operational, fmt.Sprintf("`%s` does not always say the same", c.Command)
		case b.Verdict == event.BisectBase:
			return Strategic, fmt.Sprintf("`%s` fails without any Worker's change", c.Command)
		}
	}
	for _, f := range c.Failures {
		if f.File == "" {
			continue
		}
		if owner := ownerOf(f.File, 0, s.Plan.Tasks.Tasks); owner > 0 {
			return Tactical, fmt.Sprintf("%s belongs to task %d", f.File, owner)
		}
		for _, e := range s.Ledger {
			for _, u := range e.Unowned {
				if strings.HasPrefix(u, f.File+":") {
					return Strategic, fmt.Sprintf("%s uses %s, which Worker %d broke, and belongs to no task", f.File, e.Symbol, e.K)
				}
			}
		}
	}
	for _, b := range s.Blame {
		if b.Command == c.Command && b.Verdict == event.BisectWorker {
			return blamedClass(s, b)
		}
	}
	return "", ""
}

// blamedClass is for a Worker whose commit fails a check in files that no task
// has: the plan left them out.
func blamedClass(s *event.State, b event.Bisected) (class, why string) {
	own := workspace.Scope{Targets: s.Plan.Tasks.Tasks[b.K-1].TargetFiles}
	for _, f := range b.Failures {
		if f.File != "" && !own.Allows(f.File) {
			return Strategic, fmt.Sprintf("the commit of Worker %d fails it in %s, which is no task's", b.K, f.File)
		}
	}
	return Tactical, fmt.Sprintf("the commit of Worker %d is the first that fails it", b.K)
}

func reportFailure(b *strings.Builder, s *event.State) {
	for _, blame := range s.Blame {
		fmt.Fprintf(b, "\nBlame for `%s`: ", blame.Command)
		switch blame.Verdict {
		case event.BisectWorker:
			fmt.Fprintf(b, "**Worker %d** (%s, commit %s)", blame.K, orDash(cell(blame.Title)), short(blame.Commit))
		case event.BisectBase:
			b.WriteString("no Worker, the base")
		default:
			b.WriteString("no Worker")
		}
		fmt.Fprintf(b, ": %s.\n", cell(blame.Why))
		for _, f := range blame.Failures {
			if f.File != "" {
				fmt.Fprintf(b, "- `%s:%d` %s\n", f.File, f.Line, cell(f.Text))
			}
		}
	}
	if s.Verified == event.VerifiedFailed && len(s.Blame) == 0 && s.Run != "" {
		fmt.Fprintf(b, "\nWhich Worker's commit first fails it: `growbench bisect %s`.\n", s.Run)
	}
	if class, why := FailureClass(s); class != "" {
		fmt.Fprintf(b, "\nClass of the failure, the engine's guess: **%s** (%s).\n", class, cell(why))
	} else if s.Status == event.StatusFailed {
		b.WriteString("\nClass of the failure: no fact in the log tells.\n")
	}
}

// reportEach names the checks a Worker left failing, whatever its RESULT said.
func reportEach(b *strings.Builder, s *event.State) {
	for _, w := range s.Workers {
		for _, c := range w.Checks {
			if c.Passed {
				continue
			}
			fmt.Fprintf(b, "\nAfter Worker %d, which handed in a RESULT, `%s` failed (exit code %d)", w.K, c.Command, c.Exit)
			var places strings.Builder
			for _, f := range c.Failures {
				if f.File != "" {
					fmt.Fprintf(&places, "- `%s:%d` %s\n", f.File, f.Line, cell(f.Text))
				}
			}
			if places.Len() == 0 {
				b.WriteString(".\n")
				continue
			}
			b.WriteString(":\n" + places.String())
		}
	}
}
