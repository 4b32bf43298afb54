package workspace

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// EndMarked ends every process that was started with marker ("NAME=value") in
// its environment, what runs in their sessions and what descends from them, by
// SIGTERM and, after grace, SIGKILL. It looks again until none is left and
// returns how many there were. Spared are the caller, its session and its
// ancestors. When ctx ends first, or processes cannot be ended, the error says
// how many are left.
func EndMarked(ctx context.Context, marker string, grace time.Duration) (ended int, err error) {
	if name, value, ok := strings.Cut(marker, "="); !ok || name == "" || value == "" {
		return 0, fmt.Errorf("end the processes of a run: the marker %q is not of the form NAME=value", marker)
	}
	ended, err = endAll(ctx, grace, func() ([]process, error) { return markedProcesses(marker) })
	if err != nil {
		err = fmt.Errorf("end the processes with %s: %w", marker, err)
	}
	return ended, err
}

func markedProcesses(marker string) ([]process, error) {
	table, err := processTable()
	if err != nil {
		return nil, err
	}
	spared := map[int]bool{}
	for pid := os.Getpid(); pid > 0 && !spared[pid]; pid = table[pid].parent {
		spared[pid] = true
	}
	own := table[os.Getpid()].session
	marked, sessions := map[int]bool{}, map[int]bool{}
	for pid := range table {
		marked[pid] = carries(pid, marker)
	}
	for pid, p := range table {
		// A session led by a process without the marker is somebody's
		// terminal, from which a marked one was started by hand.
		leader, there := table[p.session]
		if marked[pid] && p.session != 0 && (!there || leader.ended() || marked[p.session]) {
			sessions[p.session] = true
		}
	}
	delete(sessions, own)
	descends := func(p process) bool {
		for range len(table) {
			if marked[p.parent] && !spared[p.parent] {
				return true
			}
			parent, ok := table[p.parent]
			if !ok || spared[parent.pid] {
				return false
			}
			p = parent
		}
		return false
	}
	var found []process
	for pid, p := range table {
		if p.ended() || spared[pid] || p.session == own {
			continue
		}
		if marked[pid] || sessions[p.session] || descends(p) {
			found = append(found, p)
		}
	}
	return found, nil
}

// carries says whether a process was started with the environment entry marker.
func carries(pid int, marker string) bool {
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return false
	}
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if string(entry) == marker {
			return true
		}
	}
	return false
}
