package workspace

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

// Leaves says in words what an agent can still do in the sandbox, for screen
// and README.
func (s Sandbox) Leaves() []string {
	everywhere := []string{
		"read what is not hidden, and send it away where the agent has network",
		"fill the disk, use all memory and processor time",
		"leave traps where it may write: its own state folder and allowed tool caches, which are used outside again",
	}
	switch s.Kind() {
	case SandboxBwrap:
		return append([]string{
			"with network: use every server on this machine, and abstract sockets",
			"connect to sockets in folders that are not hidden",
		}, everywhere...)
	case SandboxLandlock:
		leaves := []string{
			"change mode, owner, times and extended attributes of your files (not their content)",
			"connect to sockets by path, hidden or not: the run's own refuses what the run started, others (Docker, session bus, tmux) may not",
			"see whether a hidden file exists, its size and its times",
			"with network: use every server on this machine",
			"change the shared memory of your other programs in /dev/shm",
			"see other processes and their command lines",
			"leave processes behind (the run's owner ends them)",
		}
		if s.abi < landlockTruncate {
			leaves = append(leaves, "empty files outside: this kernel's Landlock does not hold truncation (from Linux 6.2 on)")
		}
		if s.abi < landlockScopes {
			leaves = append(leaves, "end your other processes and connect to their abstract sockets: this kernel's Landlock holds neither (from Linux 6.12 on)")
		}
		return append(leaves, everywhere...)
	}
	return []string{
		"everything you can: read, change and delete your files, read keys and other Workers' transcripts, use the network, end processes",
		"leave processes behind (the run's owner ends them)",
	}
}
