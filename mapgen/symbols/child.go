package symbols

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// child is one worker process.
type child struct {
	options PoolOptions
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	answers int
	reaped  bool
}

// How a child ended, as the note of the file it was reading.
const (
	endedClean  = "ended" // between files, by its own decision; never a note
	endedCrash  = "ast: crashed"
	endedTime   = "ast: timeout"
	endedMemory = "ast: out of memory"
)

func start(options PoolOptions) (*child, error) {
	cmd := exec.Command(options.Command[0], options.Command[1:]...)
	cmd.Env = options.Env
	if cmd.Env == nil {
		cmd.Env = []string{}
	}
	cmd.SysProcAttr = ownGroup()
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &child{options: options, cmd: cmd, in: in, out: bufio.NewReaderSize(out, 64<<10)}
	if err := c.greet(); err != nil {
		c.kill()
		c.stop()
		return nil, err
	}
	return c, nil
}

// startTime is how long a child may take to say that it is one.
const startTime = 10 * time.Second

// greet makes sure that the process is a worker of this version before it is
// blamed on a file that it does not answer.
func (c *child) greet() error {
	clock := time.AfterFunc(startTime, c.kill)
	defer clock.Stop()
	var h hello
	if err := readFrame(c.out, &h); err != nil {
		return fmt.Errorf("it does not greet: %w", err)
	}
	if h.Version != Version {
		return fmt.Errorf("it is of version %q, this program of %q", h.Version, Version)
	}
	return nil
}

func (c *child) kill() { c.cmd.Process.Kill() } // an error means that it is gone

// stop ends a child that has nothing to do, or that is known to be dead.
func (c *child) stop() {
	if c.reaped {
		return
	}
	c.in.Close()
	clock := time.AfterFunc(c.options.Grace, c.kill)
	defer clock.Stop()
	c.reaped = true
	c.cmd.Wait() // how it ended no longer matters
}

// read has the child read some files of a batch, in order. Done counts the
// answers; end is how the child ended, or "" when it lives.
func (c *child) read(ctx context.Context, batch []Source, indexes []int, files []File) (done int, end string) {
	guard := workerGuard{Memory: c.options.Memory, Time: c.options.Limits.Time + c.options.Grace}
	// The child ends itself over a file that costs too much; this is for one
	// that cannot even do that, so it allows for a machine with much else to
	// do. Each answer winds the clock up again.
	patience := 5 * guard.Time
	clock := time.AfterFunc(patience, c.kill)
	defer clock.Stop()
	stop := context.AfterFunc(ctx, c.kill)
	defer stop()

	go c.send(batch, indexes, guard) // ends with the last byte taken, or with the child
	for _, i := range indexes {
		var f File
		if err := readFrame(c.out, &f); err != nil {
			late := !clock.Stop()
			return done, c.cause(late)
		}
		clock.Reset(patience)
		files[i] = f
		done++
		c.answers++
	}
	return done, ""
}

func (c *child) send(batch []Source, indexes []int, guard workerGuard) {
	w := bufio.NewWriterSize(c.in, 64<<10)
	for _, i := range indexes {
		s := batch[i]
		if writeFrame(w, request{Path: s.Path, Size: len(s.Content), Limits: c.options.Limits, Guard: guard}) != nil {
			return
		}
		if _, err := w.Write(s.Content); err != nil {
			return
		}
	}
	w.Flush() // an error here shows as an answer that never comes
}

// cause reaps a child that has stopped answering and says why it did.
func (c *child) cause(late bool) string {
	c.kill()
	c.in.Close()
	c.reaped = true
	err := c.cmd.Wait()
	var exit *exec.ExitError
	switch {
	case late:
		return endedTime
	case err == nil:
		return endedClean
	case errors.As(err, &exit) && exit.ExitCode() == exitMemory:
		return endedMemory
	case errors.As(err, &exit) && exit.ExitCode() == exitTime:
		return endedTime
	}
	return endedCrash
}
