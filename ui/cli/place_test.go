package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"growbench/engine/workspace"
	"growbench/testdata/fixture"
)

// patience bounds how long a test waits for what must come. It is never what
// a test measures.
const patience = 2 * time.Minute

// place is a user: a home, a configuration, a state folder and a project, in
// which growbench is started as a process of its own.
type place struct {
	t    *testing.T
	base string
	repo string
	more []string // added to the environment
}

// newPlace makes a user without a project.
func newPlace(t *testing.T) *place {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, base: base, repo: filepath.Join(base, "project")}
	for _, dir := range []string{"home", "config/growbench", "state", "tmp"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(base, "home", ".gitconfig"), "[user]\n\tname = Ann\n\temail = ann@example.org\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n")
	t.Cleanup(p.leave)
	return p
}

// newProject makes a user with a small repository and a scripted agent.
func newProject(t *testing.T) *place {
	t.Helper()
	p := newPlace(t)
	p.makeRepo(p.repo)
	return p
}

func (p *place) makeRepo(dir string) {
	p.t.Helper()
	put(p.t, filepath.Join(dir, "a.txt"), "a\n")
	put(p.t, filepath.Join(dir, "b.txt"), "b\n")
	put(p.t, filepath.Join(dir, "sub", "c.txt"), "c\n")
	put(p.t, filepath.Join(dir, ".gitignore"), "*.log\n")
	p.git(dir, "init", "-q")
	p.git(dir, "add", "-A")
	p.git(dir, "commit", "-qm", "base")
}

// state is where runs, trust and clones lie.
func (p *place) state() string { return filepath.Join(p.base, "state", "growbench") }

func (p *place) env() []string {
	keep := []string{"PATH", "GOCOVERDIR", "GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS", "GOPROXY", "GOROOT"}
	var env []string
	for _, name := range keep {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	sample, _ := filepath.Abs("../../testdata/demo")
	return append(append(env,
		playing+"=1", sampleDir+"="+sample, "LANG=C.UTF-8", "TERM=xterm-256color", "GIT_CONFIG_NOSYSTEM=1",
		"HOME="+filepath.Join(p.base, "home"), "XDG_CONFIG_HOME="+filepath.Join(p.base, "config"),
		"XDG_STATE_HOME="+filepath.Join(p.base, "state"), "XDG_RUNTIME_DIR="+p.base, "GROWBENCH_SANDBOX=off",
		"TMPDIR="+filepath.Join(p.base, "tmp"),
	), p.more...)
}

// command is growbench, to be started in the project.
func (p *place) command(args ...string) *exec.Cmd {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = p.env()
	cmd.Dir = p.repo
	if _, err := os.Stat(cmd.Dir); err != nil {
		cmd.Dir = p.base
	}
	return cmd
}

// said is what a command printed and ended with.
type said struct {
	t        *testing.T
	line     string
	code     int
	out, err string
}

// do runs a command to its end, without a terminal.
func (p *place) do(args ...string) said {
	p.t.Helper()
	return p.feed("", args...)
}

// feed is do with standard input.
func (p *place) feed(input string, args ...string) said {
	p.t.Helper()
	cmd := p.command(args...)
	cmd.Stdin = strings.NewReader(input)
	return p.finish(cmd)
}

func (p *place) finish(cmd *exec.Cmd) said {
	p.t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	late := time.AfterFunc(patience, func() { cmd.Process.Signal(syscall.SIGABRT) })
	defer late.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return said{p.t, strings.Join(cmd.Args[1:], " "), cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// ends fails the test unless the command ended so and said all of words.
func (s said) ends(code int, words ...string) said {
	s.t.Helper()
	if s.code != code {
		s.t.Fatalf("growbench %s ended with %d, want %d\n%s", s.line, s.code, code, s.all())
	}
	for _, w := range words {
		if !strings.Contains(s.out+s.err, w) {
			s.t.Errorf("growbench %s does not say %q:\n%s", s.line, w, s.all())
		}
	}
	return s
}

// silent fails the test when the command printed one of words.
func (s said) silent(words ...string) said {
	s.t.Helper()
	for _, w := range words {
		if strings.Contains(s.out+s.err, w) {
			s.t.Errorf("growbench %s says %q:\n%s", s.line, w, s.all())
		}
	}
	return s
}

func (s said) all() string { return "stdout:\n" + s.out + "\nstderr:\n" + s.err }

// json reads standard output as exactly one value.
func (s said) json(v any) said {
	s.t.Helper()
	dec := json.NewDecoder(strings.NewReader(s.out))
	if err := dec.Decode(v); err != nil {
		s.t.Fatalf("growbench %s: not JSON: %v\n%s", s.line, err, s.all())
	}
	if dec.More() {
		s.t.Fatalf("growbench %s prints more than one value\n%s", s.line, s.all())
	}
	return s
}

// git runs git as the user.
func (p *place) git(dir string, args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, p.env()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, errs.String())
	}
	return strings.TrimRight(string(out), "\n")
}

// runDirs are all runs of the place, oldest first.
func (p *place) runDirs() []string {
	dirs, _ := filepath.Glob(filepath.Join(p.state(), "*", "runs", "*"))
	slices.SortFunc(dirs, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	return dirs
}

// runNamed is the directory of a run.
func (p *place) runNamed(id string) string {
	p.t.Helper()
	for _, dir := range p.runDirs() {
		if filepath.Base(dir) == id {
			return dir
		}
	}
	p.t.Fatalf("no run %q", id)
	return ""
}

// nothingKept fails when a command has left anything in the state folder.
func (p *place) nothingKept() {
	p.t.Helper()
	entries, _ := os.ReadDir(filepath.Join(p.base, "state"))
	for _, e := range entries {
		p.t.Errorf("%s was made in the state folder", e.Name())
	}
}

// leave ends what the test's runs have left, whatever the test did, and fails
// when a run that ended has left a process.
func (p *place) leave() {
	for _, dir := range p.runDirs() {
		marker := "GROWBENCH_RUN=" + filepath.Base(dir)
		if pid := ownerOf(dir); pid > 0 {
			syscall.Kill(pid, syscall.SIGKILL)
		} else if left := marked(marker); len(left) > 0 {
			p.t.Errorf("run %s left processes: %v", filepath.Base(dir), left)
		}
		workspace.EndMarked(context.Background(), marker, 100*time.Millisecond)
	}
}

// marked are the processes with an entry in their environment.
func marked(entry string) map[int]string {
	found := map[int]string{}
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil || !slices.Contains(strings.Split(string(data), "\x00"), entry) {
			continue
		}
		var pid int
		fmt.Sscanf(path, "/proc/%d/", &pid)
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if len(line) > 0 { // else it has ended already
			found[pid] = strings.ReplaceAll(string(line), "\x00", " ")
		}
	}
	return found
}

var put = fixture.Put

var get = fixture.Get

func putJSON(t testing.TB, path string, v any) {
	t.Helper()
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, string(data)+"\n")
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
