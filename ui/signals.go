package ui

import (
	"os"
	"os/signal"
	"syscall"
)

// watchSignals ends the screen on every signal that would otherwise leave the
// terminal in disorder. A signal that was ignored when the program started
// (nohup) stays ignored: then the end of the terminal itself is the sign.
func watchSignals(t *terminal) (stop func()) {
	var wanted []os.Signal
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			wanted = append(wanted, s)
		}
	}
	if len(wanted) == 0 {
		return func() {}
	}
	ch := make(chan os.Signal, 4)
	signal.Notify(ch, wanted...)
	done := make(chan struct{})
	Go("watching for signals", func() {
		for {
			select {
			case s := <-ch:
				t.interrupt(s)
			case <-done:
				return
			}
		}
	})
	return func() {
		signal.Stop(ch)
		close(done)
	}
}
