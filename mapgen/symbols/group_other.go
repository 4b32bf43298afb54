//go:build !unix

package symbols

import "syscall"

func ownGroup() *syscall.SysProcAttr { return nil }
