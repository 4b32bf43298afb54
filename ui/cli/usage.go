package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"growbench/theme/text"
)

// wrapUsage makes every mistake in how a command was typed end in exit code 2,
// with the way to its help.
func wrapUsage(c *cobra.Command) {
	help := fmt.Sprintf("; see `%s --help`", c.CommandPath())
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(fmt.Errorf("%w%s", err, help)) })
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usage(fmt.Errorf("%w%s", argumentError(cmd, args, err), help))
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		wrapUsage(sub)
	}
}

// argumentError says which of a command's arguments is missing or too many, by
// the names its usage line gives them.
func argumentError(c *cobra.Command, args []string, err error) error {
	var needed []string
	most := 0
	for _, name := range strings.Fields(c.Use)[1:] {
		if strings.HasPrefix(name, "-") {
			break
		}
		most++
		if !strings.HasPrefix(name, "[") {
			needed = append(needed, strings.TrimSuffix(name, "…"))
		}
	}
	switch {
	case len(args) < len(needed):
		return errors.New("name the " + strings.Join(needed[len(args):], " and the "))
	case len(args) > most && (most > 0 || !c.HasSubCommands()):
		return fmt.Errorf("%q is one argument too many", text.Line(args[most]))
	}
	return err
}

// help shows the help of the command that is named.
func help(c *cobra.Command, args []string) error {
	named, rest, err := c.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return usage(fmt.Errorf("there is no command %q; `growbench --help` lists them", text.Line(strings.Join(args, " "))))
	}
	named.InitDefaultHelpFlag()
	named.InitDefaultVersionFlag()
	return named.Help()
}
