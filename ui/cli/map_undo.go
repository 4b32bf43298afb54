package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"growbench/mapgen"
	"growbench/theme/text"
)

func (a *App) mapUndoCommand() *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use:   "undo",
		Short: "Bring back the documents that the last patch or repair of the map replaced",
		Long: `Takes back what the last "map patch", "map validate --fix" or act in the
workbench's map wrote, byte for byte. The last few are kept; a directory whose
documents were changed since is left as it is. Your own files are not touched.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.onMap(cmd.Context(), func(w mapWork) error {
				changes := &[]mapgen.Change{}
				p := w.Project
				if dry {
					p, changes = planned(p)
				}
				u, err := p.Undo(w.ctx)
				switch {
				case errors.Is(err, mapgen.ErrNothingKept):
					return usage(err)
				case err != nil:
					return err
				case a.asJSON:
					err = a.json(u)
				case dry:
					a.printChanges(*changes)
				default:
					a.printf("Undone: %s (of %s)\n", text.Visible(u.What), u.At.Local().Format(time.DateTime))
					for _, d := range u.Dirs {
						a.printf("  %s\n", text.Visible(d))
					}
				}
				for _, l := range u.Left {
					a.say("left as it is: %s: %s", text.Visible(l.Path), text.Line(l.Why))
				}
				if err == nil && len(u.Left) > 0 {
					return exit(exitProblems)
				}
				return err
			})
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "show what would be brought back, as a diff")
	return c
}

// planned is the project with nothing written; what would be is gathered.
func planned(p *mapgen.Project) (*mapgen.Project, *[]mapgen.Change) {
	changes := []mapgen.Change{}
	return p.With(mapgen.Act{Dry: true, Changed: func(c mapgen.Change) { changes = append(changes, c) }}), &changes
}

func (a *App) printChanges(changes []mapgen.Change) {
	if len(changes) == 0 {
		a.printf("Nothing would be written.\n")
	}
	for _, c := range changes {
		for line := range strings.Lines(c.Diff()) {
			a.printf("%s\n", text.Visible(strings.TrimSuffix(line, "\n")))
		}
	}
}

// named is what an act is kept as.
func named(verb string, paths []string) string {
	const few = 3
	out := verb + " " + strings.Join(paths[:min(len(paths), few)], ", ")
	if n := len(paths) - few; n > 0 {
		out += fmt.Sprintf(" and %d more", n)
	}
	return strings.TrimSpace(out)
}
