package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/workspace"
	"growbench/theme/text"
)

// here is the project a command works on, with the configuration in force.
type here struct {
	project   workspace.Place
	loaded    config.Loaded
	stateRoot string
}

func (a *App) here(overrides ...config.Override) (here, error) {
	return a.projectAt(a.projectDir(), overrides...)
}

func (a *App) projectAt(dir string, overrides ...config.Override) (h here, err error) {
	if h.stateRoot, err = config.StateRoot(); err != nil {
		return h, err
	}
	if h.project, err = findProject(dir); err != nil {
		return h, err
	}
	h.loaded, err = config.Load(config.Options{ProjectRoot: h.project.Root, Overrides: overrides, Presets: engine.Presets()})
	return h, configurationError(err)
}

// configurationError says what is wrong with several keys alike once, and
// where the configuration lies that a flag or variable does not fit.
func configurationError(err error) error {
	var wrong *config.ProblemsError
	if !errors.As(err, &wrong) {
		return err
	}
	told := &config.ProblemsError{}
	elsewhere := false
	for _, p := range wrong.Problems {
		elsewhere = elsewhere || p.Line == 0 && namesAgent(p.Key)
		same := slices.IndexFunc(told.Problems, func(t config.Problem) bool { return t.Place == p.Place && t.Text == p.Text })
		switch {
		case same < 0:
			told.Problems = append(told.Problems, p)
		case p.Key != "":
			told.Problems[same].Key += ", " + p.Key
		}
	}
	if path, err := config.ConfigFile(); err == nil && elsewhere {
		return fmt.Errorf("%w\nyour configuration is %s", told, text.Visible(path))
	}
	return told
}

// namesAgent tells whether a key's value is a name that a configuration gives.
func namesAgent(key string) bool {
	return slices.ContainsFunc([]string{"roles.", "agents.", "providers."}, func(p string) bool { return strings.HasPrefix(key, p) })
}

// findProject is the project of a directory the user named or stands in.
func findProject(dir string) (workspace.Place, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return workspace.Place{}, usage(fmt.Errorf("%s is not a directory; name the project's directory", text.Visible(dir)))
	}
	return workspace.FindPlace(dir)
}

// findRun returns the directory of the run a user means. It works outside any
// project too, but not in one that was named wrongly: "latest" would then be
// a run of another.
func (a *App) findRun(name string) (string, error) {
	stateRoot, err := config.StateRoot()
	if err != nil {
		return "", err
	}
	project := ""
	p, err := findProject(a.projectDir())
	switch {
	case err == nil:
		project = p.Name
	case a.dir != "":
		return "", err
	}
	dir, err := engine.FindRun(stateRoot, project, name)
	if err != nil {
		return "", usage(err)
	}
	return dir, nil
}

// trusted refuses a project whose file wants to run something nobody trusted.
func (h here) trusted() error {
	if err := h.loaded.RequireTrust(); err != nil {
		return environment(fmt.Errorf("start a run in %s: %w", h.project.Root, err))
	}
	return nil
}

// found lists verify commands that nobody configured or trusted.
func (h here) found() []string {
	var out []string
	for _, f := range h.loaded.Found {
		if !f.Trusted {
			out = append(out, f.Command)
		}
	}
	return out
}
