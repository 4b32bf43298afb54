//go:build unix

package symbols

import "syscall"

// ownGroup keeps a Ctrl-C on the terminal from ending a worker under its
// parent, which would look like a crash over the file at hand.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
