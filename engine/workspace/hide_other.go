//go:build !linux

package workspace

// HideEnvironment has nothing to do on this system.
func HideEnvironment() error { return nil }

// HideMemory has nothing to do on this system.
func HideMemory() error { return nil }
