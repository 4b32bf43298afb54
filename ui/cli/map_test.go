package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The children of a test are growbench only when they are told to be.
func init() { parserEnv = []string{playing + "=1"} }

// newShop makes a project in two languages.
func newShop(t *testing.T) *place {
	p := newPlace(t)
	for name, text := range map[string]string{
		"go.mod": "module shop\n", "cart/cart.go": "// Package cart holds what a customer wants.\npackage cart\n\nfunc New() int { return 0 }\n",
		"web/guard.ts": "import { b } from './b';\nexport class Guard extends Base {}\n", "web/b.ts": "export const b = 1\n",
	} {
		put(t, filepath.Join(p.repo, name), text)
	}
	p.git(p.repo, "init", "-q")
	p.git(p.repo, "add", "-A")
	p.git(p.repo, "commit", "-qm", "start")
	return p
}

func TestMapCommandsAnswerInJSON(t *testing.T) {
	p := newShop(t)
	p.do("map", "status").ends(exitProblems, "no map yet")
	p.do("map", "patch", "cart/cart.go").ends(exitUsage, "map init")

	var made struct {
		Dirs, Files, Analysed, Cached int
		Skipped                       []any
		Seconds                       *float64
	}
	p.do("map", "init", "--json").ends(exitOK).json(&made)
	if made.Dirs != 3 || made.Files != 4 || made.Analysed != 4 || made.Skipped == nil || made.Seconds == nil {
		t.Errorf("init: %+v", made)
	}
	if status := p.git(p.repo, "status", "--porcelain"); status != "" {
		t.Errorf("git status: %q", status)
	}
	var status struct {
		Clean bool
		Dirs  []struct {
			Dir   string
			State []string
		}
	}
	p.do("map", "status", "--json").ends(exitOK).json(&status)
	if !status.Clean || status.Dirs == nil {
		t.Errorf("status: %+v", status)
	}
	put(t, filepath.Join(p.repo, "cart/cart.go"), "// Package cart holds what a customer wants.\npackage cart\n\nfunc Make() int { return 0 }\n")
	p.do("map", "status", "--json").ends(exitProblems).json(&status)
	if status.Clean || len(status.Dirs) != 1 || status.Dirs[0].Dir != "cart" || !slices.Equal(status.Dirs[0].State, []string{"stale"}) {
		t.Errorf("status: %+v", status)
	}
	var check struct {
		OK        bool
		Findings  []struct{ Kind, Dir, File, Detail, Fix string }
		Counts    map[string]int
		Recommend string
	}
	p.do("map", "validate", "--json").ends(exitProblems).json(&check)
	if check.OK || len(check.Findings) != 1 || check.Findings[0].Kind != "signature" || check.Counts["signature"] != 1 || len(check.Counts) != 9 || check.Recommend != "patch" {
		t.Errorf("validate: %+v", check)
	}
	var patched struct {
		Dirs []string
		Mode string
	}
	p.do("map", "patch", "cart/cart.go", "--json").ends(exitOK).json(&patched)
	if !slices.Equal(patched.Dirs, []string{".", "cart"}) || patched.Mode != "structural" {
		t.Errorf("patch: %+v", patched)
	}
	p.do("map", "validate", "--fix").ends(exitOK, "right")

	var symbols []struct {
		Path, Language string
		Exports        []struct{ Name, Kind, Signature string }
		Imports        []struct {
			Path, Target string
			Internal     bool
		}
	}
	p.do("map", "symbols", "web/guard.ts", "--json").ends(exitOK).json(&symbols)
	if len(symbols) != 1 || symbols[0].Exports[0].Name != "Guard" || symbols[0].Imports[0].Target != "pkg/web/b" {
		t.Errorf("symbols: %+v", symbols)
	}
	var files []string
	p.do("map", "files", "--json").ends(exitOK).json(&files)
	if !slices.Equal(files, []string{"go.mod", "cart/cart.go", "web/b.ts", "web/guard.ts"}) {
		t.Errorf("files: %q", files)
	}
	var tree struct {
		Dir      string
		State    []string
		Children []struct{ Dir string }
	}
	p.do("map", "tree", "--json").ends(exitOK).json(&tree)
	if tree.Dir != "." || len(tree.Children) != 2 || tree.State == nil {
		t.Errorf("tree: %+v", tree)
	}
	var graph struct {
		Nodes []string
		Edges []any
	}
	p.do("map", "graph", "--json").ends(exitOK).json(&graph)
	if len(graph.Nodes) != 3 || graph.Edges == nil {
		t.Errorf("graph: %+v", graph)
	}
	var dirty []struct{ Dir, Line string }
	p.do("map", "dirty", "cart/cart.go", "--note", "look again", "--json").ends(exitOK).json(&dirty)
	p.do("map", "dirty", "--json").ends(exitOK).json(&dirty)
	if len(dirty) != 1 || dirty[0].Dir != "cart" || !strings.HasSuffix(dirty[0].Line, ": look again") {
		t.Errorf("dirty: %+v", dirty)
	}
	var share struct{ Shared bool }
	p.do("map", "share", "--json").ends(exitOK).json(&share)
	if !share.Shared || !strings.Contains(p.git(p.repo, "status", "--porcelain"), ".pi-map.md") {
		t.Errorf("share: %+v", share)
	}
	p.do("map", "reinit", "cart").ends(exitOK, "Map of")
}

func TestMapCommandsRefuseWhatTheyCannotDo(t *testing.T) {
	p := newShop(t)
	p.do("map", "init").ends(exitOK)
	p.do("map", "patch").ends(exitUsage)
	p.do("map", "patch", "/etc/passwd").ends(exitUsage, "outside")
	p.do("map", "patch", "x", "--mode", "huge").ends(exitUsage, "auto, small or structural")
	p.do("map", "init", "nowhere").ends(exitUsage, "nowhere is no directory")
	p.do("map", "reinit", "cart/cart.go").ends(exitUsage, "cart/cart.go is no directory")
	p.do("map", "symbols", "nowhere.go").ends(exitUsage, "nowhere.go")
	put(t, filepath.Join(p.repo, ".pi-project-map.json"), "{\n\"retries\": true}\n")
	p.do("map", "status").ends(exitUsage, ".pi-project-map.json:2", "retries")
	put(t, filepath.Join(p.repo, ".pi-project-map.json"), "{\"theirs\": true, \"ignore\": [\"web/\"]}\n")
	p.do("map", "files").ends(exitOK, "theirs", "cart/cart.go").silent("guard.ts")

	p.more = append(p.more, "PATH="+t.TempDir())
	p.do("map", "status").ends(exitEnvironment, "git")
}

// From a directory of the project, and with -C, paths are those of the user.
func TestMapPathsAreRelativeToWhereTheUserStands(t *testing.T) {
	p := newShop(t)
	p.do("map", "init").ends(exitOK)
	put(t, filepath.Join(p.repo, "web/b.ts"), "export const b = 2\n")
	p.do("map", "-C", "web", "patch", "b.ts").ends(exitOK, "web")
	cmd := p.command("map", "patch", "../cart/cart.go")
	cmd.Dir = filepath.Join(p.repo, "web")
	p.finish(cmd).ends(exitOK, "cart")
}

func TestAnInterruptedMapSaysSo(t *testing.T) {
	p := newShop(t)
	p.do("map", "init").ends(exitOK)
	// Somebody else holds every lock, so that init has to wait.
	locks, err := filepath.Glob(filepath.Join(p.repo, ".growbench/map/locks/*"))
	if err != nil || len(locks) == 0 {
		t.Fatalf("locks: %v, %v", locks, err)
	}
	for _, name := range locks {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
			t.Fatal(err)
		}
	}
	cmd := p.command("map", "reinit")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for !hasOpen(cmd.Process.Pid, ".growbench/map/locks/") {
		if t.Context().Err() != nil {
			t.Fatal("it never came to the lock")
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("ended with %v", cmd.ProcessState)
	}
}

// hasOpen says whether a process has a file open whose path holds part.
func hasOpen(pid int, part string) bool {
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, l := range links {
		if to, err := os.Readlink(l); err == nil && strings.Contains(to, part) {
			return true
		}
	}
	return false
}

func TestMapUndoBringsBackWhatAPatchReplaced(t *testing.T) {
	p := newShop(t)
	p.do("map", "init").ends(exitOK)
	p.do("map", "undo").ends(exitUsage, "nothing to undo")
	doc := filepath.Join(p.repo, "cart/.pi-map.md")
	before, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(p.repo, "cart/cart.go"), "package cart\n\nfunc Make() int { return 0 }\n")
	p.do("map", "patch", "--dry-run", "cart/cart.go").ends(exitOK, "+++ b/cart/.pi-map.md")
	if now, _ := os.ReadFile(doc); string(now) != string(before) {
		t.Errorf("a dry run wrote\n%s", now)
	}
	p.do("map", "patch", "cart/cart.go").ends(exitOK)
	if now, _ := os.ReadFile(doc); string(now) == string(before) {
		t.Error("the patch wrote nothing")
	}
	p.do("map", "undo", "--dry-run").ends(exitOK, "-", "Make()")
	var undone struct {
		What string
		Dirs []string
		Left []any
	}
	p.do("map", "undo", "--json").ends(exitOK).json(&undone)
	if undone.What != "patch cart/cart.go" || !slices.Contains(undone.Dirs, "cart") || undone.Left == nil {
		t.Errorf("undone %+v", undone)
	}
	if now, _ := os.ReadFile(doc); string(now) != string(before) {
		t.Errorf("after undo\n%s", now)
	}
	p.do("map", "status").ends(exitProblems, "stale")
}

func TestMapInPlainLinesPlansActsAndUndoes(t *testing.T) {
	p := newShop(t)
	p.feed("init\nyes\nstatus\n", "map", "--plain").ends(exitOK, "map: there is none yet", "question: init? Type yes or no.", "written: cart", "map: clean").plainly()
	doc := filepath.Join(p.repo, "cart/.pi-map.md")
	before, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(p.repo, "cart/cart.go"), "package cart\n\nfunc Make() int { return 0 }\n")
	put(t, filepath.Join(p.repo, "new\x1b[31m/a.go"), "package a\n\nfunc A() {}\n")
	p.feed("reconcile\nno\n", "map", "--plain").ends(exitOK, "stale: cart: cart.go changed", "missing: new", "would be written: cart").plainly()
	if now, _ := os.ReadFile(doc); string(now) != string(before) {
		t.Errorf("without yes it wrote\n%s", now)
	}
	p.feed("validate\nreconcile\nyes\nvalidate\nfind make\nshow cart\ndocument cart index\nsource cart/cart.go\ndiff cart\ntree\n", "map", "--plain").
		ends(exitOK, "signature: cart/cart.go: no longer: New() int; now: Make() int", "map reconcile: done", "map: right", "symbol: cart/cart.go:3: Make() int",
			"file cart.go, exports, line 3: Make() int", "begin index of cart", "func Make()", "begin diff of reconcile", "clean: cart").plainly()
	p.feed("undo\nyes\ndirty cart look again\nyes\nstatus\nyes\ncancel\nfix\nyes\ndance\nhelp\n", "map", "--plain").
		ends(exitOK, "question: undo? Type yes or no.", "map undo: done", "dirty", "look again", "error: map yes: nothing waits for it",
			"error: map cancel: nothing is being done", "map fix: done", "error: dance is no command here", "command: reconcile [PATH]").plainly()
	p.do("map", "validate").ends(exitOK)
	p.do("map").ends(exitOK, "Usage:")
}
