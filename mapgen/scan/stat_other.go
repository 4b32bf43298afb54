//go:build !linux

package scan

import "io/fs"

// ChangeTime is not known here.
func ChangeTime(fs.FileInfo) int64 { return 0 }
