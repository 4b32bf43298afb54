package mapgen

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// flushAll flushes the file system all files lie on. It answers false when they
// lie on several, or when the system cannot do it.
func flushAll(rounds []*round) bool {
	device, ok := deviceOf(rounds[0].files[0].file)
	for _, r := range rounds {
		for _, f := range r.files {
			d, known := deviceOf(f.file)
			ok = ok && known && d == device
		}
	}
	if !ok || unix.Syncfs(int(rounds[0].files[0].file.Fd())) != nil {
		return false
	}
	for _, r := range rounds {
		r.done <- nil
	}
	return true
}

func deviceOf(f *os.File) (uint64, bool) {
	info, err := f.Stat()
	if err != nil {
		return 0, false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return uint64(st.Dev), true
}
