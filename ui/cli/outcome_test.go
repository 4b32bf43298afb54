package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"growbench/engine"
)

// evil is what a Worker may write to fool a terminal.
const evil = "A\n\x1b]0;title\x07\x1b[2Jcleared \x9b31m\xff\n"

// passedRun does a run of two Workers and returns its name.
func (p *place) passedRun(more ...string) string {
	p.t.Helper()
	before := len(p.runDirs())
	p.do(append(p.runTwo("--headless"), more...)...).ends(exitOK)
	dirs := p.runDirs()
	if len(dirs) != before+1 {
		p.t.Fatalf("%d runs", len(dirs))
	}
	return filepath.Base(dirs[len(dirs)-1])
}

func TestDiffIsAPatch(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(steps(write("a.txt", evil), write("b.txt", "B\n")))
	run := p.passedRun()

	whole := p.do("diff", run).ends(exitOK)
	if !strings.Contains(whole.out, "+\x1b]0;title\x07") {
		t.Errorf("the patch is not byte for byte: %q", whole.out)
	}
	put(t, filepath.Join(p.base, "whole.patch"), whole.out)
	p.git(p.repo, "apply", "--check", filepath.Join(p.base, "whole.patch"))
	p.do("diff", run, "2").ends(exitOK, "+B").silent("a.txt")
	p.do("diff", run, "--stat").ends(exitOK, "modified", "+2 −1", "a.txt", "2 files, +3 −2 lines")
	var d engine.Difference
	p.do("diff", "latest", "2", "--json").ends(exitOK).json(&d)
	if d.Run != run || d.K != 2 || d.From == "" || d.To == "" || len(d.Files) != 1 || d.Files[0].Path != "b.txt" || d.Files[0].Kind != "modified" || !strings.Contains(d.Patch, "+B") {
		t.Errorf("%+v", d)
	}
	p.do("diff", run, "9").ends(exitUsage, "no Worker 9")
	p.do("diff", run, "x").ends(exitUsage, "no Worker's number")
	p.do("diff", "nothing").ends(exitUsage)
}

func TestDiffOnATerminalIsCleanAndColoured(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(steps(write("a.txt", evil), write("b.txt", "B\n")))
	run := p.passedRun()
	for _, colour := range []bool{true, false} {
		if !colour {
			p.more = append(p.more, "NO_COLOR=1")
		}
		c := p.onTerminal("diff", run)
		c.shows("+B")
		if code := c.wait(); code != exitOK {
			t.Errorf("ended with %d", code)
		}
		c.mu.Lock()
		raw := c.raw.String()
		c.mu.Unlock()
		if strings.Contains(raw, "\x1b]0;") || strings.Contains(raw, "\x1b[2J") || strings.Contains(raw, "\x07") {
			t.Errorf("a Worker's escape sequence reaches the terminal: %q", raw)
		}
		if strings.Contains(raw, "\x1b[") != colour {
			t.Errorf("colour %v: %q", colour, raw)
		}
	}
}

func TestMergeSaysWhatItDid(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	run := p.passedRun()
	put(t, filepath.Join(p.repo, "sub", "c.txt"), "mine\n")
	head := p.git(p.repo, "rev-parse", "HEAD")

	put(t, filepath.Join(p.repo, "b.txt"), "mine\n")
	p.do("merge", run).ends(exitProblems, "nothing was merged", "b.txt (changed, not committed)", "Commit, stash")
	var answer mergeAnswer
	p.do("merge", run, "--json").ends(exitProblems).json(&answer)
	if answer.How != "refused" || len(answer.Left) != 1 || answer.Left[0].Path != "b.txt" || answer.Why == "" || answer.To != "" {
		t.Errorf("refused: %+v", answer)
	}
	put(t, filepath.Join(p.repo, "b.txt"), "b\n")
	p.do("merge", run, "--dry-run").ends(exitOK, "would be merged into main of "+p.repo+" by fast-forward", "a.txt")
	if now := p.git(p.repo, "rev-parse", "HEAD"); now != head {
		t.Errorf("the dry run moved the branch to %s", now)
	}
	answer = mergeAnswer{}
	p.do("merge", run, "--json").ends(exitOK).json(&answer)
	if answer.How != "fast-forward" || answer.Branch != "main" || answer.From != head || len(answer.Files) != 2 || len(answer.Notes) != 1 || !strings.Contains(answer.Notes[0], "nothing was checked") {
		t.Errorf("%+v", answer)
	}
	if got := p.git(p.repo, "status", "--porcelain"); got != " M sub/c.txt" {
		t.Errorf("status: %q", got)
	}
	p.do("merge", run).ends(exitOK, "Nothing to merge")
}

func TestMergeWithoutARepositoryNamesWhatItLeaves(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	if err := os.RemoveAll(filepath.Join(p.repo, ".git")); err != nil {
		t.Fatal(err)
	}
	p.configure(twoWorkers())
	run := p.passedRun()
	put(t, filepath.Join(p.repo, "b.txt"), "mine\n")
	p.do("merge", run).ends(exitProblems, "1 file written", "a.txt", "Left as they are", "b.txt (changed since the run began)")
	if got := get(t, filepath.Join(p.repo, "a.txt")) + get(t, filepath.Join(p.repo, "b.txt")); got != "A\nmine\n" {
		t.Errorf("%q", got)
	}
}

func TestRollbackThenResume(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	run := p.passedRun()
	branch := p.shown(run).Branch
	p.do("rollback", run, "9").ends(exitUsage, "no Worker 9")
	p.do("rollback", run, "2").ends(exitOK, "2-dropped-1", "Branch "+branch+" is left", "resume "+run)
	if s := p.shown(run); s.Status != "stopped" || s.Workers[1].State != "pending" || s.Reason != "rolled back to Worker 1" {
		t.Errorf("%s: %s, Worker 2 %s", s.Status, s.Reason, s.Workers[1].State)
	}
	p.do("merge", run).ends(exitProblems, "only 1 of the run's 2 Workers")
	p.do("resume", run, "--headless").ends(exitOK)
	var out engine.RolledBack
	p.do("rollback", run, "1", "--json").ends(exitOK).json(&out)
	if out.K != 1 || len(out.Dropped) != 2 || out.Commit == "" {
		t.Errorf("%+v", out)
	}
}

func TestRunsPruneSaysWhatItFrees(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	run := p.passedRun()
	p.do("runs", "prune").ends(exitOK, "kept", run, "not old enough", "0 runs, 0 B freed")
	p.do("runs", "prune", "--older-than", "soon").ends(exitUsage, "12h, 14d or 2w")
	p.do("runs", "prune", "--keep", "-1").ends(exitUsage)
	p.do("runs", "prune", "nothing").ends(exitUsage)
	p.do("runs", "prune", "--older-than", "0s", "--dry-run").ends(exitOK, "would go", run, "would be freed")
	var out struct {
		engine.Pruned
		DryRun bool `json:"dry_run"`
	}
	p.do("runs", "prune", run, "--json").ends(exitOK).json(&out)
	if out.DryRun || len(out.Runs) != 1 || out.Runs[0].Run != run || out.Freed <= 0 {
		t.Errorf("%+v", out)
	}
	p.do("runs").ends(exitOK, "No runs here yet")
	if refs := p.git(p.repo, "for-each-ref", "refs/growbench"); refs != "" {
		t.Errorf("refs are left:\n%s", refs)
	}
}

func TestLatestIsNeverChangedElsewhere(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	run := p.passedRun()
	other := filepath.Join(p.base, "other")
	p.makeRepo(other)
	for _, args := range [][]string{{"merge", "latest"}, {"rollback", "latest", "1"}, {"runs", "prune", "latest"}} {
		p.do(append([]string{"-C", other}, args...)...).ends(exitUsage, "no such run in this project")
	}
	p.do("-C", other, "merge", run).ends(exitOK, "merged into main of "+p.repo)
}

func TestAges(t *testing.T) {
	for typed, want := range map[string]time.Duration{"14d": 14 * 24 * time.Hour, "2w": 14 * 24 * time.Hour, "90m": 90 * time.Minute, "0s": 0} {
		if got, err := parseAge(typed); err != nil || got != want {
			t.Errorf("%s is %v, %v", typed, got, err)
		}
	}
	for _, typed := range []string{"", "d", "-1d", "-3h", "99999999d", "1.5d", "14"} {
		if got, err := parseAge(typed); err == nil {
			t.Errorf("%q is %v", typed, got)
		}
	}
}
