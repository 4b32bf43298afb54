package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/theme/text"
	"growbench/views"
)

func (a *App) pruneCommand() *cobra.Command {
	var opt engine.PruneOptions
	var older string
	c := &cobra.Command{
		Use:   "prune [RUN...]",
		Short: "Delete runs of this project that ended",
		Long: `Deletes runs that ended some time ago: their directories, clones and refs, never
a branch, and never a run that somebody is running. A run whose work is on no
branch and was not merged goes only with --all or by its name.`,
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if opt.OlderThan, err = parseAge(older); err != nil {
				return usage(fmt.Errorf("runs prune: --older-than %q: %w", older, err))
			}
			if opt.Keep < 0 {
				return usage(fmt.Errorf("runs prune: --keep %d is less than none", opt.Keep))
			}
			h, err := a.here()
			if err != nil {
				return err
			}
			for _, name := range args {
				dir, err := a.findRun(name)
				if err != nil {
					return err
				}
				opt.Named = append(opt.Named, dir)
			}
			opt.StateRoot, opt.Project, opt.Now = h.stateRoot, h.project.Name, time.Now()
			out, err := engine.Prune(cmd.Context(), opt)
			if err != nil {
				return err
			}
			return a.toldPrune(out, opt)
		},
	}
	flags := c.Flags()
	flags.StringVar(&older, "older-than", "14d", "only runs whose last event is `AGE` ago (12h, 14d, 2w)")
	flags.IntVar(&opt.Keep, "keep", 0, "keep the newest `N` runs")
	flags.BoolVar(&opt.All, "all", false, "also runs whose work nobody else has")
	flags.BoolVar(&opt.DryRun, "dry-run", false, "say what would be deleted; delete nothing")
	return c
}

func (a *App) toldPrune(out engine.Pruned, opt engine.PruneOptions) error {
	if a.asJSON {
		return a.json(struct {
			engine.Pruned
			DryRun bool `json:"dry_run"`
		}{out, opt.DryRun})
	}
	for _, r := range out.Kept {
		a.say("kept     %s  %s", r.Run, text.Line(r.Why))
	}
	word := "deleted"
	if opt.DryRun {
		word = "would go"
	}
	for _, r := range out.Runs {
		a.printf("%-8s %s  %s\n", word, r.Run, views.Bytes(r.Bytes))
	}
	verb := "freed"
	if opt.DryRun {
		verb = "would be freed"
	}
	a.printf("%s, %s %s\n", counted(len(out.Runs), "run"), views.Bytes(out.Freed), verb)
	if len(opt.Named) > len(out.Runs) {
		return exit(exitProblems)
	}
	return nil
}

// parseAge reads a duration that may also count days and weeks.
func parseAge(typed string) (time.Duration, error) {
	day := 24 * time.Hour
	for suffix, unit := range map[string]time.Duration{"d": day, "w": 7 * day} {
		if number, ok := strings.CutSuffix(typed, suffix); ok {
			n, err := strconv.ParseUint(number, 10, 16)
			if err != nil {
				return 0, fmt.Errorf("give a number before the %q, such as 14%s", suffix, suffix)
			}
			return time.Duration(n) * unit, nil
		}
	}
	d, err := time.ParseDuration(typed)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("give an age such as 12h, 14d or 2w")
	}
	return d, nil
}
