package cli

import (
	"errors"
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
	var llm string
	c := &cobra.Command{
		Use:   "init [DIR…]",
		Short: "Make the map, or bring all of it up to date",
		Long: `Looks at every file that git does not ignore and writes the documents of every
directory. What did not change since the last time is not read again. With DIR
only those directories, what is below and what is above them.
` + llmHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.onMap(cmd.Context(), func(w mapWork) error {
				dirs, err := w.dirs(args)
				if err != nil {
					return err
				}
				p, err := a.describedBy(w, llm, cmd.Flags().Changed("llm"))
				if err != nil {
					return err
				}
				report, err := p.Init(w.ctx, dirs)
				if err != nil {
					return err
				}
				return a.printReport(w, report)
			})
		},
	}
	llmFlag(c, &llm)
	return c
}

const llmHelp = `With --llm NAME (or map.llm in the configuration) the model of that agent, one of
kind native, says what files and directories are for: changed files only, and
nothing that it or another run was asked before. Contents of secrets are not
sent. When the model cannot be asked any more the command ends with exit code 3
and keeps what was described; run it again and it goes on. Without a model its
words are kept, and what is new is marked; --llm none drops them.`

func llmFlag(c *cobra.Command, llm *string) {
	c.Flags().StringVar(llm, "llm", "", "describe by the model of agent `NAME`; none: offline, from the project's own words")
}

func (a *App) mapReinitCommand() *cobra.Command {
	var llm string
	c := &cobra.Command{
		Use:   "reinit [PATH]",
		Short: "Make the map of the project or of PATH anew, trusting nothing remembered",
		Long:  "Reads every file again and writes the documents anew. A model's words stay where the\ncontent they are about did.\n" + llmHelp,
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
				p, err := a.describedBy(w, llm, cmd.Flags().Changed("llm"))
				if err != nil {
					return err
				}
				report, err := p.Reinit(w.ctx, dir)
				if err != nil {
					return err
				}
				return a.printReport(w, report)
			})
		},
	}
	llmFlag(c, &llm)
	return c
}

func (a *App) printReport(w mapWork, r mapgen.Report) error {
	if a.asJSON {
		return errors.Join(a.json(r), undescribed(r.Model))
	}
	for _, s := range r.Skipped {
		a.say("skipped %s: %s", text.Visible(s.Path), text.Line(s.Why))
	}
	a.printf("Map of %s: %s, %s (%d read, %d as before), %s changed, %.1f s\n",
		text.Visible(w.Root()), directories(r.Dirs), counted(r.Files, "file"), r.Analysed, r.Cached, directories(r.Changed), r.Seconds)
	a.printModel(w.Project, r.Model, r.Behind)
	return undescribed(r.Model)
}

func (a *App) mapPatchCommand() *cobra.Command {
	mode, dry, llm := string(mapgen.Auto), false, ""
	c := &cobra.Command{
		Use:   "patch PATH…",
		Short: "Regenerate what changes of these files touch",
		Long: `Regenerates the documents of each PATH's directory and refreshes those above it:
their indexes, and after a structural change (a file came, went or was renamed,
or its exports or imports changed) their maps too. Nothing else is read.
` + llmHelp,
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
				described, err := a.describedBy(w, llm, cmd.Flags().Changed("llm"))
				if err != nil {
					return err
				}
				p, changes := described.With(mapgen.Act{Keep: named("patch", paths)}), &[]mapgen.Change{}
				if dry {
					p, changes = planned(described)
				}
				report, err := p.Patch(w.ctx, paths, mapgen.Mode(mode))
				if err != nil {
					return err
				}
				if a.asJSON {
					return errors.Join(a.json(report), undescribed(report.Model))
				}
				if dry {
					a.printChanges(*changes)
					return nil
				}
				a.printf("Patched (%s): %s\n", report.Mode, text.Visible(strings.Join(report.Dirs, " ")))
				a.printModel(w.Project, report.Model, report.Behind)
				return undescribed(report.Model)
			})
		},
	}
	c.Flags().StringVar(&mode, "mode", mode, "auto, small or structural")
	llmFlag(c, &llm)
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
