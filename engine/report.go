package engine

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"growbench/engine/event"
	"growbench/engine/workspace"
)

// writeReport writes report.md: what the run did, fit for a pull request.
// ended is the end that is about to be logged.
func (o *owner) writeReport(ended event.RunEnded, notes []string) error {
	at := o.Now().UTC()
	state := *o.state
	state.Status, state.Verified, state.Reason = ended.Status, ended.Verified, ended.Reason
	if ended.Branch != "" {
		state.Branch = ended.Branch
	}
	text := Report(&state, at, notes) + comparison(o.dirs.Run, &state, at)
	if err := writeFile(filepath.Join(o.dirs.Run, fileReport), []byte(text)); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// Report is the run for people: verification, ledger, a row for each Worker,
// isolation. What an agent claims is shown as a claim.
func Report(s *event.State, at time.Time, notes []string) string {
	var b strings.Builder
	title := s.Task0.Goal
	if title == "" {
		title = "Run " + s.Run
	}
	fmt.Fprintf(&b, "# %s\n\n", cell(title))
	fmt.Fprintf(&b, "Run %s: **%s**, %s\n", s.Run, s.Status, verifiedText(s))
	if failed := s.FailedEach(); failed != "" {
		fmt.Fprintf(&b, "\nNot all went well on the way: %s.\n", cell(failed))
	}
	if s.Reason != "" {
		fmt.Fprintf(&b, "\nReason: %s\n", cell(s.Reason))
	}
	if s.Scripted {
		b.WriteString("\nThe agents of this run are scripted: they replay recorded steps. Files, commands and commits are real.\n")
	}
	reportBase(&b, s)
	reportWork(&b, s)
	reportVerify(&b, s)
	reportFailure(&b, s)
	reportEach(&b, s)
	reportLedger(&b, s)
	reportSignatures(&b, s)
	reportWorkers(&b, s, at)
	reportMetrics(&b, s)
	reportIsolation(&b, s)
	for _, n := range notes {
		fmt.Fprintf(&b, "\nNote: %s\n", n)
	}
	return b.String()
}

func verifiedText(s *event.State) string {
	switch s.Verified {
	case event.VerifiedPassed:
		return "verification passed"
	case event.VerifiedFailed:
		return "verification failed"
	}
	if !s.IsEnded() {
		return "not checked yet"
	}
	return "verified: none (nothing was checked)"
}

// reportBase says what the run's work stands on beside the user's own, and what
// it does not.
func reportBase(b *strings.Builder, s *event.State) {
	if words := BaseWords(s.Base); words != "" {
		fmt.Fprintf(b, "\nThe run %s. Merging its branch brings the work of them all.\n", words)
	}
	for _, n := range s.Base.Chosen {
		fmt.Fprintf(b, "\nOf its base: %s.\n", cell(n))
	}
}

func reportWork(b *strings.Builder, s *event.State) {
	done := s.DoneWorkers()
	switch {
	case s.Plan.N > 0 && done == s.Plan.N && s.Branch != "":
		fmt.Fprintf(b, "\nThe work is on branch `%s`, one commit a Worker.\n", s.Branch)
	case done > 0:
		fmt.Fprintf(b, "\n%d of %d Workers are done; their commits are `refs/growbench/%s/1` to `…/%d`.\n", done, s.Plan.N, s.Run, done)
	}
	for _, w := range s.Workers {
		if w.Partial != "" {
			fmt.Fprintf(b, "\nUnfinished work of Worker %d is kept in `%s`.\n", w.K, w.Partial)
		}
	}
	if next := firstUnfinished(s); s.Plan.N > 0 && next <= s.Plan.N && (s.IsEnded() || s.Owner == "gone") {
		fmt.Fprintf(b, "\nTo go on: `growbench resume %s`, or `growbench retry %s %d`.\n", s.Run, s.Run, next)
	}
}

func reportVerify(b *strings.Builder, s *event.State) {
	b.WriteString("\n## Verification\n\n")
	switch {
	case len(s.Verify.Ran) > 0:
	case s.IsEnded():
		b.WriteString("Nothing was checked.\n")
	default:
		b.WriteString("Nothing is checked yet.\n")
	}
	for _, c := range s.Verify.Ran {
		reportCheck(b, c)
	}
	for _, c := range s.Verify.Found {
		fmt.Fprintf(b, "- found, not run (`growbench trust` to use it): `%s`\n", c)
	}
}

func reportCheck(b *strings.Builder, c event.CheckRan) {
	word := "passed"
	if !c.Passed {
		word = fmt.Sprintf("failed (exit code %d)", c.Exit)
	}
	switch c.Network {
	case event.NetworkOff:
		word += ", without network"
	case event.NetworkUnheld:
		word += ", with the network it was not to have (no sandbox)"
	}
	fmt.Fprintf(b, "- `%s`: %s\n", c.Command, word)
	for _, f := range c.Failures {
		switch {
		case f.File == "":
			fmt.Fprintf(b, "  - %s\n", cell(f.Text))
		case f.Line == 0:
			fmt.Fprintf(b, "  - `%s` %s\n", cell(f.File), cell(f.Text))
		default:
			fmt.Fprintf(b, "  - `%s:%d` %s\n", cell(f.File), f.Line, cell(f.Text))
		}
	}
}

func reportWorkers(b *strings.Builder, s *event.State, at time.Time) {
	b.WriteString("\n## Workers\n\n| Worker | task | agent | state | RESULT | time | turns | tokens in / out | files | commit |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, w := range s.Workers {
		tokens := fmt.Sprintf("%d / %d", w.Tokens.In, w.Tokens.Out)
		if w.Tokens.Estimated {
			tokens += " (estimated)"
		}
		fmt.Fprintf(b, "| %d | %s | %s | %s | %s | %s | %d | %s | %d | %s |\n",
			w.K, orDash(cell(w.Title)), orDash(cell(w.Agent)), w.State, orDash(w.Standing), worked(w, at), w.Turns, tokens, len(w.Files), orDash(short(w.Commit)))
	}
	reportSandbox(b, s)
	for _, w := range s.Workers {
		for _, f := range w.Flagged {
			fmt.Fprintf(b, "\nWorker %d changed `%s` (%s), which is not among its targets", w.K, f.Path, f.Kind)
			if f.Owner > 0 {
				fmt.Fprintf(b, " but among those of task %d", f.Owner)
			}
			b.WriteString(". " + whatBecame(w, f.Path) + "\n")
		}
		reportStanding(b, w)
		if w.ResultFrom == "observed" {
			fmt.Fprintf(b, "\nWorker %d handed in no RESULT: the engine wrote RESULT #%d from what it saw change.\n", w.K, w.K)
		}
	}
	for _, r := range s.Results {
		fmt.Fprintf(b, "\n**RESULT #%d** (its own words): %s\n", r.K, cell(r.Summary))
	}
}

// reportSandbox says what held the agents' commands.
func reportSandbox(b *strings.Builder, s *event.State) {
	said := map[string]bool{}
	for _, w := range s.Workers {
		line := "Commands ran in a sandbox: " + w.SandboxNote
		if !w.Sandboxed {
			line = "Commands ran without a sandbox: " + w.SandboxNote
		}
		if w.Started.IsZero() || said[line] {
			continue
		}
		said[line] = true
		fmt.Fprintf(b, "\n%s.\n", cell(line))
		switch passes := workspace.PassesOf(sandboxKind(w)); {
		case !w.Sandboxed:
			b.WriteString("Nothing held them: they could do everything you can (`growbench doctor --sandbox`).\n")
		case len(passes) > 0:
			fmt.Fprintf(b, "It does not stop an agent that %s.\n", strings.Join(passes, "; that "))
		}
	}
	for _, w := range s.Workers {
		switch w.Network {
		case event.NetworkOff:
			fmt.Fprintf(b, "\nWorker %d had no network.\n", w.K)
		case event.NetworkUnheld:
			fmt.Fprintf(b, "\nWorker %d was to have no network; without a sandbox nothing held it off.\n", w.K)
		}
	}
}

func sandboxKind(w event.Worker) string {
	switch {
	case !w.Sandboxed:
		return workspace.SandboxNone
	case strings.HasPrefix(strings.ToLower(w.SandboxNote), workspace.SandboxLandlock):
		return workspace.SandboxLandlock
	}
	return workspace.SandboxBwrap
}

func worked(w event.Worker, at time.Time) string {
	if w.Started.IsZero() {
		return "-"
	}
	end := w.Ended
	if end.IsZero() {
		end = at
	}
	return end.Sub(w.Started).Round(100 * time.Millisecond).String()
}

func reportIsolation(b *strings.Builder, s *event.State) {
	b.WriteString("\n## Isolation\n\n1 − bytes handed on / bytes there were.\n\n| boundary | isolation |\n|---|---|\n")
	fmt.Fprintf(b, "| Giver → Planner | %s |\n", percent(s.Isolated.GP))
	for i := range s.Workers {
		fmt.Fprintf(b, "| Planner → Worker %d | %s |\n| Worker %d → on | %s |\n",
			i+1, percent(s.Isolated.PW[i]), i+1, percent(s.Isolated.WG[i]))
	}
}

func percent(v *float64) string {
	if v == nil {
		return "not measured"
	}
	return fmt.Sprintf("%.1f%%", *v*100)
}

func short(commit string) string { return commit[:min(10, len(commit))] }

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// cell makes foreign text fit one table cell.
func cell(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.ReplaceAll(text, "|", "\\|")
}
