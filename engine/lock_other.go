//go:build !linux

package engine

import "golang.org/x/sys/unix"

const (
	setLock = unix.F_SETLK
	getLock = unix.F_GETLK
)
