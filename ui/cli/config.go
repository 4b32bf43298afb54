package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"growbench/engine/config"
	"growbench/theme/text"
)

func (a *App) configCommand() *cobra.Command {
	var defaults bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Show the configuration in force and where each value comes from",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			e := config.ExplainDefaults()
			if !defaults {
				h, err := a.here()
				if err != nil {
					return err
				}
				e = config.Explain(h.loaded)
			}
			if a.asJSON {
				return a.json(e)
			}
			for _, r := range e.Rows() {
				a.printf("%-28s %-32s %s\n", r.Key, r.Value, r.Source)
			}
			for _, n := range e.Notes {
				a.say("%s", text.Clean(n))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&defaults, "defaults", false, "show the defaults instead")
	return c
}

func (a *App) trustCommand() *cobra.Command {
	var revoke, yes, found bool
	c := &cobra.Command{
		Use:   "trust",
		Short: "Look at what the project would run, and trust it",
		Long: `Shows everything this project's .growbench.json would run or reach out to, and
asks whether you trust it. Trust is bound to the exact text and to the files it
names: when they change, it is asked again.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if revoke {
				return a.revoke()
			}
			h, err := a.here()
			if err != nil {
				return err
			}
			return a.trust(h, yes, found)
		},
	}
	f := c.Flags()
	f.BoolVar(&revoke, "revoke", false, "forget all trust in this project")
	f.BoolVarP(&yes, "yes", "y", false, "trust what is shown without asking")
	f.BoolVar(&found, "found", false, "trust the verify commands that were merely found, too")
	return c
}

// revoke reads no configuration: trust can be taken back whatever is wrong with it.
func (a *App) revoke() error {
	project, err := findProject(a.projectDir())
	if err != nil {
		return err
	}
	if err := config.Revoke(project.Root); err != nil {
		return err
	}
	if a.asJSON {
		return a.json(trustState{Project: project.Root, Items: []config.Item{}})
	}
	a.printf("Nothing of %s is trusted any more.\n", text.Visible(project.Root))
	return nil
}

// trustState is what trust prints for scripts.
type trustState struct {
	Project string        `json:"project"`
	Trusted bool          `json:"trusted"`
	Items   []config.Item `json:"items"`
}

func (a *App) trust(h here, yes, found bool) error {
	l := h.loaded
	if len(l.Items) == 0 && !(found && len(l.Found) > 0) {
		if a.asJSON {
			return a.json(trustState{Project: h.project.Root, Trusted: true, Items: []config.Item{}})
		}
		a.printf("%s defines nothing that would be run.\n", text.Visible(h.project.Root))
		a.listFound(l)
		return nil
	}
	unasked := found && slices.ContainsFunc(l.Found, func(f config.FoundCommand) bool { return !f.Trusted })
	if l.RequireTrust() == nil && !unasked {
		if a.asJSON {
			return a.json(trustState{Project: h.project.Root, Trusted: true, Items: append([]config.Item{}, l.Items...)})
		}
		for _, item := range l.Items {
			a.printf("  %s\n", item)
		}
		a.printf("Trusted already, as it stands now.\n")
		a.listFound(l)
		return nil
	}
	if !a.asJSON {
		for _, item := range l.Items {
			a.printf("  %s\n", item)
		}
		a.listFound(l)
	}
	if !yes {
		ok, err := a.confirm("Trust this?")
		if err != nil {
			return err
		}
		if !ok {
			a.say("Nothing was trusted.")
			return exit(exitProblems)
		}
	}
	if err := config.Trust(l, config.TrustOptions{IncludeFound: found}); err != nil {
		return err
	}
	if a.asJSON {
		return a.json(trustState{Project: h.project.Root, Trusted: true, Items: append([]config.Item{}, l.Items...)})
	}
	a.printf("Trusted, as it stands now.\n")
	return nil
}

func (a *App) listFound(l config.Loaded) {
	for _, f := range l.Found {
		if !f.Trusted {
			a.printf("  found, not run: %s (%s); --found trusts it as a verify command\n", text.Visible(f.Command), text.Visible(f.Why))
		}
	}
}

// confirm asks a person; nobody there means no.
func (a *App) confirm(question string) (bool, error) {
	if !a.Screen {
		return false, environment(fmt.Errorf("nobody is there to ask; look at it with `%s config` and say --yes", self()))
	}
	fmt.Fprintf(a.Err, "%s [y/N] ", question)
	line, err := bufio.NewReader(a.In).ReadString('\n')
	if err != nil && line == "" {
		return false, nil
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}
