package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/mapgen"
	"growbench/mapgen/symbols"
	"growbench/ui"
)

// mapOpener opens the map of the project at root for one piece of work at a
// time, with the settings as they stand then. The parsers a piece of work has
// started end with it.
func (a *App) mapOpener(root string) func() (*mapgen.Project, func(), error) {
	return func() (*mapgen.Project, func(), error) {
		top, err := mapgen.FindRoot(root)
		if err != nil {
			return nil, nil, err
		}
		config, _, err := mapgen.LoadConfig(top)
		if err != nil {
			return nil, nil, err
		}
		pool := symbols.NewPool(symbols.PoolOptions{Command: parserArgv(), Env: parserEnv})
		o := mapgen.Options{Extractor: pool}
		config.Apply(&o)
		p, err := mapgen.Open(top, o)
		if err != nil {
			pool.Close()
			return nil, nil, err
		}
		if h, err := a.projectAt(top); err == nil {
			p = configured(p, config, h)
		}
		return p, pool.Close, nil
	}
}

// mapWorkbench is `growbench map` alone: on a terminal the workbench, with the
// map in front.
func (a *App) mapWorkbench(cmd *cobra.Command) error {
	switch {
	case a.asJSON || !a.draws() && !a.plain:
		return cmd.Help()
	}
	root, err := mapgen.FindRoot(a.projectDir())
	if err != nil {
		return usage(err)
	}
	if a.plain {
		return a.mapLines(cmd.Context(), root)
	}
	h, err := a.projectAt(root)
	if err != nil {
		return err
	}
	runs, err := engine.Runs(h.stateRoot, h.project.Name)
	if err != nil {
		return err
	}
	o := ui.Options{Project: a.uiProject(h.stateRoot, h.project.Name, h.project.Root), OnMap: true}
	defer a.talkIn(&o, h.project.Root)()
	if run, ok := atWork(runs); ok {
		o.Source, o.ComeBack = o.Project.Watch(run), a.comeBack(filepath.Base(run))
	}
	return a.draw(cmd.Context(), o)
}
