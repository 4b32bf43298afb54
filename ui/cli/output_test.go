package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/event"
)

// hostile holds what a terminal acts on without an escape character.
const hostile = "a\u007fb\u009bc\u0085d\u202ee\u2066f\u200eg\u061ch"

func TestJSONHoldsNothingATerminalActsOn(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	worker := []step{{"turn": 1}, {"write": "a.txt", "content": "A\n"}, {"result": map[string]any{
		"status": "done", "files": map[string]any{"modified": []string{"a.txt"}}, "breaking": []string{}, "summary": hostile,
	}}}
	p.configure(steps(worker, write("b.txt", "B\n")))
	got := p.do(p.runTwo("--headless", "--json")...).ends(exitOK)
	run := got.end().Run
	whole := false
	for _, e := range got.events() {
		r, ok := e.Body.(event.ResultAccepted)
		whole = whole || ok && r.Result.Summary == hostile
	}
	if !whole {
		t.Errorf("no event says what the Worker said:\n%s", got.out)
	}
	shown := p.do("show", run, "--json").ends(exitOK)
	linted := p.feed("# RESULT #1 (by Worker 1)\n\n## Summary\n"+hostile+"\n", "lint", "-", "--json")
	for _, said := range []said{got, shown, linted} {
		for _, r := range hostile {
			if r > 'z' && strings.ContainsRune(said.out, r) {
				t.Errorf("growbench %s prints %U", said.line, r)
			}
		}
		if !strings.Contains(said.out, `\u202e`) || !strings.Contains(said.out, `\u009b`) {
			t.Errorf("growbench %s does not spell them:\n%s", said.line, said.out)
		}
	}
	if !json.Valid([]byte(shown.out)) {
		t.Error("not JSON any more")
	}
}

// full runs a command whose output cannot be written.
func (p *place) full(args ...string) said {
	p.t.Helper()
	device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		p.t.Fatal(err)
	}
	defer device.Close()
	var errs strings.Builder
	cmd := p.command(args...)
	cmd.Stdout, cmd.Stderr = device, &errs
	cmd.Run()
	return said{p.t, strings.Join(args, " "), cmd.ProcessState.ExitCode(), "", errs.String()}
}

func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	p.do(p.runTwo("--headless")...).ends(exitOK)
	for _, args := range [][]string{
		{"runs"}, {"show", "latest"}, {"show", "latest", "--json"}, {"config"}, {"--help"}, {"--version"}, {"attach", "latest", "--headless"},
		{"help", "run"}, {"diff", "latest"}, {"lint", filepath.Join(p.base, "task0.md")},
	} {
		p.full(args...).ends(exitProblems, "write the output: no space left on device").silent("/dev/")
	}
}

func TestRunGoesOnWhenItsOutputCannotBeWritten(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.smallDemo()
	p.full("demo", "--headless", "--speed", "1e6").
		ends(exitProblems, "write the output: no space left on device", "goes on", " attach 20")
	p.ended(p.runDirs()[0])
}

// A dumb terminal is written to line by line; somebody sits at it all the same.
func TestDumbTerminalGetsLines(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	p.more = append(p.more, "TERM=dumb")
	c := p.onTerminal(p.runTwo()...)
	if code := c.wait(); code != exitOK {
		t.Errorf("ended with %d", code)
	}
	c.shows("TERM=dumb")
	c.shows("worker 2: done")
	if strings.Contains(c.text(), "\x1b") {
		t.Errorf("it was painted on:\n%q", c.text())
	}
	for _, args := range [][]string{{"attach", "latest"}, {}} {
		c = p.onTerminal(args...)
		c.wait()
		c.shows("worker 2: done")
	}
	putJSON(t, filepath.Join(p.repo, ".growbench.json"), map[string]any{"checks": map[string]any{"verify": []string{"true"}}})
	c = p.onTerminal("trust")
	c.shows("Trust this? [y/N]")
	c.types("n\n")
	c.wait()
}
