package engine

import (
	"errors"
	"fmt"
	"path/filepath"

	"growbench/engine/agent"
	"growbench/engine/agent/command"
	"growbench/engine/agent/script"
	"growbench/engine/config"
)

// makeAgent is the one place that knows the kinds of agents.
func makeAgent(runDir string, spec Spec, name string, c config.Agent, confine Confine) (agent.Agent, error) {
	switch c.Kind {
	case "script":
		path := c.File
		switch {
		case filepath.IsAbs(path):
		case c.Dir != "":
			path = filepath.Join(c.Dir, path)
		default:
			path = filepath.Join(runDir, dirAttached, path)
		}
		s, err := script.Load(path)
		if err != nil {
			return nil, fmt.Errorf("start agent %q: %w", name, err)
		}
		return script.New(s, spec.speed(), confine), nil
	case "command":
		o := commandOptions(c)
		o.Output, o.Wrap = int64(spec.Config.Limits.Output), confine
		a, err := command.New(o)
		if err != nil {
			return nil, fmt.Errorf("start agent %q: %w", name, err)
		}
		return a, nil
	case kindNative:
		return makeNative(spec, name, c, confine)
	}
	return nil, fmt.Errorf("start agent %q: agents of kind %q are not part of this version", name, c.Kind)
}

// commandOptions are what the configuration says of a command agent.
func commandOptions(c config.Agent) command.Options {
	return command.Options{
		Preset: c.Preset, Argv: c.Argv, Prompt: c.Prompt, Decode: c.Decode, Env: c.Env, Dir: c.Dir,
	}
}

// Presets name the agents that need no definition.
func Presets() []string {
	var names []string
	for _, p := range command.Presets() {
		if len(p.Argv) > 0 {
			names = append(names, p.Name)
		}
	}
	return names
}

// CanRun tells whether this version can start the agent of that name.
func CanRun(c config.Config, name string) error {
	a, ok := c.Agents[name]
	switch {
	case name == "":
		return errors.New("none is named: give one with --agent NAME, or under roles in the configuration; `growbench agents` lists them")
	case !ok:
		return fmt.Errorf("agent %q is not configured; `growbench config` lists what is", name)
	case a.Kind == "command":
		if _, err := commandOptions(a).Program(); err != nil {
			return fmt.Errorf("agent %q cannot be started: %w", name, err)
		}
	case a.Kind == "script":
		path := a.ScriptFile()
		if !filepath.IsAbs(path) {
			break // it came with the run and is loaded from there
		}
		if _, err := script.Load(path); err != nil {
			return fmt.Errorf("agent %q cannot be started: %w", name, err)
		}
	case a.Kind == kindNative:
		if err := canAsk(c, a); err != nil {
			return fmt.Errorf("agent %q cannot be started: %w", name, err)
		}
	default:
		return fmt.Errorf("agent %q is of kind %q, which is not part of this version", name, a.Kind)
	}
	return nil
}
