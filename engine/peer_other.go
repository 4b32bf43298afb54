//go:build !linux

package engine

import "errors"

func peer(int) (pid, uid int, err error) {
	return 0, 0, errors.New("this system cannot name the peer of a socket")
}
