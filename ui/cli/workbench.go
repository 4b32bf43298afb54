package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"growbench/engine"
	"growbench/theme/text"
)

// workbench opens the screen on the newest run of a project.
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
	if len(runs) == 0 {
		a.printf("No runs in %s yet.\n\n  %-44s see one on a sample project\n  %-44s start one here\n", text.Visible(h.project.Root),
			self()+" demo", self()+" run --task0 FILE")
		return nil
	}
	newest := runs[len(runs)-1]
	if !a.draws() && !a.plain {
		return a.replayEnded(newest)
	}
	return a.show(ctx, newest, view{})
}
