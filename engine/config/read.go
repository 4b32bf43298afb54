package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// maxConfig bounds a configuration file, in bytes.
const maxConfig = 1 << 20

// readUserFile reads a file of the user's own, through links if there are any.
// The error is fs.ErrNotExist when there is none.
func readUserFile(path string, limit int64) ([]byte, error) {
	if _, err := os.Lstat(path); err != nil {
		return nil, reason(err)
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("is a link that leads nowhere")
	}
	if err != nil {
		return nil, reason(err)
	}
	if err := mustBeRegular(info); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, reason(err)
	}
	return readOpened(file, limit)
}

// readProjectFile reads a file of the project, which a link may name only if
// it stays inside: the project's author must not choose what else is read.
func readProjectFile(root, name string, limit int64) ([]byte, error) {
	path := filepath.Join(root, name)
	if _, err := os.Lstat(path); err != nil {
		return nil, reason(err)
	}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, reason(err)
	}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("is a link that leads nowhere")
	}
	if err != nil {
		return nil, reason(err)
	}
	inside, err := filepath.Rel(realRoot, target)
	if err != nil || !filepath.IsLocal(inside) {
		return nil, errors.New("is a link that leads out of the project")
	}
	folder, err := os.OpenRoot(realRoot)
	if err != nil {
		return nil, reason(err)
	}
	defer folder.Close()
	info, err := folder.Lstat(inside)
	if err != nil {
		return nil, reason(err)
	}
	if err := mustBeRegular(info); err != nil {
		return nil, err
	}
	file, err := folder.OpenFile(inside, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, reason(err)
	}
	return readOpened(file, limit)
}

// readOpened looks again at what was opened (it may have been exchanged in
// between) and closes it.
func readOpened(file *os.File, limit int64) ([]byte, error) {
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, reason(err)
	}
	if err := mustBeRegular(info); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, reason(err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("is larger than %s", Bytes(limit))
	}
	return data, nil
}

// mustBeRegular keeps everything from being opened that could block or act.
func mustBeRegular(info fs.FileInfo) error {
	what := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	default:
		what = strings.TrimSpace("something special " + mode.Type().String())
	}
	return fmt.Errorf("is %s, not a file", what)
}

// reason drops the path from a file error; the caller's message has it.
func reason(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("cannot be read: %w", pathErr.Err)
	}
	return fmt.Errorf("cannot be read: %w", err)
}
