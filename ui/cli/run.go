package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/theme/text"
)

// runOptions are the flags of run.
type runOptions struct {
	task0, plan            string
	agent, planner, worker string
	base, branch           string
	headless, detach       bool
	single                 bool
	affected, delay        string
	bisect, review         bool
}

func (a *App) runCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "run --task0 FILE",
		Short: "Run a chain of Workers from Task #0 to a verified report",
		Long: `Checks Task #0, plans it (or takes a ready plan), runs exactly N Workers in
order in a clone of the repository, verifies the end and writes a report. The
result is a branch giver/… in the repository; your own tree stays as it is.

The run belongs to a process of its own: closing the terminal does not end it.`,
		Example: "  growbench run --task0 task0.md --plan plan.json --worker mine\n  growbench run --task0 task0.md --headless --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.base == "" && cmd.Flags().Changed("base") { // a script's variable that is not set
				return usage(errors.New("--base is empty: give head, snapshot or the name of a run"))
			}
			return a.run(cmd.Context(), o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.task0, "task0", "", "Task #0, a `FILE` in markdown (required)")
	f.StringVar(&o.plan, "plan", "", "a ready plan, a `FILE` in JSON or with \"## Task k\" headings")
	f.StringVar(&o.agent, "agent", "", "the agent of every role (`NAME` in the configuration)")
	f.StringVar(&o.planner, "planner", "", "the Planner's agent")
	f.StringVar(&o.worker, "worker", "", "the Workers' agent")
	f.StringVar(&o.base, "base", "", "start at your commit (head), from your files as they stand (snapshot) or where a finished run ended (`head|snapshot|RUN`)")
	f.StringVar(&o.branch, "branch", "", "the branch to make, as `TYPE/NAME` below giver/")
	affectedFlags(c, &o.affected, &o.delay)
	f.BoolVar(&o.review, "review", false, "wait with the plan until you approve it, change it or send it back")
	f.BoolVar(&o.bisect, "bisect", false, "when verification fails, find the Worker whose commit first does")
	f.BoolVar(&o.single, "single", false, "give all of Task #0 to one agent in one go, to compare with a chain")
	f.BoolVar(&o.headless, "headless", false, "no screen: follow the run on standard output")
	f.BoolVar(&o.detach, "detach", false, "start the run, say its name and leave")
	a.completeAgents(c, "agent", "planner", "worker")
	a.completeBase(c)
	complete(c, "affected", "ask", "continue", "replan")
	return c
}

func (a *App) run(ctx ctx, o runOptions) error {
	if o.task0 == "" {
		return usage(errors.New("name Task #0 with --task0 FILE; `growbench run --help` tells more"))
	}
	after := o.after()
	h, err := a.here(overrides(o)...)
	if err != nil {
		return err
	}
	project, err := workspace.FindProject(h.project.Root)
	if err != nil {
		return err
	}
	task0, err := readDocument(a.In, o.task0)
	if err != nil {
		return usage(fmt.Errorf("read Task #0: %w", err))
	}
	parsed, problems := doc.LintTaskText(task0, doc.LintOptions{FileLines: fileLines(h.project.Root)})
	if err := a.refuse(o.task0, problems); err != nil {
		return err
	}
	spec, err := a.spec(h, o)
	if err != nil {
		return err
	}
	if after != "" {
		if err := a.startAfter(ctx, project, after, &spec); err != nil {
			return err
		}
	}
	var plan doc.Plan
	if o.single {
		if o.plan != "" {
			return usage(errors.New("--single makes its own plan; leave --plan out"))
		}
		spec.Single, spec.Plan = true, engine.SinglePlan(parsed)
		if _, problems := engine.CheckPlan(parsed, spec.Plan, func(string) bool { return true }); doc.HasErrors(problems) {
			return a.refuse(o.task0, problems)
		}
	}
	if o.plan != "" {
		if spec.Plan, err = readDocument(a.In, o.plan); err != nil {
			return usage(fmt.Errorf("read the plan: %w", err))
		}
		var problems []doc.Problem
		plan, problems = engine.CheckPlan(parsed, spec.Plan, func(name string) bool { _, ok := spec.Config.Agents[name]; return ok })
		if err := a.refuse(o.plan, problems); err != nil {
			return err
		}
	}
	if spec.Review && !spec.Attended {
		return usage(errors.New("--review needs somebody to ask: leave --headless out, or add --detach and answer with `growbench answer`"))
	}
	if err := h.trusted(); err != nil {
		return err
	}
	if err := canRun(spec, plan); err != nil {
		return environment(err)
	}
	if _, _, err := engine.FindSandbox(spec.Config); err != nil {
		return environment(fmt.Errorf("find a sandbox for the agents: %w", err))
	}
	a.unheld(spec.Config)
	return a.start(ctx, engine.NewRun{
		StateRoot: h.stateRoot, Project: project, Task0: task0, Spec: spec, Now: time.Now(),
	}, o.headless, o.detach)
}

// unheld says where the network is to be off and nothing can hold it off.
func (a *App) unheld(c config.Config) {
	if words := engine.NetworkUnheld(c); words != "" {
		a.say("%s", text.Line(words))
	}
}

func overrides(o runOptions) []config.Override {
	var out []config.Override
	add := func(key, value, flag string) {
		if value != "" {
			out = append(out, config.Override{Key: key, Value: value, Source: "flag --" + flag})
		}
	}
	add("roles.planner", o.agent, "agent")
	add("roles.worker", o.agent, "agent")
	add("roles.planner", o.planner, "planner")
	add("roles.worker", o.worker, "worker")
	add("base", o.base, "base")
	add("affected", o.affected, "affected")
	add("affected_delay", o.delay, "affected-delay")
	return out
}

// affectedFlags say what is done before a Worker whose task relies on what an
// earlier one broke.
func affectedFlags(c *cobra.Command, policy, delay *string) {
	f := c.Flags()
	f.StringVar(policy, "affected", "", "what comes before a Worker whose task relies on something broken (`ask|continue|replan`)")
	f.StringVar(delay, "affected-delay", "", "ask for this `TIME` only (such as 30s), then continue")
}

// spec is the run as asked for.
func (a *App) spec(h here, o runOptions) (engine.Spec, error) {
	c := h.loaded.Config
	planner, _, _ := c.AgentFor("planner")
	worker, _, _ := c.AgentFor("worker")
	branch := ""
	if o.branch != "" {
		name := strings.TrimPrefix(o.branch, "giver/")
		if err := workspace.ValidBranch(name); err != nil {
			return engine.Spec{}, usage(fmt.Errorf("--branch: %w", err))
		}
		if !strings.Contains(name, "/") {
			return engine.Spec{}, usage(fmt.Errorf("--branch %s: say TYPE/NAME, such as feat/%s; it is made as giver/TYPE/NAME", name, name))
		}
		branch = "giver/" + name
	}
	return engine.Spec{
		Base: c.Base, Branch: branch, Planner: planner, Worker: worker,
		Attended: a.attended(o.headless, o.detach), Config: c, Found: h.found(), Back: self(),
		Bisect: o.bisect, Review: o.review,
	}, nil
}

// canRun tells whether this version can start every agent the run is known to
// need; plan is empty when a Planner is still to make one.
func canRun(s engine.Spec, plan doc.Plan) error {
	ofOne := false // the Workers' agent has at least one task
	for i, t := range plan.Tasks {
		if t.Agent == "" {
			ofOne = true
			continue
		}
		if err := engine.CanRun(s.Config, t.Agent); err != nil {
			return fmt.Errorf("choose the agent of task %d: %w", i+1, err)
		}
	}
	if len(plan.Tasks) > 0 && !ofOne {
		return nil
	}
	if err := engine.CanRun(s.Config, s.Worker); err != nil {
		return fmt.Errorf("choose the Workers' agent: %w", err)
	}
	if s.Plan != "" && s.Config.Affected != event.AffectedReplan {
		return nil
	}
	if err := engine.CanRun(s.Config, s.Planner); err != nil {
		if s.Plan != "" {
			return fmt.Errorf("choose the Planner's agent, who plans anew with --affected replan: %w", err)
		}
		return fmt.Errorf("choose the Planner's agent (or give a plan with --plan): %w", err)
	}
	return nil
}

// refuse names every problem of a document with its line, and ends the
// command before anything was made when one of them is an error.
func (a *App) refuse(path string, problems []doc.Problem) error {
	lines, after := problemLines(path, problems)
	for _, line := range append(lines, after...) {
		a.say("%s", line)
	}
	if doc.HasErrors(problems) {
		return usage(fmt.Errorf("%s cannot be used as it is; nothing was started", text.Visible(path)))
	}
	return nil
}

// fileLines counts the lines of a project's file for the lint.
func fileLines(root string) func(string) (int, bool) {
	return func(path string) (int, bool) {
		files, err := workspace.OpenReader(root)
		if err != nil {
			return 0, false
		}
		defer files.Close()
		c, err := files.Read(path)
		if err != nil {
			return 0, !errors.Is(err, fs.ErrNotExist)
		}
		return strings.Count(string(c.Data), "\n"), true
	}
}
