package scan

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// agrees compares every path of a tree with git's own word on it.
func agrees(t *testing.T, root string) {
	t.Helper()
	tree := scanOf(t, root, Options{})
	same(t, "files", filesOf(tree), listed(t, root))
	covered := map[string]bool{}
	for _, d := range tree.Dirs {
		covered[d.Path] = true
		for _, f := range d.Files {
			covered[Join(d.Path, f.Name)] = true
		}
	}
	filepath.WalkDir(root, func(full string, e os.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, full)
		if e.Name() == ".git" {
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if rel == "." || Ours(e.Name()) || junk[e.Name()] {
			return nil
		}
		cmd := Git(t.Context(), root, "check-ignore", "-q", "--", "./"+rel)
		said := cmd.Run()
		ignored := said == nil
		if exit, ok := said.(*exec.ExitError); said != nil && (!ok || exit.ExitCode() != 1) {
			t.Fatalf("check-ignore %s: %v", rel, said)
		}
		if ignored == covered[rel] {
			t.Errorf("%q: git says ignored=%v, the scan covers it: %v", rel, ignored, covered[rel])
		}
		return nil
	})
}

func TestAgreesWithGit(t *testing.T) {
	for _, c := range []struct {
		name, rules string
		files       []string
		kept        []string // a few that matter, spelled out
		hidden      []string
	}{
		{"a negation below an ignored directory is void",
			"gen/\n!gen/api/*\nout1/**\n!out1/stay.ts\nout2/*\n!out2/in/x.ts\n!out2/stay.ts\n",
			[]string{"gen/api/k.ts", "out1/stay.ts", "out1/go.ts", "out2/in/x.ts", "out2/stay.ts"},
			[]string{"out1", "out1/stay.ts", "out2/stay.ts"}, []string{"gen", "gen/api/k.ts", "out1/go.ts", "out2/in/x.ts"}},
		{"a directory brought back is only entered",
			"box/*\n!box/\nmid/**/*\n!mid/leaf\nvol/fn/**\n!vol/fn/conf.json*\n",
			[]string{"box/one", "mid/leaf/two", "vol/fn/conf.json", "vol/fn/other.ts"},
			[]string{"mid/leaf", "vol/fn/conf.json"}, []string{"box/one", "mid/leaf/two", "vol/fn/other.ts"}},
		{"byte order mark, CRLF, escapes, classes, hash in mid-line",
			"\xef\xbb\xbfbomfile\r\n\\#notes.md\r\n\\!bang.md\r\n[!a]x\r\n\\[z\\]\r\nc#d\r\ncrlf1\r\n# real comment\r\ntrail #x\r\nq\\?\r\n",
			[]string{"#notes.md", "!bang.md", "ax", "bx", "[z]", "c#d", "bomfile", "crlf1", "crlf1x", "trail#x", "qq", "q?"},
			[]string{"ax", "crlf1x", "trail#x", "qq"}, []string{"#notes.md", "!bang.md", "bx", "[z]", "c#d", "bomfile", "crlf1", "q?"}},
		{"anchors, double stars, directories only",
			"/top\ndeep/**/end\nonlydir/\n*.log\n!keep.log\n",
			[]string{"top", "a/top", "deep/end", "deep/x/y/end", "a/onlydir/f", "b/onlydir", "x.log", "keep.log", "a/keep.log"},
			[]string{"a/top", "b/onlydir", "keep.log", "a/keep.log"}, []string{"top", "deep/end", "deep/x/y/end", "a/onlydir/f", "x.log"}},
		{"trailing blanks and odd names",
			"trail   \nkept\\ \n'quote'\n:colon\n",
			[]string{"trail", "kept ", "kept", "'quote'", ":colon", ":(top)x", "-dash", "a\nb", "\xff\xfe"},
			[]string{"kept", ":(top)x", "-dash", "a\nb", "\xff\xfe"}, []string{"trail", "kept ", "'quote'", ":colon"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			git(t, root, "init", "-q")
			touch(t, root, c.files...)
			write(t, root, map[string]string{".gitignore": c.rules})
			agrees(t, root)
			check(t, root, c.kept, c.hidden)
			// The same rules hold without a repository.
			if err := os.RemoveAll(filepath.Join(root, ".git")); err != nil {
				t.Fatal(err)
			}
			check(t, root, c.kept, c.hidden)
		})
	}
}

func check(t *testing.T, root string, kept, hidden []string) {
	t.Helper()
	tree := scanOf(t, root, Options{})
	all := append(filesOf(tree), dirsOf(tree)...)
	for _, k := range kept {
		if !slices.Contains(all, k) {
			t.Errorf("%q is not covered", k)
		}
	}
	for _, h := range hidden {
		if slices.Contains(all, h) {
			t.Errorf("%q is covered", h)
		}
	}
}

func TestTrackedFilesAreKeptWhateverTheRulesSay(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	touch(t, root, "build/gen.ts", "build/junk.ts", "HOUSE.md", "docs/x.md", "dist/deep/a.js", "dist/b.js", "out/x")
	git(t, root, "add", "build/gen.ts", "HOUSE.md", "dist/deep/a.js")
	write(t, root, map[string]string{".gitignore": "build/\nHOUSE.md\ndocs/\n"})
	tree := scanOf(t, root, Options{})
	same(t, "files", filesOf(tree), []string{".gitignore", "HOUSE.md", "build/gen.ts", "dist/deep/a.js", "out/x"})
	same(t, "dirs", dirsOf(tree), []string{".", "build", "dist", "dist/deep", "out"})
}

func TestJunkIsNamed(t *testing.T) {
	root := t.TempDir()
	touch(t, root, "src/a.go", "src/node_modules/x/y.js", "coverage/c.html", "src/__pycache__/a.pyc", ".DS_Store")
	tree := scanOf(t, root, Options{})
	same(t, "files", filesOf(tree), []string{"src/a.go"})
	var named []string
	for _, s := range tree.Skipped {
		named = append(named, s.Path+": "+s.Why)
	}
	same(t, "skipped", named, []string{".DS_Store: junk list", "coverage: junk list", "src/__pycache__: junk list", "src/node_modules: junk list"})
}

func TestWorktreesAndSubmodulesHaveTheirOwnRules(t *testing.T) {
	base := t.TempDir()
	for _, d := range []string{"main", "outer"} {
		if err := os.Mkdir(filepath.Join(base, d), 0o755); err != nil {
			t.Fatal(err)
		}
		git(t, filepath.Join(base, d), "init", "-q")
	}
	main, outer, tree := filepath.Join(base, "main"), filepath.Join(base, "outer"), filepath.Join(base, "wt")
	touch(t, main, "a")
	git(t, main, "add", "a")
	git(t, main, "commit", "-qm", "i")
	write(t, main, map[string]string{".git/info/exclude": "secret.txt\nbuild2/\n"})
	git(t, main, "worktree", "add", "-q", "../wt", "-b", "w2")
	touch(t, tree, "secret.txt", "build2/o", "ok.txt")
	agrees(t, tree)
	same(t, "work tree", filesOf(scanOf(t, tree, Options{})), []string{"a", "ok.txt"})

	write(t, outer, map[string]string{".git/info/exclude": "*.dat\n", "z": "z"})
	git(t, outer, "add", "z")
	git(t, outer, "commit", "-qm", "i")
	git(t, outer, "submodule", "--quiet", "add", "../main", "lib")
	write(t, outer, map[string]string{".git/modules/lib/info/exclude": "sub.txt\n"})
	touch(t, outer, "lib/sub.txt", "lib/x.dat", "y.dat", "inner/f")
	git(t, filepath.Join(outer, "inner"), "init", "-q")
	lib := filepath.Join(outer, "lib")
	agrees(t, lib)
	same(t, "submodule", filesOf(scanOf(t, lib, Options{})), []string{"a", "x.dat"})
	whole := scanOf(t, outer, Options{})
	same(t, "outer", filesOf(whole), []string{".gitmodules", "z"})
	if got := fmt.Sprint(whole.Dirs[0].Boundaries); got != "[{inner nested repository} {lib submodule}]" {
		t.Errorf("boundaries %s", got)
	}
}

// A directory git does not take for a repository is no boundary.
func TestOddlyNamedDirectoriesAreNoBoundaries(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	touch(t, root, "case1/.git/notes", "case1/f", "case2/f")
	write(t, root, map[string]string{"case2/.git": "no pointer at all\n"})
	agrees(t, root)
}

func TestRandomTreesAgreeWithGit(t *testing.T) {
	names := []string{"a", "b", "ab", "c.log", "x.ts", "keep", "#h", "!n", "sp ace", "[q]"}
	patterns := []string{"a", "/a", "a/", "*.log", "!a", "!*.log", "a/**", "**/b", "a/**/b", "!keep", "keep/", "/b/*", "!/b/ab", "*", "!*/", "[ab]",
		"\\#h", "?", "ab*", "sp\\ ace", "!a/b", "**"}
	for seed := range int64(40) {
		r := rand.New(rand.NewSource(seed))
		root := t.TempDir()
		git(t, root, "init", "-q")
		dirs := []string{""}
		for range 12 {
			dir := dirs[r.Intn(len(dirs))] + names[r.Intn(len(names))] + "/"
			if os.MkdirAll(filepath.Join(root, dir), 0o755) == nil {
				dirs = append(dirs, dir)
			}
		}
		for range 40 {
			name := dirs[r.Intn(len(dirs))] + names[r.Intn(len(names))]
			if info, err := os.Lstat(filepath.Join(root, name)); err != nil || !info.IsDir() {
				touch(t, root, name)
			}
		}
		if seed%2 == 0 {
			git(t, root, "add", "-A")
		}
		for range 4 {
			var rules []string
			for range 1 + r.Intn(5) {
				rules = append(rules, patterns[r.Intn(len(patterns))])
			}
			write(t, root, map[string]string{dirs[r.Intn(len(dirs))] + ".gitignore": strings.Join(rules, "\n") + "\n"})
		}
		same(t, fmt.Sprintf("seed %d", seed), filesOf(scanOf(t, root, Options{})), listed(t, root))
		if t.Failed() {
			return
		}
	}
}

func TestConfiguredPatternsHideTrackedFilesToo(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	touch(t, root, "a.go", "gen/x.go", "sub/gen/y.go", "sub/z.snap")
	git(t, root, "add", "-A")
	tree := scanOf(t, root, Options{Ignore: []string{"gen/", "*.snap"}})
	same(t, "files", filesOf(tree), []string{"a.go"})
}

func TestNothingOfTheRepositoryIsRun(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	touch(t, root, "a")
	trap := filepath.Join(root, ".git", "trap")
	script := filepath.Join(root, ".git", "run.sh")
	write(t, root, map[string]string{".git/run.sh": "#!/bin/sh\ntouch '" + trap + "'\n"})
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, root, "config", "core.fsmonitor", script)
	git(t, root, "config", "core.hooksPath", filepath.Dir(script))
	t.Setenv("GIT_DIR", "/nowhere")
	t.Setenv("GIT_WORK_TREE", "/nowhere")
	same(t, "files", filesOf(scanOf(t, root, Options{})), []string{"a"})
	if _, err := os.Lstat(trap); err == nil {
		t.Error("a program named by the repository was run")
	}
}
