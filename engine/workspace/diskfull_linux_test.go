package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

var errCannotMount = errors.New("cannot mount")

func init() {
	childRoles["small disk"] = func(dir string) error {
		// Nothing of this namespace's mounts may reach the machine's.
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			return fmt.Errorf("%w: %v", errCannotMount, err)
		}
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
			return fmt.Errorf("%w: %v", errCannotMount, err)
		}
		return writeWithoutRoom(dir, syscall.ENOSPC, "disk full", 27_019, func() (func() error, error) {
			fill := filepath.Join(dir, "fill")
			return func() error { return os.Remove(fill) }, fillUpTo(fill, 8192)
		})
	}
	childRoles["small files"] = func(dir string) error {
		return writeWithoutRoom(dir, syscall.EFBIG, "limit for the size", 10_000, func() (func() error, error) {
			var old unix.Rlimit
			if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
				return nil, err
			}
			return func() error { return unix.Setrlimit(unix.RLIMIT_FSIZE, &old) },
				unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 16 << 10, Max: old.Max})
		})
	}
}

// fillUpTo leaves only free bytes of the disk that path is on.
func fillUpTo(path string, free uint64) error {
	var disk unix.Statfs_t
	if err := unix.Statfs(filepath.Dir(path), &disk); err != nil {
		return err
	}
	return os.WriteFile(path, make([]byte, disk.Bavail*uint64(disk.Bsize)-free), 0o600)
}

// writeWithoutRoom writes where no room is left: every way of writing has to
// fail in words, keep the old content and leave nothing behind, and to work
// again when there is room.
func writeWithoutRoom(dir string, want error, words string, oldSize int, exhaust func() (restore func() error, err error)) error {
	old := bytes.Repeat([]byte("x"), oldSize)
	path := filepath.Join(dir, "src.txt")
	files, err := OpenFiles(dir, Scope{All: true})
	if err != nil {
		return err
	}
	defer files.Close()
	if err := AtomicWrite(path, append(bytes.Clone(old[1:]), 'Y'), 0o600); err != nil {
		return fmt.Errorf("with room: %w", err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	restore, err := exhaust()
	if err != nil {
		return err
	}
	names := listing(dir)
	big := bytes.Repeat([]byte("new"), 20_000)
	for what, failure := range map[string]error{
		"AtomicWrite": AtomicWrite(path, big, 0o600),
		"Write":       second(files.Write("src.txt", big)),
		"Write new":   second(files.Write("new.txt", big)),
		"Edit":        second(files.Edit("src.txt", "Y", string(big), "")),
	} {
		if !errors.Is(failure, want) || !strings.Contains(failure.Error(), words) || !strings.Contains(failure.Error(), ".txt") {
			return fmt.Errorf("%s: error %v, want %v in the words %q", what, failure, want, words)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
			return fmt.Errorf("%s: the old content is lost: %d bytes, %v", what, len(after), err)
		}
		if now := listing(dir); now != names {
			return fmt.Errorf("%s: the directory holds %s, before it was %s", what, now, names)
		}
	}
	if err := restore(); err != nil {
		return err
	}
	if _, err := files.Edit("src.txt", "Y", string(big), ""); err != nil {
		return fmt.Errorf("with room again: %w", err)
	}
	return nil
}

func listing(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err.Error()
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}

func TestNoRoomForAFileKeepsTheOldOne(t *testing.T) {
	if output, err := asChild("small files", t.TempDir()).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// The disk is a real one of 2 MB where this process may mount (as root, or in
// a user namespace); elsewhere its place is taken by a limit on file sizes.
func TestFullDiskKeepsTheOldFile(t *testing.T) {
	cmd := asChild("small disk", t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}}
	}
	output, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || bytes.Contains(output, []byte(errCannotMount.Error())) {
		t.Logf("no disk of our own here (%v %s)", err, output)
		output, err = asChild("small files", t.TempDir()).CombinedOutput()
	}
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
