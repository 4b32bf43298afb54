package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/doc"
)

func TestSharedHintIsSaidOnce(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	t0 := filepath.Join(p.base, "task0.md")
	put(t, t0, "# Task #0 (for Planner)\n\n### Goal\nx\n")
	got := p.do("run", "--task0", t0).ends(exitUsage, ": Background: error: missing\n", ": Constraints: error: missing\n")
	if n := strings.Count(got.err, "a task has the sections"); n != 1 {
		t.Errorf("the sections are listed %d times:\n%s", n, got.err)
	}
	lint := p.do("lint", t0, "--kind", "task0").ends(exitProblems, "missing\n")
	if n := strings.Count(lint.err, "a task has the sections"); n != 1 || strings.Contains(lint.out, "a task has") {
		t.Errorf("the sections are listed %d times:\n%s", n, lint.all())
	}
}

func TestProblemsAreToldOnceAndBounded(t *testing.T) {
	var problems []doc.Problem
	for i := range maxProblems + 5 {
		problems = append(problems, doc.Problem{Level: doc.Warning, Line: i + 1, Text: "odd"})
	}
	problems = append(problems, doc.Problem{Level: doc.Error, Line: 90, Text: "wrong"}, doc.Problem{Level: doc.Error, Line: 90, Text: "wrong"})
	lines, after := problemLines("f", problems)
	if len(lines) != maxProblems || lines[0] != "f:90: error: wrong" || lines[1] != "f:1: warning: odd" {
		t.Errorf("%q", lines)
	}
	if want := fmt.Sprint([]string{"and 6 more"}); fmt.Sprint(after) != want {
		t.Errorf("after them %q, want %s", after, want)
	}
	lines, after = problemLines("f", problems[:2])
	if len(lines) != 2 || len(after) != 0 {
		t.Errorf("%q, %q", lines, after)
	}
}

func TestWhatIsNotUTF8TextIsRefusedInWords(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	file := filepath.Join(p.base, "odd.md")
	for text, words := range map[string]string{
		"\xff\xfe#\x00 \x00": "is UTF-16; save it as UTF-8",
		"\xfe\xff\x00#\x00 ": "is UTF-16; save it as UTF-8",
		"# Task #0\n\x00":    "is not text",
	} {
		put(t, file, text)
		p.do("run", "--task0", file).ends(exitUsage, file, words)
		p.do("lint", file).ends(exitUsage, file, words)
		p.feed(text, "lint", "-").ends(exitUsage, "standard input", words)
	}
	p.nothingKept()
}

func TestUnknownAgentIsSaidOnceWithTheFile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	got := p.do(p.runTwo("--agent", "nobody")...).
		ends(exitUsage, "flag --agent", "roles.planner, roles.worker", filepath.Join(p.base, "config", "growbench", "config.json"))
	if n := strings.Count(got.err, `no agent named "nobody"`); n != 1 {
		t.Errorf("said %d times:\n%s", n, got.err)
	}
}

func TestAWordThatIsNoneNamesTheOthersAndNoFile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	got := p.do(p.runTwo("--affected", "bla")...).ends(exitUsage, "flag --affected", "none of ask, continue, replan\n")
	if strings.Contains(got.all(), "your configuration is") {
		t.Errorf("a file is named:\n%s", got.all())
	}
}

func TestTrustIsTakenBackWhateverTheConfiguration(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	putJSON(t, filepath.Join(p.repo, ".growbench.json"), map[string]any{"checks": map[string]any{"verify": []string{"true"}}})
	p.do("trust", "--yes").ends(exitOK)
	user := filepath.Join(p.base, "config", "growbench", "config.json")
	put(t, user, "{ broken")
	p.do("trust", "--revoke").ends(exitOK, "Nothing of")
	put(t, user, "{}")
	p.do("trust").ends(exitEnvironment, "checks.verify")
}
