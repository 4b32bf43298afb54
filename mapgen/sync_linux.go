package mapgen

import (
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// syncWhole flushes each file system the files lie on. It answers false when
// the system cannot.
func syncWhole(files []*pendingFile) bool {
	flushed := map[uint64]bool{}
	dir := ""
	for _, f := range files {
		if at := filepath.Dir(f.temp); at != dir {
			dir = at
			if !flushDevice(dir, flushed) {
				return false
			}
		}
	}
	return true
}

func flushDevice(dir string, flushed map[uint64]bool) bool {
	info, err := os.Stat(dir)
	if err != nil {
		return gone(err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	device := uint64(st.Dev)
	if flushed[device] {
		return true
	}
	flushed[device] = true
	return withFile(dir, func(d *os.File) error { return unix.Syncfs(int(d.Fd())) }) == nil
}
