//go:build !linux

package symbols

import "runtime"

// resident is the memory the Go runtime knows of: where the system does not
// tell more, a worker's time is what bounds it.
func resident() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
