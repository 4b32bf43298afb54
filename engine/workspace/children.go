package workspace

import (
	"os/exec"
	"sync"
)

// children are the processes started through Start and not waited for yet.
// ReapOrphans must know them: their exit status belongs to os/exec.
var children = struct {
	// Held for reading from before a fork until the process is listed, so
	// that whoever holds it for writing sees no unlisted child.
	starting sync.RWMutex
	mu       sync.Mutex
	pids     map[int]bool
}{pids: map[int]bool{}}

// Start starts cmd and lists it as a child of ours. A process that calls
// SetSubreaper must start with it every child that gets a session of its own
// or carries a run's marker, and wait for it with Wait. Run does so.
func Start(cmd *exec.Cmd) error {
	children.starting.RLock()
	defer children.starting.RUnlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	children.mu.Lock()
	children.pids[cmd.Process.Pid] = true
	children.mu.Unlock()
	return nil
}

// Wait waits for a cmd started with Start.
func Wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	children.mu.Lock()
	delete(children.pids, cmd.Process.Pid)
	children.mu.Unlock()
	return err
}

func isChild(pid int) bool {
	children.mu.Lock()
	defer children.mu.Unlock()
	return children.pids[pid]
}
