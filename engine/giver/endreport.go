package giver

import (
	"fmt"
	"path/filepath"
	"strings"

	"growbench/engine"
	"growbench/engine/event"
)

// maxReport bounds what the conversation is told of a run, in bytes. The rest
// is one command away.
const maxReport = 4 << 10

// endReport is a run's end in the conversation: what the RESULTs say, never
// what they were made from.
func endReport(run *event.State, dir string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Run %s ended: %s, verified: %s", run.Run, run.Status, run.Verified)
	if run.Verified == event.VerifiedNone {
		b.WriteString(" (nothing was checked)")
	}
	b.WriteString(".\n")
	if run.Reason != "" {
		fmt.Fprintf(&b, "Reason: %s\n", clip(oneLine(run.Reason), 300))
	}
	if run.Branch != "" && run.Tip != "" {
		fmt.Fprintf(&b, "Branch: %s\n", run.Branch)
	}
	if words := engine.BaseWords(run.Base); words != "" {
		fmt.Fprintf(&b, "It %s.\n", words)
	}
	for _, c := range run.Base.Chosen {
		fmt.Fprintf(&b, "Of its base: %s.\n", clip(oneLine(c), 300))
	}
	for _, c := range run.Verify.Ran {
		if !c.Passed {
			fmt.Fprintf(&b, "Check `%s` failed (exit code %d)%s\n", oneLine(c.Command), c.Exit, places(c.Failures))
		}
	}
	for _, r := range run.Results {
		fmt.Fprintf(&b, "RESULT #%d: %s — %s", r.K, clip(oneLine(r.Summary), 200), strings.Join(clipList(r.Files.All(), 6), ", "))
		if len(r.Breaking) > 0 {
			fmt.Fprintf(&b, "; %d Breaking", len(r.Breaking))
		}
		b.WriteString("\n")
	}
	if class, why := engine.FailureClass(run); class != "" {
		fmt.Fprintf(&b, "Class of the failure, the host's guess: %s (%s).\n", class, clip(oneLine(why), 200))
	} else if run.Status == event.StatusFailed {
		b.WriteString("Class of the failure: no fact in the log tells.\n")
	}
	if run.Status == event.StatusFailed {
		fmt.Fprintf(&b, "Was the plan wrong, the way a task was done, or what runs it? Record that with record_failure for run %s, and say what you would do; nothing is tried again without the operator.\n", run.Run)
	}
	text := head(b.String(), maxReport)
	return text + fmt.Sprintf("Whole: `growbench show %s`, %s", run.Run, filepath.Join(dir, "report.md"))
}

func places(failures []event.Failure) string {
	var at []string
	for _, f := range failures {
		if f.File != "" {
			at = append(at, fmt.Sprintf("%s:%d", f.File, f.Line))
		}
	}
	if len(at) == 0 {
		return ""
	}
	return " at " + strings.Join(clipList(at, 5), ", ")
}

func clipList(list []string, most int) []string {
	if len(list) <= most {
		return list
	}
	return append(append([]string{}, list[:most]...), fmt.Sprintf("and %d more", len(list)-most))
}
