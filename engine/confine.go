package engine

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"growbench/engine/agent/command"
	"growbench/engine/config"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// Confine puts a command into the run's sandbox.
type Confine func(workspace.Command) workspace.Command

// confinement is the sandbox of one run: found once, the same for every agent,
// setup and check of it.
type confinement struct {
	sandbox workspace.Sandbox
	note    string // which one, or why there is none
	temp    string
	rules   workspace.SandboxRules
}

// FindSandbox tells whether the sandbox a configuration asks for can be had.
func FindSandbox(c config.Config) (workspace.Sandbox, string, error) {
	mode := c.Sandbox
	if mode == "" {
		mode = "auto"
	}
	return workspace.DetectSandbox(mode)
}

// newConfinement finds the sandbox and what it leaves open: the clone, a
// temporary folder of the run's own, and the caches of build tools. Our own
// state and configuration and the places of credentials are hidden.
func newConfinement(dirs Dirs, spec Spec) (*confinement, error) {
	sandbox, note, err := FindSandbox(spec.Config)
	if err != nil {
		return nil, err
	}
	c := &confinement{sandbox: sandbox, note: cmp.Or(note, sandbox.Kind())}
	if sandbox.Kind() == workspace.SandboxNone {
		return c, nil
	}
	socket, err := socketPath(spec.Run)
	if err != nil {
		return nil, err
	}
	// Short, as sockets below it have 108 bytes for their whole path.
	c.temp = filepath.Join(filepath.Dir(socket), "t-"+spec.Run)
	if err := os.MkdirAll(c.temp, 0o700); err != nil {
		return nil, fmt.Errorf("make the run's temporary folder: %w", err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, fmt.Errorf("find what the sandbox must hide: %w", err)
	}
	configDir, err := config.ConfigDir()
	if err != nil {
		return nil, err
	}
	stateRoot := filepath.Dir(filepath.Dir(filepath.Dir(dirs.Run)))
	c.rules = workspace.SandboxRules{
		Writable: append(workspace.ToolCaches(home), dirs.Tree),
		Hidden:   append(workspace.CredentialStores(home), stateRoot, configDir, filepath.Dir(socket)),
		Temp:     c.temp,
	}
	return c, nil
}

func (c *confinement) close() {
	if c.temp != "" {
		os.RemoveAll(c.temp)
	}
}

func (c *confinement) sandboxed() bool { return c.sandbox.Kind() != workspace.SandboxNone }

// network says what of the network a program has that is given it, or not.
func (c *confinement) network(online bool) string {
	switch {
	case online:
		return event.NetworkOn
	case c.sandboxed():
		return event.NetworkOff
	}
	return event.NetworkUnheld
}

// wrap confines a setup or check command.
func (c *confinement) wrap(cmd workspace.Command, online bool) workspace.Command {
	if !c.sandboxed() {
		return cmd
	}
	rules := c.rules
	rules.Network = online
	return c.sandbox.Wrap(cmd, rules)
}

// forAgent confines what an agent starts: an agent with a state folder of its
// own may write there.
func (c *confinement) forAgent(a config.Agent) Confine {
	if !c.sandboxed() {
		return nil
	}
	var state []string
	for _, p := range command.Presets() {
		if p.Name == a.Preset || p.Name == a.Decode {
			state = append(state, p.State...)
		}
	}
	for _, dir := range state {
		os.MkdirAll(dir, 0o700) // one that is missing is passed over
	}
	rules := c.rules
	rules.Network = config.Online(a.Network)
	rules.Writable = append(slices.Clone(rules.Writable), state...)
	// The user's own scripts lie beside the configuration or in /tmp, which are hidden.
	rules.Readable = commandOptions(a).Files()
	return func(cmd workspace.Command) workspace.Command { return c.sandbox.Wrap(cmd, rules) }
}
