package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ErrOwned means that another process owns the run.
var ErrOwned = errors.New("the run has an owner already")

// lock is held by a run's owner for as long as it lives: the kernel lets go
// of it whatever way the owner ends. A record lock, because it can be asked
// about without being taken.
type lock struct{ file *os.File }

// Hold makes this process the one that owns what is kept in dir, until release
// is called or it ends. ErrOwned means that another does; Held tells.
func Hold(dir string) (release func(), err error) {
	l, err := takeLock(dir)
	if err != nil {
		return nil, err
	}
	return l.release, nil
}

// Held tells whether a process owns what is kept in dir.
func Held(dir string) bool { return OwnerAlive(dir) }

func takeLock(runDir string) (*lock, error) { return takeLockFile(runDir, fileLock) }

func takeLockFile(runDir, name string) (*lock, error) {
	f, err := os.OpenFile(filepath.Join(runDir, name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("take ownership of run %s: %w", filepath.Base(runDir), err)
	}
	err = unix.FcntlFlock(f.Fd(), setLock, &unix.Flock_t{Type: unix.F_WRLCK})
	if err != nil {
		f.Close()
		if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
			return nil, fmt.Errorf("take ownership of run %s: %w", filepath.Base(runDir), ErrOwned)
		}
		return nil, fmt.Errorf("take ownership of run %s: %w", filepath.Base(runDir), err)
	}
	return &lock{f}, nil
}

func (l *lock) release() { l.file.Close() }

// OwnerAlive tells whether a process owns the run.
func OwnerAlive(runDir string) bool {
	f, err := os.Open(filepath.Join(runDir, fileLock))
	if err != nil {
		return false
	}
	defer f.Close()
	query := unix.Flock_t{Type: unix.F_RDLCK}
	if unix.FcntlFlock(f.Fd(), getLock, &query) != nil {
		return false
	}
	return query.Type != unix.F_UNLCK
}
