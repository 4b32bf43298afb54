package cli

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/event"
)

// Whatever the user's repository is like, a run ends well, its work is where
// it says, and the user's files are as they were.
func TestRunOnEveryShapeOfSource(t *testing.T) {
	t.Parallel()
	for name, shape := range map[string]struct {
		make func(p *place) (dir string) // from where it is run
		base string                      // kind the base comes to be
		none bool                        // there is no repository for a branch
	}{
		"plain": {base: "head", make: func(p *place) string { p.makeRepo(p.repo); return p.repo }},
		"from a subdirectory": {base: "head", make: func(p *place) string {
			p.makeRepo(p.repo)
			return filepath.Join(p.repo, "sub")
		}},
		"project in a subdirectory": {base: "head", make: func(p *place) string {
			inner := filepath.Join(p.repo, "inner")
			put(p.t, filepath.Join(inner, "a.txt"), "a\n")
			put(p.t, filepath.Join(inner, "b.txt"), "b\n")
			put(p.t, filepath.Join(inner, ".growbench", "x"), "x\n")
			p.makeRepo(p.repo)
			return inner
		}},
		"shallow clone": {base: "head", make: func(p *place) string {
			origin := filepath.Join(p.base, "origin")
			p.makeRepo(origin)
			put(p.t, filepath.Join(origin, "d.txt"), "d\n")
			p.git(origin, "add", "-A")
			p.git(origin, "commit", "-qm", "second")
			p.git(p.base, "clone", "-q", "--depth=1", "file://"+origin, p.repo)
			return p.repo
		}},
		"with a submodule": {base: "head", make: func(p *place) string {
			module := filepath.Join(p.base, "module")
			p.makeRepo(module)
			p.makeRepo(p.repo)
			p.git(p.repo, "submodule", "--quiet", "add", "file://"+module, "vendor/module")
			p.git(p.repo, "commit", "-qm", "submodule")
			return p.repo
		}},
		"inside a submodule": {base: "head", make: func(p *place) string {
			module := filepath.Join(p.base, "module")
			p.makeRepo(module)
			p.makeRepo(p.repo)
			p.git(p.repo, "submodule", "--quiet", "add", "file://"+module, "vendor/module")
			return filepath.Join(p.repo, "vendor", "module")
		}},
		"detached HEAD": {base: "head", make: func(p *place) string {
			p.makeRepo(p.repo)
			p.git(p.repo, "checkout", "-q", "--detach")
			return p.repo
		}},
		"no commit yet": {base: "snapshot", make: func(p *place) string {
			put(p.t, filepath.Join(p.repo, "a.txt"), "a\n")
			put(p.t, filepath.Join(p.repo, "b.txt"), "b\n")
			p.git(p.repo, "init", "-q")
			return p.repo
		}},
		"no repository": {base: "snapshot", none: true, make: func(p *place) string {
			put(p.t, filepath.Join(p.repo, "a.txt"), "a\n")
			put(p.t, filepath.Join(p.repo, "b.txt"), "b\n")
			return p.repo
		}},
		"linked worktree": {base: "head", make: func(p *place) string {
			p.makeRepo(p.repo)
			linked := filepath.Join(p.base, "linked")
			p.git(p.repo, "worktree", "add", "-q", linked)
			return linked
		}},
		"sha256 repository": {base: "head", make: func(p *place) string {
			p.git(p.base, "init", "-q", "--object-format=sha256", p.repo)
			p.makeRepo(p.repo)
			return p.repo
		}},
		"hard path": {base: "head", make: func(p *place) string {
			p.repo = filepath.Join(p.base, "with space\nand line", "项目 'x' \"y\" -é")
			p.makeRepo(p.repo)
			return p.repo
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			dir := shape.make(p)
			p.configure(twoWorkers(), func(c map[string]any) {
				c["checks"] = map[string]any{"verify": []string{"grep -q A a.txt && grep -q B b.txt"}}
			})
			args := append([]string{"-C", dir}, p.runTwo("--headless")...)
			p.do(append(args, "--nonsense")...).ends(exitUsage)
			before := fingerprint(t, p.repo)
			end := p.do(args...).ends(exitOK).end()
			sameFiles(t, before, fingerprint(t, p.repo))
			if end.Status != event.StatusPassed || end.Verified != event.VerifiedPassed {
				t.Errorf("ended %+v", end)
			}
			var s event.State
			p.do("-C", dir, "show", "latest", "--json").ends(exitOK).json(&s)
			if s.Base.Kind != shape.base || s.Run != end.Run {
				t.Errorf("base %+v, run %s", s.Base, s.Run)
			}
			if shape.none {
				if end.Branch != "" || end.Commit == "" {
					t.Errorf("ended %+v", end)
				}
			} else if diff := p.git(dir, "diff", "--name-only", s.Base.Commit, end.Branch); !strings.HasSuffix(diff, "b.txt") || strings.Count(diff, "\n") != 1 {
				t.Errorf("the branch %s changes:\n%s", end.Branch, diff)
			}
			p.do("-C", dir, "runs").ends(exitOK, end.Run)
			p.do("-C", dir, "show", "latest").ends(exitOK, "verification passed")
			p.do("-C", dir, "trust", "--revoke").ends(exitOK)
			if _, err := os.Stat(filepath.Join(dir, ".git", "worktrees")); err == nil && !strings.Contains(name, "worktree") {
				t.Error("a worktree was made")
			}
		})
	}
}

// Everything about one project lies in one folder, whatever it is called.
func TestOneStateFolderAProject(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"plain", "with space", "项目", "a[b]*?", strings.Repeat("long", 20)} {
		p := newPlace(t)
		p.repo = filepath.Join(p.base, name)
		p.makeRepo(p.repo)
		p.configure(twoWorkers())
		putJSON(t, filepath.Join(p.repo, ".growbench.json"), map[string]any{"checks": map[string]any{"verify": []string{"true"}}})
		p.do("trust", "--yes").ends(exitOK)
		p.do(p.runTwo("--headless")...).ends(exitOK)
		p.do("show", "latest").ends(exitOK)
		if runs := p.do("runs").ends(exitOK); strings.Count(runs.out, "\n") != 1 {
			t.Errorf("runs of project %q:\n%s", name, runs.all())
		}
		entries, err := os.ReadDir(p.state())
		if err != nil || len(entries) != 1 {
			t.Errorf("project %q has the state folders %v (%v)", name, entries, err)
		}
	}
}

func TestForeignRepositoryIsRefusedInWords(t *testing.T) {
	t.Parallel()
	p := newTrapped(t)
	p.configure(twoWorkers())
	p.disown(p.repo)
	p.before = fingerprint(t, p.repo)
	run := p.runTwo("--headless")
	for _, args := range [][]string{run, {"runs"}, {"config"}, {"trust", "--yes"}, {}} {
		p.do(args...).ends(exitEnvironment, "belongs to another user", "safe.directory", p.repo)
		p.same(strings.Join(args, " "))
	}
	p.nothingKept()
	p.git("/", "config", "--global", "--add", "safe.directory", p.repo)
	p.do(run...).ends(exitOK)
}

// disown gives a repository to another user. Only root can; anybody else puts
// a git first in PATH that takes every owner for another one.
func (p *place) disown(dir string) {
	p.t.Helper()
	if os.Getuid() == 0 {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, 65534, 65534))
		})
		if err != nil {
			p.t.Fatal(err)
		}
		return
	}
	git, err := exec.LookPath("git")
	if err != nil {
		p.t.Fatal(err)
	}
	bin := filepath.Join(p.base, "bin")
	put(p.t, filepath.Join(bin, "git"), "#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec '"+git+"' \"$@\"\n")
	if err := os.Chmod(filepath.Join(bin, "git"), 0o755); err != nil {
		p.t.Fatal(err)
	}
	p.more = append(p.more, "PATH="+bin+":"+os.Getenv("PATH"))
}
