package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// patience is how long the program may take to end by itself once it has been
// asked to. After that the terminal is restored around it.
const patience = 2 * time.Second

// terminal owns what the program does to the terminal it runs in: it knows how
// to end the program, how the terminal was before, and when it is gone.
type terminal struct {
	in, out  *device
	before   *term.State // of in, nil when in is no terminal
	cancel   context.CancelFunc
	ended    chan struct{} // closed when the program has given the terminal back
	lent     atomic.Bool   // somebody else has it for a while
	returned atomic.Int64  // when it was given back, in nanoseconds since 1970
	program  atomic.Pointer[tea.Program]

	mu     sync.Mutex
	signal os.Signal
	fault  *Crash
	asked  bool
	exit   func(int)
}

// newTerminal notes how the terminal is now. Cancel must end the program.
func newTerminal(in io.Reader, out io.Writer, cancel context.CancelFunc) *terminal {
	t := &terminal{cancel: cancel, ended: make(chan struct{}), exit: os.Exit}
	t.in = &device{reader: in, gone: t.vanish}
	t.out = &device{writer: out, gone: t.vanish}
	if f, ok := in.(term.File); ok && term.IsTerminal(f.Fd()) {
		t.in.file = f
		t.before, _ = term.GetState(f.Fd())
	}
	if f, ok := out.(term.File); ok && term.IsTerminal(f.Fd()) {
		t.out.file = f
	}
	return t
}

// end asks the program to end and sees to it that it does.
func (t *terminal) end() {
	t.mu.Lock()
	again := t.asked
	t.asked = true
	t.mu.Unlock()
	t.cancel()
	if again {
		return
	}
	Go("waiting for the screen to close", func() {
		select {
		case <-t.ended:
		case <-time.After(patience):
			t.rescue()
		}
	})
}

// tell hands a message to the program, unless another has the terminal. It
// does not wait: a program that is stuck would hold up the signals.
func (t *terminal) tell(msg tea.Msg) {
	if p := t.program.Load(); p != nil && !t.lent.Load() {
		Go("telling of a signal", func() { p.Send(msg) })
	}
}

// sized makes the news of a size that of the size now: what several goroutines
// have asked for may come in another order than it was true in.
func (t *terminal) sized(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, is := msg.(tea.WindowSizeMsg); is {
		if width, height, err := term.GetSize(t.out.file.Fd()); err == nil && width > 0 && height > 0 {
			return tea.WindowSizeMsg{Width: width, Height: height}
		}
	}
	return msg
}

// crash ends the program because of a panic; the first one is reported.
func (t *terminal) crash(c *Crash) {
	t.mu.Lock()
	if t.fault == nil {
		t.fault = c
	}
	t.mu.Unlock()
	select {
	case <-t.ended: // too late for Run to tell
		fmt.Fprint(os.Stderr, c.Report())
		t.exit(ExitFault)
	default:
		t.end()
	}
}

// interrupt ends the program because of a signal.
func (t *terminal) interrupt(s os.Signal) {
	t.mu.Lock()
	if t.signal == nil {
		t.signal = s
	}
	t.mu.Unlock()
	if s == syscall.SIGHUP && t.out.hungUp() {
		t.out.shut.Store(true)
	}
	t.end()
}

// vanish ends the program because its terminal is no more: nothing is written
// to it from here on.
func (t *terminal) vanish() {
	t.out.shut.Store(true)
	t.interrupt(syscall.SIGHUP)
}

func (t *terminal) outcome() (os.Signal, *Crash) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.signal, t.fault
}

// rescue restores the terminal without the program's help and ends the
// process. It never waits for the terminal: a stopped one would wait for ever.
func (t *terminal) rescue() {
	s, fault := t.outcome()
	wrote := make(chan struct{})
	go func() { // not by Go: it may stay blocked, and cannot panic
		defer close(wrote)
		if t.out.file != nil && !t.out.shut.Load() {
			_, _ = io.WriteString(t.out.file, resetSequence+popTitle)
		}
	}()
	select {
	case <-wrote:
	case <-time.After(patience / 4):
	}
	t.restoreModes()
	code := ExitCode(Exit{Signal: s}, nil)
	if fault != nil {
		code = ExitFault
		fmt.Fprint(os.Stderr, fault.Report())
	}
	t.exit(code)
}

// restoreModes puts the line discipline back as it was found.
func (t *terminal) restoreModes() {
	if t.before != nil && t.in.file != nil {
		_ = term.Restore(t.in.file.Fd(), t.before)
	}
}

// device is one side of the terminal as the program sees it. It notices when
// the terminal goes away, and can be shut: what is written then disappears.
type device struct {
	reader io.Reader
	writer io.Writer
	file   term.File // nil when it is no terminal
	shut   atomic.Bool
	gone   func()
}

// Read reads from the terminal. The end of a terminal's input is its end, but for
// a Ctrl-D that came while an editor had it.
func (d *device) Read(p []byte) (int, error) {
	n, err := d.reader.Read(p)
	for range 3 {
		if n > 0 || err != io.EOF || d.file == nil || d.hungUp() {
			break
		}
		n, err = d.reader.Read(p)
	}
	if err != nil && n == 0 {
		d.gone()
	}
	return n, err
}

// Write writes to the terminal, or nowhere once it is shut.
func (d *device) Write(p []byte) (int, error) {
	if d.shut.Load() {
		return len(p), nil
	}
	n, err := d.writer.Write(p)
	if isGone(err) {
		d.gone()
		return len(p), nil
	}
	return n, err
}

// Close does nothing: who opened the terminal closes it.
func (d *device) Close() error { return nil }

// hungUp tells whether nobody is at the other end any more.
func (d *device) hungUp() bool {
	if d.file == nil {
		return false
	}
	_, err := term.GetState(d.file.Fd())
	return err != nil
}

func isGone(err error) bool {
	return errors.Is(err, syscall.EIO) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ENXIO) ||
		errors.Is(err, os.ErrClosed) || errors.Is(err, io.ErrClosedPipe)
}

// tty is a device that is a terminal; the program asks it for its size and
// switches its modes.
type tty struct{ *device }

// Fd is the terminal's file descriptor.
func (t tty) Fd() uintptr { return t.file.Fd() }

// Name is the terminal's path where it is known.
func (t tty) Name() string {
	if f, ok := t.file.(interface{ Name() string }); ok {
		return f.Name()
	}
	return "terminal"
}

// side is what is handed to the program: with a file descriptor only where
// there is a terminal behind it.
func (d *device) side() io.ReadWriteCloser {
	if d.file != nil {
		return tty{d}
	}
	return d
}
