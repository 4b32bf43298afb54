package ui

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// orphaned tells whether nobody could say fg: no process outside of our group
// has one of ours for a child within the session. The kernel does not stop
// such a group, and what waited for it to go on would wait for ever.
func orphaned() bool {
	session, err := unix.Getsid(0)
	if err != nil {
		return true
	}
	group := unix.Getpgrp()
	for parent := os.Getppid(); parent > 0; parent = parentOf(parent) {
		if s, err := unix.Getsid(parent); err != nil || s != session {
			return true
		}
		if g, err := unix.Getpgid(parent); err != nil || g != group {
			return err != nil
		}
	}
	return true
}

// parentOf reads a process's parent; 0 where that cannot be told.
func parentOf(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The name in the second field may hold anything, a bracket included.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(string(fields[1]))
	return parent
}
