package ui

import (
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"
)

// watchSignals ends the screen on every signal that would otherwise leave the
// terminal in disorder. A signal that was ignored when the program started
// (nohup) stays ignored: then the end of the terminal itself is the sign.
func watchSignals(t *terminal) (stop func()) {
	jobs := make(chan os.Signal, 4)
	var wanted []os.Signal
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			wanted = append(wanted, s)
		}
	}
	ch := make(chan os.Signal, 4)
	if len(wanted) > 0 {
		signal.Notify(ch, wanted...)
	}
	if t.in.file != nil {
		// Not SIGTSTP: once heard it would never stop us again, nor would the
		// Ctrl-Z of an editor that shares our group.
		signal.Notify(jobs, syscall.SIGCONT)
	}
	sizes := make(chan os.Signal, 1)
	if t.out.file != nil {
		// The library listens only some time after it has asked for the size.
		signal.Notify(sizes, syscall.SIGWINCH)
	}
	done := make(chan struct{})
	Go("watching for signals", func() {
		for {
			select {
			case s := <-ch:
				if s != syscall.SIGINT && s != syscall.SIGQUIT || !t.elsewhere() {
					t.interrupt(s)
				}
			case <-jobs:
				t.tell(contMsg{})
			case <-sizes:
				t.tell(tea.RequestWindowSize())
			case <-done:
				return
			}
		}
	})
	return func() {
		signal.Stop(ch)
		signal.Stop(jobs)
		signal.Stop(sizes)
		close(done)
	}
}
