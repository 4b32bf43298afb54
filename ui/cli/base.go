package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/workspace"
	"growbench/theme/text"
)

// after takes the run that --base names out of the options: no configuration
// can hold one.
func (o *runOptions) after() string {
	if o.base == "" || o.base == workspace.BaseHead || o.base == workspace.BaseSnapshot {
		return ""
	}
	name := o.base
	o.base = ""
	return name
}

// startAfter lets a run begin where the one of that name ended.
func (a *App) startAfter(ctx ctx, project workspace.Project, name string, spec *engine.Spec) error {
	dir, err := a.findRun(name)
	if err != nil {
		return usage(fmt.Errorf("--base %s is neither head nor snapshot, so it must be a run: %w", text.Visible(name), err))
	}
	lineage, err := engine.After(ctx, project, dir)
	var none *engine.NoBaseError
	switch {
	case errors.As(err, &none):
		return usage(fmt.Errorf("--base: %w", err))
	case err != nil:
		return err
	}
	spec.RestOn(lineage)
	return nil
}

// completeBase offers what a run can begin from: the two bases of one's own, and
// the runs that have ended.
func (a *App) completeBase(c *cobra.Command) {
	c.RegisterFlagCompletionFunc("base", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		names := []string{workspace.BaseHead, workspace.BaseSnapshot}
		list, err := a.summaries(false)
		if err != nil {
			return names, cobra.ShellCompDirectiveNoFileComp
		}
		for _, r := range list {
			if r.N > 0 && r.Done == r.N && r.State.IsEnded() {
				names = append(names, r.Run)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}
