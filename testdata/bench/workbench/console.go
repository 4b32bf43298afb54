package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// margin is how many columns the emulator has more than the program was told:
// what is written there was wider than the terminal.
const margin = 40

// settling is how long after a change of size a paint may still be of another.
const settling = 600 * time.Millisecond

// console is a pseudo terminal with a program in it. What the program writes is
// counted and drawn.
type console struct {
	cmd     *exec.Cmd
	master  *os.File
	started time.Time
	ended   chan struct{}
	changed chan struct{}

	mu            sync.Mutex
	term          *vt.Emulator
	width, height int
	stale         bool      // resized, and not yet painted for that size
	fresh         time.Time // when it was
	since         int       // paints since then
	bytes, paints int
	tail          []byte   // the last that was written
	measured      int      // paints after which the lines' width was looked at
	wide          []string // lines that were wider than the terminal
}

var (
	beginPaint = []byte(ansi.SetModeSynchronizedOutput)
	endPaint   = []byte(ansi.ResetModeSynchronizedOutput)
	eraseAll   = []byte(ansi.EraseEntireScreen)
	eraseBelow = []byte(ansi.EraseScreenBelow)
	wrapsAgain = []byte(ansi.SetModeAutoWrap)
)

func open(width, height int, env []string, argv ...string) (*console, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8", "NO_COLOR=", "VISUAL=", "EDITOR=true", "TMUX=", "STY=", "SSH_TTY=")
	for i, v := range cmd.Env { // set but empty still counts as a connection from elsewhere
		if strings.HasPrefix(v, "SSH_TTY=") {
			cmd.Env[i] = "_="
		}
	}
	cmd.Env = append(cmd.Env, env...)
	c := &console{
		cmd: cmd, width: width, height: height,
		ended: make(chan struct{}), changed: make(chan struct{}, 1),
	}
	master, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	defer slave.Close()
	c.master = master
	c.emulate()
	if err := pty.Setsize(master, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		return nil, err
	}
	if err := expandTabs(slave); err != nil {
		return nil, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	c.started = time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go c.drain()
	return c, nil
}

// expandTabs makes a terminal without tab stops. To the renderer a tab near the
// right edge is a way to the last column, which the margin would make longer.
func expandTabs(tty *os.File) error {
	modes, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		return err
	}
	modes.Oflag |= unix.XTABS
	return unix.IoctlSetTermios(int(tty.Fd()), unix.TCSETS, modes)
}

func (c *console) drain() {
	defer close(c.ended)
	buf := make([]byte, 256<<10)
	for {
		n, err := c.master.Read(buf)
		if err != nil {
			return
		}
		c.take(buf[:n])
		select {
		case c.changed <- struct{}{}:
		default:
		}
	}
}

// take draws what was written, and looks at the screen after each paint.
func (c *console) take(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes += len(p)
	c.tail = append(c.tail, p...)
	c.tail = c.tail[max(0, len(c.tail)-4096):]
	c.paints += bytes.Count(p, beginPaint)
	for len(p) > 0 {
		piece := p
		at := bytes.Index(p, endPaint)
		if at >= 0 {
			piece = p[:at+len(endPaint)]
		}
		p = p[len(piece):]
		if c.stale && (bytes.Contains(piece, eraseAll) || bytes.Contains(piece, eraseBelow)) {
			c.stale, c.fresh, c.since = false, time.Now(), 0
		}
		c.draw(piece)
		if at >= 0 {
			c.since++
		}
		// A paint for the size before may still have been on its way. A terminal
		// has cut off what of it is too wide.
		if c.stale || c.since <= 3 || time.Since(c.fresh) <= settling {
			c.cut()
		} else if at >= 0 {
			c.measure()
			c.measured++
		}
	}
}

// draw hands what was written to the emulator. A paint for a larger screen than
// it has become meanwhile can be too much for it: then it begins anew.
func (c *console) draw(piece []byte) {
	defer func() {
		if recover() != nil {
			c.stale = true
			c.emulate()
		}
	}()
	for len(piece) > 0 {
		part := piece
		at := bytes.Index(piece, wrapsAgain)
		if at >= 0 {
			part = piece[:at+len(wrapsAgain)]
		}
		piece = piece[len(part):]
		_, _ = c.term.Write(part)
		// What was written in the last column without wrapping left the cursor there.
		if at >= 0 && c.term.CursorPosition().X >= c.width {
			_, _ = io.WriteString(c.term, ansi.CursorHorizontalAbsolute(c.width))
		}
	}
}

// emulate begins with an empty screen.
func (c *console) emulate() {
	c.term = vt.NewEmulator(c.width+margin, c.height)
	// A terminal that knows synchronized updates, so that paints can be told apart.
	_, _ = io.WriteString(c.term, ansi.ResetModeSynchronizedOutput)
	c.term.RegisterCsiHandler('@', c.insert)
	answers, master := c.term, c.master
	go func() { _, _ = io.Copy(master, answers) }()
}

// cut empties the margin.
func (c *console) cut() {
	for y := range c.height {
		for x := c.width; x < c.width+margin; x++ {
			c.term.SetCell(x, y, nil)
		}
	}
}

// insert pushes the cells from the cursor on to the right, as a terminal without
// the margin does: those that reach the right edge are gone.
func (c *console) insert(params ansi.Params) bool {
	n, _, _ := params.Param(0, 1)
	at := c.term.CursorPosition()
	for x := c.width - 1; x >= at.X; x-- {
		c.term.SetCell(x, at.Y, nil)
		if x-n >= at.X {
			c.term.SetCell(x, at.Y, c.term.CellAt(x-n, at.Y))
		}
	}
	return true
}

// measure notes a line that goes beyond the terminal.
func (c *console) measure() {
	for y := range c.height {
		for x := c.width; x < c.width+margin; x++ {
			cell := c.term.CellAt(x, y)
			if cell != nil && cell.Content != "" && cell.Content != " " && len(c.wide) < 10 {
				row := strings.Split(c.term.String(), "\n")[y]
				c.wide = append(c.wide, fmt.Sprintf("%dx%d, line %d: %q at column %d of %q", c.width, c.height, y, cell.Content, x, row))
				return
			}
		}
	}
}

func (c *console) resize(width, height int) error {
	c.mu.Lock()
	c.width, c.height, c.stale = width, height, true
	c.term.Resize(width+margin, height)
	c.mu.Unlock()
	return pty.Setsize(c.master, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
}

func (c *console) press(keys string) error {
	_, err := io.WriteString(c.master, keys)
	return err
}

func (c *console) screen() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.term.String()
}

func (c *console) counts() (bytes, paints int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes, c.paints
}

// until waits for a screen and tells when it came.
func (c *console) until(ok func(string) bool) (time.Time, error) {
	late := time.After(60 * time.Second)
	for !ok(c.screen()) {
		select {
		case <-c.changed:
		case <-c.ended:
			return time.Time{}, fmt.Errorf("the workbench ended; the screen:\n%s", c.screen())
		case <-late:
			return time.Time{}, fmt.Errorf("it did not come; the screen:\n%s", c.screen())
		}
	}
	return time.Now(), nil
}

func has(words string) func(string) bool {
	return func(s string) bool { return strings.Contains(s, words) }
}

func hasNot(words string) func(string) bool {
	return func(s string) bool { return !strings.Contains(s, words) }
}

// close leaves the workbench from a screen on which nothing is open.
func (c *console) close() error {
	if err := c.press("q"); err != nil {
		return err
	}
	return c.end()
}

// leave leaves the workbench whatever is open, by ctrl+c twice: again while an
// editor has the terminal, which takes the keys.
func (c *console) leave() error {
	for range 10 {
		if err := c.press("\x03\x03"); err != nil {
			return err
		}
		select {
		case <-c.ended:
			return c.end()
		case <-time.After(3 * time.Second):
		}
	}
	return c.end()
}

// end waits for the program's end.
func (c *console) end() error {
	done := make(chan error, 1)
	go func() { done <- c.cmd.Wait() }()
	select {
	case err := <-done:
		_ = c.master.Close()
		if err != nil {
			err = fmt.Errorf("the workbench: %w; the screen:\n%s", err, c.screen())
		}
		return err
	case <-time.After(30 * time.Second):
		_ = c.cmd.Process.Kill()
		return fmt.Errorf("the workbench did not end; the screen:\n%s", c.screen())
	}
}

// cpu is the processor time the program has used, its children left out.
func (c *console) cpu() time.Duration {
	const ofAProcess = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^c.cmd.Process.Pid)<<3|ofAProcess, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}

// memory is a line of the program's status, such as VmHWM, in bytes.
func (c *console) memory(name string) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		return -1
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			var kb int64
			_, _ = fmt.Sscan(rest, &kb)
			return kb << 10
		}
	}
	return -1
}
