package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Command is a child process to be run to its end. It gets a session of its
// own, so it has no terminal and is ended together with all it started.
type Command struct {
	// Argv is the program and its arguments. Shell, if set, is a command line
	// for sh instead. Exactly one of them is given.
	Argv  []string
	Shell string
	Dir   string
	// Env is the whole environment; nil means Environment().
	Env []string
	// Stdin is copied to the command; nil is /dev/null.
	Stdin io.Reader
	// SpillPath is the file that takes the whole output; empty is none.
	SpillPath string
	// OnOutput gets the output for live display, at most 12 times a second
	// unless Limits say otherwise. Neither callback may block for long: the
	// command waits for it.
	OnOutput func(Progress)
	// OnLine gets each line of standard output, without its line end. The
	// slice is valid during the call only. While it is set, standard error is
	// kept apart from it (and still part of the outcome). The error is nil or
	// ErrLineTooLong.
	OnLine func(line []byte, err error)
	// Secrets are replaced in all that is kept and shown of the output; OnLine
	// gets the lines as they are.
	Secrets []string
	Limits  Limits
}

// Limits bound a command. For zero values see each field.
type Limits struct {
	Time    time.Duration // from start to end; 0 is no limit
	Silence time.Duration // without any output; 0 is no limit
	Output  int64         // bytes printed before the command is ended; 0 is no limit

	Grace  time.Duration // between SIGTERM and SIGKILL; default 5 s
	Settle time.Duration // for what the command leaves behind to end by itself; default 200 ms
	Drain  time.Duration // for output held open by processes that got away; default 1 s
	Frame  time.Duration // between two calls of OnOutput; default 1/12 s

	Keep  int   // bytes kept of each, head and tail; default 96 KiB
	Line  int   // bytes in a line for OnLine; default 32 MiB
	Spill int64 // bytes in the spill file; default 256 MiB
}

func (l Limits) withDefaults() Limits {
	l.Grace = orElse(l.Grace, 5*time.Second)
	l.Settle = orElse(l.Settle, 200*time.Millisecond)
	l.Drain = orElse(l.Drain, time.Second)
	l.Frame = orElse(l.Frame, time.Second/12)
	l.Keep = orElse(l.Keep, 96<<10)
	l.Line = orElse(l.Line, 32<<20)
	l.Spill = orElse(l.Spill, 256<<20)
	return l
}

func orElse[T int | int64 | time.Duration](value, standard T) T {
	if value > 0 {
		return value
	}
	return standard
}

// EndReason is why a command ended.
type EndReason string

const (
	Exited      EndReason = "exited"
	TimedOut    EndReason = "timed out"
	Silent      EndReason = "silent"
	OutputLimit EndReason = "output limit"
	Stopped     EndReason = "stopped" // the caller's context ended
)

// Outcome is what became of a command.
type Outcome struct {
	// PID was the command's process, group and session.
	PID int
	// ExitCode is as a shell reports it: 128+n after signal n.
	ExitCode int
	Signal   syscall.Signal // 0 unless a signal ended the command
	Duration time.Duration
	Reason   EndReason
	// Head and Tail are the kept output, Dropped the bytes between them.
	Head, Tail            []byte
	Bytes, Lines, Dropped int64
	// BackgroundEnded is set when the command ended by itself, but processes
	// it had started were still there and were ended.
	BackgroundEnded bool
	SpillPath       string
	// SpillNote says what is missing in the spill file, if anything.
	SpillNote string
}

// Run starts command and returns when it and everything in its session has
// ended. A command that fails, is ended or runs into a limit is an Outcome, no
// error. Errors: the command could not be started (Outcome is zero then), or
// processes could not be ended, or a callback panicked.
func Run(ctx context.Context, command Command) (Outcome, error) {
	if err := context.Cause(ctx); err != nil {
		return Outcome{}, fmt.Errorf("run %s: not started: %w", command.name(), err)
	}
	child, err := start(command)
	if err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", command.name(), err)
	}
	outcome, err := child.supervise(ctx)
	if err != nil {
		return outcome, fmt.Errorf("run %s: %w", command.name(), err)
	}
	return outcome, nil
}

func (c Command) name() string {
	if c.Shell != "" {
		return fmt.Sprintf("%.60q", c.Shell)
	}
	if len(c.Argv) > 0 {
		return c.Argv[0]
	}
	return "nothing"
}

// child is a started command.
type child struct {
	cmd     *exec.Cmd
	limits  Limits
	spill   string
	started time.Time
	out     *output
	pipes   []*os.File    // our ends, for reading
	drained chan struct{} // closed when all pipes are read to their end
	exited  chan struct{} // closed when the command itself has ended
}

func start(command Command) (*child, error) {
	argv := command.Argv
	if (command.Shell == "") == (len(argv) == 0) {
		return nil, errors.New("give either a program or a shell line")
	}
	if command.Shell != "" {
		argv = []string{"sh", "-c", command.Shell}
	}
	limits := command.Limits.withDefaults()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = command.Dir
	cmd.Env = command.Env
	if cmd.Env == nil {
		cmd.Env = Environment()
	}
	if dir, err := filepath.Abs(command.Dir); err == nil && command.Dir != "" {
		cmd.Env = append(slices.Clip(cmd.Env), "PWD="+dir)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	file, err := openSpill(command.SpillPath, limits.Spill)
	if err != nil {
		return nil, err
	}
	c := &child{cmd: cmd, limits: limits, spill: command.SpillPath, out: newOutput(limits, file, command.OnOutput, command.Secrets),
		drained: make(chan struct{}), exited: make(chan struct{})}
	if err := c.launch(command.OnLine, command.Stdin); err != nil {
		file.close()
		for _, pipe := range c.pipes {
			pipe.Close()
		}
		return nil, err
	}
	return c, nil
}

// launch makes the pipes, starts the process and the goroutines that read it.
func (c *child) launch(onLine func([]byte, error), stdin io.Reader) error {
	stdout, err := c.pipe()
	if err != nil {
		return err
	}
	defer stdout.Close()
	// One pipe for both keeps the order in which they were printed; a decoder
	// needs standard output alone.
	c.cmd.Stdout, c.cmd.Stderr = stdout, stdout
	var lines *lineSplitter
	if onLine != nil {
		stderr, err := c.pipe()
		if err != nil {
			return err
		}
		defer stderr.Close()
		c.cmd.Stderr = stderr
		lines = &lineSplitter{limit: c.limits.Line, deliver: onLine}
	}
	var feed io.WriteCloser
	if stdin != nil {
		if feed, err = c.cmd.StdinPipe(); err != nil {
			return err
		}
	}
	if err := Start(c.cmd); err != nil {
		return err
	}
	if feed != nil {
		// Always through a pipe: a file handed on as it is could be a
		// terminal. Not waited for: the reader may block longer than the
		// command lives.
		go c.feed(feed, stdin)
	}
	c.started = time.Now()
	remaining := make(chan struct{}, len(c.pipes))
	for i, pipe := range c.pipes {
		decoder := lines
		if i > 0 {
			decoder = nil
		}
		go func() { pump(pipe, c.out, decoder); remaining <- struct{}{} }()
	}
	go func() {
		for range c.pipes {
			<-remaining
		}
		close(c.drained)
	}()
	go func() { awaitExit(c.cmd); close(c.exited) }()
	return nil
}

// feed copies stdin to the command. One that ends without reading all of it
// is no fault; a command that got half of its input without knowing is.
func (c *child) feed(into io.WriteCloser, stdin io.Reader) {
	var err error
	if fault := guarded("the reader for standard input", func() { _, err = io.Copy(into, stdin) }); fault != nil {
		err = fault
	}
	if err != nil && !errors.Is(err, syscall.EPIPE) && !errors.Is(err, os.ErrClosed) {
		c.out.fault(fmt.Errorf("pass on standard input: %w", err))
	}
	into.Close()
}

func (c *child) pipe() (*os.File, error) {
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	c.pipes = append(c.pipes, ours)
	return theirs, nil
}

func (c *child) supervise(ctx context.Context) (Outcome, error) {
	stopReports := c.reportRegularly()
	outcome := Outcome{PID: c.cmd.Process.Pid, SpillPath: c.spill, Reason: c.awaitEnd(ctx)}
	if outcome.Reason == Exited {
		// For example a process substitution that prints the last lines.
		c.settle(ctx)
	}
	// The process is not reaped yet, so its number cannot belong to another
	// group by now.
	left, endError := endSession(outcome.PID, c.limits.Grace)
	outcome.BackgroundEnded = outcome.Reason == Exited && left > 0
	<-c.exited
	c.finishOutput()
	_ = Wait(c.cmd) // how it ended is in the state
	outcome.Duration = time.Since(c.started)
	outcome.ExitCode, outcome.Signal = exitCode(c.cmd.ProcessState)
	c.out.flush()
	stopReports()
	return outcome, errors.Join(endError, c.out.result(&outcome))
}

// awaitEnd returns when the command ended or has to be ended.
func (c *child) awaitEnd(ctx context.Context) EndReason {
	var timeUp, silenceUp <-chan time.Time
	if c.limits.Time > 0 {
		timer := time.NewTimer(c.limits.Time)
		defer timer.Stop()
		timeUp = timer.C
	}
	var silence *time.Timer
	if c.limits.Silence > 0 {
		silence = time.NewTimer(c.limits.Silence)
		defer silence.Stop()
		silenceUp = silence.C
	}
	for {
		select {
		case <-c.exited:
			return Exited
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return TimedOut
			}
			return Stopped
		case <-timeUp:
			return TimedOut
		case <-c.out.overflow:
			return OutputLimit
		case <-silenceUp:
			quiet := time.Since(c.out.lastPrinted())
			if quiet >= c.limits.Silence {
				return Silent
			}
			silence.Reset(c.limits.Silence - quiet)
		}
	}
}

// settle gives what the command left behind a moment to end by itself.
func (c *child) settle(ctx context.Context) {
	over := time.NewTimer(c.limits.Settle)
	defer over.Stop()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for sessionAlive(c.cmd.Process.Pid) {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		case <-over.C:
			return
		}
	}
}

// finishOutput reads what is left in the pipes. A process that got out of the
// session may hold them open: it loses them after the drain time.
func (c *child) finishOutput() {
	timer := time.NewTimer(c.limits.Drain)
	defer timer.Stop()
	select {
	case <-c.drained:
	case <-timer.C:
		for _, pipe := range c.pipes {
			_ = pipe.SetReadDeadline(time.Now())
		}
		<-c.drained
	}
	for _, pipe := range c.pipes {
		pipe.Close()
	}
}

// reportRegularly feeds the display until the returned function is called,
// which reports the rest and waits for the last call to return.
func (c *child) reportRegularly() (stop func()) {
	if c.out.display == nil {
		return func() {}
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(c.limits.Frame)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				c.out.report()
			case <-quit:
				c.out.report()
				return
			}
		}
	}()
	return func() { close(quit); <-done }
}

func exitCode(state *os.ProcessState) (int, syscall.Signal) {
	if state == nil {
		return -1, 0
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), status.Signal()
	}
	return state.ExitCode(), 0
}

// String is one line for logs and for models.
func (o Outcome) String() string {
	parts := []string{string(o.Reason), fmt.Sprintf("exit code %d", o.ExitCode)}
	if o.BackgroundEnded {
		parts = append(parts, "background processes ended")
	}
	if o.SpillNote != "" {
		parts = append(parts, o.SpillNote)
	}
	return strings.Join(parts, ", ")
}
