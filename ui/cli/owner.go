package cli

import (
	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/mapgen/symbols"
)

// ownerCommand makes this process the owner of a run. It is how growbench
// starts itself; nobody types it.
func ownerCommand() *cobra.Command {
	return &cobra.Command{
		Use:                engine.OwnerCommand,
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			pool := symbols.NewPool(symbols.PoolOptions{Command: parserArgv(), Env: parserEnv, Workers: 2})
			defer pool.Close()
			return engine.RunOwner(args, engine.OwnerOptions{Symbols: pool})
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
