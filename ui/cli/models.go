package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/theme/text"
)

func (a *App) modelsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "models",
		Short: "List the model servers, their models, which can use tools, and what to type next",
		Long: `models asks every provider of the configuration what it has, for a few seconds at
most. A server that is down is no error while another answers: exit 3 only when
none can be reached.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := a.here()
			if err != nil {
				return err
			}
			list := engine.Models(cmd.Context(), h.loaded.Config)
			if a.asJSON {
				err = a.json(list)
			} else {
				a.printModels(list, h.loaded.Config)
			}
			reached := slices.ContainsFunc(list, func(p engine.ProviderInfo) bool { return p.Reachable })
			if err == nil && !reached {
				return exit(exitEnvironment)
			}
			return err
		},
	}
}

func (a *App) printModels(list []engine.ProviderInfo, c config.Config) {
	if len(list) == 0 {
		a.printf("no provider is configured\n")
	}
	for _, p := range list {
		a.printf("%s\n", providerLine(p))
		width := 0
		for _, m := range p.Models {
			width = max(width, text.Width(text.Line(m.Name)))
		}
		for _, m := range p.Models {
			a.printf("  %s\n", modelLine(m, min(width, 40)))
		}
	}
	if next := nameAnAgent(list, c); next != "" {
		a.printf("next: %s\n", text.Line(next))
	}
}

func providerLine(p engine.ProviderInfo) string {
	line := text.Pad(text.Line(p.Provider), 12) + " " + p.Kind
	if p.Version != "" {
		line += " " + text.Line(p.Version)
	}
	line += " at " + text.Line(p.URL)
	if p.NumCtx > 0 && p.Reachable {
		line += fmt.Sprintf(", num_ctx %d", p.NumCtx)
	}
	if p.Problem != "" {
		line += ": " + text.Line(p.Problem)
	}
	if p.Next != "" {
		line += "; next: " + text.Line(p.Next)
	}
	return line
}

func modelLine(m engine.ModelInfo, width int) string {
	tools, context := "tools not known", "context not known"
	if m.Tools != nil {
		tools = "no tools"
		if *m.Tools {
			tools = "tools"
		}
	}
	if m.Thinking != nil && *m.Thinking {
		tools += ", thinks"
	}
	if n := cmp.Or(m.Longest, m.Window); n > 0 {
		context = fmt.Sprintf("context %d", n)
	}
	line := text.Pad(text.Line(m.Name), width) + "  " + text.Pad(tools, 16) + " " + text.Pad(context, 18)
	switch {
	case m.Size >= 1e8:
		line += fmt.Sprintf(" %.1f GB", float64(m.Size)/1e9)
	case m.Size > 0:
		line += fmt.Sprintf(" %.1f MB", float64(m.Size)/1e6)
	}
	if m.Loaded {
		line += ", loaded"
	}
	if len(m.Agents) > 0 {
		line += ", agent " + text.Line(strings.Join(m.Agents, ", "))
	}
	return strings.TrimRight(line, " ")
}

// nameAnAgent says how a model that can use tools becomes an agent, where
// there is one and no agent is any yet.
func nameAnAgent(list []engine.ProviderInfo, c config.Config) string {
	for _, agent := range c.Agents {
		if agent.Kind == "native" {
			return ""
		}
	}
	for _, p := range list {
		for _, m := range p.Models {
			if m.Tools != nil && *m.Tools {
				return fmt.Sprintf(`make one an agent, in ~/.config/growbench/config.json: {"agents": {"local": {"kind": "native", "provider": %q, "model": %q}}}`, p.Provider, m.Name)
			}
		}
	}
	return ""
}
