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
