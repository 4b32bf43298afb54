package cli

import (
	"path/filepath"
	"syscall"
	"testing"

	"growbench/engine/event"
)

func TestKilledWatcherLosesNothing(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(g.gated())
	r, dir := p.watching()
	r.signal(syscall.SIGKILL)
	r.wait()
	if ownerOf(dir) == 0 {
		t.Fatal("the owner died with its watcher")
	}
	g.open()
	if s := p.ended(dir); s.Status != "passed" {
		t.Fatalf("the run ended %s: %s", s.Status, s.Reason)
	}
	got := p.do("attach", "latest", "--headless").ends(exitOK)
	if got.end().Status != "passed" || got.out != get(t, filepath.Join(dir, "events.jsonl")) {
		t.Errorf("attach shows another run:\n%s", got.out)
	}
}

func TestKilledOwnerIsShownAndResumed(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(g.gated())
	r, dir := p.watching()
	run := filepath.Base(dir)
	p.kill(ownerOf(dir))
	r.wait().ends(exitProblems, "its owner is gone", "resume "+run)

	s := p.shown(run)
	if s.Owner != "gone" || s.Workers[0].State != "done" || s.Workers[1].State != event.Orphaned {
		t.Errorf("owner %s, Workers %s and %s", s.Owner, s.Workers[0].State, s.Workers[1].State)
	}
	p.do("show", run).ends(exitOK, "orphaned", "nobody is running it", "resume "+run)
	p.do("runs").ends(exitOK, "orphaned")
	p.do("attach", run, "--headless").ends(exitProblems, "its owner is gone", "resume "+run)

	g.open()
	got := p.do("resume", run, "--headless").ends(exitOK)
	began := map[int]int{}
	orphaned := false
	for _, e := range got.events() {
		switch b := e.Body.(type) {
		case event.WorkerStarted:
			began[b.K]++
		case event.RunOrphaned:
			orphaned = true
		}
	}
	if len(began) != 1 || began[2] != 1 || !orphaned || got.end().Status != "passed" {
		t.Errorf("Workers begun %v, orphaned %v, ended %+v", began, orphaned, got.end())
	}
	if b := p.git(p.repo, "show", p.shown(run).Branch+":b.txt"); b != "B" {
		t.Errorf("the branch holds %q", b)
	}
	p.nobody(dir)
}

// What a dead owner left running is ended by stop as well, and its run is
// closed.
func TestKilledOwnersRunIsStopped(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(g.gated())
	r, dir := p.watching()
	run := filepath.Base(dir)
	p.kill(ownerOf(dir))
	r.wait().ends(exitProblems, "its owner is gone")
	p.do("stop", run).ends(exitOK, "stopped", "resume "+run)
	p.nobody(dir)
	p.do("stop", run).ends(exitUsage, "nothing left to do")
	g.open()
	p.do("resume", run, "--headless").ends(exitOK)
}
