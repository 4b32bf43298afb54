package workspace

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// kept are the variables that stay to be seen in a process of ours: those any
// child gets, and what marks it as part of a run.
var kept = append(slices.Clone(passed), "GROWBENCH_RUN")

// HideEnvironment blanks, in what others can see of this process, the
// environment it was started with: whoever may look at it could read the keys
// in it, an agent of the same user without a sandbox. os.Getenv goes on to know
// all of it, as Go has copies. What children get is decided elsewhere.
func HideEnvironment() error {
	from, to, err := environmentPlace()
	if err != nil {
		return err
	}
	// Our own memory through a file, so that no address is made a pointer.
	memory, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("hide the environment: %w", err)
	}
	defer memory.Close()
	block := make([]byte, to-from)
	if _, err := memory.ReadAt(block, from); err != nil {
		return fmt.Errorf("hide the environment: %w", err)
	}
	rest := block
	for len(rest) > 0 {
		entry, after, _ := bytes.Cut(rest, []byte{0})
		name, _, _ := strings.Cut(string(entry), "=")
		if !slices.Contains(kept, name) && !strings.HasPrefix(name, "LC_") || secret(name) {
			clear(entry)
		}
		rest = after
	}
	if _, err := memory.WriteAt(block, from); err != nil {
		return fmt.Errorf("hide the environment: %w", err)
	}
	return nil
}

// environmentPlace is where in memory the kernel has put the environment.
func environmentPlace() (from, to int64, err error) {
	line, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, 0, fmt.Errorf("hide the environment: %w", err)
	}
	fields := strings.Fields(string(line[bytes.LastIndexByte(line, ')')+1:]))
	const start, end = 50 - 3, 51 - 3 // as proc(5) counts, from the third on
	if len(fields) <= end {
		return 0, 0, fmt.Errorf("hide the environment: the status line has %d fields", len(fields))
	}
	if from, err = strconv.ParseInt(fields[start], 10, 64); err == nil {
		to, err = strconv.ParseInt(fields[end], 10, 64)
	}
	if err != nil || from <= 0 || to < from || to-from > 64<<20 {
		return 0, 0, fmt.Errorf("hide the environment: it is said to be at %v to %v", fields[start], fields[end])
	}
	return from, to, nil
}

// HideMemory keeps the other processes of this user from looking into this one
// (root can): its memory, its environment, its open files.
func HideMemory() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("hide this process from others: %w", err)
	}
	return nil
}
