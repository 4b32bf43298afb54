package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"growbench/mapgen"
	"growbench/theme/text"
)

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

func (a *App) mapInitCommand() *cobra.Command {
	llm := "none"
	c := &cobra.Command{
		Use:   "init [DIR…]",
		Short: "Make the map, or bring all of it up to date",
		Long: `Looks at every file that git does not ignore and writes the documents of every
directory. What did not change since the last time is not read again. With DIR
only those directories, what is below and what is above them.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if llm != "none" && llm != "" {
				return environment(fmt.Errorf("map init --llm %s: no model is set up for the map; --llm none describes it offline", llm))
			}
			return a.onMap(cmd.Context(), func(w mapWork) error {
				dirs, err := w.dirs(args)
				if err != nil {
					return err
				}
				report, err := w.Init(w.ctx, dirs)
				if err != nil {
					return err
				}
				return a.printReport(w, report)
			})
		},
	}
	c.Flags().StringVar(&llm, "llm", llm, "describe by the model `NAME`; none: offline, from the project's own words")
	return c
}

func (a *App) mapReinitCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "reinit [PATH]",
		Short: "Make the map of the project or of PATH anew, trusting nothing remembered",
		Args:  cobra.MaximumNArgs(1),
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
				report, err := w.Reinit(w.ctx, dir)
				if err != nil {
					return err
				}
				return a.printReport(w, report)
			})
		},
	}
}

func (a *App) printReport(w mapWork, r mapgen.Report) error {
	if a.asJSON {
		return a.json(r)
	}
	for _, s := range r.Skipped {
		a.say("skipped %s: %s", text.Visible(s.Path), text.Line(s.Why))
	}
	a.printf("Map of %s: %s, %s (%d read, %d as before), %s changed, %.1f s\n",
		text.Visible(w.Root()), directories(r.Dirs), counted(r.Files, "file"), r.Analysed, r.Cached, directories(r.Changed), r.Seconds)
	return nil
}

func (a *App) mapPatchCommand() *cobra.Command {
	mode, dry := string(mapgen.Auto), false
	c := &cobra.Command{
		Use:   "patch PATH…",
		Short: "Regenerate what changes of these files touch",
		Long: `Regenerates the documents of each PATH's directory and refreshes those above it:
their indexes, and after a structural change (a file came, went or was renamed,
or its exports or imports changed) their maps too. Nothing else is read.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(mapgen.Modes, mapgen.Mode(mode)) {
				return usage(fmt.Errorf("--mode %q: choose auto, small or structural", mode))
			}
			return a.onMap(cmd.Context(), func(w mapWork) error {
				paths, err := w.rel(args)
				if err != nil {
					return err
				}
				p, changes := w.With(mapgen.Act{Keep: named("patch", paths)}), &[]mapgen.Change{}
				if dry {
					p, changes = planned(w.Project)
				}
				report, err := p.Patch(w.ctx, paths, mapgen.Mode(mode))
				if err != nil {
					return err
				}
				if a.asJSON {
					return a.json(report)
				}
				if dry {
					a.printChanges(*changes)
					return nil
				}
				a.printf("Patched (%s): %s\n", report.Mode, text.Visible(strings.Join(report.Dirs, " ")))
				return nil
			})
		},
	}
	c.Flags().StringVar(&mode, "mode", mode, "auto, small or structural")
	c.Flags().BoolVar(&dry, "dry-run", false, "write nothing; show what would change, as a diff")
	return c
}

func (a *App) mapDirtyCommand() *cobra.Command {
	var note string
	c := &cobra.Command{
		Use:   "dirty [PATH…]",
		Short: "Leave a marker that the map of PATH is out of date; without PATH list them",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.onMap(cmd.Context(), func(w mapWork) error {
				paths, err := w.rel(args)
				if err != nil {
					return err
				}
				var markers []mapgen.Marker
				if len(paths) > 0 {
					markers, err = w.MarkDirty(paths, note)
				} else {
					markers, err = w.Markers(w.ctx)
				}
				if err != nil {
					return err
				}
				if a.asJSON {
					return a.json(markers)
				}
				for _, m := range markers {
					a.printf("%s  %s\n", text.Visible(m.Dir), text.Line(m.Line))
				}
				return nil
			})
		},
	}
	c.Flags().StringVar(&note, "note", "", "say `TEXT` instead of what happened to the file")
	return c
}

func (a *App) mapShareCommand() *cobra.Command {
	var undo bool
	c := &cobra.Command{
		Use:   "share",
		Short: "Let git see the map, so that it can be committed",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.onMap(cmd.Context(), func(w mapWork) error {
				s, err := w.Share(w.ctx, !undo)
				if err != nil {
					return err
				}
				if a.asJSON {
					return a.json(s)
				}
				if s.Shared {
					a.printf("The map is no longer hidden from git (%s): add and commit it when you like.\n", text.Visible(s.Exclude))
				} else {
					a.printf("The map is hidden from git again (%s); what is committed stays committed.\n", text.Visible(s.Exclude))
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&undo, "undo", false, "hide it again")
	return c
}

func directories(n int) string {
	if n == 1 {
		return "1 directory"
	}
	return fmt.Sprintf("%d directories", n)
}
