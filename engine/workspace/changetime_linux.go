package workspace

import (
	"io/fs"
	"syscall"
	"time"
)

// changeTime is when a file or its attributes last changed, which nobody can
// date back.
func changeTime(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Ctim.Unix())
	}
	return info.ModTime()
}
