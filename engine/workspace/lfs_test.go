package workspace

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// largeFileRepo keeps *.bin in Git LFS, which the user set up globally. Its
// store is the only place of the content: there is no server.
func largeFileRepo(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git-lfs"); err != nil {
		t.Fatal("this test needs git-lfs; install it (on Debian: apt-get install git-lfs)")
	}
	userHome(t)
	gitAs(t, "/", "lfs", "install", "--skip-repo")
	dir := plainRepo(t)
	put(t, filepath.Join(dir, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n")
	put(t, filepath.Join(dir, "a.bin"), "large content\n")
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "large")
	return dir
}

func TestLargeFiles(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		dir := largeFileRepo(t)
		put(t, filepath.Join(dir, "untracked.bin"), "untracked content\n")
		tree, _ := works(t, dir, base)
		if got := get(t, filepath.Join(tree.Dir, "a.bin")); got != "large content\n" {
			t.Errorf("a.bin is %q", got)
		}
		noLinks(t, tree.RunDir)
		put(t, filepath.Join(tree.Dir, "a.bin"), "other content\n")
		put(t, filepath.Join(tree.Dir, "b.bin"), "new content\n")
		made := commit(t, tree, 1, tree.Base)
		if got := string(must[[]byte](t)(tree.FileAt(t.Context(), made, "b.bin"))); !strings.HasPrefix(got, "version https://git-lfs") {
			t.Errorf("b.bin is committed as %q", got)
		}
		must[any](t)(nil, tree.Publish(t.Context(), 1, made))
		// The user can check out what was published without the run.
		must[any](t)(nil, errors.Join(os.RemoveAll(tree.RunDir), os.Remove(filepath.Join(dir, "untracked.bin"))))
		gitAs(t, dir, "checkout", "-q", made)
		if got := get(t, filepath.Join(dir, "a.bin")) + get(t, filepath.Join(dir, "b.bin")); got != "other content\nnew content\n" {
			t.Errorf("the user gets %q", got)
		}
	})
}

func TestLargeFilesThatAreNowhereStayPointers(t *testing.T) {
	origin := largeFileRepo(t)
	dir := filepath.Join(t.TempDir(), "clone")
	t.Setenv("GIT_LFS_SKIP_SMUDGE", "1")
	gitAs(t, "/", "clone", "-q", origin, dir)
	// A file of the tree names a server; nobody may be asked.
	server := must[net.Listener](t)(net.Listen("tcp", "127.0.0.1:0"))
	var asked atomic.Int32
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := server.Accept()
			if err != nil {
				return
			}
			asked.Add(1)
			conn.Close()
		}
	})
	put(t, filepath.Join(dir, ".lfsconfig"), "[lfs]\n\turl = http://"+server.Addr().String()+"/\n")
	gitAs(t, dir, "add", ".lfsconfig")
	gitAs(t, dir, "commit", "-qm", "server")
	tree, _ := create(t, dir, BaseHead)
	if got := get(t, filepath.Join(tree.Dir, "a.bin")); !strings.HasPrefix(got, "version https://git-lfs") {
		t.Errorf("a.bin is %q", got)
	}
	clean(t, tree.Dir)
	kinds, _ := changesOf(t, tree, 1, tree.Base)
	wantKinds(t, kinds, nil)
	server.Close()
	serving.Wait()
	if asked.Load() != 0 {
		t.Error("the server that the tree names was asked")
	}
}

func TestLargeFilesSetUpInTheRepositoryAlone(t *testing.T) {
	bothBases(t, func(t *testing.T, base string) {
		dir := largeFileRepo(t)
		gitAs(t, "/", "lfs", "uninstall", "--skip-repo")
		gitAs(t, dir, "lfs", "install", "--local", "--force")
		marks := filepath.Join(t.TempDir(), "marks")
		gitAs(t, dir, "config", "filter.lfs.clean", "touch '"+marks+"'; git-lfs clean -- %f")
		tree, report := works(t, dir, base)
		if len(report.LocalFilters) != 0 || report.Uncommitted {
			t.Errorf("report %+v", report)
		}
		if got := get(t, filepath.Join(tree.Dir, "a.bin")); got != "large content\n" {
			t.Errorf("a.bin is %q", got)
		}
		gone(t, marks)
	})
}
