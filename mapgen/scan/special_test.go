package scan

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestWhatIsNoRegularFileIsNamedAndNeverWaitedFor(t *testing.T) {
	for _, repository := range []bool{true, false} {
		root := t.TempDir()
		if repository {
			git(t, root, "init", "-q")
		}
		touch(t, root, "ok.ts", "sub/deep.ts")
		for _, name := range []string{"pipe.ts", ".gitignore", ".pi-project-map.json", "sub/.gitignore"} {
			if err := syscall.Mkfifo(filepath.Join(root, name), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		l, err := net.Listen("unix", filepath.Join(root, "sock.ts"))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		done := make(chan *Tree, 1)
		go func() { done <- scanOf(t, root, Options{}) }()
		select {
		case tree := <-done:
			same(t, "files", filesOf(tree), []string{"ok.ts", "sub/deep.ts"})
			var named []string
			for _, s := range tree.Skipped {
				named = append(named, s.Path)
			}
			same(t, "skipped", named, []string{".gitignore", ".pi-project-map.json", "pipe.ts", "sock.ts", "sub/.gitignore"})
		case <-time.After(20 * time.Second):
			t.Fatal("the scan waits for a named pipe")
		}
	}
}

func TestUnreadableDirectoriesAreNamed(t *testing.T) {
	if !unprivileged(t) {
		return
	}
	root := t.TempDir()
	git(t, root, "init", "-q")
	touch(t, root, "ok.ts", "locked/f.ts", "noentry/g.ts")
	for dir, mode := range map[string]os.FileMode{"locked": 0, "noentry": 0o100} {
		full := filepath.Join(root, dir)
		if err := os.Chmod(full, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(full, 0o755) })
	}
	tree := scanOf(t, root, Options{})
	same(t, "files", filesOf(tree), []string{"ok.ts"})
	if len(tree.Skipped) != 2 || !strings.HasPrefix(tree.Skipped[0].Why, "unreadable") {
		t.Errorf("skipped %v", tree.Skipped)
	}
	if b := tree.Dirs[0].Boundaries; len(b) != 2 || b[0] != (Boundary{"locked", "unreadable"}) {
		t.Errorf("boundaries %v", b)
	}
}

func TestSymbolicLinksAreListedAndNotFollowed(t *testing.T) {
	root := t.TempDir()
	outside := t.TempDir()
	touch(t, outside, "secret")
	touch(t, root, "dir/f")
	for name, to := range map[string]string{"out": outside, "loop": ".", "dir/up": "..", "broken": "nowhere", "file": "dir/f"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	tree := scanOf(t, root, Options{})
	same(t, "files", filesOf(tree), []string{"broken", "dir/f", "dir/up", "file", "loop", "out"})
	same(t, "dirs", dirsOf(tree), []string{".", "dir"})
	for _, f := range tree.Dirs[0].Files {
		if !f.Link {
			t.Errorf("%s is not known as a link", f.Name)
		}
	}
}

func TestOurOwnFilesAreNeverMapped(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	touch(t, root, "a", MapName, IndexName, TempPrefix+"123", StateDir+"/map/x", "sub/"+MapName)
	git(t, root, "add", "-A")
	tree := scanOf(t, root, Options{})
	same(t, "files", filesOf(tree), []string{"a"})
	if d := tree.Dirs[0]; d.Artifacts != 2 || !slices.Equal(d.Leftovers, []string{TempPrefix + "123"}) {
		t.Errorf("%+v", d)
	}
	if d := tree.Dirs[1]; !d.Contentless() || d.Artifacts != 1 {
		t.Errorf("%+v", d)
	}
}

// Files come and go while the scan runs; none of it is an error.
func TestVanishingFilesAreDropped(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	touch(t, root, "stays")
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			dir := filepath.Join(root, "d"+string(rune('a'+i%26)))
			os.MkdirAll(filepath.Join(dir, "in"), 0o755)
			os.WriteFile(filepath.Join(dir, "in", "f.ts"), []byte("x"), 0o644)
			os.RemoveAll(dir)
		}
	}()
	for range 30 {
		tree := scanOf(t, root, Options{})
		if !slices.Contains(filesOf(tree), "stays") {
			t.Fatal("a file that stays was lost")
		}
		if len(tree.Skipped) > 0 {
			t.Fatalf("skipped %v", tree.Skipped)
		}
	}
	close(stop)
	<-ended
}

func TestALookAtADirectoryAgreesWithAScan(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	touch(t, root, "a.go", "src/x.go", "src/ign.log", "src/deep/y.go", "build/t.go", "build/u.go", "dist/v.js", "other/w", "we[i]rd*/f", "void/only.log")
	write(t, root, map[string]string{".gitignore": "*.log\n/other\n"})
	git(t, root, "add", "build/t.go", "a.go")
	whole := scanOf(t, root, Options{})
	for _, d := range whole.Dirs {
		for _, known := range [][]string{nil, d.Dirs} {
			tree, err := Look(t.Context(), root, []string{d.Path}, func(string) []string { return known }, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(tree.Dirs) != 1 {
				t.Fatalf("%s: %d directories", d.Path, len(tree.Dirs))
			}
			got := tree.Dirs[0]
			same(t, d.Path+" files", namesOf(got.Files), namesOf(d.Files))
			same(t, d.Path+" dirs", got.Dirs, d.Dirs)
		}
	}
	for _, dir := range []string{"other", "dist", "nowhere", ".git", "src/x.go"} {
		tree, err := Look(t.Context(), root, []string{dir}, func(string) []string { return nil }, Options{})
		if err != nil || len(tree.Dirs) != 0 {
			t.Errorf("%s: %v, %v", dir, tree.Dirs, err)
		}
	}
}

func namesOf(files []File) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Name)
	}
	return out
}

func TestPathsAreTakenAsTheyAreTyped(t *testing.T) {
	root := t.TempDir()
	root, _ = filepath.EvalSymlinks(root)
	touch(t, root, "src/a.go")
	for _, c := range []struct{ base, name, want string }{
		{root, "src/a.go", "src/a.go"}, {filepath.Join(root, "src"), "a.go", "src/a.go"}, {filepath.Join(root, "src"), "..", "."},
		{"/", filepath.Join(root, "src", "gone", "b.go"), "src/gone/b.go"}, {root, ".", "."}, {root, "./src//./a.go", "src/a.go"},
	} {
		if got, err := Rel(root, c.base, c.name); err != nil || got != c.want {
			t.Errorf("Rel(%q, %q) = %q, %v, want %q", c.base, c.name, got, err, c.want)
		}
	}
	if _, err := Rel(root, root, "../x"); err == nil {
		t.Error("a path outside was taken")
	}
}

// FuzzName scans a file of any name, tracked or not.
func FuzzName(f *testing.F) {
	for _, s := range []string{"a", "\xff", "a\nb", ":(glob)*", "*", "-n", " ", "\\", "a\tb", "#", "!x", "~", "é"} {
		f.Add(s)
	}
	root := f.TempDir()
	git(f, root, "init", "-q")
	f.Fuzz(func(t *testing.T, name string) {
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") || len(name) > 200 ||
			strings.EqualFold(name, ".git") || Ours(name) || junk[name] || name == ".gitignore" || strings.HasPrefix(strings.ToLower(name), "git~") {
			return
		}
		full := filepath.Join(root, name)
		if err := os.WriteFile(full, nil, 0o644); err != nil {
			return
		}
		defer os.Remove(full)
		same(t, "files", filesOf(scanOf(t, root, Options{})), []string{name})
		tree, err := Look(t.Context(), root, []string{"."}, func(string) []string { return nil }, Options{})
		if err != nil || len(tree.Dirs) != 1 || !slices.Equal(namesOf(tree.Dirs[0].Files), []string{name}) {
			t.Errorf("a look: %v, %v", tree, err)
		}
	})
}
