package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func TestAtomicWriteCreatesAndReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state.json")
	if err := AtomicWrite(path, []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("new file has mode %v", info.Mode())
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("state.json", dir+"/link"); err != nil {
		t.Fatal(err)
	}
	if err := AtomicWrite(dir+"/link", []byte("2"), 0o600); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Lstat(dir + "/link"); info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced by a file")
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 || content(t, path) != "2" {
		t.Errorf("mode %v, content %q", info.Mode(), content(t, path))
	}
	if err := os.Symlink("later", dir+"/dangling"); err != nil {
		t.Fatal(err)
	}
	if err := AtomicWrite(dir+"/dangling", []byte("3"), 0o644); err != nil || content(t, dir+"/later") != "3" {
		t.Errorf("through a dangling link: %v", err)
	}
}

func TestAtomicWriteSaysWhatFailed(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("loop", dir+"/loop"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{"missing/f": fs.ErrNotExist, ".": ErrNotRegular, "loop": syscall.ELOOP} {
		path = dir + "/" + path
		if err := AtomicWrite(path, nil, 0o644); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		} else if want != syscall.ELOOP && !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
	assertNoLeftovers(t, dir, "loop")
}

// Readers must find the whole old or the whole new content, at any moment.
func TestAtomicWriteShowsOnlyWholeContents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	contents := [2]string{strings.Repeat("a", 100_000), strings.Repeat("b", 150_000)}
	if err := AtomicWrite(path, []byte(contents[0]), 0o644); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		defer close(done)
		for i := range 50 {
			if err := AtomicWrite(path, []byte(contents[i%2]), 0o644); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		if got := content(t, path); got != contents[0] && got != contents[1] {
			t.Fatalf("%d bytes of something between", len(got))
		}
	}
	writer.Wait()
}

func assertNoLeftovers(t *testing.T, dir string, expected ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if strings.Join(names, " ") != strings.Join(expected, " ") {
		t.Errorf("directory holds %v, want %v", names, expected)
	}
}
