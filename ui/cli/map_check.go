package cli

import (
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"growbench/mapgen"
	"growbench/mapgen/scan"
	"growbench/theme/text"
)

func (a *App) mapStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Name the directories whose map is stale, dirty, missing or orphaned",
		Long:  "Compares the map with the files by size, times and, where they differ, by hash.\nExit code 1 when anything is not clean.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.onMap(cmd.Context(), func(w mapWork) error {
				s, err := w.Status(w.ctx)
				if err != nil {
					return err
				}
				if a.asJSON {
					err = a.json(s)
				} else {
					a.printStatus(w, s)
				}
				if err == nil && !s.Clean {
					return exit(exitProblems)
				}
				return err
			})
		},
	}
}

func (a *App) printStatus(w mapWork, s mapgen.Status) {
	if !w.Exists() {
		a.printf("%s has no map yet; make it with `%s map init`.\n", text.Visible(w.Root()), self())
		return
	}
	if s.Clean {
		a.printf("The map is up to date.\n")
	}
	for _, d := range s.Dirs {
		a.printf("%-16s %s\n", strings.Join(d.State, ","), text.Visible(d.Dir))
	}
	a.recommend(w.Recommend(len(s.Dirs)))
	if s.Clean && w.config.Rescan == "daily" && w.RescanDue("daily", time.Time{}) {
		a.printf("The last full scan is more than a day old; `%s map init` looks at everything.\n", self())
	}
}

func (a *App) recommend(what string) {
	switch what {
	case mapgen.RecommendPatch:
		a.printf("Mend it with `%s map patch PATH…` or `%s map validate --fix`.\n", self(), self())
	case mapgen.RecommendReinit:
		a.printf("That is more than a patch is for: `%s map init` brings everything up to date, `%s map reinit` starts over.\n", self(), self())
	}
}

func (a *App) mapValidateCommand() *cobra.Command {
	var fix bool
	c := &cobra.Command{
		Use:   "validate",
		Short: "Check the whole map against the files, and mend it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.onMap(cmd.Context(), func(w mapWork) error {
				v, err := w.With(mapgen.Act{Keep: "validate --fix"}).Validate(w.ctx, fix)
				if err != nil {
					return err
				}
				if a.asJSON {
					err = a.json(v)
				} else {
					a.printValidation(v)
				}
				if err == nil && !v.OK {
					return exit(exitProblems)
				}
				return err
			})
		},
	}
	c.Flags().BoolVar(&fix, "fix", false, "mend what can be mended")
	return c
}

func (a *App) printValidation(v mapgen.Validation) {
	for _, f := range v.Findings {
		a.printf("%-10s %s: %s\n           fix: %s\n", f.Kind, text.Visible(scan.Join(f.Dir, f.File)), text.Line(f.Detail), text.Line(f.Fix))
	}
	if v.OK {
		a.printf("The map is right.\n")
		return
	}
	a.recommend(v.Recommend)
}

func (a *App) mapSymbolsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "symbols FILE…",
		Short: "Show what the extractor sees in files",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.onMap(cmd.Context(), func(w mapWork) error {
				files, err := w.rel(args)
				if err != nil {
					return err
				}
				list, err := w.Symbols(w.ctx, files)
				if errors.Is(err, fs.ErrNotExist) || errors.Is(err, scan.ErrNotRegular) {
					return usage(err)
				}
				if err != nil {
					return err
				}
				if a.asJSON {
					return a.json(list)
				}
				for _, f := range list {
					a.printf("%s (%s) %s\n", text.Visible(f.Path), f.Language, text.Line(f.Note))
					for _, e := range f.Exports {
						a.printf("  %5d  %-10s %s\n", e.Line, e.Kind, text.Line(e.Signature))
					}
					for _, i := range f.Imports {
						a.printf("  %5d  %-10s %s -> %s\n", i.Line, "import", text.Line(i.Path), text.Line(i.Target))
					}
				}
				return nil
			})
		},
	}
}

func (a *App) mapFilesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "files",
		Short: "List the files the map covers",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.onMap(cmd.Context(), func(w mapWork) error {
				files, skipped, err := w.Files(w.ctx)
				if err != nil {
					return err
				}
				for _, s := range skipped {
					a.say("skipped %s: %s", text.Visible(s.Path), text.Line(s.Why))
				}
				if a.asJSON {
					return a.json(files)
				}
				for _, f := range files {
					if a.OutTerminal {
						f = text.Visible(f)
					}
					a.printf("%s\n", f)
				}
				return nil
			})
		},
	}
}

func (a *App) mapTreeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tree",
		Short: "Show the map's directories with their states",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.onMap(cmd.Context(), func(w mapWork) error {
				t, err := w.Tree(w.ctx)
				if err != nil {
					return err
				}
				if a.asJSON {
					return a.json(t)
				}
				a.printTree(t, "")
				return nil
			})
		},
	}
}

func (a *App) printTree(t *mapgen.TreeNode, indent string) {
	state := ""
	if len(t.State) > 0 {
		state = " [" + strings.Join(t.State, ", ") + "]"
	}
	role := ""
	if t.Role != "" {
		role = "  " + text.Line(t.Role)
	}
	a.printf("%s%s%s%s\n", indent, text.Visible(t.Dir), state, role)
	for _, c := range t.Children {
		a.printTree(c, indent+"  ")
	}
}
