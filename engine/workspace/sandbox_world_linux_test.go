package workspace

import (
	"bytes"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// secretText is what no attacker may print: files, sockets and processes
// outside hold it.
const secretText = "S3CRET-of-the-user"

// world is what surrounds a sandboxed command: a user's home with keys, a
// project, growbench's state with another Worker's transcript, the clone.
type world struct {
	dir, home, project, state, run, clone, temp, shm string
	rules                                            SandboxRules
	env                                              []string
	mark                                             string
	victim                                           *exec.Cmd
}

// outsideTmp is a folder that a private /tmp does not hide.
func outsideTmp(t testing.TB) string {
	t.Helper()
	dir := must[string](t)(os.MkdirTemp("/var/tmp", "gb"))
	must[any](t)(nil, os.Chmod(dir, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func newWorld(t testing.TB, mark string) *world {
	t.Helper()
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR"} {
		t.Setenv(name, "")
	}
	dir := outsideTmp(t)
	w := &world{dir: dir, home: filepath.Join(dir, "home"), project: filepath.Join(dir, "home", "project"), temp: filepath.Join(dir, "temp"), mark: mark}
	w.state = filepath.Join(w.home, ".local/state/growbench")
	w.run, w.clone = filepath.Join(w.state, "p/runs/r"), filepath.Join(w.state, "p/trees/r")
	w.shm = filepath.Join("/dev/shm", filepath.Base(dir))
	shared := filepath.Join(sharedTemp, filepath.Base(dir))
	put(t, shared, secretText)
	t.Cleanup(func() { _ = os.Remove(w.shm); _ = os.Remove(shared) })
	for path, text := range map[string]string{
		"home/.ssh/id_ed25519":      secretText,
		"home/.netrc":               secretText,
		"home/.config/gh/hosts.yml": secretText,
		"home/.config/editor.ini":   "tabs",
		"home/.bashrc":              "# shell",
		"home/project/main.txt":     "the user's work",
		"home/.agent/session":       "kept by the agent",
		"home/.local/state/growbench/p/runs/r/events.jsonl":               secretText,
		"home/.local/state/growbench/p/runs/r/transcripts/worker-1.jsonl": secretText,
		"home/.local/state/growbench/p/trees/r/inside.txt":                "a copy",
		"temp/.keep": "",
	} {
		put(t, filepath.Join(dir, path), text)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "main.txt"}, {"-c", "user.name=u", "-c", "user.email=u@example.org", "commit", "-qm", "start"}} {
		git := exec.Command("git", args...)
		git.Dir, git.Env = w.project, append(os.Environ(), "HOME="+w.home, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	w.rules = SandboxRules{
		Writable: []string{w.clone, filepath.Join(w.home, ".agent")},
		Hidden:   append(CredentialStores(w.home), w.state, filepath.Join(w.home, ".config/growbench")),
		Temp:     w.temp,
	}
	w.victim = exec.Command("sleep", "300")
	w.victim.Env = []string{"KEY=" + secretText}
	must[any](t)(nil, w.victim.Start())
	t.Cleanup(func() { _ = w.victim.Process.Kill(); _ = w.victim.Wait() })
	objects := must[[]string](t)(filepath.Glob(filepath.Join(w.project, ".git/objects/??/*")))
	w.env = Environment(mark, "HOME="+w.home, "PROJECT="+w.project, "STATE="+w.state, "RUN="+w.run, "TOOL="+attackTool(t), "SHM="+w.shm, "SHARED="+shared,
		"OBJECT="+objects[0], "SOCKET="+w.serve(t, "unix", filepath.Join(w.run, "s")), "ABSTRACT="+w.serve(t, "unix", "@"+filepath.Base(dir)),
		"TCP="+w.serve(t, "tcp", "127.0.0.1:0"), "UDP="+w.serveUDP(t), fmt.Sprint("VICTIM=", w.victim.Process.Pid), fmt.Sprint("OWNER=", os.Getpid()))
	return w
}

// serve tells the secret to whoever connects.
func (w *world) serve(t testing.TB, network, address string) string {
	t.Helper()
	listener := must[net.Listener](t)(net.Listen(network, address))
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte(secretText))
			conn.Close()
		}
	}()
	return listener.Addr().String()
}

func (w *world) serveUDP(t testing.TB) string {
	t.Helper()
	conn := must[net.PacketConn](t)(net.ListenPacket("udp", "127.0.0.1:0"))
	t.Cleanup(func() { conn.Close() })
	go func() {
		for {
			_, from, err := conn.ReadFrom(make([]byte, 100))
			if err != nil {
				return
			}
			_, _ = conn.WriteTo([]byte(secretText), from)
		}
	}()
	return conn.LocalAddr().String()
}

// attackTool is this test binary where every sandbox can read it.
var attackToolPath string

func attackTool(t testing.TB) string {
	t.Helper()
	if attackToolPath == "" {
		t.Fatal("the test has not called placeAttackTool")
	}
	return attackToolPath
}

func placeAttackTool(t testing.TB) {
	t.Helper()
	path := filepath.Join(outsideTmp(t), "tool")
	must[any](t)(nil, os.WriteFile(path, must[[]byte](t)(os.ReadFile("/proc/self/exe")), 0o755))
	attackToolPath = path
	t.Cleanup(func() { attackToolPath = "" })
}

// outside describes all that a command must not change.
func (w *world) outside(t testing.TB) string {
	t.Helper()
	var text bytes.Buffer
	err := filepath.WalkDir(w.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == w.clone || path == w.temp || path == filepath.Join(w.home, ".agent") {
			return filepath.SkipDir
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%s %v %v", path, info.Mode(), info.ModTime().Format(time.RFC3339Nano))
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&text, " %x", content)
		}
		text.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// attack runs a script in the sandbox and tells what it achieved, in words;
// nothing achieved is empty.
func (w *world) attack(t *testing.T, sandbox Sandbox, script string) string {
	t.Helper()
	before := w.outside(t)
	command := Command{Shell: script, Dir: w.clone, Env: w.env, Limits: Limits{Time: 20 * time.Second, Grace: 300 * time.Millisecond}}
	outcome := run(t, sandbox.Wrap(command, w.rules))
	t.Logf("%s: %v: %s", sandbox.Kind(), outcome, outcome.Text(400))
	var achieved []string
	if strings.Contains(outcome.Text(10_000), secretText) {
		achieved = append(achieved, "it read a secret")
	}
	if left := must[[]process](t)(markedProcesses(w.mark)); len(left) > 0 {
		achieved = append(achieved, "it left processes")
	}
	if _, err := os.Stat(w.shm); err == nil {
		achieved = append(achieved, "it wrote shared memory")
	}
	if victim := must[process](t)(readProcess(w.victim.Process.Pid)); victim.ended() {
		achieved = append(achieved, "it ended a process")
	}
	if w.outside(t) != before {
		achieved = append(achieved, "it changed something outside")
	}
	if _, err := EndMarked(t.Context(), w.mark, 100*time.Millisecond); err != nil {
		t.Error(err)
	}
	if left := must[[]process](t)(markedProcesses(w.mark)); len(left) > 0 {
		t.Errorf("still running at the end: %v", numbers(left))
	}
	return strings.Join(achieved, ", ")
}
