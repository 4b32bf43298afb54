package cli

import (
	"errors"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/workspace"
	"growbench/mapgen/symbols"
	"growbench/theme/text"
)

// mergeAnswer is what merge tells a script.
type mergeAnswer struct {
	Run    string        `json:"run"`
	How    string        `json:"how"`  // nothing, fast-forward, merge commit, files or refused
	Tree   string        `json:"tree"` // the user's
	Branch string        `json:"branch"`
	From   string        `json:"from"`
	To     string        `json:"to"`
	DryRun bool          `json:"dry_run"`
	Files  []mergedFile  `json:"files"`
	Left   []refusedFile `json:"left"` // not written, or in the way
	Why    string        `json:"why,omitempty"`
	Runs   []string      `json:"runs,omitempty"` // earlier ones whose work comes along
	Notes  []string      `json:"notes"`
}

type mergedFile struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
}

type refusedFile struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

func (a *App) mergeCommand() *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use:   "merge RUN",
		Short: "Bring a run's work into your current branch",
		Long: `Brings a run's branch into the branch you are on: as a fast-forward where that
is possible, else as a merge commit. Work of yours that is not committed stays
when it lies in other files; otherwise nothing is merged and the files in the
way are named. Without a git repository, or without a commit in it, each file
that is still as the run found it is written, and the others are named.
A run that began where another one ended brings the other one's work along.

No hook, filter or other program of the repository is run.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := a.findRun(args[0])
			if err != nil {
				return err
			}
			// Ctrl-C may end the looking, not the writing.
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			pool := symbols.NewPool(symbols.PoolOptions{Command: parserArgv(), Env: parserEnv})
			defer pool.Close()
			out, err := engine.Merge(ctx, dir, engine.MergeOptions{DryRun: dry, Now: time.Now(), Extractor: pool})
			return a.toldMerge(filepath.Base(dir), dry, out, err)
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "say what would happen; change nothing")
	return c
}

func (a *App) toldMerge(run string, dry bool, out workspace.Merged, err error) error {
	var refused *workspace.MergeRefused
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	if a.asJSON {
		answer := mergeAnswer{
			Run: run, How: out.How, Tree: out.Top, Branch: out.Branch, From: out.From, To: out.To, DryRun: dry,
			Files: []mergedFile{}, Left: []refusedFile{}, Runs: out.Runs, Notes: append([]string{}, out.Notes...),
		}
		left := out.Left
		if refused != nil {
			answer.How, answer.To, answer.Why, left = "refused", "", refused.Why, refused.Paths
		} else {
			for _, f := range out.Files {
				answer.Files = append(answer.Files, mergedFile{f.Path, string(f.Kind)})
			}
		}
		for _, l := range left {
			answer.Left = append(answer.Left, refusedFile(l))
		}
		if err := a.json(answer); err != nil {
			return err
		}
	}
	switch {
	case refused != nil && a.asJSON:
		return exit(exitProblems)
	case refused != nil:
		return err
	case !a.asJSON:
		a.printMerge(run, dry, out)
	}
	if len(out.Left) > 0 {
		return exit(exitProblems)
	}
	return nil
}

func (a *App) printMerge(run string, dry bool, out workspace.Merged) {
	done := map[bool]string{true: "would be ", false: ""}[dry]
	branch, top := text.Line(out.Branch), text.Line(out.Top)
	switch out.How {
	case workspace.MergeNothing:
		a.printf("Nothing to merge: the work of run %s is here already.\n", run)
	case workspace.MergeForward:
		a.printf("Run %s %smerged into %s of %s by fast-forward: %s, %.10s → %.10s\n", run, done, branch, top, counted(len(out.Files), "file"), out.From, out.To)
	case workspace.MergeCommit:
		to := "a merge commit"
		if out.To != "" {
			to += " " + out.To[:10]
		}
		a.printf("Run %s %smerged into %s of %s by %s: %s\n", run, done, branch, top, to, counted(len(out.Files), "file"))
	case workspace.MergeFiles:
		a.printf("Run %s: %s %swritten in %s\n", run, counted(len(out.Files), "file"), done, top)
	}
	if len(out.Runs) > 0 {
		a.printf("This includes the work of %s, which run %s goes on from.\n", runWords(out.Runs), run)
	}
	for _, f := range out.Files {
		a.printf("  %-9s %s\n", f.Kind, text.Line(f.Path))
	}
	if len(out.Left) > 0 {
		a.say("Left as they are: %s. Once one is as the run found it, merge again.", counted(len(out.Left), "file"))
		for _, l := range out.Left {
			a.say("  %s (%s)", text.Line(l.Path), text.Line(l.Why))
		}
	}
	for _, n := range out.Notes {
		a.say("Note: %s", text.Line(n))
	}
}

func runWords(runs []string) string {
	if len(runs) == 1 {
		return "run " + runs[0]
	}
	return "runs " + strings.Join(runs, ", ")
}
