package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/theme/text"
	"growbench/ui"
)

func (a *App) watchCommand() *cobra.Command {
	var headless bool
	c := &cobra.Command{
		Use:   "watch RUN-OR-DIR",
		Short: "Follow a run that another growbench owns, without touching it",
		Long: `Follows a run read-only: nothing can be stopped or answered from here, and leaving
changes nothing. RUN-OR-DIR is a run's name, the directory of a run (also of another
user's or another state folder), or a project: its run at work, else its newest.
Runs of other tools cannot be followed by this version.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := a.watched(args[0])
			if err != nil {
				return err
			}
			if !engine.OwnerAlive(dir) && (headless || a.asJSON || !a.draws() && !a.plain) {
				return a.replayEnded(dir)
			}
			return a.show(cmd.Context(), dir, view{headless: headless || a.asJSON, mode: ui.ReadOnly, named: args[0]})
		},
	}
	c.Flags().BoolVar(&headless, "headless", false, "no screen: follow the run on standard output")
	return c
}

// watched is the run directory that a run's name, a run's directory or a
// project's means.
func (a *App) watched(named string) (string, error) {
	info, err := os.Stat(named)
	if err != nil || !info.IsDir() {
		return a.findRun(named)
	}
	if engine.IsRun(named) {
		return filepath.Abs(named)
	}
	if !filepath.IsAbs(named) && filepath.Base(named) == named && named != "." && named != ".." {
		// A directory that happens to be called like a run.
		if dir, err := a.findRun(named); err == nil {
			return dir, nil
		}
	}
	runs, err := runsOfProject(named)
	if err != nil {
		return "", err
	}
	if len(runs) == 0 {
		return "", usage(fmt.Errorf("watch %s: it is neither the directory of a growbench run nor a project that has one; "+
			"runs of other tools cannot be followed by this version", text.Visible(named)))
	}
	for _, dir := range slices.Backward(runs) {
		if engine.OwnerAlive(dir) {
			return dir, nil
		}
	}
	return runs[len(runs)-1], nil
}

// runsOfProject are the runs of the project whose root is dir, oldest first;
// none when dir is no project's root.
func runsOfProject(dir string) ([]string, error) {
	stateRoot, err := config.StateRoot()
	if err != nil {
		return nil, err
	}
	p, err := findProject(dir)
	if err != nil {
		return nil, err
	}
	at, err := filepath.EvalSymlinks(dir)
	if err == nil {
		at, err = filepath.Abs(at)
	}
	if root, rootErr := filepath.EvalSymlinks(p.Root); err != nil || rootErr != nil || root != at {
		return nil, errors.Join(err, rootErr)
	}
	return engine.Runs(stateRoot, p.Name)
}
