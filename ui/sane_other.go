//go:build !linux

package ui

import "io"

// sane leaves the line editing alone: `stty sane` does it there.
func sane(io.Writer) error { return nil }
