package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// movable returns what stands at rel if it is a regular file or a link.
func (f *Files) movable(rel string) (fs.FileInfo, error) {
	info, err := f.root.Lstat(rel)
	if err != nil {
		return nil, bare(err)
	}
	if !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
		return nil, fmt.Errorf("%w (%s)", ErrNotRegular, kindOf(info.Mode()))
	}
	return info, nil
}

// load reads the regular file at rel. The file is looked at before and after
// it is opened, so that neither a FIFO nor one swapped in between can block.
func (f *Files) load(rel string, limit int64) ([]byte, fs.FileInfo, error) {
	before, err := f.root.Lstat(rel)
	if err != nil {
		return nil, nil, bare(err)
	}
	if !before.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%w (%s)", ErrNotRegular, kindOf(before.Mode()))
	}
	if before.Size() > limit {
		return nil, nil, fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, before.Size(), limit)
	}
	file, err := f.root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, nil, bare(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, bare(err)
	}
	if !info.Mode().IsRegular() || !os.SameFile(before, info) {
		return nil, nil, ErrChanged
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, nil, bare(err)
	}
	if int64(len(data)) > limit {
		return nil, nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	}
	return data, info, nil
}

// replace writes rel atomically; info is the file that stands there, or nil.
func (f *Files) replace(rel string, data []byte, info fs.FileInfo) error {
	if info != nil && linkCount(info) > 1 {
		return fmt.Errorf("write %s: %w", rel, ErrHardLink)
	}
	if err := f.root.MkdirAll(path.Dir(rel), 0o777); err != nil {
		return writeFailure(rel, bare(err))
	}
	dir, err := f.root.OpenRoot(path.Dir(rel))
	if err != nil {
		return writeFailure(rel, bare(err))
	}
	defer dir.Close()
	if err := replaceIn(dir, path.Base(rel), data, 0o666, info); err != nil {
		return writeFailure(rel, bare(err))
	}
	return nil
}

func (f *Files) listDirectoryTargets() map[string]bool {
	found := map[string]bool{}
	for _, target := range f.scope.Targets {
		if !strings.HasSuffix(target, "/") {
			continue
		}
		// What cannot be read cannot be listed either; it is refused on use.
		_ = fs.WalkDir(f.root.FS(), path.Clean(target), func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if entry.IsDir() {
				if entry.Name() == ".git" {
					return fs.SkipDir
				}
				return nil
			}
			found[name] = true
			return nil
		})
	}
	return found
}

func linkCount(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	}
	return "of another kind"
}

// bare drops the operation and path that os adds, since ours name both.
func bare(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	var linkError *os.LinkError
	if errors.As(err, &linkError) {
		return linkError.Err
	}
	return err
}
