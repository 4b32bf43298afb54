package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme/text"
)

func (a *App) bisectCommand() *cobra.Command {
	var opt engine.BisectOptions
	c := &cobra.Command{
		Use:   "bisect RUN",
		Short: "Find the Worker whose commit first fails a check",
		Long: `Runs the checks.verify of a run that failed (or --check) in the run's clone at the
commits of its Workers, halving what is left each time, and names the first that
fails. The commit found and the one before it are asked twice: a check that changes
its mind is said to be flaky. --all asks at every commit and so also sees a check
that passes again later. Each check is in the run's log; the report is written anew.
Nothing is changed, and nothing is mended.

Exit code 0 when the check passes at the end, 1 when it fails or is flaky.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := a.findRun(args[0])
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			if !a.asJSON {
				asked := map[string]bool{}
				opt.Owner.AfterAppend = func(e event.Event) {
					if ran, ok := e.Body.(event.BisectRan); ok {
						line, at := bisectLine(ran), ran.Command+" "+ran.Commit
						if asked[at] {
							line += ", asked again"
						}
						asked[at] = true
						a.say("%s", text.Line(line))
					}
				}
			}
			found, err := engine.Bisect(ctx, dir, opt)
			switch {
			case ctx.Err() != nil:
				return exit(exitInterrupted)
			case errors.Is(err, engine.ErrNoCheck), errors.Is(err, engine.ErrNoCommits):
				return usage(err)
			case err != nil:
				return err
			}
			if a.asJSON {
				err = a.json(found)
			} else {
				for _, b := range found.Blame {
					a.printf("%s\n", text.Line(blameLine(b)))
				}
			}
			if err == nil && found.Failing() {
				err = exit(exitProblems)
			}
			return err
		},
	}
	c.Flags().StringVar(&opt.Check, "check", "", "the `COMMAND` to look for, in place of checks.verify")
	c.Flags().BoolVar(&opt.All, "all", false, "run the check at every commit")
	return c
}

func bisectLine(r event.BisectRan) string {
	at := "the base"
	if r.K > 0 {
		at = fmt.Sprintf("Worker %d", r.K)
	}
	return fmt.Sprintf("`%s` at %s (%.10s): %s", r.Command, at, r.Commit, passed(r.Passed, r.Exit))
}

func blameLine(b event.Bisected) string {
	line := fmt.Sprintf("`%s`: %s", b.Command, b.Why)
	if b.Verdict == event.BisectWorker {
		line = fmt.Sprintf("`%s`: first fails with Worker %d (%s, %.10s): %s", b.Command, b.K, b.Title, b.Commit, b.Why)
	}
	for _, f := range b.Failures {
		if f.File != "" {
			line += fmt.Sprintf("; %s:%d %s", f.File, f.Line, f.Text)
		}
	}
	return line
}
