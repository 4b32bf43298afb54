//go:build cgo && linux

package symbols

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// childMode makes the test binary a worker; some modes do what a broken
// grammar would do, when the file's name asks for it.
const childMode = "SYMBOLS_TEST_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(childMode) == "" {
		os.Exit(m.Run())
	}
	if err := serve(os.Stdin, os.Stdout, faulty); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

func faulty(path string, content []byte, limits Limits) File {
	switch {
	case strings.Contains(path, "crash"):
		syscall.Kill(os.Getpid(), syscall.SIGSEGV)
		select {}
	case strings.Contains(path, "panic"):
		panic(path)
	case strings.Contains(path, "hang"):
		for spin := 0; ; spin++ { // busy, unlike select {}
			if spin < 0 {
				spin = 0
			}
		}
	case strings.Contains(path, "frozen"):
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {} // the signal may take its time
	case strings.Contains(path, "memory"):
		var hog [][]byte
		for len(hog) < 1<<20 {
			hog = append(hog, bytes.Repeat([]byte{1}, 8<<20))
		}
	case strings.Contains(path, "gone"):
		os.Exit(0)
	}
	return Extract(path, content, limits)
}

func workers(t *testing.T, options PoolOptions) *Pool {
	t.Helper()
	options.Command = []string{os.Args[0]}
	options.Env = []string{childMode + "=1"}
	p := NewPool(options)
	t.Cleanup(p.Close)
	return p
}

var smallPython = []byte("def visible(a): pass\n")

func extractAll(t *testing.T, p *Pool, names ...string) []File {
	t.Helper()
	var batch []Source
	for _, name := range names {
		batch = append(batch, Source{name, smallPython})
	}
	files, err := p.Extract(context.Background(), batch)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// wantOnly checks that one file of a batch is marked and the others are read.
func wantOnly(t *testing.T, files []File, marked, note string) {
	t.Helper()
	for _, f := range files {
		want, symbols := "", 1
		if f.Path == marked {
			want, symbols = note, 0
		}
		if f.Note != want || len(f.Exports) != symbols {
			t.Errorf("%s: note %q with %d exports, want %q with %d", f.Path, f.Note, len(f.Exports), want, symbols)
		}
		if f.Language != "Python" {
			t.Errorf("%s: language %q", f.Path, f.Language)
		}
	}
}

func TestBrokenGrammarCostsOneFile(t *testing.T) {
	const short, long = 50 * time.Millisecond, time.Minute
	for _, c := range []struct {
		file, note string
		limit      time.Duration
	}{
		{"crash.py", endedCrash, long},
		{"panic.py", endedCrash, long},
		{"hang.py", endedTime, short},
		{"frozen.py", endedTime, short},
		{"memory.py", endedMemory, long},
	} {
		t.Run(strings.TrimSuffix(c.file, ".py"), func(t *testing.T) {
			p := workers(t, PoolOptions{Workers: 1, Limits: Limits{Time: c.limit}, Grace: 200 * time.Millisecond, Memory: 96 << 20})
			wantOnly(t, extractAll(t, p, "a.py", "b.py", c.file, "c.py", "d.py"), c.file, c.note)
			wantOnly(t, extractAll(t, p, c.file), c.file, c.note)
			wantOnly(t, extractAll(t, p, c.file, c.file, "e.py"), c.file, c.note)
		})
	}
}

func TestPoolGivesWhatExtractGives(t *testing.T) {
	p := workers(t, PoolOptions{Workers: 2})
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for round := range 5 {
				var batch []Source
				for i := range 7 {
					name := fmt.Sprintf("f%d_%d_%d.py", worker, round, i)
					batch = append(batch, Source{name, fmt.Appendf(nil, "import os\nclass C%d(Base):\n    def m(self): pass\n", i)})
				}
				batch = append(batch, Source{"g.go", []byte("package g\nfunc Ok() {}\n")}, Source{"x.bin", []byte{0, 1}}, Source{"n.txt", []byte("plain")})
				files, err := p.Extract(context.Background(), batch)
				if err != nil {
					t.Error(err)
					return
				}
				for i, f := range files {
					if want := Extract(batch[i].Path, batch[i].Content, Limits{}); fmt.Sprint(f) != fmt.Sprint(want) {
						t.Errorf("got  %+v\nwant %+v", f, want)
					}
				}
			}
		})
	}
	wait.Wait()
}

func TestWorkerThatEndsWithoutAnswer(t *testing.T) {
	p := workers(t, PoolOptions{Workers: 1})
	_, err := p.Extract(context.Background(), []Source{{"gone.py", smallPython}})
	if !errors.Is(err, ErrNoWorker) {
		t.Errorf("got %v, want ErrNoWorker", err)
	}
}

func TestCommandThatIsNoWorker(t *testing.T) {
	for _, argv := range [][]string{{"/nonexistent/worker"}, {"/bin/sh", "-c", "exit 1"}, {"/bin/sh", "-c", "echo hello"}} {
		p := NewPool(PoolOptions{Command: argv, Workers: 1})
		for range 2 {
			_, err := p.Extract(context.Background(), []Source{{"a.py", smallPython}})
			if !errors.Is(err, ErrNoWorker) {
				t.Errorf("%q: got %v, want ErrNoWorker", argv, err)
			}
		}
		p.Close()
	}
}

func TestCancelledExtractEndsItsWorker(t *testing.T) {
	p := workers(t, PoolOptions{Workers: 1, Limits: Limits{Time: time.Minute}})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := p.Extract(ctx, []Source{{"hang.py", smallPython}})
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	wantOnly(t, extractAll(t, p, "after.py"), "", "")
}

func TestInProcessPoolNeedsNoCommand(t *testing.T) {
	p := NewPool(PoolOptions{})
	defer p.Close()
	wantOnly(t, extractAll(t, p, "a.py", "b.py"), "", "")
}
