package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"growbench/engine"
)

func (a *App) answerCommand() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "answer RUN ID CHOICE",
		Short: "Answer what a run waits for",
		Long: `Answers what a run waits for. ` + "`growbench show RUN`" + ` lists the ids and their choices.

Before a Worker whose task relies on something an earlier one broke, the choices
are continue (as it is), edit (the task's new text), add (a task before it),
replan (the Planner writes the rest anew) and stop. Of a plan that is to be
reviewed they are approve, edit (another plan), again (what the Planner is to
change) and stop. Texts come from --file, or from standard input with --file -.
What the lint refuses changes nothing, and the run goes on waiting.`,
		Example: "  growbench answer latest affected-3-41 continue\n  growbench answer latest affected-3-41 edit --file task3.md",
		Args:    cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := a.findRun(args[0])
			if err != nil {
				return err
			}
			answer := engine.Command{Do: "answer", ID: args[1], Choice: args[2], By: "command"}
			if file != "" {
				if answer.Text, err = readDocument(a.In, file); err != nil {
					return usage(fmt.Errorf("read the text of the answer: %w", err))
				}
			}
			if err := engine.Send(cmd.Context(), dir, answer); err != nil {
				return usage(err)
			}
			if a.asJSON {
				return a.json(map[string]string{"run": filepath.Base(dir), "id": args[1], "choice": args[2]})
			}
			a.printf("Answered %s: %s\n", args[1], args[2])
			return nil
		},
	}
	c.Flags().StringVar(&file, "file", "", "the text of an edit or an added task, a `FILE` (- is standard input)")
	return c
}
