package workspace

import (
	"bytes"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// inTree describes the work tree without the agent's git directories.
func inTree(t *testing.T, tree *Tree) map[string]string {
	t.Helper()
	found := fingerprint(t, tree.Dir)
	for path := range found {
		if path == ".git" || len(path) > 5 && path[:5] == ".git/" {
			delete(found, path)
		} else if strings.HasPrefix(found[path], "d") {
			found[path] = "directory" // git keeps no rights of one
		}
	}
	return found
}

func TestResetUndoesAnyMess(t *testing.T) {
	asSomebody(t, func(t *testing.T) {
		ok := must[any](t)
		messes := map[string]func(dir string){
			"changed file":       func(dir string) { put(t, dir+"/main.go", "x") },
			"deleted file":       func(dir string) { ok(nil, os.Remove(dir+"/main.go")) },
			"deleted everything": func(dir string) { ok(nil, os.RemoveAll(dir)); ok(nil, os.Mkdir(dir, 0o755)) },
			"no tree at all":     func(dir string) { ok(nil, os.RemoveAll(dir)) },
			"mode":               func(dir string) { ok(nil, os.Chmod(dir+"/main.go", 0o755)) },
			"unreadable file":    func(dir string) { put(t, dir+"/main.go", "x"); ok(nil, os.Chmod(dir+"/main.go", 0)) },
			"new files":          func(dir string) { put(t, dir+"/a/b/c", "x"); put(t, dir+"/d\n\xff", "x") },
			"read-only directories": func(dir string) {
				put(t, dir+"/ro/deep/x", "x")
				put(t, dir+"/size/size.go", "x")
				for _, name := range []string{"/ro/deep", "/ro", "/size"} {
					ok(nil, os.Chmod(dir+name, 0o500))
				}
			},
			"closed directories": func(dir string) {
				put(t, dir+"/shut/x", "x")
				ok(nil, os.Chmod(dir+"/shut", 0))
				ok(nil, os.Chmod(dir+"/size", 0))
			},
			"directory for file": func(dir string) { ok(nil, os.Remove(dir+"/main.go")); put(t, dir+"/main.go/x/y", "x") },
			"file for directory": func(dir string) { ok(nil, os.RemoveAll(dir+"/size")); put(t, dir+"/size", "x") },
			"link for directory": func(dir string) { ok(nil, os.RemoveAll(dir+"/size")); ok(nil, os.Symlink("/etc", dir+"/size")) },
			"pipe": func(dir string) {
				ok(nil, os.Remove(dir+"/main.go"))
				ok(nil, syscall.Mkfifo(dir+"/main.go", 0o600))
				ok(nil, syscall.Mkfifo(dir+"/:(top)pipe", 0o600))
			},
			"nested repository": func(dir string) {
				put(t, dir+"/nested/x", "x")
				gitAs(t, dir+"/nested", "init", "-q")
				gitAs(t, dir+"/nested", "add", "-A")
				gitAs(t, dir+"/nested", "commit", "-qm", "x")
			},
			"nested for file": func(dir string) {
				ok(nil, os.Remove(dir+"/main.go"))
				ok(nil, os.Mkdir(dir+"/main.go", 0o755))
				gitAs(t, dir+"/main.go", "init", "-q")
			},
			"ignore rules": func(dir string) { put(t, dir+"/.gitignore", "*\n"); put(t, dir+"/hidden", "x") },
			"old time": func(dir string) {
				info := must[os.FileInfo](t)(os.Stat(dir + "/main.go"))
				put(t, dir+"/main.go", "package mani\n")
				ok(nil, os.Chtimes(dir+"/main.go", info.ModTime(), info.ModTime()))
			},
			"git index":     func(dir string) { put(t, dir+"/.git/index", "broken"); put(t, dir+"/.git/index.lock", "") },
			"git removed":   func(dir string) { ok(nil, os.RemoveAll(dir+"/.git")) },
			"git as a file": func(dir string) { ok(nil, os.RemoveAll(dir+"/.git")); put(t, dir+"/.git", "gitdir: /nowhere\n") },
			"git as a link": func(dir string) {
				ok(nil, os.Rename(dir+"/.git", dir+"/../away"))
				ok(nil, os.Symlink("../away", dir+"/.git"))
			},
			"git objects linked away": func(dir string) {
				ok(nil, os.Rename(dir+"/.git/objects", dir+"/../objects"))
				ok(nil, os.Symlink("../../objects", dir+"/.git/objects"))
			},
			"git objects broken": func(dir string) {
				ok(nil, os.RemoveAll(dir+"/.git/objects"))
				ok(nil, os.Mkdir(dir+"/.git/objects", 0o755))
			},
			"git configuration": func(dir string) { put(t, dir+"/.git/config", "[core\n") },
			"git history": func(dir string) {
				put(t, dir+"/z", "z")
				gitAs(t, dir, "add", "-A")
				gitAs(t, dir, "commit", "-qm", "z")
				gitAs(t, dir, "checkout", "-qb", "z")
			},
			"git packed": func(dir string) { gitAs(t, dir, "gc", "-q") },
		}
		for name, mess := range messes {
			t.Run(name, func(t *testing.T) {
				userHome(t)
				tree, _ := create(t, plainRepo(t), BaseHead, "build")
				put(t, filepath.Join(tree.Dir, "new.txt"), "by Worker 1\n")
				put(t, filepath.Join(tree.Dir, "main.go"), "package main // by Worker 1\n")
				first := commit(t, tree, 1, tree.Base)
				want := inTree(t, tree)
				mess(tree.Dir)
				for range 2 {
					must[any](t)(nil, tree.Reset(t.Context(), first))
					sameFiles(t, want, inTree(t, tree))
					clean(t, tree.Dir)
				}
				if got := gitAs(t, tree.Dir, "rev-parse", "HEAD"); got != first {
					t.Errorf("the agent's HEAD is %s, want %s", got, first)
				}
				gitAs(t, tree.Dir, "fsck", "--no-dangling")
				hash := must[string](t)(tree.WriteTree(t.Context()))
				if want := gitAs(t, tree.Dir, "rev-parse", first+"^{tree}"); hash != want {
					t.Errorf("the tree is %s, want %s", hash, want)
				}
			})
		}
	})
}

func TestResetKeepsIgnoredFiles(t *testing.T) {
	userHome(t)
	tree, _ := create(t, plainRepo(t), BaseHead)
	put(t, filepath.Join(tree.Dir, "build", "cache"), "warm\n")
	put(t, filepath.Join(tree.Dir, "x.log"), "log\n")
	must[any](t)(nil, tree.Reset(t.Context(), tree.Base))
	get(t, filepath.Join(tree.Dir, "build", "cache"))
	get(t, filepath.Join(tree.Dir, "x.log"))
}

func TestResetTakesBackWhatALaterWorkerMadeAndIgnored(t *testing.T) {
	userHome(t)
	tree, _ := create(t, plainRepo(t), BaseHead)
	put(t, filepath.Join(tree.Dir, "made.txt"), "x\n")
	commit(t, tree, 1, tree.Base)
	put(t, filepath.Join(tree.Dir, ".gitignore"), "made.txt\n")
	commit(t, tree, 2, tree.Base)
	must[any](t)(nil, tree.Reset(t.Context(), tree.Base))
	gone(t, filepath.Join(tree.Dir, "made.txt"))
	clean(t, tree.Dir)
}

func TestResetLooksAtContentsWhenTimesLie(t *testing.T) {
	userHome(t)
	tree, _ := create(t, plainRepo(t), BaseHead)
	path := filepath.Join(tree.Dir, "main.go")
	index := filepath.Join(tree.RunDir, "git", "index")
	// An index that has the times of the changed file and the hash of the old
	// content: what remains when a file changes in the instant it is recorded.
	put(t, path, "package mani\n")
	engine := tree.top().engine()
	must[[]byte](t)(engine.run(t.Context(), "update-index", "main.go"))
	object := func(name string) []byte {
		return must[[]byte](t)(hex.DecodeString(must[string](t)(engine.line(t.Context(), "rev-parse", name))))
	}
	lie := bytes.ReplaceAll([]byte(get(t, index)), object(":main.go"), object(tree.Base+":main.go"))
	put(t, index, string(lie))
	later := time.Now().Add(time.Hour)
	must[any](t)(nil, os.Chtimes(index, later, later))
	if out := must[string](t)(engine.line(t.Context(), "diff-files", "--name-only")); out != "" {
		t.Fatalf("the index does not hide the change: %s", out)
	}
	must[any](t)(nil, tree.Reset(t.Context(), tree.Base))
	if got := get(t, path); got != "package main\n" {
		t.Errorf("main.go is %q", got)
	}
}

// asSomebody runs test with the rights of an ordinary user: as root no
// directory is closed.
func asSomebody(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	if os.Getuid() != 0 {
		test(t)
		return
	}
	const nobody = 65534
	home := t.TempDir()
	// A copy, where another user can reach it.
	program := filepath.Join(home, "test")
	data := must[[]byte](t)(os.ReadFile(must[string](t)(os.Executable())))
	must[any](t)(nil, os.WriteFile(program, data, 0o755))
	for dir := home; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		must[any](t)(nil, os.Chmod(dir, 0o755))
	}
	work := filepath.Join(home, "work")
	must[any](t)(nil, os.Mkdir(work, 0o700))
	must[any](t)(nil, os.Chown(work, nobody, nobody))
	cmd := exec.Command(program, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "TMPDIR="+work, "HOME="+work, "GOCOVERDIR="+work)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
