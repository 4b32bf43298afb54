package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/ui"
)

// workbench opens the screen on a project: on its run at work, else on the
// list of its runs.
func (a *App) workbench(ctx ctx, args []string) error {
	dir := a.projectDir()
	if len(args) == 1 {
		dir = args[0]
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return usage(fmt.Errorf("%s is neither a command nor a directory; `growbench --help` lists the commands", text.Visible(dir)))
		}
	}
	h, err := a.projectAt(dir)
	if err != nil {
		return err
	}
	runs, err := engine.Runs(h.stateRoot, h.project.Name)
	if err != nil {
		return err
	}
	if !a.draws() || a.plain {
		return a.workbenchLines(ctx, h, runs)
	}
	o := ui.Options{Project: a.uiProject(h.stateRoot, h.project.Name, h.project.Root)}
	defer a.talkIn(&o, h.project.Root)()
	if run, ok := atWork(runs); ok {
		o.Source, o.ComeBack = o.Project.Watch(run), a.comeBack(filepath.Base(run))
	}
	return a.draw(ctx, o)
}

// atWork is the newest run that somebody is running.
func atWork(runs []string) (run string, ok bool) {
	for _, run := range slices.Backward(runs) {
		if engine.OwnerAlive(run) {
			return run, true
		}
	}
	return "", false
}

// workbenchLines is what can be told of a project without a screen: its run at
// work, else its newest.
func (a *App) workbenchLines(ctx ctx, h here, runs []string) error {
	if len(runs) == 0 {
		a.printf("No runs in %s yet.\n\n  %-44s see one on a sample project\n  %-44s start one here\n", text.Visible(h.project.Root),
			self()+" demo", self()+" run --task0 FILE")
		return nil
	}
	if run, ok := atWork(runs); ok {
		return a.show(ctx, run, view{})
	}
	newest := runs[len(runs)-1]
	if a.plain {
		return a.show(ctx, newest, view{})
	}
	return a.replayEnded(newest)
}

// uiProject is what the screen needs to know of a project.
func (a *App) uiProject(stateRoot, id, root string) *ui.Project {
	list := engine.ListRuns(stateRoot, id)
	list.Go = ui.Go
	return &ui.Project{
		Name: filepath.Base(root), StateRoot: stateRoot, ID: id, Runs: list,
		Watch: func(runDir string) ui.Source {
			w := engine.Watch(runDir)
			w.Go = ui.Go
			return w
		},
		Start: func(ctx context.Context, runDir string, again *event.RunResumed) error {
			return a.Spawner.Spawn(context.WithoutCancel(ctx), runDir, again)
		},
		Map: a.mapOpener(root), Agents: agentsFor(root), Program: self(), Here: a.opensHere(root),
	}
}

// projectOfRun is the project a run directory lies in; nil when the run is
// none that lies where runs do.
func (a *App) projectOfRun(runDir string) *ui.Project {
	spec, err := engine.LoadSpec(runDir)
	if err != nil || filepath.Base(filepath.Dir(runDir)) != "runs" {
		return nil
	}
	project := filepath.Dir(filepath.Dir(runDir))
	return a.uiProject(filepath.Dir(project), filepath.Base(project), spec.Root)
}

// agentsFor are the names a Worker can be given to: those configured, and the
// presets.
func agentsFor(root string) []string {
	names := engine.Presets()
	loaded, err := config.Load(config.Options{ProjectRoot: root, Presets: engine.Presets()})
	if err == nil {
		names = slices.AppendSeq(names, maps.Keys(loaded.Config.Agents))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// opensHere is the line that opens the workbench on a project again.
func (a *App) opensHere(root string) string {
	if p, err := findProject("."); err == nil && p.Root == root {
		return self()
	}
	return self() + " " + shellWord(root)
}

// shellWord quotes a word for a shell where it needs that.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+@%=:,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
