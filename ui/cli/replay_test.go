package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"growbench/engine/event"
)

func TestReplayPrintsWhatTheRunDid(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	run := p.passedRun()
	log := get(t, filepath.Join(p.runNamed(run), "events.jsonl"))

	whole := p.do("replay", run, "--speed", "instant").ends(exitOK)
	if whole.out != log {
		t.Errorf("replayed:\n%s\nof the log:\n%s", whole.out, log)
	}
	p.do("replay", "latest", "--json", "--speed", "1000000").ends(exitOK, `"type":"run.ended"`)
	for _, wrong := range []string{"0", "-1", "NaN", "fast", "1e9", ""} {
		p.do("replay", run, "--speed", wrong).ends(exitUsage, "--speed", "instant")
	}
	p.do("replay", "none").ends(exitUsage, "no such run")
}

// paced is a recorded run of two events that are an hour of work apart.
func (p *place) paced() string {
	dir := filepath.Join(p.base, "elsewhere")
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	put(p.t, filepath.Join(dir, "events.jsonl"), "")
	log, _, _, err := event.OpenLog(filepath.Join(dir, "events.jsonl"), func() time.Time { at = at.Add(time.Hour); return at })
	if err != nil {
		p.t.Fatal(err)
	}
	for _, b := range []event.Body{event.RunStarted{Format: event.Version, Run: "r"}, event.WorkerTurn{K: 1}} {
		if _, err := log.Append(false, b); err != nil {
			p.t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		p.t.Fatal(err)
	}
	return dir
}

func TestReplayKeepsTheTimeAndCanBeLeft(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	dir := p.paced()
	r := p.start("replay", dir)
	r.prints("run.started")
	r.signal(os.Interrupt)
	if got := r.wait().ends(exitInterrupted); strings.Contains(got.out, "worker.turn") {
		t.Errorf("an hour has passed at once:\n%s", got.out)
	}
	p.do("replay", dir, "--speed", "1e6").ends(exitOK, "worker.turn")
}

// prints waits until words are on standard output.
func (r *running) prints(words string) {
	r.p.t.Helper()
	late := time.After(patience)
	for {
		if out, _ := r.printed(); strings.Contains(out, words) {
			return
		}
		select {
		case <-r.changed:
		case <-late:
			out, errs := r.printed()
			r.p.t.Fatalf("it never prints %q:\n%s\n%s", words, out, errs)
		}
	}
}

func TestReplayEndsWhenNobodyReads(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	r := p.start("replay", p.paced())
	r.out.Close()
	r.wait().ends(exitOK)
}

func TestWatchFollowsARunOfAnotherPlaceAndTouchesNothing(t *testing.T) {
	t.Parallel()
	p, other := newProject(t), newPlace(t)
	g := p.gate("gate")
	p.configure(g.gated())
	dir := p.detached(p.runTwo()...)
	p.held(dir, 2)

	watcher := other.start("watch", dir)
	watcher.prints("worker.started")
	watcher.signal(syscall.SIGTERM)
	watcher.wait().ends(exitInterrupted)
	if ownerOf(dir) == 0 {
		t.Fatal("a watcher that was ended has ended the run")
	}
	for _, name := range []string{dir + "/", p.repo} { // the run's directory, and its project
		from := other
		if name == p.repo {
			from = p
		}
		followed := from.start("watch", name)
		followed.prints("worker.started")
		if name == p.repo {
			g.open()
			followed.wait().ends(exitOK, `"status":"passed"`)
		} else {
			followed.signal(os.Interrupt)
			followed.wait().ends(exitInterrupted)
		}
	}
	p.ended(dir)
	other.do("watch", dir).ends(exitOK, `"status":"passed"`)
	p.do("watch", "latest").ends(exitOK, `"status":"passed"`)
}

func TestWatchSaysWhatIsNotOurs(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	theirs := filepath.Join(p.base, "theirs")
	put(t, filepath.Join(theirs, "events.jsonl"), "{\"kind\":\"something else\"}\n")
	for _, dir := range []string{theirs, p.repo, filepath.Join(p.repo, "sub")} {
		p.do("watch", dir).ends(exitUsage, "neither the directory of a growbench run", "runs of other tools")
	}
	p.do("watch", "2026-none").ends(exitUsage, "no such run")
	p.do("watch", filepath.Join(p.base, "nowhere")).ends(exitUsage, "no such run")
}
