package cli

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
)

// smallDemo replaces the embedded sample by one that needs no Go.
func (p *place) smallDemo() {
	p.t.Helper()
	dir := filepath.Join(p.base, "sample")
	put(p.t, filepath.Join(dir, "sample", "go.mod.txt"), "module sample\n")
	put(p.t, filepath.Join(dir, "sample", "a.txt"), "a\n")
	put(p.t, filepath.Join(dir, "sample", "deep", "b.txt"), "b\n")
	put(p.t, filepath.Join(dir, "task0.md"), brief("a.txt", "b.txt"))
	put(p.t, filepath.Join(dir, "plan.json"), doc.FormatPlan(twoTasks()))
	putJSON(p.t, filepath.Join(dir, "demo.json"), map[string]any{"title": "Small", "branch_type": "feat", "verify": []string{"test -f go.mod"}})
	script := twoWorkers()
	script["tick"] = "1h"
	script["planner"] = map[string]any{"steps": []step{{"plan": "plan.json"}}}
	putJSON(p.t, filepath.Join(dir, "script.json"), script)
	p.more = append(p.more, sampleDir+"="+dir)
}

func TestDemoRunsInAFreshDirectory(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.smallDemo()
	empty := filepath.Join(p.base, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{empty, filepath.Join(p.base, "none yet"), ""} {
		args := []string{"demo", "--headless", "--speed", "1e6"}
		if dir != "" {
			args = append(args, "--dir", dir)
		}
		got := p.do(args...).ends(exitOK, "Sample project in "+dir)
		end := got.end()
		if end.Status != event.StatusPassed || end.Verified != event.VerifiedPassed || !strings.HasPrefix(end.Branch, "giver/feat/") {
			t.Errorf("ended %+v", end)
		}
		started := got.events()[0].Body.(event.RunStarted)
		if !started.Scripted || dir != "" && started.Project != dir || !strings.HasPrefix(started.Project, p.base) {
			t.Errorf("started %+v", started)
		}
		if mod := get(t, filepath.Join(started.Project, "go.mod")); mod != "module sample\n" {
			t.Errorf("go.mod: %q", mod)
		}
		if status := p.git(started.Project, "status", "--porcelain"); status != "" {
			t.Errorf("the sample is dirty:\n%s", status)
		}
		p.do("demo", "--dir", started.Project).ends(exitUsage, "not empty")
	}
}

func TestDemoSaysWhatMayBeDoneAboutAnAffectedTask(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.smallDemo()
	p.do("demo", "--affected", "bla").ends(exitUsage, "--affected", "ask continue replan")
	run := p.do("demo", "--headless", "--speed", "1e6", "--affected", "replan").ends(exitOK).end().Run
	dir, err := filepath.Glob(filepath.Join(p.base, "*", "*", "*", "runs", run))
	if err != nil || len(dir) != 1 {
		t.Fatalf("the run's directory: %v, %v", dir, err)
	}
	if spec, err := engine.LoadSpec(dir[0]); err != nil || spec.Config.Affected != event.AffectedReplan {
		t.Errorf("its spec says %q, %v", spec.Config.Affected, err)
	}
}

func TestDemoOnATerminal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.smallDemo()
	c := p.onTerminal("demo", "--speed", "1000000", "--dir", filepath.Join(p.base, "demo"))
	c.shows("passed")
	c.types("q")
	if code := c.wait(); code != exitOK {
		t.Errorf("ended with %d", code)
	}
	c.shows("verified: passed")
}

// A demo that is not sound says so and makes nothing.
func TestUnsoundDemoIsRefused(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.smallDemo()
	put(t, filepath.Join(p.base, "sample", "task0.md"), "# Task #0 (for Planner)\n")
	dir := filepath.Join(p.base, "demo")
	p.do("demo", "--headless", "--dir", dir).ends(exitProblems, "not sound")
	if _, err := os.Stat(dir); err == nil {
		t.Error("a directory was made")
	}
	p.nothingKept()
}

// With --json standard output holds JSON alone, whatever the command.
func TestJSONIsAlone(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	run := p.do(p.runTwo("--headless")...).ends(exitOK).end().Run
	for _, args := range [][]string{
		{"runs"}, {"show", run}, {"ledger", run}, {"config"}, {"config", "--defaults"}, {"trust"}, {"trust", "--revoke"},
		{"lint", filepath.Join(p.base, "task0.md")}, p.runTwo("--detach"),
	} {
		var v any
		p.do(append(args, "--json")...).ends(exitOK).json(&v)
	}
	for _, args := range [][]string{{"attach", run, "--headless"}, {"retry", run, "2", "--headless"}, {"attach", run}} {
		got := p.do(append(args, "--json")...).ends(exitOK)
		got.end()
		for line := range strings.Lines(got.out) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%v prints %q", args, line)
			}
		}
	}
	for _, args := range [][]string{{"show", "none"}, {"resume", "none"}, {"lint", "none"}, {"run"}} {
		if got := p.do(append(args, "--json")...).ends(exitUsage); got.out != "" {
			t.Errorf("%v prints %q", args, got.out)
		}
	}
	for _, dir := range p.runDirs() {
		p.ended(dir)
	}
}

// onlyIn makes a folder of programs for PATH, each a link to the real one.
func (p *place) onlyIn(names ...string) string {
	p.t.Helper()
	dir := filepath.Join(p.base, "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.t.Fatal(err)
	}
	for _, name := range names {
		real, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(real, filepath.Join(dir, name))
		}
		if err != nil {
			p.t.Fatal(err)
		}
	}
	return dir
}

func TestDemoLooksForItsProgramsFirst(t *testing.T) {
	t.Parallel()
	for missing, there := range map[string][]string{"git": {"test"}, "go": {"git"}} {
		p := newPlace(t)
		p.smallDemo()
		if missing == "go" {
			putJSON(t, filepath.Join(p.base, "sample", "demo.json"), map[string]any{"branch_type": "feat", "verify": []string{"go test ./..."}})
		}
		p.more = append(p.more, "PATH="+p.onlyIn(there...))
		dir := filepath.Join(p.base, "demo")
		p.do("demo", "--headless", "--dir", dir).ends(exitEnvironment, "the demo needs "+missing, "install")
		if _, err := os.Lstat(dir); err == nil {
			t.Error("a directory was made")
		}
		p.nothingKept()
	}
}

// A demo that is interrupted while it is made leaves nothing, so that it can
// be typed again.
func TestInterruptedDemoLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, there := range []bool{false, true} {
		p := newPlace(t)
		p.smallDemo()
		room := filepath.Join(p.base, "room")
		dir := filepath.Join(room, "demo")
		made := room
		if there {
			made = dir
		}
		if err := os.MkdirAll(made, 0o755); err != nil {
			t.Fatal(err)
		}
		reached := filepath.Join(p.base, "reached")
		if err := syscall.Mkfifo(reached, 0o600); err != nil {
			t.Fatal(err)
		}
		bin := filepath.Join(p.base, "slow")
		put(t, filepath.Join(bin, "git"), "#!/bin/sh\necho here > "+reached+"\nexec sleep 1000\n")
		if err := os.Chmod(filepath.Join(bin, "git"), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := p.command("demo", "--headless", "--dir", dir)
		cmd.Env = append(cmd.Env, "PATH="+bin+":"+os.Getenv("PATH"))
		var errs strings.Builder
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.ReadFile(reached); err != nil {
			t.Fatal(err)
		}
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(errs.String(), "nothing of the demo was kept") {
			t.Errorf("ended with %d: %s", code, errs.String())
		}
		left, err := filepath.Glob(filepath.Join(room, "*"))
		hidden, _ := filepath.Glob(filepath.Join(room, ".*"))
		inside, _ := os.ReadDir(dir)
		want := map[bool]int{false: 0, true: 1}[there]
		if err != nil || len(left) != want || len(hidden)+len(inside) > 0 {
			t.Errorf("left: %q %q %v", left, hidden, inside)
		}
		p.nothingKept()
		p.do("demo", "--headless", "--speed", "1e6", "--dir", dir).ends(exitOK)
	}
}

// Once the run is there, an interruption stops it like any other run.
func TestInterruptedDemoIsStoppedOnceItRuns(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.smallDemo()
	dir := filepath.Join(p.base, "demo")
	cmd := p.command("demo", "--headless", "--dir", dir)
	errs, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(errs)
	line, err := lines.ReadString('\n')
	if err != nil || !strings.Contains(line, "Sample project in") {
		t.Fatalf("%q: %v", line, err)
	}
	cmd.Process.Signal(os.Interrupt)
	rest, _ := io.ReadAll(lines)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("ended with %d: %s", code, rest)
	}
	if s := p.ended(p.runDirs()[0]); s.Status != event.StatusStopped {
		t.Errorf("the run is %s", s.Status)
	}
	get(t, filepath.Join(dir, "deep", "b.txt"))
}

func TestDemoThatCannotStartLeavesNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.smallDemo()
	file := filepath.Join(p.base, "no folder")
	put(t, file, "x")
	p.more = append(p.more, "XDG_STATE_HOME="+file)
	empty := filepath.Join(p.base, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(p.base, "demo")
	for _, to := range []string{dir, empty, ""} {
		got := p.do("demo", "--headless", "--dir", to)
		got.ends(exitEnvironment, "no folder").silent("Sample project")
	}
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the demo's directory is left")
	}
	for _, d := range []string{empty, filepath.Join(p.base, "tmp")} {
		if entries, err := os.ReadDir(d); err != nil || len(entries) > 0 {
			t.Errorf("%s holds %v, %v", d, entries, err)
		}
	}
}
