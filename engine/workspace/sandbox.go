package workspace

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// The kinds of sandbox.
const (
	SandboxBwrap    = "bwrap"
	SandboxLandlock = "landlock"
	SandboxNone     = "none"
)

// ErrNoSandbox is wrapped by the errors of DetectSandbox when the machine
// lacks what was asked for.
var ErrNoSandbox = errors.New("no sandbox")

// Sandbox holds commands to the files they may use. The zero value holds
// nothing; see DetectSandbox.
type Sandbox struct {
	bwrap string // path of the program; empty unless it is used
	abi   int    // version of the kernel's Landlock; 0 unless it is used
}

// SandboxRules say what a command may use. Paths are absolute; what a symbolic
// link names counts, not the link, and paths that do not exist are passed over
// (a folder the command is to make its own has to be there before). Where
// rules overlap the longest path wins, and Hidden over Writable.
type SandboxRules struct {
	// Writable are folders and files the command may change: the run's clone,
	// the state folder of the agent.
	Writable []string `json:"writable,omitempty"`
	// Hidden are folders and files it may not even read; see CredentialStores.
	Hidden []string `json:"hidden,omitempty"`
	// Readable are files it may read although they lie in something hidden: a
	// script of the user's beside the configuration.
	Readable []string `json:"readable,omitempty"`
	// Network allows connections to other machines and to servers on this one.
	Network bool `json:"network,omitempty"`
	// Temp is a folder for temporary files, not shared with others. With bwrap
	// it stands in for /tmp (empty: one in memory that ends with the command);
	// otherwise TMPDIR names it and the rest of /tmp is closed.
	Temp string `json:"temp,omitempty"`
}

// DetectSandbox finds the sandbox for a mode: "auto" is bwrap where it works,
// else Landlock where the kernel has it, else none; "on" is the same, but none
// is an error; "bwrap" and "landlock" are that one or an error; "off" is none.
// The note says in words why there is no better one and how to get it; it is
// empty when there is nothing to add. Errors wrap ErrNoSandbox unless the mode
// is unknown. It runs bwrap once: keep the answer.
func DetectSandbox(mode string) (Sandbox, string, error) {
	return detectSandbox(mode, probeBwrap, landlockABI)
}

func detectSandbox(mode string, probeBwrap func() (string, error), landlockABI func() (int, error)) (Sandbox, string, error) {
	if !slices.Contains([]string{"auto", "on", "off", SandboxBwrap, SandboxLandlock}, mode) {
		return Sandbox{}, "", fmt.Errorf("sandbox %q is unknown; use auto, on, bwrap, landlock or off", mode)
	}
	if mode == "off" {
		return Sandbox{}, "switched off: agents can read and change whatever you can", nil
	}
	var notBwrap, notLandlock error
	if mode != SandboxLandlock {
		path, err := probeBwrap()
		if err == nil {
			return Sandbox{bwrap: path}, "", nil
		}
		notBwrap = err
	}
	if mode != SandboxBwrap {
		abi, err := landlockABI()
		if err == nil {
			note := ""
			if notBwrap != nil {
				note = fmt.Sprintf("Landlock in place of the stronger bwrap: %v", notBwrap)
			}
			return Sandbox{abi: abi}, note, nil
		}
		notLandlock = err
	}
	why := errors.Join(notBwrap, notLandlock)
	if notBwrap != nil && notLandlock != nil {
		why = fmt.Errorf("%w; %w", notBwrap, notLandlock)
	}
	if mode == "auto" {
		return Sandbox{}, fmt.Sprintf("no sandbox: %v", why), nil
	}
	return Sandbox{}, "", fmt.Errorf("%w as the setting %q asks for: %w", ErrNoSandbox, mode, why)
}

// Kind is SandboxBwrap, SandboxLandlock or SandboxNone.
func (s Sandbox) Kind() string {
	switch {
	case s.bwrap != "":
		return SandboxBwrap
	case s.abi > 0:
		return SandboxLandlock
	}
	return SandboxNone
}

// Wrap returns the command to run in place of c so that the rules hold for it
// and all it starts. The environment stays as it is but for TMPDIR. If the
// sandbox cannot be set up the command fails, it never runs without.
func (s Sandbox) Wrap(c Command, rules SandboxRules) Command {
	argv := c.Argv
	if c.Shell != "" {
		argv = append(slices.Clone(argv), "sh", "-c", c.Shell)
	}
	if len(argv) == 0 || c.Shell != "" && len(c.Argv) > 0 {
		return c // Run refuses it
	}
	rules = rules.resolved()
	temp := rules.Temp
	switch s.Kind() {
	case SandboxBwrap:
		temp = sharedTemp
		dir, err := filepath.Abs(c.Dir)
		if err != nil {
			dir = c.Dir
		}
		c.Argv, c.Shell = append(bwrapArgs(s.bwrap, dir, rules), argv...), ""
	case SandboxLandlock:
		c.Argv, c.Shell = append(confineArgs(rules), argv...), ""
	}
	if temp != "" {
		if c.Env == nil {
			c.Env = Environment()
		}
		c.Env = append(slices.Clip(c.Env), "TMPDIR="+temp)
	}
	return c
}
