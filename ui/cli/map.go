package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"growbench/mapgen"
	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
	"growbench/mapgen/voice"
	"growbench/theme/text"
)

func (a *App) mapCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "map",
		Short: "Keep a map of the project: what every directory and file is for",
		Long: `Puts two small documents into every directory that git does not ignore:
.pi-map.index.md routes a reader, .pi-map.md tells what is there (files,
exported symbols with their signatures, dependencies). They are made from the
source itself, kept out of git status, and renewed one directory at a time.
On a terminal "growbench map" opens the workbench with the map in front; with
--plain it is lines and typed commands.`,
		Example: "  growbench map init\n  growbench map patch src/auth/tokens.ts\n  growbench map status",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.mapWorkbench(cmd) },
	}
	c.AddCommand(
		a.mapInitCommand(), a.mapReinitCommand(), a.mapPatchCommand(), a.mapDirtyCommand(), a.mapStatusCommand(),
		a.mapValidateCommand(), a.mapSymbolsCommand(), a.mapFilesCommand(), a.mapTreeCommand(), a.mapGraphCommand(),
		a.mapShareCommand(), a.mapUndoCommand(), a.mapContextCommand(), a.mapOriginCommand(), a.parserCommand(),
	)
	return c
}

// parserName is the hidden command that reads source files for another
// growbench process.
const parserName = "parser"

// parserEnv is the environment of those processes: they need none.
var parserEnv []string

// parserCommand serves the parsers of another growbench: what crashes or hangs
// in a grammar ends this process, not the run.
func (a *App) parserCommand() *cobra.Command {
	return &cobra.Command{
		Use:    parserName,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE:   func(*cobra.Command, []string) error { return symbols.ServeWorker(os.Stdin, os.Stdout) },
	}
}

// mapWork is one map command at work on a project.
type mapWork struct {
	*mapgen.Project
	ctx    context.Context
	config mapgen.Config
	base   string // where relative paths start
}

// onMap runs a command on the map of the user's project.
func (a *App) onMap(ctx context.Context, do func(w mapWork) error) error {
	root, err := mapgen.FindRoot(a.projectDir())
	if err != nil {
		return usage(err)
	}
	config, warnings, err := mapgen.LoadConfig(root)
	if err != nil {
		return usage(err)
	}
	for _, w := range warnings {
		a.say("%s", text.Line(w))
	}
	base, err := filepath.Abs(a.projectDir())
	if err != nil {
		return usage(err)
	}
	// A scan makes much garbage and keeps little: collecting less often is worth
	// a tenth of its time.
	debug.SetGCPercent(200)
	pool := symbols.NewPool(symbols.PoolOptions{Command: parserArgv(), Env: parserEnv})
	defer pool.Close()
	o := mapgen.Options{Extractor: pool, Progress: a.mapProgress()}
	config.Apply(&o)
	p, err := mapgen.Open(root, o)
	if err != nil {
		return usage(err)
	}
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return mapFailure(do(mapWork{Project: p, ctx: ctx, config: config, base: base}))
}

// parserArgv starts this very program, also after `go run` has removed it.
func parserArgv() []string {
	self := "/proc/self/exe"
	if _, err := os.Stat(self); err != nil {
		if self, err = os.Executable(); err != nil {
			return nil
		}
	}
	return []string{self, "map", parserName}
}

func mapFailure(err error) error {
	var stopped *voice.Stopped
	switch {
	case err == nil:
		return nil
	case errors.As(err, &stopped):
		return environment(err)
	case errors.Is(err, context.Canceled):
		return &coded{exitInterrupted, errors.New("interrupted; what was done is kept")}
	case errors.Is(err, scan.ErrNoGit), errors.Is(err, scan.ErrForeignOwner), errors.Is(err, symbols.ErrNoWorker), errors.Is(err, mapgen.ErrNoRepository):
		return environment(err)
	case errors.Is(err, mapgen.ErrNoMap):
		return usage(fmt.Errorf("%w; make it with `%s map init`", err, self()))
	case errors.Is(err, scan.ErrOutside), errors.Is(err, mapgen.ErrNoProject):
		return usage(err)
	}
	return err
}

// rel turns paths as they were typed into paths of the project.
func (w mapWork) rel(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		r, err := scan.Rel(w.Root(), w.base, arg)
		if err != nil {
			return nil, usage(err)
		}
		out = append(out, r)
	}
	return out, nil
}

// dirs are directories of the project, as they were typed.
func (w mapWork) dirs(args []string) ([]string, error) {
	dirs, err := w.rel(args)
	if err != nil {
		return nil, err
	}
	for i, dir := range dirs {
		if info, err := os.Stat(filepath.Join(w.Root(), dir)); err != nil || !info.IsDir() {
			return nil, usage(fmt.Errorf("%s is no directory; name one of the project %s", text.Visible(args[i]), text.Visible(w.Root())))
		}
	}
	return dirs, nil
}

// mapProgress shows how far a scan is, on a terminal.
func (a *App) mapProgress() func(mapgen.Progress) {
	f, ok := a.Err.(*os.File)
	if !ok || !isTerminal(f) || a.asJSON || os.Getenv("TERM") == "dumb" {
		return nil
	}
	begin, shown := time.Now(), false
	return func(p mapgen.Progress) {
		if p.Done >= p.Total {
			if shown {
				fmt.Fprint(a.Err, "\r\x1b[K")
			}
			return
		}
		if time.Since(begin) < 300*time.Millisecond {
			return // done before anybody could read it
		}
		shown = true
		left := p.Left.Round(time.Second)
		fmt.Fprintf(a.Err, "\r\x1b[Kmap: %d of %d files, %s, %s left", p.Done, p.Total, rate(p.Rate), left)
	}
}

// rate says how fast files are done: a model does few.
func rate(perSecond float64) string {
	if perSecond < 2 {
		return fmt.Sprintf("%.0f a minute", 60*perSecond)
	}
	return fmt.Sprintf("%.0f a second", perSecond)
}
