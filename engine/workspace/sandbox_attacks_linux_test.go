package workspace

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// attack is something a hostile agent tries, and who stops it.
type attack struct {
	name, script string
	// landlock is the version that stops it, 0 if none does.
	landlock int
	// always marks what is stopped without a sandbox, too.
	always bool
}

var attacks = []attack{
	{name: "writes beside the clone, through `..`", script: `echo x > ../escaped`, landlock: 1},
	{name: "overwrites a file of the user's repository by its absolute path", script: `echo x > "$PROJECT/main.txt"`, landlock: 1},
	{name: "empties a file of the user's repository", script: `"$TOOL" __attack truncate "$PROJECT/main.txt"`, landlock: landlockTruncate},
	{name: "deletes one", script: `rm -f "$PROJECT/main.txt"`, landlock: 1},
	{name: "moves one into the clone", script: `mv "$PROJECT/main.txt" stolen`, landlock: 1},
	{name: "writes through a symlink in the clone that leads out", script: `ln -s "$PROJECT/main.txt" link; echo x > link`, landlock: 1},
	{name: "writes through a symlinked folder", script: `ln -s "$PROJECT" link; echo x > link/new`, landlock: 1},
	{name: "writes through `/proc/self/root`", script: `echo x > "/proc/self/root$PROJECT/main.txt"`, landlock: 1},
	{name: "writes through `/proc/<pid>/root` of a process outside", script: `echo x > "/proc/$OWNER/root$PROJECT/main.txt"`, landlock: 1},
	{name: "makes a hard link to a file of the user and writes to it", script: `ln "$PROJECT/main.txt" link && echo x > link`, landlock: 1},
	{name: "adds a hook to the user's repository", script: `printf '#!/bin/sh\n' > "$PROJECT/.git/hooks/pre-commit"`, landlock: 1},
	{name: "changes the configuration of the user's repository", script: `git -C "$PROJECT" config core.fsmonitor ./evil`, landlock: 1},
	{name: "changes the mode of a git object of the user", script: `chmod 777 "$OBJECT"`},
	{name: "overwrites a git object of the user after that", script: `chmod 644 "$OBJECT"; echo x > "$OBJECT"; chmod 444 "$OBJECT"`, landlock: 1},
	{name: "changes the times of a file of the user", script: `"$TOOL" __attack times "$PROJECT/main.txt"`},
	{name: "adds a line to the user's shell start-up file", script: `echo evil >> "$HOME/.bashrc"`, landlock: 1},
	{name: "remounts the file system writable and writes", script: `mount -o remount,bind,rw /; mount -o remount,bind,rw "$HOME"; echo x > "$PROJECT/main.txt"`, landlock: 1},
	{name: "makes namespaces of its own, uncovers and writes", script: `unshare -Urm sh -c 'umount "$HOME/.ssh"; cat "$HOME/.ssh/id_ed25519"; mount -o remount,bind,rw /; echo x > "$PROJECT/main.txt"'; cat "$HOME/.ssh/id_ed25519"`, landlock: 1},
	{name: "reads the state of its own run", script: `cat "$RUN/events.jsonl"`, landlock: 1},
	{name: "reads the transcript of another Worker, through `..`", script: `cat ../../runs/r/transcripts/worker-1.jsonl`, landlock: 1},
	{name: "reads a key in `~/.ssh`", script: `cat "$HOME/.ssh/id_ed25519"`, landlock: 1},
	{name: "reads `~/.netrc`, a single file", script: `cat "$HOME/.netrc"`, landlock: 1},
	{name: "reads what another program left in `/tmp`", script: `cat "$SHARED"`, landlock: 1},
	{name: "reads a token below `~/.config`", script: `cat "$HOME/.config/gh/hosts.yml"`, landlock: 1},
	{name: "reads a key through a symlink of its own", script: `ln -s "$HOME/.ssh" keys; cat keys/id_ed25519`, landlock: 1},
	{name: "reads a key through a hard link of its own", script: `ln "$HOME/.ssh/id_ed25519" key; cat key`, landlock: 1},
	{name: "reads a key through `/proc/<pid>/root` of a process outside", script: `cat "/proc/$VICTIM/root$HOME/.ssh/id_ed25519"`, landlock: 1},
	{name: "reads the environment of a process outside", script: `tr '\0' '\n' < "/proc/$VICTIM/environ"`, landlock: 1},
	{name: "traces a process outside", script: `"$TOOL" __attack trace "$VICTIM"`, landlock: 1},
	{name: "ends a process outside", script: `kill -9 "$VICTIM"`, landlock: landlockScopes},
	{name: "connects to a socket in a hidden folder", script: `"$TOOL" __attack connect unix "$SOCKET"`},
	{name: "connects to an abstract socket, network off", script: `"$TOOL" __attack connect unix "$ABSTRACT"`, landlock: landlockScopes},
	{name: "connects to 127.0.0.1 by TCP, network off", script: `"$TOOL" __attack connect tcp "$TCP"`, landlock: 1},
	{name: "connects to 127.0.0.1 by multipath TCP, network off", script: `"$TOOL" __attack connect mptcp "$TCP"`, landlock: 1},
	{name: "sends to 127.0.0.1 by UDP, network off", script: `"$TOOL" __attack connect udp "$UDP"`, landlock: 1},
	{name: "learns whether a hidden file exists", script: `test -e "$HOME/.ssh/id_ed25519" && echo ` + secretText},
	{name: "reads the command line of a process outside", script: `grep -q sleep "/proc/$VICTIM/cmdline" && echo ` + secretText},
	{name: "writes shared memory of the machine", script: `echo x > "$SHM"`},
	{name: "leaves a process in the background", script: `sleep 300 >/dev/null 2>&1 &`, always: true},
	{name: "leaves a daemon in a session of its own behind its command (the run's owner ends it)", script: `(setsid sh -c 'echo up > up; exec sleep 300' >/dev/null 2>&1 &); until test -s up; do sleep 0.01; done`},
	{name: "reads the terminal", script: `: < /dev/tty && echo ` + secretText, always: true},
}

func (a attack) stoppedBy(s Sandbox) bool {
	switch s.Kind() {
	case SandboxBwrap:
		return true
	case SandboxLandlock:
		return a.always || a.landlock > 0 && s.abi >= a.landlock
	}
	return a.always
}

// sandboxKinds are the sandboxes of this machine. One that is missing must say
// why: that is checked in place of what it would hold.
func sandboxKinds(t *testing.T) []Sandbox {
	t.Helper()
	var kinds []Sandbox
	for _, mode := range []string{"bwrap", "landlock", "off"} {
		sandbox, _, err := DetectSandbox(mode)
		if err == nil {
			kinds = append(kinds, sandbox)
			continue
		}
		t.Logf("no %s here: %v", mode, err)
		if !errors.Is(err, ErrNoSandbox) || !strings.Contains(err.Error(), mode) && !strings.Contains(err.Error(), "Landlock") {
			t.Errorf("%s is refused without saying why: %v", mode, err)
		}
	}
	return kinds
}

func TestSandboxHoldsAttacks(t *testing.T) {
	placeAttackTool(t)
	for _, sandbox := range sandboxKinds(t) {
		for _, a := range attacks {
			t.Run(sandbox.Kind()+"/"+a.name, func(t *testing.T) {
				w := newWorld(t, marker(t))
				achieved := w.attack(t, sandbox, a.script)
				if stopped := achieved == ""; stopped != a.stoppedBy(sandbox) {
					t.Errorf("stopped: %v (%s), and should be %v", stopped, achieved, a.stoppedBy(sandbox))
				}
			})
		}
	}
}

// Root may do what others may not, and others need user namespaces: both count.
func TestSandboxHoldsAttacksOfAnOrdinaryUser(t *testing.T) {
	if os.Getuid() != 0 {
		return // the other tests are those of an ordinary user
	}
	placeAttackTool(t)
	for _, name := range []string{"TestSandboxHoldsAttacks", "TestSandboxLetsWork", "TestSandboxEndsWithItsCommand"} {
		cmd := exec.Command("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all",
			attackToolPath, "-test.run=^"+name+"$", "-test.v")
		cmd.Dir, cmd.Env = "/var/tmp", append(os.Environ(), "HOME=/var/tmp", "TMPDIR=/var/tmp")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "\n--- PASS: "+name) {
			t.Errorf("as nobody: %v\n%s", err, out)
		}
	}
}

// publishedTable is what README and screens show; whole runs add to it.
const publishedTable = "sandbox.md"

func TestPublishedTableIsWhatTheTestsCheck(t *testing.T) {
	const begin, end = "<!-- commands -->\n", "<!-- /commands -->"
	kept, err := os.ReadFile(publishedTable)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(kept), begin)
	_, tail, found := strings.Cut(rest, end)
	table := head + begin + attackTable() + end + tail
	switch {
	case !found:
		t.Fatalf("%s has no place for the table", publishedTable)
	case table == string(kept):
	case os.Getenv("UPDATE_TABLE") == "":
		t.Errorf("%s differs; write it with UPDATE_TABLE=1", publishedTable)
	default:
		must[any](t)(nil, os.WriteFile(publishedTable, []byte(table), 0o644))
	}
}

func attackTable() string {
	var text strings.Builder
	for _, a := range attacks {
		landlock, none := "stopped", notStopped
		if a.always {
			none = "stopped"
		} else if a.landlock == 0 {
			landlock = notStopped
		} else if since := landlockSince[a.landlock]; since != "" {
			landlock = stoppedFrom + since + " on"
		}
		fmt.Fprintf(&text, "| %s | stopped | %s | %s |\n", a.name, landlock, none)
	}
	return text.String()
}

// What a sandbox is said to let pass is what the tests saw it let pass.
func TestSandboxSaysWhatItLetsPass(t *testing.T) {
	for _, s := range []Sandbox{{}, {bwrap: "/usr/bin/bwrap"}, {abi: 1}, {abi: landlockTruncate}, {abi: landlockScopes}} {
		passes := s.Passes()
		for _, a := range attacks {
			said := slices.ContainsFunc(passes, func(row string) bool { return row == a.name || strings.HasPrefix(row, a.name+" (before") })
			if said == a.stoppedBy(s) {
				t.Errorf("%s %d: it is said that an agent passes that %s: %v", s.Kind(), s.abi, a.name, said)
			}
		}
	}
}
