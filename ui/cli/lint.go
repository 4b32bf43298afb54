package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"growbench/engine/doc"
	"growbench/theme/text"
)

var lintKinds = []string{"task0", "task", "plan", "result", "results", "map", "index"}

func (a *App) lintCommand() *cobra.Command {
	var kind string
	c := &cobra.Command{
		Use:   "lint FILE",
		Short: "Read and check a document, or a model's reply",
		Long: `Reads Task #0, a task, a plan, a RESULT or results.md as the engine would and
names every problem with its line. FILE may be "-". Without --kind it is told
from the content.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if kind != "" && !slices.Contains(lintKinds, kind) {
				return usage(fmt.Errorf("--kind %q: choose one of %s", kind, strings.Join(lintKinds, ", ")))
			}
			content, err := readDocument(a.In, args[0])
			if err != nil {
				return usage(fmt.Errorf("lint: %w", err))
			}
			report := doc.Lint(kind, content)
			if a.asJSON {
				err = a.json(report)
			} else {
				lines, after := problemLines(args[0], report.Problems)
				for _, line := range lines {
					a.printf("%s\n", line)
				}
				for _, line := range after {
					a.say("%s", line)
				}
				if report.OK {
					a.printf("%s: %s, fine\n", text.Visible(args[0]), report.Kind)
				}
			}
			if err == nil && !report.OK {
				return exit(exitProblems)
			}
			return err
		},
	}
	c.Flags().StringVar(&kind, "kind", "", "what it is: task0, task, plan, result, results, map, index")
	complete(c, "kind", lintKinds...)
	return c
}
