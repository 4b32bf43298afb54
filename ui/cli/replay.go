package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"growbench/engine/event"
	"growbench/ui"
)

// instant is a speed at which nothing is waited for.
const instant = 0

func (a *App) replayCommand() *cobra.Command {
	var headless, whole bool
	var typed string
	c := &cobra.Command{
		Use:   "replay RUN",
		Short: "Play a run again, as it went",
		Long: `Plays a run again from its record: on a terminal on the screen, with a time bar,
else its events as lines, in the time they took. Nothing is run and nothing is
changed; of a run at work, what there is so far is played. Pauses in which the run
waited or stood still are cut to a second.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			speed, err := parseSpeed(typed)
			if err != nil {
				return usage(fmt.Errorf("replay: --speed %q: %w", typed, err))
			}
			dir, err := a.findRun(args[0])
			if err != nil {
				return err
			}
			if a.plain && !headless {
				r, err := newRecording(dir, speed, !whole)
				if err != nil {
					return err
				}
				return a.linear(cmd.Context(), r, view{mode: ui.Replay, note: "this is a replay"})
			}
			if !headless && !a.asJSON && a.draws() {
				return a.screen(cmd.Context(), dir, view{mode: ui.Replay, speed: speed, named: args[0]})
			}
			return a.replayLines(cmd.Context(), dir, speed, !whole)
		},
	}
	c.Flags().StringVar(&typed, "speed", "1", "play `F` times as fast, or \"instant\"")
	c.Flags().BoolVar(&headless, "headless", false, "no screen: print the events")
	c.Flags().BoolVar(&whole, "keep-pauses", false, "do not cut pauses in which the run waited or stood still")
	complete(c, "speed", "1", "2", "4", "8", "16", "32", "64", "instant")
	return c
}

func parseSpeed(typed string) (float64, error) {
	if typed == "instant" {
		return instant, nil
	}
	speed, err := strconv.ParseFloat(typed, 64)
	if err != nil || !(speed > 0 && speed <= maxSpeed) {
		return 0, fmt.Errorf("give a number above 0, at most %.0f, or \"instant\"", float64(maxSpeed))
	}
	return speed, nil
}

// replayLines prints a run's events, each when its time has come.
func (a *App) replayLines(ctx ctx, dir string, speed float64, short bool) error {
	events, report, err := event.Read(filepath.Join(dir, "events.jsonl"))
	if err != nil {
		return err
	}
	if !report.Clean() {
		a.say("The run's log: %d bytes torn at its end, bad lines %v skipped.", report.TornBytes, report.BadLines)
	}
	line := event.NewTimeline()
	line.Add(events...)
	ctx, stop := interruptible(ctx)
	defer stop()
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE) // writing to nobody is then an error, not the end
	defer signal.Stop(pipes)
	done := make(chan struct{})
	defer close(done)
	unread := a.unread(done)
	p := a.printer(0)
	began := time.Now()
	for n := 1; n <= line.Len(); n++ {
		if speed != instant {
			due := time.Duration(float64(line.Offset(n, short)) / speed)
			err = pauseUntil(ctx, began.Add(due), unread)
		}
		if err == nil {
			err = p.print(line.Event(n))
		}
		switch {
		case ctx.Err() != nil:
			return exit(exitInterrupted)
		case errors.Is(err, errLeft), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.EIO):
			return nil // nobody reads any more
		case err != nil:
			return err
		}
	}
	return nil
}

// pauseUntil waits for a moment, unless the one who reads leaves before.
func pauseUntil(ctx context.Context, moment time.Time, unread <-chan struct{}) error {
	timer := time.NewTimer(time.Until(moment))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-unread:
		return errLeft
	}
}
