package cli

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/theme/text"
)

func (a *App) rollbackCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rollback RUN K",
		Short: "Drop Worker K and those after it, as if they had never run",
		Long: `Drops Worker K and those after it from a run that nobody is running: the clone
goes back to the commit before, "resume" goes on with Worker K. What they did is
kept under refs that are named. Branches stay where they are.`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := workerNumber("rollback", args[1])
			if err != nil {
				return err
			}
			dir, err := a.findRun(args[0])
			if err != nil {
				return err
			}
			out, err := engine.Rollback(cmd.Context(), dir, k, time.Now)
			if errors.Is(err, engine.ErrNoWorker) {
				return usage(err)
			}
			if err != nil {
				return err
			}
			if a.asJSON {
				return a.json(out)
			}
			a.printf("Run %s: Workers from %d on are dropped; the clone is at %.10s.\n", out.Run, out.K, out.Commit)
			for _, d := range out.Dropped {
				a.printf("  Worker %d's work is kept: %s\n", d.K, d.Ref)
			}
			if out.Branch != "" {
				a.printf("Branch %s is left where it is; it still holds the dropped work.\n", text.Line(out.Branch))
			}
			a.printf("To go on: %s resume %s\n", self(), out.Run)
			return nil
		},
	}
}
