package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"growbench/theme/text"
)

func (a *App) mapOriginCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "origin [DIR]",
		Short: "Say who each part of a directory's map is by",
		Long: `Lists the parts of a directory's .pi-map.md with where they come from: the
parser, a model (which one, and whether the file has changed since), the project's
own words (offline), a person (kept blocks and sections of their own), or the scan.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.onMap(cmd.Context(), func(w mapWork) error {
				dir := "."
				if len(args) > 0 {
					dirs, err := w.dirs(args)
					if err != nil {
						return err
					}
					dir = dirs[0]
				}
				list, err := w.Origins(dir)
				if err != nil {
					return err
				}
				if a.asJSON {
					return a.json(list)
				}
				for _, o := range list {
					by := o.Origin
					if o.By != "" {
						by += " " + o.By
					}
					if o.Earlier {
						by += " (of an earlier version)"
					}
					part := strings.Join(strings.Fields(o.Section+" "+text.Visible(o.File)+" "+text.Line(o.Field)), " ")
					a.printf("%-40s  %s\n", text.Line(part), text.Line(by))
				}
				return nil
			})
		},
	}
}
