package cli

import (
	"fmt"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/workspace"
)

// here is the project a command works on, with the configuration in force.
type here struct {
	project   workspace.Project
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
	if h.project, err = workspace.FindProject(dir); err != nil {
		return h, err
	}
	h.loaded, err = config.Load(config.Options{ProjectRoot: h.project.Root, Overrides: overrides})
	return h, err
}

// findRun returns the directory of the run a user means. It works outside any
// project too.
func (a *App) findRun(name string) (string, error) {
	stateRoot, err := config.StateRoot()
	if err != nil {
		return "", err
	}
	project := ""
	if p, err := workspace.FindProject(a.projectDir()); err == nil {
		project = p.Name
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
