package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// unkillable is how long processes may outlive SIGKILL (they hang in the
// kernel, or are not ours) before waiting for them is given up.
const unkillable = 10 * time.Second

// process is a line of the process table.
type process struct {
	pid, parent, group, session int
	state                       byte
	start                       uint64 // clock ticks since boot; tells reused numbers apart
}

// ended processes wait for their parent to take notice, nothing more.
func (p process) ended() bool { return p.state == 'Z' || p.state == 'X' }

// ProcessStart is when a process was started, in clock ticks since boot. With
// its number it names a process for good.
func ProcessStart(pid int) (startTicks uint64, err error) {
	p, err := readProcess(pid)
	return p.start, err
}

// Alive says whether the process with that number and start is still running.
func Alive(pid int, start uint64) bool {
	p, err := readProcess(pid)
	return err == nil && p.start == start && !p.ended()
}

// DescendsFrom says whether ancestor is the parent of pid, or its parent's
// parent, and so on. A process does not descend from itself.
func DescendsFrom(pid, ancestor int) bool {
	for range 10_000 { // a bound, as numbers may be reused while we look
		p, err := readProcess(pid)
		if err != nil || p.parent == 0 {
			return false
		}
		if p.parent == ancestor {
			return true
		}
		pid = p.parent
	}
	return false
}

func readProcess(pid int) (process, error) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, fmt.Errorf("look at process %d: %w", pid, bare(err))
	}
	// The second field is the program's name, which may hold anything.
	fields := strings.Fields(string(line[bytes.LastIndexByte(line, ')')+1:]))
	if len(fields) < 20 {
		return process{}, fmt.Errorf("look at process %d: its status line has %d fields", pid, len(fields))
	}
	p := process{pid: pid, state: fields[0][0]}
	for i, field := range []*int{&p.parent, &p.group, &p.session} {
		if *field, err = strconv.Atoi(fields[1+i]); err != nil {
			return process{}, fmt.Errorf("look at process %d: %w", pid, err)
		}
	}
	if p.start, err = strconv.ParseUint(fields[19], 10, 64); err != nil {
		return process{}, fmt.Errorf("look at process %d: %w", pid, err)
	}
	return p, nil
}

func processTable() (map[int]process, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	table := make(map[int]process, len(names))
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p, err := readProcess(pid); err == nil { // else it is gone by now
			table[pid] = p
		}
	}
	return table, nil
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

// awaitExit returns when cmd's process has ended, and leaves it to be waited
// for: until then its number stays reserved.
func awaitExit(cmd *exec.Cmd) {
	for unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

// sessionMembers lists what runs in the session or the group of that number.
func sessionMembers(session int) ([]process, error) {
	table, err := processTable()
	if err != nil {
		return nil, err
	}
	var members []process
	for _, p := range table {
		if (p.session == session || p.group == session) && !p.ended() {
			members = append(members, p)
		}
	}
	return members, nil
}

func sessionAlive(session int) bool {
	members, err := sessionMembers(session)
	return err == nil && len(members) > 0
}

// endSession ends every process of a session and tells how many there were.
func endSession(session int, grace time.Duration) (int, error) {
	return endAll(context.Background(), grace, func() ([]process, error) { return sessionMembers(session) })
}

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

// endAll ends what find finds, until it finds nothing.
func endAll(ctx context.Context, grace time.Duration, find func() ([]process, error)) (int, error) {
	type identity struct {
		pid   int
		start uint64
	}
	seen := map[identity]bool{}
	begun := time.Now()
	pause := 2 * time.Millisecond
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		found, err := find()
		if err != nil || len(found) == 0 {
			return len(seen), err
		}
		waited := time.Since(begun)
		if waited > grace+unkillable {
			return len(seen), fmt.Errorf("%d processes cannot be ended: %v", len(found), numbers(found))
		}
		var refused []error
		for _, p := range found {
			id := identity{p.pid, p.start}
			var err error
			switch {
			case waited >= grace:
				err = signalSame(p, unix.SIGKILL)
			case !seen[id]:
				// A stopped process takes notice of the first only after the second.
				err = errors.Join(signalSame(p, unix.SIGTERM), signalSame(p, unix.SIGCONT))
			}
			if err != nil {
				refused = append(refused, err)
			}
			seen[id] = true
		}
		if len(refused) == len(found) { // those of another user, say
			return len(seen), errors.Join(refused...)
		}
		timer.Reset(pause)
		pause = min(2*pause, 50*time.Millisecond)
		select {
		case <-ctx.Done():
			return len(seen), fmt.Errorf("%d processes may be left (%v): %w", len(found), numbers(found), ctx.Err())
		case <-timer.C:
		}
	}
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
