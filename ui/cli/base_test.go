package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/doc"
)

// adds are the arguments of a run whose one Worker adds a line to a.txt.
func (p *place) adds(more ...string) []string {
	p.t.Helper()
	return append(append([]string{"run"}, p.order(doc.Plan{Tasks: []doc.PlanTask{task("add", 0, "a.txt")}})...), more...)
}

func adding() map[string]any {
	return steps([]step{{"run": "wc -l < a.txt >> a.txt"}, done("a.txt")})
}

func TestARunBeginsWhereAnotherEnded(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(adding())
	first := p.do(p.adds("--headless")...).ends(exitOK).end().Run
	p.do("__complete", "run", "--base", "").ends(exitOK, "head\n", "snapshot\n", first+"\n")

	c := p.onTerminal(p.adds("--headless", "--base", first[len(first)-6:])...)
	c.shows("it begins where run " + first + " ended")
	if code := c.wait(); code != exitOK {
		t.Fatalf("ended with %d", code)
	}
	s := p.shown("latest")
	if s.Base.Kind != "run" || s.Base.Run() != first {
		t.Errorf("the base is %+v", s.Base)
	}
	p.do("show", s.Run).ends(exitOK, "begins where run "+first+" ended")
	p.do("diff", s.Run).ends(exitOK, "+2").silent("+1\n")

	var answer mergeAnswer
	p.do("merge", s.Run, "--dry-run", "--json").ends(exitOK).json(&answer)
	if len(answer.Runs) != 1 || answer.Runs[0] != first {
		t.Errorf("the dry run brings %v", answer.Runs)
	}
	p.do("merge", s.Run).ends(exitOK, "This includes the work of run "+first)
	if got := get(t, filepath.Join(p.repo, "a.txt")); got != "a\n1\n2\n" {
		t.Errorf("a.txt is %q", got)
	}
	p.do("merge", first).ends(exitOK, "Nothing to merge")
}

func TestARunThatIsNoBase(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(g.gated())
	dir := p.detached(p.runTwo()...)
	p.held(dir, 2)
	run := filepath.Base(dir)
	before := len(p.runDirs())
	p.do(p.runTwo("--headless", "--base", run)...).ends(exitUsage, "--base", "it is at work", "growbench attach "+run)
	p.do("__complete", "run", "--base", "").ends(exitOK, "snapshot\n").silent(run)
	g.open()
	s := p.ended(dir)

	elsewhere := filepath.Join(p.base, "elsewhere")
	p.makeRepo(elsewhere)
	p.do(append([]string{"-C", elsewhere}, p.runTwo("--headless", "--base", run)...)...).ends(exitUsage, "a run of another project", p.repo)
	p.git(p.repo, "branch", "-qD", s.Branch)
	p.do(p.runTwo("--headless", "--base", "latest")...).ends(exitUsage, "its branch "+s.Branch+" is gone", "git branch "+s.Branch)
	p.do(p.runTwo("--headless", "--base", "nothing")...).ends(exitUsage, "neither head nor snapshot", "no such run")
	p.do(p.runTwo("--headless", "--base", "")...).ends(exitUsage, "--base is empty")
	if after := len(p.runDirs()); after != before {
		t.Errorf("%d runs were made", after-before)
	}
	if help := p.do("run", "--help").ends(exitOK).out; !strings.Contains(help, "head|snapshot|RUN") {
		t.Errorf("the help says\n%s", help)
	}
}
