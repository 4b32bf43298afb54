//go:build !linux

package workspace

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// Without /proc a process is known by its number alone, and only the group of
// a command can be ended, not what left it.

// ProcessStart is not known on this system.
func ProcessStart(pid int) (startTicks uint64, err error) {
	return 0, fmt.Errorf("look at process %d: %w", pid, errors.ErrUnsupported)
}

// Alive says whether a process with that number is running; start is not
// looked at on this system.
func Alive(pid int, start uint64) bool { return syscall.Kill(pid, 0) == nil }

// DescendsFrom cannot be known on this system.
func DescendsFrom(pid, ancestor int) (bool, error) {
	return false, fmt.Errorf("look at process %d: %w", pid, errors.ErrUnsupported)
}

// EndMarked is not possible on this system.
func EndMarked(ctx context.Context, marker string, grace time.Duration) (ended int, err error) {
	return 0, fmt.Errorf("end the processes with %s: %w", marker, errors.ErrUnsupported)
}

// SetSubreaper is not possible on this system.
func SetSubreaper() error { return errors.ErrUnsupported }

// ReapOrphans has nothing to do where SetSubreaper is not possible.
func ReapOrphans(ctx context.Context, marker string, grace time.Duration) (ended int, err error) {
	return 0, nil
}

// EndDescendants has nothing to do where SetSubreaper is not possible.
func EndDescendants(ctx context.Context, grace time.Duration) (ended int, err error) {
	return 0, nil
}

// awaitExit also reaps the process here; the later Wait only finds that out.
func awaitExit(cmd *exec.Cmd) { _ = Wait(cmd) }

func sessionAlive(session int) bool { return syscall.Kill(-session, 0) == nil }

func endSession(session int, grace time.Duration) (int, error) {
	if !sessionAlive(session) {
		return 0, nil
	}
	_ = syscall.Kill(-session, syscall.SIGTERM)
	over := time.NewTimer(grace)
	defer over.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for sessionAlive(session) {
		select {
		case <-look.C:
		case <-over.C:
			_ = syscall.Kill(-session, syscall.SIGKILL)
			return 1, nil
		}
	}
	return 1, nil
}
