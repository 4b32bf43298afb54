package voice

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// ofdSetLock locks for an open file instead of a process: the system lets go of
// it when the file is closed, also by a kill.
const ofdSetLock = 37

// claim waits until no other process asks about that content. The claims of all
// contents are single bytes of one file, far apart, which holds none of them.
// On a file system without locks nobody waits.
func (c *cache) claim(ctx context.Context, key string) (release func(), err error) {
	f, err := c.claimFile()
	if err != nil {
		return nil, err
	}
	at, err := strconv.ParseInt(key[:15], 16, 64)
	if err != nil {
		return nil, fmt.Errorf("claim %s: %w", key, err)
	}
	lock := func(kind int16) error {
		return syscall.FcntlFlock(f.Fd(), ofdSetLock, &syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: at, Len: 1})
	}
	if err := patiently(ctx, func() error { return lock(syscall.F_WRLCK) }); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return func() {}, nil
	}
	return func() { lock(syscall.F_UNLCK) }, nil
}

// claimFile is open as long as the cache is used.
func (c *cache) claimFile() (*os.File, error) {
	c.claims.Lock()
	defer c.claims.Unlock()
	if c.claims.file != nil {
		return c.claims.file, nil
	}
	err := os.MkdirAll(filepath.Dir(c.path), 0o700)
	if err == nil {
		c.claims.file, err = os.OpenFile(c.path+".claims", os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("open the claims of the cache: %w", err)
	}
	return c.claims.file, nil
}
