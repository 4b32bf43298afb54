package workspace

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// probeTime is far more than bwrap needs to start a program that does nothing.
const probeTime = 10 * time.Second

// bwrapHold is what holds every command. Left out on purpose:
//   - --new-session: Run has given the command a session without a terminal,
//     and ends that session as a whole;
//   - --die-with-parent: on SIGTERM the outer bwrap ends first, and all inside
//     would be killed without the grace to put its things in order. What
//     outlives its owner is ended by its marker, as without a sandbox.
var bwrapHold = []string{
	"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL",
	"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
}

// probeBwrap returns the path of a bwrap that really works here, or why there
// is none. Being installed is not enough: kernels, containers and security
// modules may refuse the namespaces it needs.
func probeBwrap() (string, error) {
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return "", errors.New("bwrap is not installed (apt-get install bubblewrap)")
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", fmt.Errorf("find bwrap: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	args := bwrapArgs(path, "/", SandboxRules{})
	outcome, err := Run(ctx, Command{Argv: append(args, "true"), Dir: "/", Limits: Limits{Grace: time.Second}})
	if err != nil {
		return "", fmt.Errorf("try bwrap: %w", err)
	}
	if outcome.Reason != Exited {
		return "", fmt.Errorf("bwrap does not end here (%s)", outcome.Reason)
	}
	if outcome.ExitCode != 0 {
		said, _, _ := bytes.Cut(bytes.TrimSpace(outcome.Head), []byte{'\n'})
		why := strings.TrimPrefix(string(said), "bwrap: ")
		return "", fmt.Errorf("bwrap is installed but refused here: %s%s", cmp.Or(why, "it gave no reason"), userNamespaceHint())
	}
	return path, nil
}

// userNamespaceHint names the setting that most often is the reason.
func userNamespaceHint() string {
	for _, setting := range []struct{ file, refuses, says string }{
		{"/proc/sys/user/max_user_namespaces", "0", "user namespaces are off: sysctl user.max_user_namespaces"},
		{"/proc/sys/kernel/unprivileged_userns_clone", "0", "user namespaces are for root only: sysctl kernel.unprivileged_userns_clone=1"},
		{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor restricts user namespaces: give bwrap a profile that allows userns"},
	} {
		value, err := os.ReadFile(setting.file)
		if err == nil && strings.TrimSpace(string(value)) == setting.refuses {
			return " (" + setting.says + ")"
		}
	}
	return ""
}

// bwrapArgs is bwrap's command line up to the program to run. The rules are
// resolved.
func bwrapArgs(bwrap, dir string, rules SandboxRules) []string {
	args := append([]string{bwrap}, bwrapHold...)
	if !rules.Network {
		args = append(args, "--unshare-net")
	}
	type mount struct {
		path string
		args []string
	}
	temp := mount{sharedTemp, []string{"--tmpfs", sharedTemp}}
	if rules.Temp != "" {
		temp.args = []string{"--bind", rules.Temp, sharedTemp}
	}
	mounts := []mount{temp}
	for _, path := range rules.Writable {
		mounts = append(mounts, mount{path, []string{"--bind", path, path}})
	}
	for _, path := range rules.Readable {
		mounts = append(mounts, mount{path, []string{"--ro-bind", path, path}})
	}
	var covers []string
	for _, path := range rules.Hidden {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			// Reads as an empty file. A covering folder would break programs
			// that expect a file, an empty file has to come from somewhere.
			mounts = append(mounts, mount{path, []string{"--dev-bind", "/dev/null", path}})
			continue
		}
		mounts = append(mounts, mount{path, []string{"--tmpfs", path}})
		covers = append(covers, path)
	}
	// A later mount covers an earlier one: parents first. The private /tmp
	// comes before what else is said of that folder.
	slices.SortStableFunc(mounts, func(a, b mount) int { return cmp.Compare(a.path, b.path) })
	for _, m := range mounts {
		if hiddenByTemp(m.path, rules) {
			continue
		}
		args = append(args, m.args...)
	}
	for _, path := range covers {
		if !hiddenByTemp(path, rules) {
			args = append(args, "--remount-ro", path) // else what is put there seems kept, and is lost
		}
	}
	if resolved := resolvedPath(dir); resolved != "" {
		dir = resolved
	}
	return append(args, "--chdir", dir, "--")
}

// hiddenByTemp says whether path is hidden by the private /tmp alone, so that
// no mount of its own is needed, nor a folder in Temp to mount it on.
func hiddenByTemp(path string, rules SandboxRules) bool {
	if !beneath(path, sharedTemp) || slices.Contains(rules.Writable, path) || slices.Contains(rules.Readable, path) {
		return false
	}
	return !slices.ContainsFunc(rules.Writable, func(w string) bool { return beneath(path, w) })
}
