package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/doc"
)

// A Task #0 or a plan that cannot be used ends the command with every problem
// named by its line, before anything is made.
func TestWrongTask0IsRefusedWithEveryLine(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	before := fingerprint(t, p.repo)
	t0 := filepath.Join(p.base, "task0.md")
	text := strings.Join([]string{
		"# Task #0 (for Planner)", // 1
		"",
		"### Goal",                 // 3
		"Make both letters large.", // 4
		"",
		"### Past failures", // 6
		"None — first attempt",
		"",
		"### Constraints", // 9
		"- Stay small.",
		"",
		"### Target Files", // 12
		"/etc/passwd",      // 13
		"../outside.txt",   // 14
		"a.txt",            // 15
		"",
		"### Signatures",                   // 17
		"Parse(text string) (Size, error)", // 18
		"see size/size.go",                 // 19
		"",
	}, "\n")
	put(t, t0, text)
	got := p.do("run", "--task0", t0, "--headless").ends(exitUsage, "Background", "nothing was started")
	for line, word := range map[int]string{13: "/etc/passwd", 14: "../outside.txt", 18: "Parse", 19: "see size/size.go"} {
		found := false
		for said := range strings.Lines(got.err) {
			found = found || strings.HasPrefix(said, fmt.Sprintf("%s:%d:", t0, line)) && strings.Contains(said, "error") && strings.Contains(said, word)
		}
		if !found {
			t.Errorf("the problem in line %d (%s) is not named:\n%s", line, word, got.err)
		}
	}
	if got.out != "" {
		t.Errorf("standard output: %q", got.out)
	}
	p.do("run", "--task0", t0, "--json").ends(exitUsage)
	p.nothingKept()
	sameFiles(t, before, fingerprint(t, p.repo))
}

func TestWrongPlanIsRefusedWithEveryLine(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	before := fingerprint(t, p.repo)
	t0, plan := filepath.Join(p.base, "task0.md"), filepath.Join(p.base, "plan.json")
	put(t, t0, brief("a.txt", "b.txt", "forgotten.txt"))
	second := task("second", 0, "b.txt", "foreign.txt")
	second.Agent = "nobody-knows-me"
	put(t, plan, doc.FormatPlan(doc.Plan{Tasks: []doc.PlanTask{task("first", 1, "a.txt"), second}}))
	got := p.do("run", "--task0", t0, "--plan", plan, "--headless").
		ends(exitUsage, `"forgotten.txt" of Task #0 is assigned to no task`, `"foreign.txt" is not among the target files`,
			"layers never decrease", `agent "nobody-knows-me" is not configured`, "nothing was started")
	for line := range strings.Lines(got.err) {
		if strings.Contains(line, ": error: ") && !placed(line, plan) {
			t.Errorf("a problem without its line: %s", line)
		}
	}
	wantLine := 1 + strings.Count(get(t, plan)[:strings.Index(get(t, plan), "foreign.txt")], "\n")
	if want := fmt.Sprintf("%s:%d:", plan, wantLine); !strings.Contains(got.err, want) {
		t.Errorf("the foreign target is not placed at %s:\n%s", want, got.err)
	}

	put(t, plan, `{"tasks": [`)
	p.do("run", "--task0", t0, "--plan", plan).ends(exitUsage, plan+":1")
	p.do("run", "--task0", t0, "--plan", filepath.Join(p.base, "no-such-plan")).ends(exitUsage, "no-such-plan")
	p.do("run", "--task0", p.repo).ends(exitUsage, "not a regular file")
	p.nothingKept()
	sameFiles(t, before, fingerprint(t, p.repo))
}

// placed tells whether a problem's line begins with file and line.
func placed(line, path string) bool {
	rest, ok := strings.CutPrefix(line, path+":")
	return ok && rest != "" && rest[0] >= '1' && rest[0] <= '9'
}

func TestTask0FromStandardInput(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	p.order(twoTasks())
	p.feed("# Task #0 (for Planner)\n\n### Goal\nx\n", "run", "--task0", "-").ends(exitUsage, "Background")
	p.nothingKept()
	p.feed(brief("a.txt", "b.txt"), "run", "--task0", "-", "--plan", filepath.Join(p.base, "plan.json"), "--headless").ends(exitOK)
}
