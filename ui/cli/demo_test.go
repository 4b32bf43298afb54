package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
