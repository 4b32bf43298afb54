package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"growbench/engine/event"
	"growbench/engine/workspace"
)

// StopOptions bound a stop. Zero values: 20 s for the owner, 5 s of grace.
type StopOptions struct {
	Patience time.Duration // before an owner that does not end is killed
	Grace    time.Duration // between SIGTERM and SIGKILL of what is left
	// Interrupt tells a stop by Ctrl-C apart from one by command.
	Interrupt bool
}

// Stop ends a run and every process of it, whoever owns it: a living owner is
// asked, and killed when it does not end; without one, what a dead owner left
// running is ended and the log closed. It returns the state after that.
// ErrNothingToDo means that the run had ended already.
func Stop(ctx context.Context, runDir string, opt StopOptions) (*event.State, error) {
	if opt.Patience == 0 {
		opt.Patience = 20 * time.Second
	}
	if opt.Grace == 0 {
		opt.Grace = 5 * time.Second
	}
	asked, cancel := context.WithTimeout(ctx, opt.Patience)
	err := Send(asked, runDir, Command{Do: "stop", By: "command", Interrupt: opt.Interrupt})
	cancel()
	switch {
	case errors.Is(err, ErrNoOwner):
		return closeOrphan(runDir, opt)
	case err != nil && ctx.Err() != nil:
		return nil, err
	}
	if err := awaitOwnersEnd(ctx, runDir, opt.Patience); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		if err := killOwner(ctx, runDir); err != nil {
			return nil, err
		}
	}
	s, _, err := Load(runDir, time.Now())
	if err != nil || s.IsEnded() {
		return s, err
	}
	return closeOrphan(runDir, opt)
}

// awaitOwnersEnd waits until nobody owns the run.
func awaitOwnersEnd(ctx context.Context, runDir string, patience time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("its owner does not end"))
	defer cancel()
	w := Watch(runDir)
	defer w.Close()
	for {
		u, err := w.Next(ctx)
		if err != nil {
			return err
		}
		if !u.OwnerAlive {
			return nil
		}
	}
}

func killOwner(ctx context.Context, runDir string) error {
	o, err := readOwner(runDir)
	if err != nil {
		return err
	}
	if !workspace.Alive(o.PID, o.Start) {
		return fmt.Errorf("stop run %s: its owner (process %d) cannot be found; end the process that holds %s",
			filepath.Base(runDir), o.PID, filepath.Join(runDir, fileLock))
	}
	if err := syscall.Kill(o.PID, syscall.SIGKILL); err != nil {
		return fmt.Errorf("stop run %s: kill its owner: %w", filepath.Base(runDir), err)
	}
	return awaitOwnersEnd(ctx, runDir, 10*time.Second)
}

// closeOrphan ends what is left of a run without an owner.
func closeOrphan(runDir string, opt StopOptions) (*event.State, error) {
	keeper, err := takeKeeper(runDir) // one that still ends things is waited for
	if err != nil {
		return nil, err
	}
	defer keeper.release()
	held, err := takeLock(runDir)
	if err != nil {
		return nil, err
	}
	defer held.release()
	log, events, _, err := event.OpenLog(filepath.Join(runDir, fileEvents), time.Now)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 3*opt.Grace+time.Second)
	defer cancel()
	run := filepath.Base(runDir)
	ended, err := workspace.EndMarked(ctx, marker(run), opt.Grace)
	if err != nil {
		return nil, fmt.Errorf("stop run %s: %w", run, err)
	}
	s := event.Fold(events)
	if s.IsEnded() {
		s.Look(false, time.Now())
		if ended > 0 {
			return s, nil
		}
		return s, fmt.Errorf("stop run %s: %w: %s", run, ErrNothingToDo, s.Status)
	}
	closing := []event.Body{event.RunOrphaned{PID: lastPID(runDir)}}
	for _, w := range s.Workers {
		if w.Active() {
			closing = append(closing, event.WorkerEnded{K: w.K, State: event.Stopped, Reason: "its owner had died"})
		}
	}
	closing = append(closing, event.RunEnded{Run: run, Status: event.StatusStopped, Verified: event.VerifiedNone, Reason: "stopped after its owner had died"})
	added, err := log.Append(true, closing...)
	for _, e := range added {
		s.Apply(e)
	}
	s.Look(false, time.Now())
	os.Remove(filepath.Join(runDir, fileOwner))
	return s, err
}
