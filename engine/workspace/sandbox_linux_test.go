package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func eachSandbox(t *testing.T, check func(t *testing.T, w *world, s Sandbox)) {
	placeAttackTool(t)
	for _, sandbox := range sandboxKinds(t) {
		t.Run(sandbox.Kind(), func(t *testing.T) { check(t, newWorld(t, marker(t)), sandbox) })
	}
}

// in runs a script that must end well and returns what it printed.
func (w *world) in(t *testing.T, s Sandbox, script string) string {
	t.Helper()
	outcome := run(t, s.Wrap(Command{Shell: script, Dir: w.clone, Env: w.env, Limits: Limits{Time: 30 * time.Second}}, w.rules))
	if outcome.ExitCode != 0 || outcome.Reason != Exited {
		t.Errorf("%s: %v: %s", script, outcome, outcome.Text(0))
	}
	return outcome.Text(0)
}

func TestSandboxLetsWork(t *testing.T) {
	eachSandbox(t, func(t *testing.T, w *world, s Sandbox) {
		for _, script := range []string{
			`mkdir -p a/b && echo x > a/b/c && mv a/b/c a/d && ln a/d a/e && ln -s d a/f && rm -r a`,
			`git init -q && git add . && git -c user.name=a -c user.email=a@example.org commit -qm work && git status --short`,
			`f=$(mktemp) && echo x > "$f" && mkfifo "$TMPDIR/fifo"`,
			`echo more >> "$HOME/.agent/session" && echo x > "$HOME/.agent/new"`,
			`test "$(cat "$PROJECT/main.txt")" = "the user's work" && cat "$HOME/.config/editor.ini"`,
			`echo x > /dev/null; head -c 4 /dev/urandom >/dev/null; echo out > /dev/stdout; echo err > /dev/stderr`,
			`(sleep 300 & kill $! ; wait $!); true`,
			`test -r /proc/self/status && test "$(id -u)" = ` + fmt.Sprint(os.Getuid()),
			`echo x > "/dev/shm/$$" && rm "/dev/shm/$$"`,
		} {
			w.in(t, s, script)
		}
		if text := string(must[[]byte](t)(os.ReadFile(filepath.Join(w.home, ".agent/session")))); text != "kept by the agentmore\n" {
			t.Errorf("the agent's own state is %q", text)
		}
		if got := w.in(t, s, "pwd -P"); got != w.clone+"\n" {
			t.Errorf("it ran in %q", got)
		}
	})
}

func TestSandboxKeepsTheEnvironment(t *testing.T) {
	eachSandbox(t, func(t *testing.T, w *world, s Sandbox) {
		got := strings.Split(strings.TrimSpace(w.in(t, s, "exec env")), "\n")
		temp := map[string]string{SandboxBwrap: sharedTemp}[s.Kind()]
		if temp == "" {
			temp = w.temp
		}
		for _, entry := range w.env {
			if strings.HasPrefix(entry, "TMPDIR=") {
				entry = "TMPDIR=" + temp
			}
			if !slices.Contains(got, entry) {
				t.Errorf("%s is missing in %q", entry, got)
			}
		}
		if len(got) != len(w.env)+1 { // PWD
			t.Errorf("something was added: %q", got)
		}
	})
}

func TestNetworkIsThereWhenAllowed(t *testing.T) {
	eachSandbox(t, func(t *testing.T, w *world, s Sandbox) {
		w.rules.Network = true
		for _, script := range []string{`"$TOOL" __attack connect tcp "$TCP"`, `"$TOOL" __attack connect udp "$UDP"`} {
			if got := w.in(t, s, script); !strings.Contains(got, secretText) {
				t.Errorf("the server's answer is %q", got)
			}
		}
	})
}

func TestSandboxEndsWithItsCommand(t *testing.T) {
	eachSandbox(t, func(t *testing.T, w *world, s Sandbox) {
		limits := Limits{Time: time.Second, Grace: 10 * time.Second}
		// What ends on SIGTERM is given the time to put its things in order.
		outcome := run(t, s.Wrap(Command{Shell: `trap 'echo saved > saved; exit 0' TERM; while :; do sleep 0.05; done`, Dir: w.clone, Env: w.env, Limits: limits}, w.rules))
		assertNothingLeft(t, w.mark, outcome)
		if _, err := os.Stat(filepath.Join(w.clone, "saved")); err != nil || outcome.Reason != TimedOut {
			t.Errorf("%v, %v", outcome, err)
		}
		// What does not is ended all the same, and what it started.
		limits.Grace = 100 * time.Millisecond
		outcome = run(t, s.Wrap(Command{Shell: `trap '' TERM; sleep 300 & while :; do sleep 1; done`, Dir: w.clone, Env: w.env, Limits: limits}, w.rules))
		assertNothingLeft(t, w.mark, outcome)
		if outcome.Reason != TimedOut || outcome.Duration > 30*time.Second {
			t.Error(outcome)
		}
		// Exit codes come through.
		outcome = run(t, s.Wrap(Command{Shell: "exit 7", Dir: w.clone, Env: w.env}, w.rules))
		if outcome.ExitCode != 7 {
			t.Error(outcome)
		}
	})
}

func TestSandboxedProcessesAreFoundByTheirMarker(t *testing.T) {
	eachSandbox(t, func(t *testing.T, w *world, s Sandbox) {
		started := make(chan struct{})
		ended := make(chan Outcome)
		command := Command{Shell: "echo up; exec sleep 300", Dir: w.clone, Env: w.env,
			OnLine: func([]byte, error) { close(started) }, Limits: Limits{Grace: time.Second}}
		go func() { outcome, _ := Run(t.Context(), s.Wrap(command, w.rules)); ended <- outcome }()
		<-started
		if n, err := EndMarked(t.Context(), w.mark, time.Second); n == 0 || err != nil {
			t.Errorf("%d ended, %v", n, err)
		}
		outcome := <-ended
		assertNothingLeft(t, w.mark, outcome)
	})
}

func init() {
	childRoles["own sandboxed daemons"] = func(mode string) error {
		if err := SetSubreaper(); err != nil {
			return err
		}
		s, _, err := DetectSandbox(mode)
		if errors.Is(err, ErrNoSandbox) {
			return nil // sandboxKinds checks what it says
		}
		dir, err := os.MkdirTemp("/var/tmp", "gb")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		// Two forks, no marker: only its parents' death leads to it.
		script := `(env -i setsid sh -c 'echo up > up; exec sleep 300' >/dev/null 2>&1 &); until test -s up; do sleep 0.01; done`
		outcome, err := Run(context.Background(), s.Wrap(Command{Shell: script, Dir: dir, Env: Environment("GROWBENCH_RUN=daemons"),
			Limits: Limits{Grace: 200 * time.Millisecond}}, SandboxRules{Writable: []string{dir}}))
		if err != nil || outcome.ExitCode != 0 {
			return fmt.Errorf("%v, %w: %s", outcome, err, outcome.Text(0))
		}
		if _, err := ReapOrphans(context.Background(), "GROWBENCH_RUN=daemons", 200*time.Millisecond); err != nil {
			return err
		}
		table, err := processTable()
		if err != nil {
			return err
		}
		for pid := range table {
			if ours, err := DescendsFrom(pid, os.Getpid()); ours && err == nil {
				return fmt.Errorf("process %d is left", pid)
			}
		}
		return nil
	}
}

func TestDaemonsWithoutMarkerEndWithTheOwnersHelp(t *testing.T) {
	for _, mode := range []string{"bwrap", "landlock", "off"} {
		if out, err := asChild("own sandboxed daemons", mode).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", mode, err, out)
		}
	}
}

func TestHiddenFoldersShowNothingAndKeepNothing(t *testing.T) {
	eachSandbox(t, func(t *testing.T, w *world, s Sandbox) {
		if s.Kind() == SandboxNone {
			return
		}
		// A link of the user to keys kept elsewhere, and a key in what the agent may write.
		elsewhere := filepath.Join(w.dir, "keys")
		put(t, filepath.Join(elsewhere, "k"), secretText)
		must[any](t)(nil, os.Symlink(elsewhere, filepath.Join(w.home, ".aws")))
		put(t, filepath.Join(w.home, ".agent/auth/token"), secretText)
		w.rules.Hidden = append(w.rules.Hidden, filepath.Join(w.home, ".aws"), filepath.Join(w.home, ".agent/auth"))
		outcome := run(t, s.Wrap(Command{Dir: w.clone, Env: w.env, Shell: `ls -A "$HOME/.ssh" "$HOME/.agent/auth" "$STATE/p/runs" "$STATE";
			cat "$HOME/.aws/k" "$HOME/.agent/auth/token"; echo x > "$HOME/.ssh/new"; echo more >> "$HOME/.agent/session"`}, w.rules))
		text := outcome.Text(0)
		for _, never := range []string{secretText, "id_ed25519", "events.jsonl", "token\n"} {
			if strings.Contains(text, never) {
				t.Errorf("it saw %q in %s", never, text)
			}
		}
		if _, err := os.Stat(filepath.Join(w.home, ".ssh/new")); err == nil {
			t.Error("a file was put into a hidden folder")
		}
		if outcome.ExitCode != 0 {
			t.Errorf("what is beside the hidden folder cannot be written: %v %s", outcome, text)
		}
	})
}

func TestMissingFoldersAreNoFault(t *testing.T) {
	eachSandbox(t, func(t *testing.T, w *world, s Sandbox) {
		w.rules.Writable = append(w.rules.Writable, filepath.Join(w.home, ".never"), "", filepath.Join(w.home, ".bashrc/sub"))
		w.rules.Hidden = append(w.rules.Hidden, filepath.Join(w.home, ".nor-this"))
		w.rules.Temp = ""
		if got := w.in(t, s, "echo fine"); got != "fine\n" {
			t.Error(got)
		}
	})
}

// A sandbox that cannot be set up must not end in a command without one.
func TestWhatCannotBeHeldDoesNotRun(t *testing.T) {
	eachSandbox(t, func(t *testing.T, w *world, s Sandbox) {
		if s.Kind() == SandboxNone {
			return
		}
		wrapped := s.Wrap(Command{Argv: []string{"touch", "ran"}, Dir: w.clone, Env: w.env}, w.rules)
		switch s.Kind() {
		case SandboxBwrap:
			wrapped.Argv = slices.Insert(slices.Clone(wrapped.Argv), 1, "--bind", w.dir+"/missing", w.dir+"/missing")
		case SandboxLandlock:
			wrapped.Argv[2] = `{"writable": 3}`
		}
		outcome := run(t, wrapped)
		if _, err := os.Stat(filepath.Join(w.clone, "ran")); err == nil || outcome.ExitCode == 0 {
			t.Errorf("it ran: %v %s", outcome, outcome.Text(0))
		}
	})
	for _, args := range [][]string{nil, {"{}"}, {"{}", "--"}, {"--", "true"}, {"x", "--", "true"}, {"{}", "true"}} {
		if err := Confine(args); err == nil || !strings.HasPrefix(err.Error(), "sandbox: ") {
			t.Errorf("%q: %v", args, err)
		}
	}
}

func TestModesChooseTheSandboxOrSayWhyNot(t *testing.T) {
	noBwrap, noLandlock := errors.New("bwrap is not installed"), errors.New("no Landlock in this kernel")
	for _, c := range []struct {
		mode             string
		bwrap, landlock  bool
		kind, note, fail string
	}{
		{"auto", true, true, "bwrap", "", ""},
		{"auto", false, true, "landlock", "bwrap is not installed", ""},
		{"auto", false, false, "none", "bwrap is not installed; no Landlock in this kernel", ""},
		{"on", true, false, "bwrap", "", ""},
		{"on", false, true, "landlock", "bwrap is not installed", ""},
		{"on", false, false, "none", "", "bwrap is not installed; no Landlock in this kernel"},
		{"bwrap", true, true, "bwrap", "", ""},
		{"bwrap", false, true, "none", "", "bwrap is not installed"},
		{"landlock", true, true, "landlock", "", ""},
		{"landlock", true, false, "none", "", "no Landlock in this kernel"},
		{"off", true, true, "none", "switched off", ""},
		{"jail", true, true, "none", "", `"jail" is unknown`},
	} {
		probeBwrap := func() (string, error) {
			if c.bwrap {
				return "/usr/bin/bwrap", nil
			}
			return "", noBwrap
		}
		probeLandlock := func() (int, error) {
			if c.landlock {
				return 6, nil
			}
			return 0, noLandlock
		}
		s, note, err := detectSandbox(c.mode, probeBwrap, probeLandlock)
		if s.Kind() != c.kind || !strings.Contains(note, c.note) || (note == "") != (c.note == "") || (err == nil) != (c.fail == "") ||
			err != nil && !strings.Contains(err.Error(), c.fail) {
			t.Errorf("%+v: %s, %q, %v", c, s.Kind(), note, err)
		}
		if err != nil && errors.Is(err, ErrNoSandbox) != (c.mode != "jail") {
			t.Errorf("%s: %v", c.mode, err)
		}
		if len(s.Leaves()) == 0 || (len(s.Stops()) == 0) != (c.kind == "none") {
			t.Errorf("%s: stops %q, leaves %q", c.kind, s.Stops(), s.Leaves())
		}
	}
}

func init() {
	childRoles["detect bwrap"] = func(string) error {
		_, _, err := DetectSandbox("bwrap")
		return err
	}
}

func TestBwrapThatIsMissingOrRefusedIsSaid(t *testing.T) {
	t.Run("missing", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, _, err := DetectSandbox("bwrap")
		if !errors.Is(err, ErrNoSandbox) || !strings.Contains(err.Error(), "apt-get install bubblewrap") {
			t.Error(err)
		}
	})
	t.Run("without user namespaces", func(t *testing.T) {
		cmd := asChild("detect bwrap", "")
		cmd.Args = append([]string{"unshare", "-Ur", "sh", "-c", `echo 0 > /proc/sys/user/max_user_namespaces && exec "$0"`}, cmd.Args...)
		cmd.Path = must[string](t)(exec.LookPath("unshare"))
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "refused here") || !strings.Contains(string(out), "user.max_user_namespaces") {
			t.Errorf("%v: %s", err, out)
		}
	})
	t.Run("broken", func(t *testing.T) {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "bwrap"), "#!/bin/sh\necho 'bwrap: no way' >&2; exit 1\n")
		must[any](t)(nil, os.Chmod(filepath.Join(dir, "bwrap"), 0o755))
		t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
		s, note, err := DetectSandbox("auto")
		if s.Kind() == SandboxBwrap || !strings.Contains(note, "no way") || err != nil {
			t.Error(s.Kind(), note, err)
		}
	})
}

func TestWrapLeavesWhatRunRefusesAsItIs(t *testing.T) {
	for _, s := range sandboxKinds(t) {
		for _, c := range []Command{{}, {Argv: []string{"true"}, Shell: "true"}} {
			if _, err := Run(t.Context(), s.Wrap(c, SandboxRules{})); err == nil {
				t.Errorf("%s ran %+v", s.Kind(), c)
			}
		}
	}
}

func TestCredentialStoresFollowTheEnvironment(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", "/elsewhere")
	t.Setenv("XDG_DATA_HOME", "")
	t.Setenv("GOCACHE", "/cache/go")
	t.Setenv("CARGO_HOME", "/cargo")
	stores, caches := CredentialStores("/home/u"), ToolCaches("/home/u")
	for _, want := range []string{"/home/u/.ssh", "/home/u/.netrc", "/elsewhere/gh", "/home/u/.local/share/keyrings", "/run/user"} {
		if !slices.Contains(stores, want) {
			t.Errorf("%s is not hidden", want)
		}
	}
	for _, want := range []string{"/cache/go", "/cargo/registry", "/cargo/git", "/home/u/.npm"} {
		if !slices.Contains(caches, want) {
			t.Errorf("%s is no tool cache in %q", want, caches)
		}
	}
	if slices.Contains(caches, "/home/u") || slices.Contains(caches, "/home/u/.cargo/registry") {
		t.Errorf("too much is writable: %q", caches)
	}
}

// What a command costs more in a sandbox.
func BenchmarkSandbox(b *testing.B) {
	for _, mode := range []string{"off", "bwrap", "landlock"} {
		s, _, err := DetectSandbox(mode)
		if errors.Is(err, ErrNoSandbox) {
			b.Log(err)
			continue
		}
		b.Run(s.Kind(), func(b *testing.B) {
			placeAttackTool(b)
			w := newWorld(b, "GROWBENCH_RUN=bench")
			for b.Loop() {
				outcome, err := Run(b.Context(), s.Wrap(Command{Argv: []string{"true"}, Dir: w.clone, Env: w.env}, w.rules))
				if err != nil || outcome.ExitCode != 0 || outcome.Signal != syscall.Signal(0) {
					b.Fatal(outcome, err)
				}
			}
		})
	}
}
