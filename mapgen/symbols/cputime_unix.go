//go:build unix

package symbols

import (
	"syscall"
	"time"
)

// processTime is how long all threads of this process have run.
func processTime() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
