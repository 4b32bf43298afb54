package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"growbench/loop"
	"growbench/theme/text"
)

func (a *App) skillsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "skills [NAME]",
		Short: "List the skills a grow loop can run, or show the text of one",
		Long: `Lists the skills that come with growbench, yours and, once trusted, the
project's; one of the same name takes the place of an earlier one. Yours are
named under "skills" in the configuration: a SKILL.md, its folder, or a folder
of such folders.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			h, err := a.here()
			if err != nil {
				return err
			}
			all, problems := loop.Skills(h.loaded.Config.Skills)
			for _, p := range problems {
				a.say("%s", text.Line(p.Error()))
			}
			if len(args) == 1 {
				err = a.skill(all, args[0])
			} else {
				err = a.skillList(all)
			}
			if err == nil && len(problems) > 0 {
				err = exit(exitProblems)
			}
			return err
		},
	}
}

// skillsNow are the skills of a project as its configuration and its trust are
// by now: a document that has changed since it was trusted counts no more.
func (a *App) skillsNow(h here) ([]loop.Skill, []error) {
	now, err := a.projectAt(h.project.Root)
	if err != nil {
		all, problems := loop.Skills(nil)
		return all, append(problems, fmt.Errorf("only the skills that come with growbench are there: %w", err))
	}
	return loop.Skills(now.loaded.Config.Skills)
}

func (a *App) skillList(all []loop.Skill) error {
	if a.asJSON {
		return a.json(all)
	}
	for _, s := range all {
		a.printf("%s %s\n%s %s\n", text.Pad(s.Name, 16), text.Line(s.Description), text.Pad("", 16), text.Visible(s.Source))
	}
	return nil
}

func (a *App) skill(all []loop.Skill, name string) error {
	s, ok := loop.FindSkill(all, name)
	if !ok {
		names := make([]string, 0, len(all))
		for _, s := range all {
			names = append(names, s.Name)
		}
		return usage(fmt.Errorf("show the skill %q: there is none; there are %s", name, strings.Join(names, ", ")))
	}
	if a.asJSON {
		return a.json(s)
	}
	a.printf("%s\n", text.Clean(s.Text))
	return nil
}
