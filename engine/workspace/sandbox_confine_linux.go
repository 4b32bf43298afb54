package workspace

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// Confine holds this process to rules with Landlock and becomes the command
// they are for. The arguments are those after ConfineCommand: the rules, "--",
// the command and its arguments. It returns only with an error, and the
// process is then not fit for anything else.
func Confine(args []string) error {
	rules, argv, err := parseConfine(args)
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	abi, err := landlockABI()
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	// Landlock holds a thread; the one that executes the command is the one
	// that becomes it.
	runtime.LockOSThread()
	set, err := newRuleset(abi)
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	if err := set.allowAll(rules); err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	if err := set.enforce(); err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	if !rules.Network {
		if err := refuseNetwork(); err != nil {
			return fmt.Errorf("sandbox: %w", err)
		}
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return fmt.Errorf("run in the sandbox: %w", err)
	}
	return fmt.Errorf("run %s in the sandbox: %w", path, unix.Exec(path, argv, os.Environ()))
}

// dropPrivileges leaves the calling thread, and what it executes, no rights
// that its user has not by owning files. Root's would reach past Landlock: the
// one to watch performance opens the memory of every process.
func dropPrivileges() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up gaining privileges: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("give up privileges: %w", err)
	}
	return nil
}
