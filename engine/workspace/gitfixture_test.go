package workspace

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"growbench/testdata/fixture"
)

var testTime = time.Date(2026, 11, 30, 14, 32, 0, 0, time.UTC)

// userHome gives the test a home of its own, with a global git configuration.
func userHome(t testing.TB, more ...string) {
	t.Helper()
	home := t.TempDir()
	config := filepath.Join(home, ".gitconfig")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	text := "[user]\n\tname = Ann\n\temail = ann@example.org\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n"
	put(t, config, text+strings.Join(more, "\n"))
}

var put = fixture.Put

var get = fixture.Get

func gone(t testing.TB, path string) {
	t.Helper()
	if _, err := os.Lstat(path); err == nil {
		t.Errorf("%s is there", path)
	}
}

// gitAs runs git the way the user or an agent would.
func gitAs(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, errOut.String())
	}
	return strings.TrimSuffix(string(out), "\n")
}

// quietly is gitAs that sets off nothing a hostile repository laid.
func quietly(t testing.TB, dir string, args ...string) string {
	t.Helper()
	return gitAs(t, dir, append([]string{"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.pager=cat"}, args...)...)
}

// plainRepo is a repository with two files and one commit.
func plainRepo(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "proj")
	put(t, filepath.Join(dir, "main.go"), "package main\n")
	put(t, filepath.Join(dir, "size", "size.go"), "package size\n\nfunc Parse() {}\n")
	put(t, filepath.Join(dir, ".gitignore"), "*.log\n/build/\n.env*\n")
	gitAs(t, dir, "init", "-q")
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "first")
	return dir
}

func find(t testing.TB, dir string) Project {
	t.Helper()
	p, err := FindProject(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// create makes a tree of the project at dir, in a state directory of its own.
func create(t testing.TB, dir, base string, copies ...string) (*Tree, Report) {
	t.Helper()
	state := t.TempDir()
	tree, report, err := Create(t.Context(), CreateOptions{
		Project: find(t, dir), RunID: "run-1", RunDir: filepath.Join(state, "runs", "run-1"),
		TreeDir: filepath.Join(state, "trees", "run-1"), Base: base, At: testTime, Copy: copies,
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree, report
}

// commit records the tree's state as that of Worker k.
func commit(t testing.TB, tree *Tree, k int, parent string) string {
	t.Helper()
	hash := must[string](t)(tree.WriteTree(t.Context()))
	made := must[string](t)(tree.CommitTree(t.Context(), hash, parent, fmt.Sprintf("Worker %d", k), testTime))
	if err := tree.SetHead(t.Context(), k, made); err != nil {
		t.Fatal(err)
	}
	return made
}

func must[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// clean fails when git sees any difference in the tree the agent stands in.
func clean(t testing.TB, dir string) {
	t.Helper()
	if out := gitAs(t, dir, "status", "--porcelain"); out != "" {
		t.Errorf("the agent's status is not clean:\n%s", out)
	}
}

// hostile is a dirty repository that lays every trap git knows. A trap that
// goes off leaves a line in marks.
type hostile struct{ top, marks string }

var hookNames = strings.Fields("applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit " +
	"post-index-change post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit " +
	"pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout " +
	"reference-transaction sendemail-validate update")

func hostileRepo(t testing.TB) hostile {
	t.Helper()
	userHome(t)
	dir := plainRepo(t)
	h := hostile{top: dir, marks: filepath.Join(t.TempDir(), "marks")}
	put(t, filepath.Join(dir, ".gitattributes"), "*.go filter=trap diff=trap merge=trap\n")
	put(t, filepath.Join(dir, "staged.log"), "ignored but staged\n")
	gitAs(t, dir, "add", ".gitattributes")
	gitAs(t, dir, "commit", "-qm", "attributes")
	gitAs(t, dir, "tag", "-a", "-m", "tag", "v1")
	gitAs(t, dir, "add", "-f", "staged.log")
	put(t, filepath.Join(dir, "main.go"), "package main // changed\n")
	put(t, filepath.Join(dir, "new.txt"), "untracked\n")
	put(t, filepath.Join(dir, "build", "out.bin"), "ignored\n")
	put(t, filepath.Join(dir, "odd", "a\nb \"c\" \\ é.txt"), "odd\n")
	put(t, filepath.Join(dir, "odd", "bytes-\xff\xfe"), "odd\n")
	must[any](t)(nil, os.Remove(filepath.Join(dir, "size", "size.go")))
	must[any](t)(nil, os.Symlink("/etc/hostname", filepath.Join(dir, "link")))
	put(t, filepath.Join(dir, ".git", "FETCH_HEAD"), "nothing\n")

	trap := filepath.Join(dir, ".git", "trap.sh")
	put(t, trap, "#!/bin/sh\necho \"$0 $*\" >> '"+h.marks+"'\ncat 2>/dev/null\n")
	must[any](t)(nil, os.Chmod(trap, 0o755))
	for _, name := range hookNames {
		hook := filepath.Join(dir, ".git", "hooks", name)
		put(t, hook, "#!/bin/sh\necho hook "+name+" >> '"+h.marks+"'\n")
		must[any](t)(nil, os.Chmod(hook, 0o755))
	}
	settings := [][2]string{
		{"core.fsmonitor", trap}, {"core.pager", trap}, {"core.editor", trap}, {"core.sshCommand", trap},
		{"core.askPass", trap}, {"core.gitProxy", trap}, {"core.alternateRefsCommand", trap},
		{"commit.gpgSign", "true"}, {"tag.gpgSign", "true"}, {"gpg.program", trap},
		{"filter.trap.clean", trap}, {"filter.trap.smudge", trap}, {"filter.trap.required", "true"},
		{"filter.trap.process", trap},
		{"diff.external", trap}, {"diff.trap.command", trap}, {"diff.trap.textconv", trap},
		{"merge.trap.driver", trap}, {"credential.helper", trap}, {"uploadpack.packObjectsHook", trap},
		{"protocol.ext.allow", "always"}, {"remote.origin.url", "ext::" + trap}, {"remote.origin.promisor", "true"},
		{"url.ext::" + trap + " .insteadOf", "/"}, {"gc.auto", "1"}, {"receive.procReceiveRefs", "refs"},
		{"alias.status", "!" + trap}, {"core.logAllRefUpdates", "always"},
	}
	for _, setting := range settings {
		quietly(t, dir, "config", setting[0], setting[1])
	}
	gone(t, h.marks)
	return h
}

// untouched fails when a trap went off or anything of the user's differs from
// before.
func (h hostile) untouched(t testing.TB, before map[string]string) {
	t.Helper()
	if marks, err := os.ReadFile(h.marks); err == nil {
		t.Errorf("something of the user's repository was run:\n%s", marks)
	}
	sameFiles(t, before, fingerprint(t, h.top))
}

func sameFiles(t testing.TB, before, after map[string]string) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if after[path] != before[path] {
			t.Errorf("%q: was %s, is %s", path, before[path], after[path])
		}
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if _, known := before[path]; !known && !strings.Contains(path, ".git/objects/") && !strings.Contains(path, ".git/lfs") {
			t.Errorf("%q is new", path)
		}
	}
}

// fingerprint describes every path below dir but the refs that are ours.
func fingerprint(t testing.TB, dir string) map[string]string {
	t.Helper()
	ours := []string{".git/refs/growbench", ".git/refs/heads/giver", ".git/logs/refs/growbench", ".git/logs/refs/heads/giver"}
	return fixture.Fingerprint(t, dir, func(rel string) bool {
		return slices.ContainsFunc(ours, func(own string) bool { return strings.HasSuffix(rel, own) })
	})
}
