package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// unkillable is how long processes may outlive SIGKILL (they hang in the
// kernel, or are not ours) before waiting for them is given up.
const unkillable = 10 * time.Second

// endSession ends every process of a session and tells how many there were.
func endSession(session int, grace time.Duration) (int, error) {
	return endAll(context.Background(), grace, func() ([]process, error) { return sessionMembers(session) })
}

// endAll ends what find finds, until it finds nothing and all is ended that was
// found once: a process may lose what it was known by when its parent dies.
func endAll(ctx context.Context, grace time.Duration, find func() ([]process, error)) (int, error) {
	type identity struct {
		pid   int
		start uint64
	}
	seen := map[identity]process{}
	begun := time.Now()
	pause := 2 * time.Millisecond
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		found, err := find()
		if err != nil {
			return len(seen), err
		}
		running := map[identity]process{}
		for _, p := range found {
			running[identity{p.pid, p.start}] = p
		}
		for id, p := range seen {
			if _, listed := running[id]; !listed && Alive(p.pid, p.start) {
				running[id] = p
			}
		}
		if len(running) == 0 {
			return len(seen), nil
		}
		left := slices.SortedFunc(maps.Values(running), parentsFirst)
		waited := time.Since(begun)
		if waited > grace+unkillable {
			return len(seen), fmt.Errorf("%d processes cannot be ended: %v", len(left), numbers(left))
		}
		var refused []error
		for _, p := range left {
			id := identity{p.pid, p.start}
			_, told := seen[id]
			seen[id] = p
			var err error
			switch {
			case waited >= grace:
				err = signalSame(p, unix.SIGKILL)
			case !told:
				// A stopped process takes notice of the first only after the second.
				err = errors.Join(signalSame(p, unix.SIGTERM), signalSame(p, unix.SIGCONT))
			}
			if err != nil {
				refused = append(refused, err)
			}
		}
		if len(refused) == len(left) { // those of another user, say
			return len(seen), errors.Join(refused...)
		}
		timer.Reset(pause)
		pause = min(2*pause, 50*time.Millisecond)
		select {
		case <-ctx.Done():
			return len(seen), fmt.Errorf("%d processes may be left (%v): %w", len(left), numbers(left), ctx.Err())
		case <-timer.C:
		}
	}
}

// parentsFirst is the order to signal in: a shell whose child ends before it
// is told itself would go on to its next command.
func parentsFirst(a, b process) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.pid, b.pid))
}

func numbers(processes []process) []int {
	var pids []int
	for _, p := range processes {
		pids = append(pids, p.pid)
	}
	slices.Sort(pids)
	return pids
}

// signalSame signals p unless its number belongs to another process by now.
func signalSame(p process, signal unix.Signal) error {
	fd, err := unix.PidfdOpen(p.pid, 0)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	send := func() error { return unix.Kill(p.pid, signal) } // a kernel without pidfd
	if err == nil {
		defer unix.Close(fd)
		send = func() error { return unix.PidfdSendSignal(fd, signal, nil, 0) }
	}
	if start, err := ProcessStart(p.pid); err != nil || start != p.start {
		return nil
	}
	if err := send(); err != nil && !errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("send %v to process %d: %w", signal, p.pid, err)
	}
	return nil
}
