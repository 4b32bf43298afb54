package workspace

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// SetSubreaper makes this process the parent of every descendant that loses
// its own, daemons included; see ReapOrphans.
func SetSubreaper() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the parent of orphaned processes: %w", err)
	}
	return nil
}

// ReapOrphans ends the processes that came to us by the death of their parents
// and takes notice of those that have ended. Orphans are the children of ours
// that were not started with Start and either carry marker or live in another
// session. What is in the session of a command that is still running is left
// to it. It returns how many processes were still running.
func ReapOrphans(ctx context.Context, marker string, grace time.Duration) (ended int, err error) {
	ended, err = endAll(ctx, grace, func() ([]process, error) { return orphans(marker) })
	if err != nil {
		err = fmt.Errorf("end orphaned processes: %w", err)
	}
	return ended, err
}

// orphans lists the running orphans; ended ones are waited for on the way.
func orphans(marker string) ([]process, error) {
	children.starting.Lock()
	defer children.starting.Unlock()
	table, err := processTable()
	if err != nil {
		return nil, err
	}
	self := os.Getpid()
	own := table[self].session
	var found []process
	for pid, p := range table {
		if p.parent != self || isChild(pid) || (p.session == own && !carries(pid, marker)) {
			continue
		}
		if p.ended() {
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
			continue
		}
		if !isChild(p.session) {
			found = append(found, p)
		}
	}
	return found, nil
}

// EndDescendants ends every process that descends from this one, by SIGTERM
// and, after grace, SIGKILL, and takes notice of their ends. It is for a
// process that has started nothing it still needs.
func EndDescendants(ctx context.Context, grace time.Duration) (ended int, err error) {
	ended, err = endAll(ctx, grace, descendants)
	if err != nil {
		err = fmt.Errorf("end what was left running: %w", err)
	}
	return ended, err
}

// descendants lists the running ones; ended ones are waited for on the way.
func descendants() ([]process, error) {
	table, err := processTable()
	if err != nil {
		return nil, err
	}
	self := os.Getpid()
	var found []process
	for pid, p := range table {
		if p.parent == self && p.ended() {
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
		}
		for up, steps := p.parent, 0; up != 0 && steps < len(table); up, steps = table[up].parent, steps+1 {
			if up == self {
				if !p.ended() {
					found = append(found, p)
				}
				break
			}
		}
	}
	return found, nil
}
