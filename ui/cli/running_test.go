package cli

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// running is a growbench that goes on while the test looks at it.
type running struct {
	p       *place
	cmd     *exec.Cmd
	out     io.Closer
	mu      sync.Mutex
	text    [2]strings.Builder // standard output, standard error
	changed chan struct{}
	ended   chan struct{}
}

func (p *place) start(args ...string) *running {
	p.t.Helper()
	return p.startCommand(p.command(args...))
}

func (p *place) startCommand(cmd *exec.Cmd) *running {
	p.t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	errs, err := cmd.StderrPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	r := &running{p: p, cmd: cmd, out: out, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	var readers sync.WaitGroup
	for i, from := range []io.Reader{out, errs} {
		readers.Go(func() { r.read(i, from) })
	}
	go func() {
		readers.Wait()
		cmd.Wait()
		close(r.ended)
		r.nudge()
	}()
	p.t.Cleanup(func() {
		cmd.Process.Kill()
		<-r.ended
	})
	return r
}

func (r *running) read(i int, from io.Reader) {
	buf := make([]byte, 16<<10)
	for {
		n, err := from.Read(buf)
		r.mu.Lock()
		r.text[i].Write(buf[:n])
		r.mu.Unlock()
		r.nudge()
		if err != nil {
			return
		}
	}
}

func (r *running) nudge() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

func (r *running) signal(s os.Signal) {
	r.p.t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		r.p.t.Fatal(err)
	}
}

func (r *running) printed() (out, errs string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text[0].String(), r.text[1].String()
}

// says waits until words are on standard error.
func (r *running) says(words string) {
	r.p.t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		if _, errs := r.printed(); strings.Contains(errs, words) {
			return
		}
		select {
		case <-r.changed:
		case <-late.C:
			_, errs := r.printed()
			r.p.t.Fatalf("it never says %q:\n%s", words, errs)
		}
	}
}

// wait returns what it printed once it has ended.
func (r *running) wait() said {
	r.p.t.Helper()
	select {
	case <-r.ended:
	case <-time.After(patience):
		_, errs := r.printed()
		r.p.t.Fatalf("growbench %v does not end\n%s", r.cmd.Args[1:], errs)
	}
	out, errs := r.printed()
	return said{r.p.t, strings.Join(r.cmd.Args[1:], " "), r.cmd.ProcessState.ExitCode(), out, errs}
}
