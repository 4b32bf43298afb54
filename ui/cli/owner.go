package cli

import (
	"github.com/spf13/cobra"

	"growbench/engine"
)

// ownerCommand makes this process the owner of a run. It is how growbench
// starts itself; nobody types it.
func ownerCommand() *cobra.Command {
	return &cobra.Command{
		Use:                engine.OwnerCommand,
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			return engine.RunOwner(args, engine.OwnerOptions{})
		},
	}
}

// keeperCommand makes this process the keeper of an owner.
func keeperCommand() *cobra.Command {
	return &cobra.Command{
		Use:                engine.KeeperCommand,
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			return engine.RunKeeper(args, engine.KeeperOptions{})
		},
	}
}
