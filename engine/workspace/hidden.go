package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// CopyHidden brings files of the user's project into the tree where the base
// has their directory and not them, and keeps what matches rules (in git's
// syntax) out of every commit from then on. Names are relative to the project;
// a directory brings all that is in it. It returns what was copied.
func (t *Tree) CopyHidden(ctx context.Context, names, rules []string) ([]string, error) {
	doing := func(err error) error { return fmt.Errorf("copying hidden files into the tree: %w", err) }
	from, err := os.OpenRoot(t.Project.Root)
	if err != nil {
		return nil, doing(err)
	}
	defer from.Close()
	to, err := os.OpenRoot(t.Root())
	if err != nil {
		return nil, doing(err)
	}
	defer to.Close()
	text := strings.Join(rules, "\n") + "\n"
	for _, dir := range []string{t.engineDir(), filepath.Join(t.Dir, ".git"), t.top().pristine()} {
		if err := appendFile(filepath.Join(dir, "info", "exclude"), text); err != nil {
			return nil, doing(err)
		}
	}
	var report Report
	job := copyJob{ctx: ctx, from: from, to: to, report: &report}
	var copied []string
	for _, name := range names {
		if info, err := to.Stat(path.Dir(name)); err != nil || !info.IsDir() {
			continue
		}
		before := len(job.made)
		if err := job.copy(name); err != nil {
			return copied, doing(err)
		}
		if len(job.made) > before {
			copied = append(copied, name)
		}
	}
	if len(report.Refused) > 0 {
		return copied, doing(errors.New(report.Refused[0].Path + ": " + report.Refused[0].Why))
	}
	return copied, nil
}
