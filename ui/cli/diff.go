package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/theme"
	"growbench/theme/text"
)

func (a *App) diffCommand() *cobra.Command {
	var stat bool
	c := &cobra.Command{
		Use:   "diff RUN [K]",
		Short: "Show what a run, or its Worker K, changed",
		Long: `Shows what a run changed so far, or what its Worker K did, as a patch. Into a
pipe or file goes the patch byte for byte, so that "git apply" can read it.`,
		Args:              cobra.RangeArgs(1, 2),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			k := 0
			if len(args) == 2 {
				var err error
				if k, err = workerNumber("diff", args[1]); err != nil {
					return err
				}
			}
			dir, err := a.findRun(args[0])
			if err != nil {
				return err
			}
			d, err := engine.Diff(cmd.Context(), dir, k)
			if errors.Is(err, engine.ErrNoWorker) {
				return usage(err)
			}
			if err != nil {
				return err
			}
			if a.asJSON {
				return a.json(d)
			}
			return a.printDiff(d, stat)
		},
	}
	c.Flags().BoolVar(&stat, "stat", false, "list the files and how much of each changed")
	return c
}

// workerNumber reads a K.
func workerNumber(command, typed string) (int, error) {
	k, err := strconv.Atoi(typed)
	if err != nil || k < 1 {
		return 0, usage(fmt.Errorf("%s: %q is no Worker's number", command, typed))
	}
	return k, nil
}

func (a *App) printDiff(d engine.Difference, stat bool) error {
	if d.Unfinished {
		a.say("Worker %d did not come to its end; this is its unfinished work.", d.K)
	}
	if len(d.Files) == 0 {
		a.say("Nothing was changed.")
		return nil
	}
	if stat {
		for _, f := range d.Files {
			a.printf("%s\n", statLine(f))
		}
		a.printf("%s\n", statSum(d.Files))
		return nil
	}
	var err error
	switch {
	case !a.OutTerminal:
		_, err = io.WriteString(a.Out, d.Patch)
	case !a.colours():
		_, err = io.WriteString(a.Out, text.Clean(d.Patch))
	default:
		err = a.paint(d.Patch)
	}
	if err != nil {
		return writing(err)
	}
	return nil
}

func (a *App) colours() bool {
	return a.screenOptions().Theme != theme.None && os.Getenv("TERM") != "dumb"
}

// paint prints a patch in the theme's colours.
func (a *App) paint(patch string) error {
	look, err := theme.New(a.screenOptions().Theme, nil)
	if err != nil {
		return err
	}
	var b strings.Builder
	inHunk := false
	for line := range strings.Lines(text.Clean(patch)) {
		line, _ = strings.CutSuffix(line, "\n")
		style := look.Text
		switch {
		case strings.HasPrefix(line, "diff --git "):
			inHunk, style = false, look.Title
		case strings.HasPrefix(line, "@@"):
			inHunk, style = true, look.DiffHunk
		case !inHunk:
			style = look.Muted
		case strings.HasPrefix(line, "+"):
			style = look.DiffAdd
		case strings.HasPrefix(line, "-"):
			style = look.DiffDel
		}
		// A style pads what it renders to a block; a tab has no width of its own.
		b.WriteString(style.Inline(true).TabWidth(lipgloss.NoTabConversion).Render(line))
		b.WriteByte('\n')
	}
	_, err = lipgloss.Fprint(a.Out, b.String())
	return err
}

func statLine(f engine.ChangedFile) string {
	name := text.Line(f.Path)
	if f.OldPath != "" {
		name = text.Line(f.OldPath) + " → " + name
	}
	amount := "binary"
	if f.Added >= 0 {
		amount = fmt.Sprintf("+%d −%d", f.Added, f.Deleted)
	}
	return fmt.Sprintf("%-12s %-10s %s", f.Kind, amount, name)
}

func statSum(files []engine.ChangedFile) string {
	added, deleted := 0, 0
	for _, f := range files {
		added += max(f.Added, 0)
		deleted += max(f.Deleted, 0)
	}
	return fmt.Sprintf("%s, +%d −%d lines", counted(len(files), "file"), added, deleted)
}

// counted is "1 file", "2 files".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
