package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/event"
)

func (a *App) attachCommand() *cobra.Command {
	var headless bool
	c := &cobra.Command{
		Use:   "attach RUN",
		Short: "Show a run, living or ended",
		Long: `Shows a run on the screen. RUN is its name, a beginning or an end of it,
or "latest". Leaving the screen leaves the run as it is. With --headless Ctrl-C
stops the run, as it does for "run"; "watch" only follows.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := a.findRun(args[0])
			if err != nil {
				return err
			}
			if !engine.OwnerAlive(dir) && (headless || !a.draws() && !a.plain) {
				return a.replayEnded(dir)
			}
			return a.show(cmd.Context(), dir, view{headless: headless})
		},
	}
	c.Flags().BoolVar(&headless, "headless", false, "no screen: follow the run on standard output")
	return c
}

// replayEnded prints what a run without an owner did.
func (a *App) replayEnded(dir string) error {
	events, _, err := event.Read(filepath.Join(dir, "events.jsonl"))
	if err != nil {
		return err
	}
	p := a.printer(0)
	for _, e := range events {
		p.state.Apply(e)
		if err := p.print(e); err != nil {
			return err
		}
	}
	if !p.state.IsEnded() {
		return fmt.Errorf("run %s: %w; to go on: %s resume %s", filepath.Base(dir), errOrphaned, self(), filepath.Base(dir))
	}
	return outcome(p.state, false)
}

func (a *App) stopCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "stop RUN",
		Short:             "End a run and every process it started; its work is kept",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := a.findRun(args[0])
			if err != nil {
				return err
			}
			s, err := engine.Stop(cmd.Context(), dir, engine.StopOptions{})
			if err != nil {
				err = fmt.Errorf("%w; `%s show %s` tells how it stands", err, self(), filepath.Base(dir))
			}
			if errors.Is(err, engine.ErrNothingToDo) {
				return usage(err)
			}
			if err != nil {
				return err
			}
			if a.asJSON {
				return a.json(map[string]string{"run": s.Run, "status": s.Status})
			}
			a.printf("Run %s: %s. Its work is kept; to go on: %s resume %s\n", s.Run, s.Status, self(), s.Run)
			return nil
		},
	}
}

func (a *App) resumeCommand() *cobra.Command {
	var v view
	c := &cobra.Command{
		Use:               "resume RUN",
		Short:             "Go on with a run after its last finished Worker",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.again(cmd.Context(), args[0], v, func(r engine.Standing) (*event.RunResumed, error) {
				return r.Resume(a.attended(v.headless, v.detach))
			})
		},
	}
	againFlags(c, &v)
	return c
}

func (a *App) retryCommand() *cobra.Command {
	var v view
	var agent string
	c := &cobra.Command{
		Use:   "retry RUN K",
		Short: "Run Worker K and what follows again",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := strconv.Atoi(args[1])
			if err != nil || k < 1 {
				return usage(fmt.Errorf("retry: %q is no Worker's number", args[1]))
			}
			return a.again(cmd.Context(), args[0], v, func(r engine.Standing) (*event.RunResumed, error) {
				return r.Retry(k, agent, a.attended(v.headless, v.detach))
			})
		},
	}
	c.Flags().StringVar(&agent, "agent", "", "give Worker K to another agent (`NAME` in the run's configuration)")
	againFlags(c, &v)
	a.completeAgents(c, "agent")
	return c
}

func againFlags(c *cobra.Command, v *view) {
	c.Flags().BoolVar(&v.headless, "headless", false, "no screen: follow the run on standard output")
	c.Flags().BoolVar(&v.detach, "detach", false, "start it and leave")
	affectedFlags(c, &v.affected, &v.delay)
}

// again gives a run that stands still an owner. A screen is there first: the
// owner has the whole log to read before it begins.
func (a *App) again(ctx ctx, name string, v view, prepare func(engine.Standing) (*event.RunResumed, error)) error {
	dir, err := a.findRun(name)
	if err != nil {
		return err
	}
	stood, err := engine.Stand(dir)
	if err != nil {
		return err
	}
	resumed, err := prepare(stood)
	if err != nil {
		if errors.Is(err, engine.ErrCannotRetry) {
			return usage(err)
		}
		return err
	}
	if err := engine.SetAffected(dir, v.affected, v.delay); err != nil {
		return usage(err)
	}
	begin := sync.OnceValue(func() error {
		err := a.Spawner.Spawn(context.WithoutCancel(ctx), dir, resumed)
		if err != nil && !errors.Is(err, engine.ErrOwned) {
			err = environment(err)
		}
		return err
	})
	if !v.headless && !v.detach && !a.plain && a.draws() {
		v.stood, v.begin = &stood, begin
		return a.screen(ctx, dir, v)
	}
	if err := begin(); err != nil {
		return err
	}
	v.after = stood.State.LastSeq
	return a.show(ctx, dir, v)
}
