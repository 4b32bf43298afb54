package ui

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// signalMsg is a signal of job control that reached the workbench from
// outside.
type signalMsg struct{ signal os.Signal }

// backMsg says that the terminal was given back.
type backMsg struct{}

// signalled does what a signal of job control asks for.
func (m *model) signalled(msg signalMsg) tea.Cmd {
	if msg.signal == syscall.SIGTSTP {
		return m.suspend()
	}
	// It was stopped by force and goes on: whoever had the terminal meanwhile
	// left it as they liked.
	if t := onScreen.Load(); t != nil && t.in.file != nil {
		return tea.Exec(&visit{t: t}, func(error) tea.Msg { return backMsg{} })
	}
	return nil
}

// suspend gives the terminal back to the shell until it says fg.
func (m *model) suspend() tea.Cmd {
	t := onScreen.Load()
	if t == nil || t.in.file == nil || signal.Ignored(syscall.SIGTSTP) || orphaned() {
		m.notice = "there is no shell to go back to here; q leaves, the run goes on"
		return nil
	}
	return tea.Exec(&visit{t: t, do: stopHere}, func(error) tea.Msg { return backMsg{} })
}

// stopHere stops the process group, as Ctrl-Z does in a terminal that reads
// lines, and returns when it goes on.
func stopHere() error {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	// Another thread may be the one the signal stops, a moment later; and
	// where nothing stops us nothing will say go on.
	select {
	case <-goesOn:
	case <-time.After(patience / 2):
	}
	return nil
}

// visit is something else that has the terminal for a while: a program, or
// the shell.
type visit struct {
	t   *terminal
	cmd *exec.Cmd
	do  func() error
}

// Run gives the terminal away and takes it back in whatever state it comes.
func (v *visit) Run() error {
	return v.t.lend(func() error {
		switch {
		case v.cmd != nil:
			v.cmd.Stdin, v.cmd.Stdout, v.cmd.Stderr = v.t.in.reader, v.t.out.writer, v.t.out.writer
			return v.cmd.Run()
		case v.do != nil:
			return v.do()
		}
		return nil
	})
}

// SetStdin, SetStdout and SetStderr do nothing: the terminal itself is lent,
// not what the program makes of it.
func (*visit) SetStdin(io.Reader)  {}
func (*visit) SetStdout(io.Writer) {}
func (*visit) SetStderr(io.Writer) {}

// lend lets somebody else have the terminal while do runs. Signals that keys
// send are theirs then, so that Ctrl-C in an editor does not end the screen
// behind it. Afterwards the terminal is as it was found at the start, also
// when the other was killed in the middle of its work.
func (t *terminal) lend(do func() error) error {
	t.lent.Store(true)
	defer t.lent.Store(false)
	signal.Reset(syscall.SIGTSTP)
	_, _ = io.WriteString(t.out, popTitle)
	err := do()
	t.restoreModes()
	leftOver := leftBehind
	if err != nil {
		leftOver = leftByTheKilled
	}
	_, _ = io.WriteString(t.out, leftOver+pushTitle)
	if t.signals != nil {
		signal.Notify(t.signals, syscall.SIGTSTP)
	}
	return err
}
