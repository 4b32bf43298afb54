package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Git LFS keeps large files outside git's objects, in a directory `lfs` beside
// them, and looks into the one of every store that is borrowed from.

// largeFileFilter is how Git LFS sets itself up. A repository that has it for
// itself alone gets these words of ours, not its own: the program is the one in
// the user's PATH, whatever the repository says.
var largeFileFilter = []string{
	"filter.lfs.clean", "git-lfs clean -- %f",
	"filter.lfs.smudge", "git-lfs smudge -- %f",
	"filter.lfs.process", "git-lfs filter-process",
	"filter.lfs.required", "true",
}

// unshareLargeFiles removes the files that Git LFS linked from the user's
// store into ours: it finds them again through the borrowed store, and nothing
// of ours may share an inode with a file of the user.
func (c checkout) unshareLargeFiles() error {
	return walkLargeFiles(c.Engine, func(path, _ string, info fs.FileInfo) error {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink > 1 {
			return os.Remove(path)
		}
		return nil
	})
}

// publishLargeFiles copies the large files a Worker made into the user's store,
// so that the user can check its commits out.
func (c checkout) publishLargeFiles() error {
	return walkLargeFiles(c.Engine, func(path, rel string, _ fs.FileInfo) error {
		to := filepath.Join(c.Source.Common, "lfs", "objects", rel)
		if _, err := os.Lstat(to); err == nil {
			return nil
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return copyWhole(path, to)
	})
}

func walkLargeFiles(engine string, visit func(path, rel string, info fs.FileInfo) error) error {
	store := filepath.Join(engine, "lfs", "objects")
	err := filepath.WalkDir(store, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(store, path)
		if err != nil {
			return err
		}
		return visit(path, rel, info)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("keeping the large files of %s: %w", store, err)
	}
	return nil
}

// copyWhole copies a file under a temporary name first: a reader sees all of it
// or nothing.
func copyWhole(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), ".incoming-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Chmod(0o644), out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}
