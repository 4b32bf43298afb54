package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"growbench/engine/event"
)

// events reads standard output as JSON lines, and nothing else.
func (s said) events() []event.Event {
	s.t.Helper()
	var events []event.Event
	for line := range strings.Lines(s.out) {
		var e event.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			s.t.Fatalf("growbench %s: %q is no event: %v", s.line, line, err)
		}
		events = append(events, e)
	}
	if len(events) == 0 {
		s.t.Fatalf("growbench %s printed no event\n%s", s.line, s.all())
	}
	return events
}

// end is the last event, which must be the run's end.
func (s said) end() event.RunEnded {
	s.t.Helper()
	events := s.events()
	end, ok := events[len(events)-1].Body.(event.RunEnded)
	if !ok {
		s.t.Fatalf("growbench %s ends with %s", s.line, events[len(events)-1].Body.Type())
	}
	return end
}

func TestHeadlessPrintsEventsOnAPipe(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers(), func(c map[string]any) { c["checks"] = map[string]any{"verify": []string{"true"}} })
	for _, flags := range [][]string{{"--headless"}, {"--headless", "--json"}} {
		got := p.do(p.runTwo(flags...)...).ends(exitOK)
		events := got.events()
		for i, e := range events {
			if e.Seq != uint64(i+1) {
				t.Fatalf("event %d has the number %d", i+1, e.Seq)
			}
		}
		end := got.end()
		if end.Status != "passed" || end.Verified != "passed" || end.Run == "" || !strings.HasPrefix(end.Branch, "giver/task/") {
			t.Errorf("ended %+v", end)
		}
		if log := get(t, filepath.Join(p.runNamed(end.Run), "events.jsonl")); log != got.out {
			t.Error("what is printed is not the run's log")
		}
	}
}

// A run that failed is told by the exit code, and its reason in words.
func TestFailedRunEndsInOne(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(steps(write("a.txt", "A\n"), []step{{"fail": "no more \x1b[31mideas"}}))
	got := p.do(p.runTwo("--headless")...).ends(exitProblems)
	if end := got.end(); end.Status != "failed" || end.Worker != 2 || !strings.Contains(end.Reason, "ideas") {
		t.Errorf("ended %+v", end)
	}
	p.do("show", "latest").ends(exitOK, "**failed**", "no more", "growbench retry", "growbench resume").silent("\x1b")
	p.do("attach", "latest", "--headless").ends(exitProblems)

	p.configure(twoWorkers(), func(c map[string]any) { c["checks"] = map[string]any{"verify": []string{"false"}} })
	if end := p.do(p.runTwo("--headless")...).ends(exitProblems).end(); end.Status != "failed" || end.Verified != "failed" {
		t.Errorf("ended %+v", end)
	}
}

func TestHeadlessPrintsWordsOnATerminal(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	c := p.onTerminal(p.runTwo("--headless")...)
	if code := c.wait(); code != exitOK {
		t.Errorf("ended with %d", code)
	}
	c.shows("verified: none (nothing was checked)")
	for _, words := range []string{"the agents are scripted", "plan: 2 Workers, from the file", "worker 1: started (scripted)", "worker 2: done", "branch giver/task/make-both-letters-large"} {
		c.shows(words)
	}
	if strings.Contains(c.text(), `{"seq"`) || strings.Contains(c.text(), "\x1b") {
		t.Errorf("not words alone:\n%s", c.text())
	}

	c = p.onTerminal(p.runTwo("--headless", "--json")...)
	c.shows(`"type":"run.ended"`)
	c.wait()
}

// Without a terminal nobody can answer, whether --headless is typed or not.
func TestNobodyToAnswerWithoutATerminal(t *testing.T) {
	t.Parallel()
	blocked := steps([]step{{"result": map[string]any{"status": "blocked", "needs": []string{"b.txt"}, "summary": "x"}}}, write("b.txt", "B\n"))
	for _, flags := range [][]string{{"--headless"}, nil} {
		p := newProject(t)
		p.configure(blocked)
		got := p.do(p.runTwo(flags...)...).ends(exitProblems)
		if end := got.end(); end.Status != "failed" || !strings.Contains(end.Reason, "blocked: needs b.txt") {
			t.Errorf("%v: ended %+v", flags, end)
		}
		again := p.do(append([]string{"resume", "latest"}, flags...)...).ends(exitProblems)
		if end := again.end(); end.Status != "failed" {
			t.Errorf("%v: resumed and ended %+v", flags, end)
		}
	}
}

// watching starts a run on a pipe and waits until Worker 2 is held up.
func (p *place) watching() (*running, string) {
	p.t.Helper()
	r := p.start(p.runTwo("--headless")...)
	dir := p.made()
	p.held(dir, 2)
	return r, dir
}

func TestInterruptStopsTheRunAndResumeGoesOn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		signal syscall.Signal
		state  string
	}{{syscall.SIGINT, event.Interrupted}, {syscall.SIGTERM, event.Stopped}} {
		t.Run(test.state, func(t *testing.T) {
			p := newProject(t)
			g := p.gate("gate")
			p.configure(g.gated())
			r, dir := p.watching()
			r.signal(test.signal)
			got := r.wait().ends(exitInterrupted, "Stopping the run")
			if end := got.end(); end.Status != "stopped" || end.Worker != 2 {
				t.Errorf("ended %+v", end)
			}
			p.ended(dir)
			p.nobody(dir)
			s := p.shown("latest")
			if s.Status != "stopped" || s.Workers[0].State != "done" || s.Workers[1].State != test.state {
				t.Errorf("%s, Workers %s and %s", s.Status, s.Workers[0].State, s.Workers[1].State)
			}
			whole := get(t, filepath.Join(dir, "results.md"))
			if strings.Count(whole, "# RESULT #") != 1 || !strings.Contains(whole, "RESULT #1") {
				t.Errorf("results.md:\n%s", whole)
			}
			var r2 report
			p.do("lint", filepath.Join(dir, "results.md"), "--kind", "results", "--json").ends(exitOK).json(&r2)

			g.open()
			again := p.do("resume", "latest", "--headless").ends(exitOK)
			started := []int{}
			for _, e := range again.events() {
				if w, ok := e.Body.(event.WorkerStarted); ok {
					started = append(started, w.K)
				}
			}
			if !slices.Equal(started, []int{2}) || again.end().Status != "passed" {
				t.Errorf("resumed with Workers %v, ended %+v", started, again.end())
			}
			if both := get(t, filepath.Join(dir, "results.md")); !strings.HasPrefix(both, whole[:len(whole)-1]) || strings.Count(both, "# RESULT #") != 2 {
				t.Errorf("results.md after resume:\n%s", both)
			}
		})
	}
}

// The terminal's own Ctrl-C reaches the watcher alone: the owner has a
// session of its own and is asked to stop.
func TestCtrlCOnATerminal(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(p.gate("gate").gated())
	c := p.onTerminal(p.runTwo("--headless")...)
	dir := p.made()
	p.held(dir, 2)
	c.types("\x03")
	if code := c.wait(); code != exitInterrupted {
		t.Errorf("ended with %d", code)
	}
	c.shows("worker 2: interrupted")
	p.ended(dir)
	p.nobody(dir)
}

// A second Ctrl-C leaves at once, even while the owner cannot answer; the run
// is stopped all the same.
func TestSecondInterruptLeavesAtOnce(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(p.gate("gate").gated())
	r, dir := p.watching()
	// The owner stands still, so that stopping takes as long as we like.
	owner := ownerOf(dir)
	syscall.Kill(owner, syscall.SIGSTOP)
	defer syscall.Kill(owner, syscall.SIGCONT)
	r.signal(syscall.SIGINT)
	r.says("once more leaves at once")
	r.signal(syscall.SIGINT)
	r.wait().ends(exitInterrupted)
	if ownerOf(dir) != owner {
		t.Error("the run ended before its watcher")
	}
	syscall.Kill(owner, syscall.SIGCONT)
	if s := p.ended(dir); s.Status != "stopped" {
		t.Errorf("the run ended %s", s.Status)
	}
	p.nobody(dir)
}

// Each way a watcher can lose its reader or its terminal ends the watcher
// while the run is held up; the run then goes on to its end.
func TestLosingTheTerminalEndsOnlyTheWatcher(t *testing.T) {
	t.Parallel()
	nohup := func(p *place, args []string) []string {
		return append([]string{"sh", "-c", `trap '' HUP; exec "$@"`, "sh"}, args...)
	}
	for name, test := range map[string]struct {
		wrap func(p *place, args []string) []string
		lose func(p *place, c *console, r *running)
		pty  bool
	}{
		"hang-up signal":            {lose: func(_ *place, _ *console, r *running) { r.signal(syscall.SIGHUP) }},
		"closed pipe":               {lose: func(_ *place, _ *console, r *running) { r.out.Close() }},
		"closed terminal":           {pty: true, lose: func(_ *place, c *console, _ *running) { c.hangUp() }},
		"closed terminal and nohup": {pty: true, wrap: nohup, lose: func(_ *place, c *console, _ *running) { c.hangUp() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			g := p.gate("gate")
			p.configure(g.gated())
			cmd := p.command(p.runTwo("--headless")...)
			if test.wrap != nil {
				wrapped := test.wrap(p, cmd.Args)
				sh := p.command()
				sh.Path, sh.Args = "/bin/sh", wrapped
				cmd = sh
			}
			var c *console
			var r *running
			if test.pty {
				c = p.console(cmd)
			} else {
				r = p.startCommand(cmd)
			}
			dir := p.made()
			p.held(dir, 2)
			test.lose(p, c, r)
			if test.pty {
				c.wait()
			} else {
				r.wait()
			}
			if ownerOf(dir) == 0 {
				t.Fatal("the run ended with its watcher")
			}
			g.open()
			if s := p.ended(dir); s.Status != "passed" {
				t.Errorf("the run ended %s: %s", s.Status, s.Reason)
			}
		})
	}
}

// Ignored when it was started, a hang-up does not end a watcher whose output
// is a file.
func TestNohupIsRespected(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(g.gated())
	out := filepath.Join(p.base, "out")
	f, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd := p.command(p.runTwo("--headless")...)
	sh := p.command()
	sh.Path, sh.Args = "/bin/sh", append([]string{"sh", "-c", `trap '' HUP; exec "$@"`, "sh"}, cmd.Args...)
	sh.Stdout = f
	if err := sh.Start(); err != nil {
		t.Fatal(err)
	}
	dir := p.made()
	p.held(dir, 2)
	sh.Process.Signal(syscall.SIGHUP)
	g.open()
	p.ended(dir)
	if err := sh.Wait(); err != nil {
		t.Errorf("the watcher ended with %v", err)
	}
	if log := get(t, filepath.Join(dir, "events.jsonl")); get(t, out) != log {
		t.Error("it did not print the run to its end")
	}
}
