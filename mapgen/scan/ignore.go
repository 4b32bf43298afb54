package scan

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// judge is a `git check-ignore` process that answers one path after another.
// It is started with the first question.
type judge struct {
	ctx    context.Context
	repo   repo
	source string // count only rules from this file; empty: all

	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errOut bytes.Buffer

	mu    sync.Mutex
	pipes []string // .gitignore files that are named pipes
	done  chan struct{}
}

func newJudge(ctx context.Context, r repo) *judge {
	return &judge{ctx: ctx, repo: r, done: make(chan struct{})}
}

func (j *judge) start() error {
	j.cmd = j.repo.command(j.ctx, "check-ignore", "-z", "-v", "-n", "--no-index", "--stdin")
	j.cmd.Stderr = &j.errOut
	in, err := j.cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("ask git what is ignored: %w", err)
	}
	out, err := j.cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("ask git what is ignored: %w", err)
	}
	if err := j.cmd.Start(); err != nil {
		return gitError(j.ctx, "ask git what is ignored", err, "")
	}
	j.in, j.out = in, bufio.NewReaderSize(out, 64<<10)
	go j.unblock()
	return nil
}

// ignored answers for each path in its order.
func (j *judge) ignored(paths []string) ([]bool, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	if j.cmd == nil {
		if err := j.start(); err != nil {
			return nil, err
		}
	}
	sent := make(chan error, 1)
	go func() {
		w := bufio.NewWriterSize(j.in, 64<<10)
		for _, p := range paths {
			// "./" keeps a leading colon from being read as a pathspec.
			w.WriteString("./")
			w.WriteString(p)
			w.WriteByte(0)
		}
		sent <- w.Flush()
	}()
	verdicts := make([]bool, len(paths))
	for i := range paths {
		var fields [4]string // source, line, pattern, path
		for f := range fields {
			s, err := j.out.ReadString(0)
			if err != nil {
				j.cmd.Process.Kill()
				<-sent
				return nil, j.failure(err)
			}
			fields[f] = s[:len(s)-1]
		}
		verdicts[i] = fields[2] != "" && !strings.HasPrefix(fields[2], "!") &&
			(j.source == "" || j.source == fields[0])
	}
	return verdicts, <-sent
}

func (j *judge) failure(err error) error {
	waitErr := j.cmd.Wait()
	j.cmd = nil
	if waitErr != nil {
		err = waitErr
	}
	return gitError(j.ctx, "ask git what is ignored", err, j.errOut.String())
}

// namedPipe notes a .gitignore nobody can read: git would wait for a writer
// for ever.
func (j *judge) namedPipe(path string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.pipes = append(j.pipes, path)
}

// unblock opens and closes such pipes for writing whenever a reader is there:
// git reads an empty file and goes on.
func (j *judge) unblock() {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-j.done:
			return
		case <-tick.C:
		}
		j.mu.Lock()
		pipes := j.pipes
		j.mu.Unlock()
		for _, p := range pipes {
			f, err := os.OpenFile(p, os.O_WRONLY|syscall.O_NONBLOCK, 0)
			if err == nil {
				f.Close()
			}
		}
	}
}

func (j *judge) close() {
	close(j.done)
	if j.cmd == nil {
		return
	}
	j.in.Close()
	io.Copy(io.Discard, j.out)
	var exit *exec.ExitError
	if err := j.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return // nothing was lost: every answer had been read
	}
}
