package workspace

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

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
// parent, and so on. A process does not descend from itself. Of one that has
// ended nothing can be said: that is an error.
func DescendsFrom(pid, ancestor int) (bool, error) {
	at := pid
	for range 10_000 { // a bound, as ancestors may end and numbers be reused while we look
		p, err := readProcess(at)
		switch {
		case err != nil && at == pid:
			return false, err
		case err != nil: // an ancestor has ended, so there is another one by now
			at = pid
		case p.parent == ancestor:
			return true, nil
		case p.parent == 0:
			return false, nil
		default:
			at = p.parent
		}
	}
	return false, fmt.Errorf("look at process %d: its ancestors do not hold still", pid)
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
