package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/event"
)

var hooks = strings.Fields("applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit " +
	"post-index-change post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit " +
	"pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout " +
	"reference-transaction sendemail-validate update")

// trapped is a dirty repository in which everything that git may run leaves a
// mark.
type trapped struct {
	*place
	marks  string
	before map[string]string
}

func newTrapped(t *testing.T) *trapped {
	t.Helper()
	p := &trapped{place: newProject(t)}
	p.marks = filepath.Join(p.base, "marks")
	put(t, filepath.Join(p.repo, ".gitattributes"), "*.txt filter=trap diff=trap merge=trap\n")
	p.git(p.repo, "add", ".gitattributes")
	p.git(p.repo, "commit", "-qm", "attributes")
	put(t, filepath.Join(p.repo, "staged.txt"), "staged\n")
	p.git(p.repo, "add", "staged.txt")
	put(t, filepath.Join(p.repo, "staged.txt"), "staged and changed\n")
	put(t, filepath.Join(p.repo, "a.txt"), "changed\n")
	put(t, filepath.Join(p.repo, "untracked.txt"), "untracked\n")
	put(t, filepath.Join(p.repo, "build.log"), "ignored\n")
	put(t, filepath.Join(p.repo, "odd", "a\nb \"c\" é.txt"), "odd\n")
	for _, err := range []error{
		os.Remove(filepath.Join(p.repo, "sub", "c.txt")),
		os.Symlink("/etc/hostname", filepath.Join(p.repo, "link")),
		os.Chmod(filepath.Join(p.repo, "b.txt"), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	trap := filepath.Join(p.repo, ".git", "trap.sh")
	put(t, trap, "#!/bin/sh\necho \"$0 $*\" >> '"+p.marks+"'\ncat 2>/dev/null\n")
	scripts := []string{trap}
	for _, name := range hooks {
		hook := filepath.Join(p.repo, ".git", "hooks", name)
		put(t, hook, "#!/bin/sh\necho hook "+name+" >> '"+p.marks+"'\n")
		scripts = append(scripts, hook)
	}
	for _, s := range scripts {
		if err := os.Chmod(s, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var settings strings.Builder
	for _, s := range []string{
		"core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.gitProxy", "core.alternateRefsCommand",
		"gpg.program", "filter.trap.clean", "filter.trap.smudge", "filter.trap.process", "diff.external", "diff.trap.command",
		"diff.trap.textconv", "merge.trap.driver", "credential.helper", "uploadpack.packObjectsHook",
	} {
		section, key := s[:strings.LastIndex(s, ".")], s[strings.LastIndex(s, ".")+1:]
		name, sub, nested := strings.Cut(section, ".")
		if nested {
			section = name + ` "` + sub + `"`
		}
		settings.WriteString("[" + section + "]\n\t" + key + " = " + trap + "\n")
	}
	settings.WriteString("[commit]\n\tgpgSign = true\n[tag]\n\tgpgSign = true\n[filter \"trap\"]\n\trequired = true\n[core]\n\tlogAllRefUpdates = always\n")
	path := filepath.Join(p.repo, ".git", "config")
	put(t, path, get(t, path)+settings.String())
	p.before = fingerprint(t, p.repo)
	return p
}

// same fails when anything of the user's differs or was run.
func (p *trapped) same(after string) {
	p.t.Helper()
	if marks, err := os.ReadFile(p.marks); err == nil {
		p.t.Fatalf("after %s: something of the repository was run:\n%s", after, marks)
	}
	sameFiles(p.t, p.before, fingerprint(p.t, p.repo))
	if p.t.Failed() {
		p.t.Fatalf("after %s the checkout differs", after)
	}
}

func TestCheckoutStaysAsItIsThroughEveryCommand(t *testing.T) {
	t.Parallel()
	p := newTrapped(t)
	g := p.gate("gate")
	p.configure(g.gated(), func(c map[string]any) {
		c["checks"] = map[string]any{"each": []string{"true"}, "verify": []string{"true"}}
	}, p.another("other", steps(write("a.txt", "other\n"), write("b.txt", "other\n"))))
	do := func(code int, args ...string) said {
		t.Helper()
		got := p.do(args...).ends(code)
		p.same(strings.Join(args, " "))
		return got
	}
	dir := p.detached(p.runTwo("--base", "snapshot")...)
	run := filepath.Base(dir)
	p.held(dir, 2)
	p.same("a run that works")
	do(exitOK, "show", run, "--json")
	do(exitOK, "runs")
	do(exitOK, "ledger", run)
	do(exitOK, "config")
	do(exitOK, "trust")
	do(exitOK, "trust", "--yes")
	do(exitOK, "trust", "--revoke")
	do(exitOK, "lint", filepath.Join(dir, "task1.md"))
	do(exitOK, "stop", run)
	g.open()
	do(exitOK, "resume", run, "--headless")
	do(exitOK, "retry", run, "1", "--agent", "other", "--headless")
	do(exitOK, "attach", run, "--headless")
	do(exitOK)
	second := do(exitOK, p.runTwo("--headless", "--branch", "feat/x")...).end().Run
	s := p.shown(second)
	if s.Branch != "giver/feat/x" || s.Status != event.StatusPassed || !s.Base.Uncommitted {
		t.Errorf("%s on %s, base %+v", s.Status, s.Branch, s.Base)
	}
	failing := p.another("failing", steps([]step{{"run": "git commit --allow-empty -qm mine; git stash; rm -rf ../*; true"}, {"fail": "no ideas"}}))
	p.configure(twoWorkers(), failing)
	do(exitProblems, p.runTwo("--headless", "--worker", "failing")...)
	do(exitUsage, p.runTwo("--headless", "--base", "x")...)
}

// The screen looks at a run and touches nothing either.
func TestCheckoutStaysAsItIsOnTheScreen(t *testing.T) {
	t.Parallel()
	p := newTrapped(t)
	p.configure(twoWorkers())
	c := p.onTerminal(p.runTwo()...)
	c.shows("passed")
	c.types("q")
	if code := c.wait(); code != exitOK {
		t.Errorf("the screen ended with %d", code)
	}
	c.shows("verified: none")
	p.same("the workbench")
}
