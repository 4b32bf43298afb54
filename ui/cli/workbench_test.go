package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"growbench/engine/event"
)

// sees waits until the screen is as wanted; what it showed before is nothing.
func (c *console) sees(what string, want func(screen string) bool) {
	c.t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		c.mu.Lock()
		screen := c.screen.String()
		c.mu.Unlock()
		if want(screen) {
			return
		}
		select {
		case <-c.changed:
		case <-c.ended:
			c.t.Fatalf("it ended before %s:\n%s", what, c.text())
		case <-late.C:
			c.t.Fatalf("the screen never shows %s:\n%s", what, screen)
		}
	}
}

// now waits until all words are on the screen at once.
func (c *console) now(words ...string) {
	c.t.Helper()
	c.sees(strings.Join(words, ", "), func(screen string) bool {
		for _, w := range words {
			if !strings.Contains(screen, w) {
				return false
			}
		}
		return true
	})
}

// without waits until the words are off the screen.
func (c *console) without(words string) {
	c.t.Helper()
	c.sees("no "+words, func(screen string) bool { return !strings.Contains(screen, words) })
}

// confirms says yes to what came up once keys count.
func (c *console) confirms(words ...string) {
	c.t.Helper()
	c.now(append(words, "(also enter, esc)")...)
	c.types("y")
	c.without("(also enter, esc)")
}

// insists types a key on a run that has ended until its owner has left, too.
func (c *console) insists(key, words string) {
	c.t.Helper()
	const leaving = "the run is just leaving"
	for {
		c.types(key)
		early := false
		c.sees(words, func(s string) bool {
			early = strings.Contains(s, leaving)
			return early || strings.Contains(s, words)
		})
		if !early {
			return
		}
		c.types("k") // the list has one run; it stays picked
		c.without(leaving)
	}
}

// leaves closes the screen.
func (c *console) leaves() {
	c.t.Helper()
	c.types("q")
	if code := c.wait(); code != exitOK {
		c.t.Errorf("left with %d:\n%s", code, c.text())
	}
}

func TestTheWorkbenchOfAnEmptyProjectSaysWhatToType(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	c := p.onTerminal(filepath.Join(p.repo, "sub"))
	c.now("No runs in this project yet", " demo ", "run --task0 task0.md", "nothing runs here")
	for _, key := range []string{"R", "T", "B", "M", "D", "X", "v", "S"} {
		c.types(key)
		c.now(key + " does nothing now: there is no run yet")
	}
	run := p.passedRun() // from elsewhere, while the list is on the screen
	c.now("passed", "2/2", "Make both letters large.", run)
	c.leaves()
}

func TestActsOnARunOfTheList(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers(), p.another("other", twoWorkers()))
	run := p.passedRun()
	dir := p.runNamed(run)
	head := p.git(p.repo, "rev-parse", "HEAD")
	c := p.onTerminal()
	c.now(run, "passed", "none")

	c.types("D")
	c.now("changes of run "+run, "a.txt", "+A", "-a")
	c.types("\x1b")
	c.without("changes of run")

	put(t, filepath.Join(p.repo, "b.txt"), "mine\n")
	c.types("M")
	c.now("cannot merge run "+run, "b.txt (changed, not committed)")
	c.types("\x1b")
	c.without("cannot merge")
	put(t, filepath.Join(p.repo, "b.txt"), "b\n")
	c.types("M")
	c.now("merge run "+run+"?", "would be fast-forwarded", "modified  a.txt", "modified  b.txt", "(also enter, esc)")
	c.types("\r") // enter never means yes
	c.without("merge run " + run + "?")
	if now := p.git(p.repo, "rev-parse", "HEAD"); now != head {
		t.Fatal("enter has merged")
	}
	c.types("M")
	c.confirms("merge run " + run + "?")
	c.now("fast-forwarded", "modified  a.txt")
	if now := p.git(p.repo, "rev-parse", "HEAD"); now == head {
		t.Error("nothing was merged")
	}
	c.types("\x1b")
	c.without("fast-forwarded")
	c.types("M")
	c.now("cannot merge run "+run, "there already")
	c.types("\x1b")
	c.without("cannot merge")

	c.types("B")
	c.now("roll back: from which Worker on?", "2  second")
	c.types("2")
	c.confirms("drop Workers from 2 on of run "+run+"?", "Worker 2  second")
	c.now("Workers from 2 on are dropped", "refs/growbench/")
	c.types("\x1b")
	c.without("are dropped")
	c.now("1/2", "stopped")

	c.types("T")
	c.now("retry: from which Worker on?", "2  second")
	c.types("2")
	c.now("retry Worker 2: with which agent?", "other")
	c.mu.Lock()
	number := regexp.MustCompile(`(\d) other`).FindStringSubmatch(c.screen.String())
	c.mu.Unlock()
	if number == nil {
		t.Fatal("the other agent cannot be picked")
	}
	c.types(number[1])
	c.sees("what the retry touches", func(s string) bool {
		return strings.Contains(s, "Worker 2 is given to other.") && strings.Contains(s, "(also enter, esc)")
	})
	c.types("y")
	c.now("2/2", "passed")
	p.ended(dir)

	c.insists("X", "delete run "+run+"?")
	c.confirms("delete run "+run+"?", "goes", run)
	c.now("deleted  "+run, "freed: record, clone and refs")
	c.types("\x1b")
	c.without("freed")
	c.now("No runs in this project yet")
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the run is still there: %v", err)
	}
	c.leaves()
}

// aged moves all that a run's log tells a month back.
func (p *place) aged(dir string) {
	p.t.Helper()
	path := filepath.Join(dir, "events.jsonl")
	times := regexp.MustCompile(`"at":"([^"]+)"`)
	put(p.t, path, times.ReplaceAllStringFunc(get(p.t, path), func(s string) string {
		at, err := time.Parse(time.RFC3339Nano, times.FindStringSubmatch(s)[1])
		if err != nil {
			p.t.Fatal(err)
		}
		return `"at":"` + at.AddDate(0, -1, 0).Format(time.RFC3339Nano) + `"`
	}))
}

func TestOldRunsAreDeletedAtOnceAndYoungOnesStay(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	old, young := p.passedRun(), p.passedRun()
	gone, stays := p.runNamed(old), p.runNamed(young)
	p.aged(gone)
	c := p.onTerminal()
	c.now("2 passed")
	c.types("\x18")
	c.now("delete old runs?", "goes     "+old, "stays    "+young+"  not old enough", "would be freed", "(also enter, esc)")
	c.types("\r") // enter never means yes
	c.without("delete old runs?")
	c.types("\x18")
	c.confirms("delete old runs?")
	c.now("deleted  "+old, "freed: record, clone and refs")
	c.types("\x1b")
	c.without("freed")
	c.now("1 passed", young)
	c.types("\x18")
	c.now("cannot delete old runs", "nothing can go", "not old enough")
	c.types("\x1b")
	c.without("nothing can go")
	c.leaves()
	if _, err := os.Stat(gone); !os.IsNotExist(err) {
		t.Errorf("the old run is still there: %v", err)
	}
	if _, err := os.Stat(stays); err != nil {
		t.Error(err)
	}
}

func TestTheWorkbenchOpensTheRunAtWorkAndStopsItFromTheList(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(g.gated())
	dir := p.detached(p.runTwo()...)
	p.held(dir, 2)
	c := p.onTerminal(p.repo)
	c.now("Worker 2 of 2 at work", "second")
	for _, key := range []string{"R", "T", "B", "M", "X"} {
		c.types(key)
		c.now(key + " does nothing now: the run is at work; S stops it")
	}
	c.types("L")
	c.now("goal", "1/2", "running", "1 running")
	c.types("\r")
	c.now("Worker 2 of 2 at work")
	c.types("L")
	c.now("1 running")
	c.types("S")
	c.confirms("stop run "+filepath.Base(dir)+"?", "Worker 2 (second) is at work")
	c.now("stopped", "1 stopped")
	p.nobody(dir)
	g.open()
	c.insists("R", "resume run "+filepath.Base(dir)+"?")
	c.confirms("resume run "+filepath.Base(dir)+"?", "Worker 2  second")
	c.now("1 passed")
	p.ended(dir)
	c.leaves()
}

func TestWhatAllRunsWaitForIsAnsweredInOnePlace(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	needs := steps(write("a.txt", "A\n"), []step{{"turn": 1}, {"result": map[string]any{
		"status": "blocked", "needs": []string{"sub/c.txt"}, "summary": "Cannot.", "breaking": []string{},
		"files": map[string]any{"modified": []string{}},
	}}})
	p.configure(needs)
	first, second := p.detached(p.runTwo()...), ""
	p.waits(first)
	c := p.onTerminal()
	c.now("1 waiting, a answers")
	second = p.detached(p.runTwo()...)
	p.waits(second)
	c.now("2 waiting, a answers")
	c.types("a\r12") // much too soon, and enter says nothing at all
	c.now("the run waits for you", "1 of 2", "sub/c.txt", "widen", "end the chain here")
	c.without("a moment, then")
	c.types("\r\r")
	c.types("n")
	c.now("2 of 2")
	c.without("a moment, then")
	p.do("answer", filepath.Base(second), p.waits(second).ID, "fail").ends(exitOK) // somebody else is faster
	p.ended(second)
	c.types("N")
	c.sees("the one that is left", func(s string) bool {
		return strings.Contains(s, "1 waiting") && strings.Contains(s, filepath.Base(first)) && strings.Contains(s, "widen") && !strings.Contains(s, "a moment, then")
	})
	c.types("2")
	if s := p.ended(first); s.Status != event.StatusFailed {
		t.Errorf("run %s: %s", first, s.Status)
	}
	c.without("waiting, a answers")
	c.leaves()
}

func TestAReplayOnTheScreenAllowsNothing(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	run := p.passedRun()
	before := get(t, filepath.Join(p.runNamed(run), "events.jsonl"))
	c := p.onTerminal("replay", run, "--speed", "instant")
	c.now("REPLAY", "at the end", "instant", "passed")
	c.types("\x1b[H")
	c.now("REPLAY  paused", "event 1 of")
	for _, key := range []string{"S", "R", "T", "B", "M", "X", "D"} {
		c.types(key)
		c.now(key + " does nothing now: this is a replay")
	}
	c.types("]")
	c.now("1 first", "running", "of 2 at work")
	c.types("]")
	c.now("Worker 2 of 2 at work", "1 of 2 done")
	c.types("[")
	c.now("Worker 1 of 2 at work", "0 of 2 done")
	c.types("\x1b[F")
	c.now("passed · verified: none")
	c.types("L")
	c.now("goal", "1 passed")
	c.leaves()
	if after := get(t, filepath.Join(p.runNamed(run), "events.jsonl")); after != before {
		t.Error("the replay has changed the run")
	}
}

func TestWatchingOnTheScreenTouchesNothing(t *testing.T) {
	t.Parallel()
	p, other := newProject(t), newPlace(t)
	g := p.gate("gate")
	p.configure(g.gated())
	dir := p.detached(p.runTwo()...)
	p.held(dir, 2)
	c := other.onTerminal("watch", dir)
	c.now("Worker 2 of 2 at work")
	for _, key := range []string{"S", "R", "M"} {
		c.types(key)
		c.now(key + " does nothing now: this run is only watched")
	}
	c.types("\x03")
	c.now("leave, stop or stay?", "Back here with")
	c.types("s")
	c.types("\x1b")
	c.without("leave, stop or stay?")
	g.open()
	p.ended(dir)
	c.now("passed · verified: none")
	c.leaves()
	c.shows("Nothing was touched")
}

func TestTheWorkbenchWithoutAScreenFollowsTheRunAtWork(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(g.gated())
	dir := p.detached(p.runTwo()...)
	p.held(dir, 2)
	r := p.start()
	r.says("following run " + filepath.Base(dir))
	g.open()
	if end := r.wait().ends(exitOK).end(); end.Status != "passed" {
		t.Errorf("ended %+v", end)
	}
	p.ended(dir)
}

func TestTheWayBackIsHowItWasStarted(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(g.gated())
	dir := p.detached(p.runTwo()...)
	p.held(dir, 2)
	c := p.onTerminal("attach", filepath.Base(dir))
	c.now("Worker 2 of 2 at work")
	c.leaves()
	c.shows("goes on. To come back: ")
	c.shows(" attach " + filepath.Base(dir))
	c = p.onTerminal("-C", p.repo)
	c.now("Worker 2 of 2 at work")
	c.types("L")
	c.now("1 running")
	c.leaves()
	c.shows("1 run at work. To come back: ")
	g.open()
	p.ended(dir)
}
