package ui

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"growbench/testdata/races"
)

// console is a pseudo terminal with a workbench in a process of its own.
type console struct {
	t       *testing.T
	master  *os.File
	slave   *os.File // kept open, to look at its modes afterwards
	cmd     *exec.Cmd
	before  unix.Termios
	changed chan struct{}
	drained chan struct{}
	paused  atomic.Bool

	mu    sync.Mutex
	term  *vt.Emulator
	modes map[ansi.Mode]bool
	title string
	raw   bytes.Buffer
}

// shellTitle is the window's title before a workbench is opened.
const shellTitle = "a shell"

// start runs a workbench as the leader of a terminal.
func start(t *testing.T, role string) *console {
	t.Helper()
	return startCommand(t, role, exec.Command(os.Args[0]))
}

// timeout is when waiting for what must come is given up.
func timeout() <-chan time.Time { return time.After(60 * time.Second) }

func startCommand(t *testing.T, role string, cmd *exec.Cmd, env ...string) *console {
	t.Helper()
	return startSized(t, 100, 30, role, cmd, env...)
}

func startSized(t *testing.T, width, height int, role string, cmd *exec.Cmd, env ...string) *console {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	master = pollable(t, master)
	if err := pty.Setsize(slave, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		t.Fatal(err)
	}
	c := &console{
		t: t, master: master, slave: slave, changed: make(chan struct{}, 1), drained: make(chan struct{}),
		term: vt.NewEmulator(width, height), modes: map[ansi.Mode]bool{},
	}
	c.term.SetCallbacks(vt.Callbacks{
		EnableMode:  func(m ansi.Mode) { c.modes[m] = true },
		DisableMode: func(m ansi.Mode) { c.modes[m] = false },
		Title:       func(s string) { c.title = s },
	})
	var titles []string
	c.term.RegisterCsiHandler('t', func(params ansi.Params) bool {
		switch op, _, _ := params.Param(0, 0); {
		case op == 22:
			titles = append(titles, c.title)
		case op == 23 && len(titles) > 0:
			c.title, titles = titles[len(titles)-1], titles[:len(titles)-1]
		}
		return true
	})
	io.WriteString(c.term, "\x1b]2;"+shellTitle+"\x07")
	c.before = c.termios()
	c.cmd = cmd
	c.cmd.Env = append(os.Environ(), childRole+"="+role, "TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=", "VISUAL=", "EDITOR=", "SSH_CONNECTION=", "SSH_TTY=", "TMUX=", "STY=")
	c.cmd.Env = append(c.cmd.Env, races.Apart(t))
	c.cmd.Env = append(c.cmd.Env, env...)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = slave, slave, slave
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	go func() {
		// What the terminal answers goes back in, as from a real one.
		buf := make([]byte, 4096)
		for {
			n, err := c.term.Read(buf)
			if err != nil {
				return
			}
			c.master.Write(buf[:n])
		}
	}()
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go c.drain()
	t.Cleanup(func() {
		c.cmd.Process.Kill()
		master.Close()
		slave.Close()
	})
	return c
}

// waiting is how many bytes the terminal has not taken yet.
func (c *console) waiting() int {
	c.t.Helper()
	var n int
	conn, err := c.master.SyscallConn()
	if err == nil {
		err = conn.Control(func(fd uintptr) { n, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return n
}

// pollable returns f so that a read under way does not hold up its Close.
func pollable(t *testing.T, f *os.File) *os.File {
	t.Helper()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	return os.NewFile(uintptr(fd), f.Name())
}

func (c *console) drain() {
	defer close(c.drained)
	buf := make([]byte, 64<<10)
	for !c.paused.Load() {
		n, err := c.master.Read(buf)
		if err != nil {
			return
		}
		c.mu.Lock()
		c.raw.Write(buf[:n])
		c.term.Write(buf[:n])
		c.mu.Unlock()
		select {
		case c.changed <- struct{}{}:
		default:
		}
	}
}

func (c *console) termios() unix.Termios {
	c.t.Helper()
	modes, err := unix.IoctlGetTermios(int(c.slave.Fd()), unix.TCGETS)
	if err != nil {
		c.t.Fatal(err)
	}
	return *modes
}

func (c *console) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.term.String()
}

func (c *console) until(words string) {
	c.t.Helper()
	late := time.After(60 * time.Second)
	for !strings.Contains(c.text(), words) {
		select {
		case <-c.changed:
		case <-late:
			c.t.Fatalf("%q did not come; the screen:\n%s", words, c.text())
		}
	}
}

func (c *console) press(keys string) {
	c.t.Helper()
	if _, err := io.WriteString(c.master, keys); err != nil {
		c.t.Fatal(err)
	}
}

// resize gives the terminal another size.
func (c *console) resize(width, height int) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.term.Resize(width, height)
	if err := pty.Setsize(c.slave, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		c.t.Fatal(err)
	}
}

func (c *console) kill(s syscall.Signal) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.t.Fatal(err)
	}
}

// end waits for the process and returns its exit code.
func (c *console) end() int {
	c.t.Helper()
	done := make(chan error, 1)
	go func() { done <- c.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(60 * time.Second):
		c.t.Fatalf("the workbench did not end; the screen:\n%s", c.text())
	}
	status := c.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		c.t.Errorf("the process died of %v", status.Signal())
	}
	return status.ExitStatus()
}

// tidy checks that the terminal is as it was, once all output has come.
func (c *console) tidy() string {
	c.t.Helper()
	if after := c.termios(); after != c.before {
		c.t.Errorf("the terminal's modes changed from %+v to %+v", c.before, after)
	}
	// A mark of our own shows that everything before it was read.
	io.WriteString(c.slave, "\r\n<all read>")
	c.until("<all read>")
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.term.IsAltScreen() {
		c.t.Error("the alternate screen is still on")
	}
	for _, m := range []ansi.Mode{
		ansi.ModeBracketedPaste, ansi.ModeMouseNormal, ansi.ModeMouseButtonEvent, ansi.ModeMouseAnyEvent,
		ansi.ModeMouseExtSgr, ansi.ModeFocusEvent, ansi.ModeSynchronizedOutput,
	} {
		if c.modes[m] {
			c.t.Errorf("mode %d is still on", m.Mode())
		}
	}
	if on, set := c.modes[ansi.ModeTextCursorEnable]; set && !on {
		c.t.Error("the cursor is still hidden")
	}
	if c.title != shellTitle && c.title != "" {
		c.t.Errorf("the window title is still %q", c.title)
	}
	return c.term.String()
}

const up = "edit_file {" // shown when the screen is complete

func TestTheTerminalIsLeftAsItWasFound(t *testing.T) {
	leave := func(c *console) { c.press("q") }
	send := func(s syscall.Signal) func(*console) {
		return func(c *console) { c.kill(s) }
	}
	ctrlC := func(apart time.Duration) func(*console) {
		return func(c *console) {
			c.press("\x03")
			if apart > 0 {
				<-time.After(apart)
			}
			c.press("\x03")
		}
	}
	ways := []struct {
		name string
		do   func(*console)
		code int
	}{
		{"q", leave, 0},
		{"SIGTERM", send(syscall.SIGTERM), 130},
		{"SIGINT", send(syscall.SIGINT), 130},
		{"SIGHUP", send(syscall.SIGHUP), 130},
		{"SIGQUIT", send(syscall.SIGQUIT), 130},
		{"Ctrl-C twice at once", ctrlC(0), 0},
		{"Ctrl-C twice, 20 ms", ctrlC(20 * time.Millisecond), 0},
		{"Ctrl-C twice, 300 ms", ctrlC(300 * time.Millisecond), 0},
	}
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			c := start(t, "plain")
			c.until(up)
			w.do(c)
			if code := c.end(); code != w.code {
				t.Errorf("exit %d, want %d", code, w.code)
			}
			screen := c.tidy()
			if c.title != shellTitle {
				t.Errorf("the window title was not given back, it is %q", c.title)
			}
			if w.code == 0 && !strings.Contains(screen, "growbench attach r1") {
				t.Errorf("it was not said how to come back:\n%s", screen)
			}
		})
	}
}

// A size that changes while the program starts is not missed.
func TestTheSizeMayChangeAtAnyMomentOfTheStart(t *testing.T) {
	digits := regexp.MustCompile(`[0-9]`) // clocks go on
	still := func(c *console) string { return digits.ReplaceAllString(c.text(), "0") }
	c := startSized(t, 80, 24, "plain", exec.Command(os.Args[0]))
	c.until("? help")
	c.until(up)
	want := still(c)
	for after := time.Duration(0); after < 60*time.Millisecond; after += time.Millisecond {
		c := start(t, "plain")
		<-time.After(after)
		c.resize(80, 24)
		late := timeout()
		for still(c) != want {
			select {
			case <-c.changed:
			case <-late:
				t.Fatalf("changed %v after the start:\n%s\nwant\n%s", after, still(c), want)
			}
		}
		c.cmd.Process.Kill()
	}
}

func TestCtrlCRightAfterTheStart(t *testing.T) {
	for _, after := range []time.Duration{0, 10 * time.Millisecond, 30 * time.Millisecond} {
		c := start(t, "plain")
		<-time.After(after)
		c.press("\x03")
		// Depending on how far it was, this was a signal before anything else
		// happened, or a key: then it is asked what to do, and a second leaves.
		ended := make(chan struct{})
		go func() { c.cmd.Wait(); close(ended) }()
		late := time.After(60 * time.Second)
		for pressed := false; ; {
			select {
			case <-ended:
			case <-c.changed:
				if !pressed && strings.Contains(c.text(), "leave, stop or stay?") {
					pressed = true
					c.press("\x03")
				}
				continue
			case <-late:
				t.Fatalf("the workbench did not end; the screen:\n%s", c.text())
			}
			break
		}
		c.tidy()
	}
}

func TestFaultsRestoreTheTerminalAndAreReported(t *testing.T) {
	for role, report := range map[string]string{
		"panic in a goroutine": `internal fault in the faulty goroutine: nobody \x1b]0;caught\x07 this`,
		"panic in a command":   "internal fault in following the run: in the source",
		"panic in update":      "internal fault in handling",
		"before":               "internal fault in a goroutine before the screen: too early",
	} {
		t.Run(role, func(t *testing.T) {
			c := start(t, role)
			if role == "panic in update" {
				c.until(up)
				c.press("k")
			}
			if code := c.end(); code != ExitFault {
				t.Errorf("exit %d", code)
			}
			c.tidy()
			c.mu.Lock()
			defer c.mu.Unlock()
			if !strings.Contains(c.raw.String(), report) {
				t.Errorf("no report of the fault in %q", c.raw.String())
			}
		})
	}
}

func TestAStuckScreenStillObeysSignals(t *testing.T) {
	c := start(t, "stuck update")
	c.until(up)
	c.press("k")
	c.press("?") // will never be handled
	c.kill(syscall.SIGTERM)
	if code := c.end(); code != 130 {
		t.Errorf("exit %d", code)
	}
	c.tidy()
}

func TestATerminalThatTakesNoOutputHoldsNobodyUp(t *testing.T) {
	c := start(t, "plain")
	c.until(up)
	c.paused.Store(true)
	c.press("?")
	<-c.drained // read once more, and then no more
	for full := false; !full; {
		// Toggle the help until nothing more fits into the terminal.
		before := c.waiting()
		c.press("??")
		<-time.After(100 * time.Millisecond)
		full = before > 0 && c.waiting() == before
	}
	c.kill(syscall.SIGTERM)
	if code := c.end(); code != 130 {
		t.Errorf("exit %d", code)
	}
	if after := c.termios(); after != c.before {
		t.Errorf("the terminal's modes changed from %+v to %+v", c.before, after)
	}
}

func TestTheProcessEndsWithItsTerminal(t *testing.T) {
	for _, role := range []string{"plain", "nohup"} {
		t.Run(role, func(t *testing.T) {
			c := start(t, role)
			c.until(up)
			c.slave.Close()
			c.master.Close()
			c.end()
		})
	}
}

func TestResetPutsATerminalInOrder(t *testing.T) {
	c := start(t, "plain")
	c.until(up)
	c.cmd.Process.Kill()
	c.cmd.Wait()
	if err := Reset(c.slave); err != nil {
		t.Fatal(err)
	}
	got := c.termios()
	c.before.Iflag, c.before.Oflag, c.before.Lflag = got.Iflag, got.Oflag, got.Lflag
	c.tidy()
	if c.title != "" {
		t.Errorf("the window title is %q: a reset cannot know whose the last one on the stack is", c.title)
	}
	const want = unix.ICANON | unix.ECHO | unix.ISIG
	if got.Lflag&want != want || got.Oflag&unix.OPOST == 0 {
		t.Errorf("line editing is off: %+v", got)
	}
}
