package cli

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"growbench/testdata/races"
)

// console is a terminal with growbench on it.
type console struct {
	t       *testing.T
	cmd     *exec.Cmd
	master  *os.File
	changed chan struct{}
	ended   chan struct{}
	mu      sync.Mutex
	screen  *vt.Emulator
	raw     strings.Builder
}

// onTerminal starts a command as the leader of a terminal's session.
func (p *place) onTerminal(args ...string) *console {
	p.t.Helper()
	return p.console(p.command(args...))
}

func (p *place) console(cmd *exec.Cmd) *console {
	p.t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		p.t.Fatal(err)
	}
	defer slave.Close()
	master = pollable(p.t, master)
	if err := pty.Setsize(slave, &pty.Winsize{Rows: 40, Cols: 200}); err != nil {
		p.t.Fatal(err)
	}
	c := &console{
		t: p.t, cmd: cmd, master: master, screen: vt.NewEmulator(200, 40),
		changed: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	cmd.Env = append(cmd.Environ(), races.Apart(p.t))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go c.drain()
	go func() { // what the terminal answers goes back in
		buf := make([]byte, 4096)
		for {
			n, err := c.screen.Read(buf)
			if err != nil {
				return
			}
			c.master.Write(buf[:n])
		}
	}()
	go func() {
		cmd.Wait()
		close(c.ended)
		c.nudge()
	}()
	p.t.Cleanup(func() {
		cmd.Process.Kill()
		<-c.ended
		master.Close()
	})
	return c
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
	buf := make([]byte, 64<<10)
	for {
		n, err := c.master.Read(buf)
		if err != nil {
			return
		}
		c.mu.Lock()
		c.raw.Write(buf[:n])
		c.screen.Write(buf[:n])
		c.mu.Unlock()
		c.nudge()
	}
}

func (c *console) nudge() {
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// text is what the screen shows, and after a plain command all it printed.
func (c *console) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.screen.String() + "\n" + c.raw.String()
}

// shows waits until the screen shows words.
func (c *console) shows(words string) {
	c.t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for !strings.Contains(c.text(), words) {
		select {
		case <-c.changed:
		case <-late.C:
			c.t.Fatalf("the terminal never shows %q:\n%s", words, c.text())
		}
	}
}

func (c *console) types(keys string) {
	c.t.Helper()
	if _, err := c.master.WriteString(keys); err != nil {
		c.t.Fatal(err)
	}
}

// wait returns the exit code once the command has ended.
func (c *console) wait() int {
	c.t.Helper()
	select {
	case <-c.ended:
	case <-time.After(patience):
		c.t.Fatalf("it does not end:\n%s", c.text())
	}
	return c.cmd.ProcessState.ExitCode()
}

// hangUp closes the terminal, as closing its window does.
func (c *console) hangUp() {
	c.t.Helper()
	if err := c.master.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		c.t.Fatal(err)
	}
}
