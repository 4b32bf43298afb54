package cli

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

func (a *App) runsCommand() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "runs",
		Short: "List the runs of this project",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			list, err := a.summaries(all)
			if err != nil {
				return err
			}
			if a.asJSON {
				return a.json(list)
			}
			if len(list) == 0 {
				a.say("No runs here yet; `%s demo` shows one, `%s runs --all` lists every project's.", self(), self())
			}
			for _, r := range list {
				line := runLine(r)
				if all {
					line += "  " + text.Visible(r.Project)
				}
				a.printf("%s\n", line)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "list the runs of every project")
	c.AddCommand(a.pruneCommand())
	return c
}

func runLine(r engine.Summary) string {
	state := r.Status
	if r.Waiting > 0 {
		state = "waiting for you"
	}
	checked := "verified: " + r.Verified
	if r.Ended.IsZero() {
		checked = "not checked yet"
	}
	return fmt.Sprintf("%s  %-9s %d/%d  %-16s  %s", r.Run, state, r.Done, r.N, checked,
		text.Truncate(text.Line(r.Goal), 72, "…"))
}

func (a *App) summaries(all bool) ([]engine.Summary, error) {
	stateRoot, err := config.StateRoot()
	if err != nil {
		return nil, err
	}
	project := ""
	if !all {
		p, err := findProject(a.projectDir())
		if err != nil {
			return nil, err
		}
		project = p.Name
	}
	dirs, err := engine.Runs(stateRoot, project)
	if err != nil {
		return nil, err
	}
	list := []engine.Summary{}
	for _, d := range dirs {
		s, err := engine.Summarize(d, time.Now())
		if err != nil {
			a.say("%s", text.Line(err.Error()))
			continue
		}
		list = append(list, s)
	}
	return list, nil
}

// completeRuns offers run names to the shell.
func (a *App) completeRuns(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	list, err := a.summaries(false)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names := []string{engine.Latest}
	for _, r := range list {
		names = append(names, r.Run)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (a *App) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "show RUN",
		Short:             "Tell how a run stands: its Workers, ledger, verification",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRuns,
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := a.findRun(args[0])
			if err != nil {
				return err
			}
			s, report, err := engine.Load(dir, time.Now())
			if err != nil {
				return err
			}
			if s.Run == "" { // so new that its log does not say it yet
				s.Run = filepath.Base(dir)
			}
			if !report.Clean() {
				a.say("The run's log: %d bytes torn at its end, bad lines %v skipped.", report.TornBytes, report.BadLines)
			}
			if a.asJSON {
				clone := filepath.Join(filepath.Dir(filepath.Dir(dir)), "trees", filepath.Base(dir))
				return a.json(shown{s, s.Base.Kind, s.Base, dir, clone})
			}
			if notes := waits(s); len(notes) > 0 {
				a.printf("%s\n\n", text.Clean(strings.Join(notes, "\n")))
			}
			a.printf("%s", text.Clean(engine.Report(s, time.Now().UTC(), nil)))
			a.printf("%s", text.Clean(figures(s, time.Now())))
			a.printf("\nRun directory: %s\n", dir)
			return nil
		},
	}
}

// figures are what each agent has taken, beside its limits while it works.
func figures(s *event.State, now time.Time) string {
	var b strings.Builder
	line := func(who string, list []views.Figure) {
		if len(list) > 0 {
			fmt.Fprintf(&b, "- %s: %s\n", who, views.Words(list))
		}
	}
	line("Planner", views.PlannerFigures(s, now))
	for i := range s.Workers {
		line(fmt.Sprintf("Worker %d", s.Workers[i].K), views.WorkerFigures(s, &s.Workers[i], now))
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n## Figures\n\n" + b.String()
}

// shown is a state as scripts read it, with the places it stands for.
type shown struct {
	*event.State
	Base   string     `json:"base"` // head or snapshot
	BaseOf event.Base `json:"base_detail"`
	Dir    string     `json:"dir"`
	Tree   string     `json:"clone"`
}

func waits(s *event.State) []string {
	var notes []string
	if s.Owner == "gone" && !s.IsEnded() {
		notes = append(notes, fmt.Sprintf("Run %s: nobody is running it; to go on: %s resume %s", s.Run, self(), s.Run))
	}
	for _, w := range s.Waits {
		notes = append(notes, fmt.Sprintf("Run %s waits: %s Answer with: %s answer %s %s %s%s",
			s.Run, w.Text, self(), s.Run, w.ID, strings.Join(w.Choices, "|"), meanings(w)))
	}
	return notes
}

func (a *App) ledgerCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "ledger RUN",
		Short:             "List the exports a run broke, by whom, and which tasks that affects",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRuns,
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := a.findRun(args[0])
			if err != nil {
				return err
			}
			s, _, err := engine.Load(dir, time.Now())
			if err != nil {
				return err
			}
			if a.asJSON {
				return a.json(s.Ledger)
			}
			if len(s.Ledger) == 0 {
				a.say("Nothing is claimed or seen to be broken.")
			}
			for _, l := range s.Ledger {
				a.printf("%s\n", ledgerLine(l))
				for _, line := range ledgerDetails(l) {
					a.printf("    %s\n", text.Line(line))
				}
			}
			return nil
		},
	}
}

// ledgerDetails are the claim beside what was seen, and the users of the symbol
// that no later task sees to.
func ledgerDetails(l event.LedgerEntry) []string {
	var lines []string
	if l.Text != "" {
		lines = append(lines, "claimed: "+l.Text)
	}
	if l.Observed != "" {
		lines = append(lines, "seen: "+l.Observed)
	}
	for _, t := range l.Through {
		lines = append(lines, "passed on by "+t.String())
	}
	for _, place := range l.Unowned {
		lines = append(lines, "used: "+place)
	}
	for _, place := range l.Possible {
		lines = append(lines, "perhaps used: "+place)
	}
	if l.More > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", l.More))
	}
	return lines
}

func ledgerLine(l event.LedgerEntry) string {
	line := fmt.Sprintf("%s  %s (%s)  %s  by Worker %d (%s)", brokenName(l.Symbol, l.Text), l.Kind, l.Class, l.File, l.K, l.Source)
	var affected []string
	for _, f := range l.Affected {
		who := strconv.Itoa(f.K)
		if f.Possible {
			who += " (possible)"
		}
		affected = append(affected, who)
	}
	switch len(affected) {
	case 0:
	case 1:
		line += "  affects Worker " + affected[0]
	default:
		line += "  affects Workers " + strings.Join(affected, ", ")
	}
	return text.Line(line)
}
