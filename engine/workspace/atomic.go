package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// AtomicWrite makes data the content of the file at path: readers see the old
// content or the new one, also after a crash or on a full disk. The directory
// must exist. A new file gets perm (less the umask), an existing one keeps its
// mode and owner; of a link the target is replaced and the link stays. Errors
// keep the system's one inside: errors.Is(err, syscall.ENOSPC) is a full disk.
func AtomicWrite(path string, data []byte, perm fs.FileMode) error {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		target, err = danglingTarget(path)
	}
	if err != nil {
		return writeFailure(path, bare(err))
	}
	dir, err := os.OpenRoot(filepath.Dir(target))
	if err != nil {
		return writeFailure(path, bare(err))
	}
	defer dir.Close()
	name := filepath.Base(target)
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil:
		return writeFailure(path, bare(err))
	case !info.Mode().IsRegular():
		return writeFailure(path, fmt.Errorf("%w (%s)", ErrNotRegular, kindOf(info.Mode())))
	}
	if err := replaceIn(dir, name, data, perm, info); err != nil {
		return writeFailure(path, bare(err))
	}
	return nil
}

// danglingTarget is where a file that does not exist yet has to be made: at
// path, or where a link at path points to.
func danglingTarget(path string) (string, error) {
	for range 40 {
		link, err := os.Readlink(path)
		if err != nil {
			return path, nil
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
	return "", syscall.ELOOP
}

// replaceIn puts data under name into dir by way of a temporary file beside
// it. existing is the file to take mode and owner from, or nil.
func replaceIn(dir *os.Root, name string, data []byte, perm fs.FileMode, existing fs.FileInfo) (err error) {
	if existing != nil {
		// Closed to others until the owner is right.
		perm = existing.Mode().Perm() & 0o700
	}
	temp, err := renameio.NewPendingFile(name, renameio.WithRoot(dir), renameio.WithPermissions(perm))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ignoreGone(temp.Cleanup())) }()
	if written, err := temp.Write(data); err != nil {
		return err
	} else if written != len(data) {
		return io.ErrShortWrite
	}
	if existing != nil {
		if err := takeOver(temp.File, existing); err != nil {
			return err
		}
	}
	if err := temp.Sync(); err != nil {
		return err
	}
	// Some file systems lose bytes without an error; a look at the size is
	// the last chance to keep the old content.
	if info, err := temp.Stat(); err != nil {
		return err
	} else if info.Size() != int64(len(data)) {
		return io.ErrShortWrite
	}
	if err := temp.CloseAtomicallyReplace(); err != nil {
		return err
	}
	return syncDir(dir)
}

// takeOver gives file the owner (where the system lets us) and mode of existing.
func takeOver(file *os.File, existing fs.FileInfo) error {
	want, known := existing.Sys().(*syscall.Stat_t)
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if have, ok := info.Sys().(*syscall.Stat_t); ok && known && (have.Uid != want.Uid || have.Gid != want.Gid) {
		// Changing the owner drops set-id bits, so the mode comes after it.
		_ = file.Chown(int(want.Uid), int(want.Gid))
	}
	return file.Chmod(existing.Mode().Perm() | existing.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
}

// syncDir makes the rename itself survive a crash. The new content is in
// place already, so a file system that cannot sync directories is no error.
func syncDir(dir *os.Root) error {
	handle, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer handle.Close()
	if err := handle.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrClosed) {
		return nil
	}
	return err
}

// writeFailure words a failed write for the one who has to act on it.
func writeFailure(path string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("write %s: disk full, the file is as it was; free some space and try again: %w", path, err)
	case errors.Is(err, syscall.EFBIG):
		return fmt.Errorf("write %s: over the limit for the size of files, the file is as it was: %w", path, err)
	}
	return fmt.Errorf("write %s: %w", path, err)
}
