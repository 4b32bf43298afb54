package mapgen

import (
	"errors"
	"io/fs"
	"syscall"
)

// gone says that what an error is about does not exist.
func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
