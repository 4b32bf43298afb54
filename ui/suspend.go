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

// contMsg says that the workbench goes on after it was stopped by force.
type contMsg struct{}

// backMsg says that the terminal was given back.
type backMsg struct{}

// goOn takes the terminal anew: whoever had it meanwhile left it as they liked.
func (m *model) goOn() tea.Cmd {
	t := onScreen.Load()
	if t == nil {
		return nil
	}
	return tea.Exec(&visit{t: t}, func(error) tea.Msg { return backMsg{} })
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

// restful is how long the terminal is away at least: the library stops what
// draws without waiting for it, and one that stops late would stop what was
// started after it.
const restful = 100 * time.Millisecond

// lend lets somebody else have the terminal while do runs. Signals that keys
// send are theirs then, so that Ctrl-C in an editor does not end the screen
// behind it. Afterwards the terminal is as it was found at the start, also
// when the other was killed in the middle of its work.
func (t *terminal) lend(do func() error) error {
	t.lent.Store(true)
	defer func() {
		t.returned.Store(time.Now().UnixNano())
		t.lent.Store(false)
	}()
	_, _ = io.WriteString(t.out, popTitle)
	rest := time.After(restful)
	err := do()
	<-rest
	t.restoreModes()
	leftOver := leftBehind
	if err != nil {
		leftOver = leftByTheKilled
	}
	_, _ = io.WriteString(t.out, leftOver+pushTitle)
	return err
}

// elsewhere tells whether a signal that a key sends is meant for somebody else:
// who has the terminal, or had it a moment ago and died of the same key.
func (t *terminal) elsewhere() bool {
	const moment = patience / 4
	return t.lent.Load() || time.Since(time.Unix(0, t.returned.Load())) < moment
}
