package scan

import (
	"io/fs"
	"syscall"
)

// ChangeTime is when the file's content or attributes last changed; no program
// can set it back.
func ChangeTime(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctim.Nano()
	}
	return 0
}
