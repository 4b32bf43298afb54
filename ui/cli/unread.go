package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// lookForReader is how often it is checked that somebody still reads, in
// milliseconds: a quiet run writes nothing that could fail.
const lookForReader = 500

// unread is closed once nobody can read standard output any more: its terminal
// was closed, or the other end of its pipe. Looking ends with done.
func (s *IO) unread(done <-chan struct{}) <-chan struct{} {
	gone := make(chan struct{})
	out, ok := s.Out.(*os.File)
	if !ok {
		return gone
	}
	go func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			fds := []unix.PollFd{{Fd: int32(out.Fd())}}
			n, err := unix.Poll(fds, lookForReader)
			if n > 0 && fds[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0 {
				close(gone)
				return
			}
			if n > 0 || err != nil && err != unix.EINTR {
				return // cannot be told: writing will
			}
		}
	}()
	return gone
}
