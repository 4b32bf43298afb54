package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"growbench/engine/doc"
)

func TestPlanWithLayers(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(steps(write("a.txt", "A\n"), write("b.txt", "B\n"), write("sub/c.txt", "C\n"), write("new/d.txt", "D\n")))
	plan := doc.Plan{Tasks: []doc.PlanTask{task("one", 0, "a.txt"), task("two", 1, "b.txt"), task("three", 1, "sub/c.txt"), task("four", 4, "new/d.txt")}}
	run := p.do(append([]string{"run", "--headless"}, p.order(plan)...)...).ends(exitOK).end().Run
	s := p.shown(run)
	want := [][]int{{1}, {2, 3}, {4}}
	if s.Plan.N != 4 || !slices.EqualFunc(s.Plan.Layers, want, slices.Equal) || s.Plan.Source != "file" {
		t.Errorf("plan %+v", s.Plan)
	}
	log := p.git(p.repo, "log", "--reverse", "--format=%s %an", s.Branch)
	if log != "base Ann\none growbench\ntwo growbench\nthree growbench\nfour growbench" {
		t.Errorf("the branch's commits:\n%s", log)
	}
	for k := 1; k <= 4; k++ {
		if ref := p.git(p.repo, "rev-parse", fmt.Sprintf("refs/growbench/%s/%d", run, k)); ref != s.Workers[k-1].Commit {
			t.Errorf("ref %d is %s, the commit %s", k, ref, s.Workers[k-1].Commit)
		}
	}
}

// headings is the usual plan as a model without tools writes it.
func headings() string {
	var b strings.Builder
	b.WriteString("Here is the plan.\n\n")
	for k := 1; k <= 2; k++ {
		t := twoTasks().Task(k)
		fmt.Fprintf(&b, "## Task %d: %s\n\n### Goal\n%s\n\n### Background\n%s\n\n### Past failures\nNone — first attempt\n\n### Constraints\n- Stay small.\n\n### Target Files\n%s\n\n### Signatures\nNone\n\n",
			k, []string{"first", "second"}[k-1], t.Goal, t.Background, t.TargetFiles[0])
	}
	return b.String()
}

func TestPlanInHeadings(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	flags := p.order(twoTasks())
	put(t, flags[3], headings())
	run := p.do(append([]string{"run", "--headless"}, flags...)...).ends(exitOK).end().Run
	s := p.shown(run)
	if s.Plan.N != 2 || s.Workers[0].Title != "first" || s.Workers[1].Title != "second" {
		t.Errorf("plan %+v, Workers %+v", s.Plan, s.Workers)
	}
	// A problem is placed in the file as it is written.
	put(t, flags[3], strings.Replace(headings(), "\nb.txt\n", "\nb.txt\nforeign.txt\n", 1))
	line := 1 + strings.Count(strings.Split(get(t, flags[3]), "foreign.txt")[0], "\n")
	p.do(append([]string{"run", "--headless"}, flags...)...).ends(exitUsage, fmt.Sprintf("%s:%d:", flags[3], line), "foreign.txt")
}

func TestAgentOfOneTask(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers(), p.another("other", steps(nil, write("b.txt", "other\n"))), func(c map[string]any) {
		c["agents"].(map[string]any)["model"] = map[string]any{"kind": "acp", "argv": []string{"nobody", "acp"}}
	})
	plan := twoTasks()
	plan.Tasks[1].Agent = "nobody"
	p.do(append([]string{"run", "--headless"}, p.order(plan)...)...).ends(exitUsage, `agent "nobody" is not configured`)
	plan.Tasks[1].Agent = "model"
	p.do(append([]string{"run", "--headless"}, p.order(plan)...)...).ends(exitEnvironment, `"model"`, "task 2")
	if n := len(p.runDirs()); n > 0 {
		t.Fatalf("%d runs were made", n)
	}
	plan.Tasks[1].Agent = "other"
	run := p.do(append([]string{"run", "--headless"}, p.order(plan)...)...).ends(exitOK).end().Run
	s := p.shown(run)
	if s.Workers[0].Agent != "scripted" || s.Workers[1].Agent != "other" {
		t.Errorf("agents %s and %s", s.Workers[0].Agent, s.Workers[1].Agent)
	}
	if b := p.git(p.repo, "show", s.Branch+":b.txt"); b != "other" {
		t.Errorf("the branch holds %q", b)
	}
}

func TestBranchAndItsTakenName(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	for _, want := range []string{"giver/feat/x", "giver/feat/x-2", "giver/feat/x-3"} {
		flag := "feat/x"
		if want == "giver/feat/x-3" {
			flag = "giver/feat/x"
		}
		end := p.do(p.runTwo("--headless", "--branch", flag)...).ends(exitOK).end()
		if end.Branch != want || p.git(p.repo, "rev-parse", want) != end.Commit {
			t.Errorf("branch %s at %s, want %s", end.Branch, end.Commit, want)
		}
	}
	if at := p.git(p.repo, "symbolic-ref", "HEAD"); at != "refs/heads/main" {
		t.Errorf("the user stands on %s", at)
	}
}

func TestBaseOfARun(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	put(t, filepath.Join(p.repo, "sub", "c.txt"), "uncommitted\n")
	put(t, filepath.Join(p.repo, "untracked.txt"), "new\n")
	put(t, filepath.Join(p.repo, "x.log"), "ignored\n")
	before := fingerprint(t, p.repo)

	got := p.onTerminal(p.runTwo("--headless", "--base", "head")...)
	got.wait()
	got.shows("your uncommitted work is not in it (--base snapshot takes it along)")
	s := p.shown("latest")
	if !s.Base.Uncommitted || s.Base.Kind != "head" || s.Base.Commit != p.git(p.repo, "rev-parse", "HEAD") {
		t.Errorf("base %+v", s.Base)
	}
	if files := p.git(p.repo, "ls-tree", "-r", "--name-only", s.Branch); strings.Contains(files, "untracked") {
		t.Errorf("from head came:\n%s", files)
	}

	run := p.do(p.runTwo("--headless", "--base", "snapshot")...).ends(exitOK).end().Run
	s = p.shown(run)
	if s.Base.Uncommitted || s.Base.Kind != "snapshot" {
		t.Errorf("base %+v", s.Base)
	}
	files := p.git(p.repo, "ls-tree", "-r", "--name-only", s.Branch)
	if files != ".gitignore\na.txt\nb.txt\nsub/c.txt\nuntracked.txt" {
		t.Errorf("from the snapshot came:\n%s", files)
	}
	if c := p.git(p.repo, "show", s.Branch+":sub/c.txt"); c != "uncommitted" {
		t.Errorf("sub/c.txt is %q", c)
	}
	if parent := p.git(p.repo, "rev-parse", s.Base.Commit+"^"); parent != p.git(p.repo, "rev-parse", "HEAD") {
		t.Errorf("the snapshot's parent is %s", parent)
	}
	sameFiles(t, before, fingerprint(t, p.repo))
}
