package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/theme/text"
)

func (a *App) agentsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "agents",
		Short: "List the agents that can be named, whether they are installed, and what they see",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := a.here()
			if err != nil {
				return err
			}
			list := engine.Agents(cmd.Context(), h.loaded.Config)
			if a.asJSON {
				return a.json(list)
			}
			for _, i := range list {
				a.printf("%s\n", agentLine(i))
			}
			return nil
		},
	}
}

func agentLine(i engine.AgentInfo) string {
	state := "not installed"
	switch {
	case i.Found:
		state = "found " + i.Version
	case i.Kind == "native":
		state = "cannot be asked"
	}
	tried := "untested"
	if i.Tried {
		tried = "tried " + i.TriedAs
	}
	line := text.Pad(i.Name, 12) + " " + text.Pad(i.Kind, 8) + " " + text.Pad(text.Line(state), 24) + " " + text.Pad(tried, 16)
	switch i.Network {
	case event.NetworkOff:
		line += " no network;"
	case event.NetworkUnheld:
		line += " network not held off (no sandbox);"
	}
	if i.Found {
		return line + " the prompt " + text.Line(i.Context)
	}
	return line + " " + text.Line(i.Note)
}

// diagnosis is what doctor prints for scripts.
type diagnosis struct {
	OK     bool                 `json:"ok"`
	Checks []engine.HealthCheck `json:"checks"`
}

func (a *App) doctorCommand() *cobra.Command {
	var sandboxes bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is there, what is missing, and what to type next",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if sandboxes {
				return a.sandboxTable()
			}
			checks, err := a.checks(cmd.Context())
			if err != nil {
				return err
			}
			d := diagnosis{OK: true, Checks: checks}
			for _, c := range d.Checks {
				d.OK = d.OK && (c.OK || !c.Required)
			}
			if a.asJSON {
				err = a.json(d)
			} else {
				for _, c := range d.Checks {
					a.printf("%s\n", checkLine(c))
				}
			}
			if err == nil && !d.OK {
				return exit(exitEnvironment)
			}
			return err
		},
	}
	c.Flags().BoolVar(&sandboxes, "sandbox", false, "tell what each sandbox stops and what it does not")
	return c
}

// checks looks at everything, also where there is no place to look from: what is
// wrong with a configuration is one thing of several.
func (a *App) checks(ctx ctx) ([]engine.HealthCheck, error) {
	project, err := findProject(a.projectDir())
	if err != nil {
		return nil, err
	}
	stateRoot, noState := config.StateRoot()
	c := config.Defaults()
	loaded, wrong := config.Load(config.Options{ProjectRoot: project.Root, Presets: engine.Presets()})
	if wrong == nil {
		c = loaded.Config
	}
	list := engine.Doctor(ctx, c, stateRoot)
	missing := func(name string, err error, next string) {
		list = append(list, engine.HealthCheck{Name: name, Required: true, Detail: err.Error(), Next: next})
	}
	if noState != nil {
		missing("state", noState, "name an absolute path in HOME, or in XDG_STATE_HOME")
	}
	switch {
	case errors.Is(wrong, config.ErrNoHome):
		missing("config", wrong, "name an absolute path in HOME, or in XDG_CONFIG_HOME")
	case wrong != nil:
		missing("config", configurationError(wrong), "mend it; what else is told here is as without any configuration")
	}
	return list, nil
}

// sandboxTable prints what the tests have seen of each sandbox.
func (a *App) sandboxTable() error {
	if !a.asJSON {
		a.printf("%s", workspace.AttackTable())
		return nil
	}
	type passes struct {
		Sandbox string   `json:"sandbox"`
		Passes  []string `json:"does_not_stop"`
	}
	list := []passes{}
	for _, kind := range []string{workspace.SandboxBwrap, workspace.SandboxLandlock, workspace.SandboxNone} {
		list = append(list, passes{kind, append([]string{}, workspace.PassesOf(kind)...)})
	}
	return a.json(list)
}

func checkLine(c engine.HealthCheck) string {
	word := "ok"
	switch {
	case !c.OK && c.Required:
		word = "missing"
	case !c.OK:
		word = "optional"
	}
	line := text.Pad(word, 9) + text.Pad(c.Name, 9) + text.Line(c.Detail)
	if !c.OK && c.Next != "" {
		line += "; next: " + text.Line(c.Next)
	}
	return line
}
