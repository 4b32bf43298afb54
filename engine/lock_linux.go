package engine

import "golang.org/x/sys/unix"

// Locks of the open file description: looking at the lock from elsewhere in
// the owner's own process neither misses it nor drops it.
const (
	setLock = unix.F_OFD_SETLK
	getLock = unix.F_OFD_GETLK
)
