package cli

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"growbench/engine"
)

// complete offers the values of a flag to the shell.
func complete(c *cobra.Command, flag string, values ...string) {
	c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// completeAgents offers the agents that can be named: those configured, and
// the presets, which need no configuration.
func (a *App) completeAgents(c *cobra.Command, flags ...string) {
	for _, flag := range flags {
		c.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			names := engine.Presets()
			if h, err := a.here(); err == nil {
				names = slices.AppendSeq(names, maps.Keys(h.loaded.Config.Agents))
			}
			slices.Sort(names)
			return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
		})
	}
}
