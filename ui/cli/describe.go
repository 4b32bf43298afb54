package cli

import (
	"fmt"
	"strings"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme/text"
)

// describe is an event in a line for people; empty for those nobody would
// miss. Everything foreign in it is cleaned.
func describe(e event.Event) string {
	if line := text.Line(words(e.Body)); line != "" {
		return e.At.Local().Format("15:04:05") + "  " + line
	}
	return ""
}

func words(body event.Body) string {
	switch b := body.(type) {
	case event.RunStarted:
		line := fmt.Sprintf("run %s: %s", b.Run, b.Task0.Goal)
		if b.Scripted {
			line += "  [the agents are scripted]"
		}
		return line
	case event.TreeReady:
		line := fmt.Sprintf("clone ready at %.10s (%s)", b.Commit, b.Base)
		if began := engine.BaseWords(event.Base{Commit: b.Commit, Lineage: b.Lineage, Behind: b.Behind}); began != "" {
			line += "; it " + began
		}
		for _, c := range b.Chosen {
			line += "; " + c
		}
		if b.Uncommitted {
			line += "; your uncommitted work is not in it"
			if len(b.Lineage) == 0 {
				line += " (--base snapshot takes it along)"
			}
		}
		return strings.Join(append([]string{line}, b.Notes...), "; ")
	case event.SetupRan:
		return fmt.Sprintf("setup `%s`: %s", b.Command, passed(b.Passed, b.Exit))
	case event.PlanRequested:
		return fmt.Sprintf("planner: asked (%s)", b.Agent)
	case event.PlanAccepted:
		return fmt.Sprintf("plan: %s, from the %s", counted(len(b.Plan.Tasks), "Worker"), b.Source)
	case event.PlanReviewed:
		if b.Choice == event.ReviewAgain {
			return fmt.Sprintf("plan: sent back by the %s: %s", b.By, b.Text)
		}
		return fmt.Sprintf("plan: approved by the %s", b.By)
	case event.PlanRevised:
		if b.Added > 0 {
			return fmt.Sprintf("plan: task %d added by the %s; %s now", b.Added, b.By, counted(len(b.Plan.Tasks), "Worker"))
		}
		return fmt.Sprintf("plan: revised from task %d on by the %s; %s now", b.From, b.By, counted(len(b.Plan.Tasks), "Worker"))
	case event.AffectedDecided:
		line := fmt.Sprintf("affected: task %d, %s (%s)", b.K, b.Choice, b.By)
		if b.Why != "" {
			line += ": " + b.Why
		}
		return line
	case event.TaskEdited:
		return fmt.Sprintf("task %d edited by the %s", b.K, b.By)
	case event.RunResumed:
		return fmt.Sprintf("%s from Worker %d", b.Reason, b.From)
	case event.RunOrphaned:
		return "the owner before this one died"
	case event.Waiting:
		return fmt.Sprintf("WAITING (%s) %s  answer with: growbench answer RUN %s %s%s", b.ID, b.Text, b.ID, strings.Join(b.Choices, "|"), meanings(b))
	case event.Answered:
		return fmt.Sprintf("answered: %s", b.Choice)
	case event.CheckRan:
		line := fmt.Sprintf("check `%s`: %s", b.Command, passed(b.Passed, b.Exit))
		for _, f := range b.Failures {
			line += "; " + placeOf(f) + f.Text
		}
		return line
	case event.BisectRan:
		return "bisect: " + bisectLine(b)
	case event.Bisected:
		return "bisect: " + blameLine(b)
	case event.MapKept:
		if b.Error != "" {
			return "map: " + b.Error
		}
	case event.ChecksFound:
		return "found, not run until trusted: " + strings.Join(b.Commands, ", ")
	case event.RunEnded:
		return ended(b)
	}
	return workerWords(body)
}

func workerWords(body event.Body) string {
	switch b := body.(type) {
	case event.WorkerStarted:
		if b.Again {
			return fmt.Sprintf("worker %d: asked once more for its RESULT", b.K)
		}
		return fmt.Sprintf("worker %d: started (%s)", b.K, b.Agent)
	case event.WorkerTool:
		who := "planner"
		if b.K > 0 {
			who = fmt.Sprintf("worker %d", b.K)
		}
		line := fmt.Sprintf("%s: %s %s (%d bytes, %d ms)", who, b.Name, b.ArgsPreview, b.ResultBytes, b.MS)
		if b.Error != "" {
			line += ": " + b.Error
		}
		return line
	case event.ScopeFlagged:
		return fmt.Sprintf("worker %d: changed %s (%s), which is not among its targets", b.K, b.Path, b.Kind)
	case event.ScopeQuarantined:
		return fmt.Sprintf("worker %d: %s set aside, in %s", b.K, strings.Join(b.Paths, ", "), b.Ref)
	case event.ResultAccepted:
		return fmt.Sprintf("worker %d: RESULT (%s) %s", b.K, b.Source, b.Result.Summary)
	case event.ResultCompared:
		line := fmt.Sprintf("worker %d: RESULT %s", b.K, b.Verdict)
		for _, d := range b.Differences {
			line += "; " + d.Text
		}
		return line
	case event.LedgerEntry:
		return fmt.Sprintf("%s: %s (%s) %s, %s of worker %d", b.Class, brokenName(b.Symbol, b.Text), b.Kind, b.File, ledgerSource(b.Source), b.K)
	case event.TaskAffected:
		line := fmt.Sprintf("affected: task %d names %s", b.K, brokenName(b.Symbol, b.File))
		if b.Possible {
			line += " (possible)"
		}
		return line
	case event.CommitDone:
		return fmt.Sprintf("worker %d: commit %.10s", b.K, b.Commit)
	case event.PartialKept:
		return fmt.Sprintf("worker %d: unfinished work kept in %s", b.K, b.Ref)
	case event.WorkerSilent:
		return fmt.Sprintf("worker %d: silent for %d s", b.K, b.Seconds)
	case event.WorkerEnded:
		line := fmt.Sprintf("worker %d: %s", b.K, b.State)
		if b.Reason != "" {
			line += ": " + b.Reason
		}
		return line
	}
	return ""
}

// ledgerSource is where an entry comes from, as a word before "of worker 1".
func ledgerSource(source string) string {
	if source == event.SourceBoth {
		return "claimed and observed"
	}
	return source
}

// placeOf is where a check complained, as far as it is known.
func placeOf(f event.Failure) string {
	switch {
	case f.File == "":
		return ""
	case f.Line == 0:
		return f.File + " "
	}
	return fmt.Sprintf("%s:%d ", f.File, f.Line)
}

// meanings are what the choices of a wait do, where that is told.
func meanings(w event.Waiting) string {
	var said []string
	for i, c := range w.Choices {
		if i < len(w.Meanings) && w.Meanings[i] != "" {
			said = append(said, c+": "+w.Meanings[i])
		}
	}
	if len(said) == 0 {
		return ""
	}
	return "  (" + strings.Join(said, "; ") + ")"
}

// brokenName names what a Worker broke: by its symbol, or else in its words.
func brokenName(symbol, otherwise string) string {
	if symbol == "" {
		return otherwise
	}
	return symbol
}

func passed(ok bool, code int) string {
	if ok {
		return "passed"
	}
	return fmt.Sprintf("failed (exit code %d)", code)
}

func ended(b event.RunEnded) string {
	line := fmt.Sprintf("run %s: %s, verified: %s", b.Run, b.Status, b.Verified)
	if b.Verified == event.VerifiedNone {
		line += " (nothing was checked)"
	}
	if b.Reason != "" {
		line += ": " + b.Reason
	}
	if b.Branch != "" {
		line += "; branch " + b.Branch
	}
	return line
}
