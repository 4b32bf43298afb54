package workspace

import (
	_ "embed"
	"strings"
)

// From these versions of Landlock on it holds more.
const (
	landlockTruncate = 3 // Linux 6.2
	landlockDevices  = 5 // Linux 6.10
	landlockScopes   = 6 // Linux 6.12
)

// Stops says in words what the sandbox holds back, for screen and README.
func (s Sandbox) Stops() []string {
	switch s.Kind() {
	case SandboxBwrap:
		return []string{
			"changing anything outside the clone, the private temp and the folders allowed to the agent",
			"reading what is hidden: other Workers' transcripts, growbench's state and configuration, keys and credential stores",
			"reaching sockets in hidden folders and in /tmp",
			"seeing, tracing or ending processes outside",
			"any network, where the agent has none",
			"leaving processes behind",
		}
	case SandboxLandlock:
		stops := []string{
			"changing the content or the names of files outside the clone, the private temp and the folders allowed to the agent",
			"reading what is hidden: other Workers' transcripts, growbench's state and configuration, keys and credential stores",
			"tracing processes outside, or reading their environment",
			"any network, where the agent has none (servers of its own on this machine too)",
		}
		if s.abi >= landlockScopes {
			stops = append(stops, "ending processes outside, and connecting to their abstract sockets")
		}
		return stops
	}
	return nil
}

// table is what the tests have seen of each sandbox.
//
//go:embed sandbox.md
var table string

// AttackTable tells, as Markdown, what each sandbox stops.
func AttackTable() string { return table }

// Words of the table.
const (
	notStopped  = "**not stopped**"
	stoppedFrom = "stopped from Linux "
)

var landlockSince = map[int]string{landlockTruncate: "6.2", landlockScopes: "6.12"}

// Passes are the rows of the table that the sandbox does not stop; each
// completes "an agent that …".
func (s Sandbox) Passes() []string {
	return passes(s.Kind(), func(abi int) bool { return s.abi < abi })
}

// PassesOf are the rows a sandbox of that kind does not stop on every kernel.
func PassesOf(kind string) []string {
	return passes(kind, func(int) bool { return true })
}

// Attacks are all rows of the table; each completes "an agent that …".
func Attacks() []string {
	var rows []string
	for _, cells := range tableRows() {
		rows = append(rows, cells[0])
	}
	return rows
}

// tableRows are what the table says of each attack: its name, and what bwrap,
// Landlock and none do about it.
func tableRows() [][]string {
	var rows [][]string
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) == 4 && cells[0] != "---" && cells[1] != SandboxBwrap {
			rows = append(rows, cells)
		}
	}
	return rows
}

func passes(kind string, before func(landlock int) bool) []string {
	column := map[string]int{SandboxBwrap: 1, SandboxLandlock: 2, SandboxNone: 3}[kind]
	var rows []string
	seen := map[string]bool{} // by a command, and in a whole run as well
	for _, cells := range tableRows() {
		name, cell := cells[0], cells[column]
		if seen[name] {
			continue
		}
		seen[name] = true
		if what, no := strings.CutPrefix(cell, notStopped); no {
			if what = strings.TrimPrefix(what, ": "); what != "" {
				name += " (" + what + ")"
			}
			rows = append(rows, name)
		}
		for abi, since := range landlockSince {
			if cell == stoppedFrom+since+" on" && before(abi) {
				rows = append(rows, name+" (before Linux "+since+")")
			}
		}
	}
	return rows
}

// Leaves says in words what an agent can still do in the sandbox, for screen
// and README: what the table holds, and what no sandbox is there for.
func (s Sandbox) Leaves() []string {
	everywhere := []string{
		"reads what is not hidden, and sends it away where it has network",
		"with network, uses the servers of this machine, its abstract sockets, and sockets in folders that are not hidden",
		"fills the disk, uses all memory and processor time",
		"leaves traps where it may write: its own state folder and allowed tool caches, which are used outside again",
	}
	switch s.Kind() {
	case SandboxBwrap, SandboxLandlock:
		return append(s.Passes(), everywhere...)
	}
	return []string{
		"does everything you can: reads, changes and deletes your files, reads keys and other Workers' transcripts, uses the network, ends processes",
	}
}
