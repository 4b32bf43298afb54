package workspace

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestWriteCreatesParentsAndReplacesWhole(t *testing.T) {
	f, dir := project(t, Scope{All: true}, "old.sh", "old\n")
	if err := os.Chmod(dir+"/old.sh", 0o755); err != nil {
		t.Fatal(err)
	}
	change, err := f.Write("a/b/c.txt", []byte("new\n"))
	if err != nil || !change.Created || content(t, dir+"/a/b/c.txt") != "new\n" {
		t.Errorf("new file: %+v, %v", change, err)
	}
	change, err = f.Write("old.sh", []byte("x"))
	if err != nil || change.Created || string(change.Before) != "old\n" || content(t, dir+"/old.sh") != "x" {
		t.Errorf("existing file: %+v, %v", change, err)
	}
	if info, _ := os.Stat(dir + "/old.sh"); info.Mode().Perm() != 0o755 {
		t.Errorf("mode became %v", info.Mode())
	}
	read, err := f.Read("old.sh")
	if err != nil || read.Stamp != change.Stamp {
		t.Errorf("stamps of write and read differ: %v", err)
	}
	if err := os.Symlink("made/by/link.txt", dir+"/dangling"); err != nil {
		t.Fatal(err)
	}
	if change, err := f.Write("dangling", []byte("y")); err != nil || change.Path != "made/by/link.txt" || content(t, dir+"/made/by/link.txt") != "y" {
		t.Errorf("link to a file not yet there: %+v, %v", change, err)
	}
}

func TestLinksLeadNowhereElse(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(outside+"/victim", []byte("safe\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, dir := project(t, Scope{All: true}, "deep/real/x", "x\n", ".git/config", "[core]\n", "sub/keep", "")
	for link, target := range map[string]string{
		"file": outside + "/victim", "dir": outside, "up": "../" + filepath.Base(outside), "deep/far": "../..",
		"config": ".git/config", "git": ".git", "loop": "loop", "sneaky": "deep/real/../../../" + filepath.Base(outside) + "/victim",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"file", "dir/victim", "dir/new", "up/victim", "deep/far/x", "config", "git/config", "git/hooks/pre-commit", "loop", "sneaky"} {
		if _, err := f.Read(path); err == nil {
			t.Errorf("Read(%s) was allowed", path)
		}
		if change, err := f.Write(path, []byte("owned")); err == nil {
			t.Errorf("Write(%s) was allowed: %+v", path, change)
		}
	}
	if content(t, outside+"/victim") != "safe\n" || content(t, dir+"/.git/config") != "[core]\n" {
		t.Error("a file outside changed")
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("files appeared outside: %v", entries)
	}
}

func TestHardLinkedFileIsNotWritten(t *testing.T) {
	f, dir := project(t, Scope{All: true}, "a", "text\n")
	if err := os.Link(dir+"/a", dir+"/b"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Edit("a", "text", "x", ""); !errors.Is(err, ErrHardLink) {
		t.Errorf("edit: %v", err)
	}
	if _, err := f.Write("a", []byte("x")); !errors.Is(err, ErrHardLink) {
		t.Errorf("write: %v", err)
	}
	if content(t, dir+"/b") != "text\n" {
		t.Error("the other name changed")
	}
}

// A read of a named pipe without a writer would block for ever, and with it
// this test.
func TestSpecialFilesAreRefusedWithoutBlocking(t *testing.T) {
	f, dir := project(t, Scope{All: true})
	if err := syscall.Mkfifo(dir+"/pipe", 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir+"/dir", 0o777); err != nil {
		t.Fatal(err)
	}
	// The name of a socket is limited to some 100 bytes, so it is made from inside.
	t.Chdir(dir)
	listener, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for path, kind := range map[string]string{"pipe": "named pipe", "dir": "directory", "socket": "socket"} {
		for what, use := range map[string]func() error{
			"read":   func() error { _, err := f.Read(path); return err },
			"edit":   func() error { _, err := f.Edit(path, "a", "b", ""); return err },
			"write":  func() error { _, err := f.Write(path, nil); return err },
			"delete": func() error { _, err := f.Delete(path); return err },
		} {
			if err := use(); !errors.Is(err, ErrNotRegular) || !strings.Contains(err.Error(), kind) {
				t.Errorf("%s of a %s: %v", what, kind, err)
			}
		}
	}
}

func TestDeleteAndRename(t *testing.T) {
	f, dir := project(t, Scope{All: true}, "a", "text\n", "b", "other\n")
	if _, err := f.Rename("a", "b"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("rename onto a file: %v", err)
	}
	if change, err := f.Rename("a", "new/c"); err != nil || change.Path != "new/c" {
		t.Errorf("rename: %+v, %v", change, err)
	}
	if content(t, dir+"/new/c") != "text\n" {
		t.Error("the content did not come along")
	}
	if change, err := f.Delete("new/c"); err != nil || string(change.Before) != "text\n" {
		t.Errorf("delete: %+v, %v", change, err)
	}
	for what, err := range map[string]error{
		"delete": second(f.Delete("new/c")), "rename": second(f.Rename("a", "x")), "edit": second(f.Edit("a", "x", "y", "")),
	} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s of a missing file: %v", what, err)
		}
	}
	if _, err := f.Rename("b", ".git/hooks/x"); err == nil {
		t.Error("rename into git's directory was allowed")
	}
}

func second(_ Change, err error) error { return err }
