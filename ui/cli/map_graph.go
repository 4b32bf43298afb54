package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"growbench/mapgen"
	"growbench/theme/text"
)

func (a *App) mapGraphCommand() *cobra.Command {
	var write bool
	c := &cobra.Command{
		Use:   "graph",
		Short: "Show which directories and packages use which",
		Long: `Reads the imports the map has resolved. A directory with a manifest of its own
(go.mod, package.json, Cargo.toml, pyproject.toml …) is a package. With --write
the graph is put into project-graph.md in the project's root.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.onMap(cmd.Context(), func(w mapWork) error {
				g, err := w.Graph(w.ctx)
				if err != nil {
					return err
				}
				if write {
					if err := w.WriteGraph(w.ctx, g); errors.Is(err, mapgen.ErrNotOurs) {
						return usage(err)
					} else if err != nil {
						return err
					}
				}
				if a.asJSON {
					return a.json(g)
				}
				if write {
					a.printf("Wrote %s: %d packages, %d directories, %d edges\n", mapgen.GraphName, len(g.Packages), len(g.Nodes), len(g.Edges))
					return nil
				}
				a.printGraph(g)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&write, "write", false, "write project-graph.md into the project's root")
	return c
}

func (a *App) printGraph(g mapgen.Graph) {
	for _, p := range g.Packages {
		line := text.Visible(p.Dir) + " (" + p.Kind + ")"
		if len(p.Uses) > 0 {
			line += " -> " + text.Visible(strings.Join(p.Uses, ", "))
		}
		a.printf("package %s\n", line)
	}
	if len(g.Edges) == 0 {
		a.say("No directory is seen to use another.")
	}
	for _, e := range g.Edges {
		a.printf("%s -> %s (%d files)\n", text.Visible(e.From), text.Visible(e.To), e.Files)
	}
}
