package engine

import (
	"fmt"
	"path/filepath"

	"growbench/engine/agent"
	"growbench/engine/agent/script"
	"growbench/engine/config"
)

// makeAgent is the one place that knows the kinds of agents.
func makeAgent(runDir string, spec Spec, name string, c config.Agent) (agent.Agent, error) {
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
		return script.New(s, spec.speed()), nil
	}
	return nil, fmt.Errorf("start agent %q: agents of kind %q are not part of this version", name, c.Kind)
}

// CanRun tells whether this version can start the agent of that name.
func CanRun(c config.Config, name string) error {
	a, ok := c.Agents[name]
	switch {
	case name == "":
		return fmt.Errorf("no agent is named for it; name one in the configuration's roles, or with a flag")
	case !ok:
		return fmt.Errorf("agent %q is not configured; `growbench config` lists what is", name)
	case a.Kind != "script":
		return fmt.Errorf("agent %q is of kind %q, which is not part of this version", name, a.Kind)
	}
	return nil
}
