package symbols

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// A worker and its parent speak in frames: four bytes of length (big endian),
// then JSON; a request's frame is followed by the file's raw bytes.

// hello is the first frame of a worker.
type hello struct {
	Version string `json:"version"`
}

type request struct {
	Path   string      `json:"path"`
	Size   int         `json:"size"` // bytes of content that follow
	Limits Limits      `json:"limits"`
	Guard  workerGuard `json:"guard"`
}

// workerGuard is what a worker ends itself over.
type workerGuard struct {
	Memory int64         `json:"memory"` // resident bytes
	Time   time.Duration `json:"time"`   // of computing for one file
}

// Exit codes by which a worker says why it ended itself.
const (
	exitMemory = 86
	exitTime   = 87
)

// maxFrame bounds a frame in bytes; more means that the stream is not ours.
const maxFrame = 64 << 20

// ServeWorker is the main loop of a Pool's child process: it answers requests
// from in on out until in ends. It ends the process when a file takes too much
// memory or time, so it must be the only work of its process.
func ServeWorker(in io.Reader, out io.Writer) error {
	return serve(in, out, Extract)
}

func serve(in io.Reader, out io.Writer, extract func(string, []byte, Limits) File) error {
	reader, writer := bufio.NewReaderSize(in, 64<<10), bufio.NewWriterSize(out, 64<<10)
	if err := writeFrame(writer, hello{Version}); err != nil {
		return fmt.Errorf("greet the parser's parent: %w", err)
	}
	if err := writer.Flush(); err != nil {
		return fmt.Errorf("greet the parser's parent: %w", err)
	}
	watch := newWatchdog()
	for {
		var req request
		switch err := readFrame(reader, &req); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read a request of the parser's parent: %w", err)
		}
		if req.Size < 0 || req.Size > maxFrame {
			return fmt.Errorf("read a request of the parser's parent: content of %d bytes", req.Size)
		}
		content := make([]byte, req.Size)
		if _, err := io.ReadFull(reader, content); err != nil {
			return fmt.Errorf("read %s from the parser's parent: %w", req.Path, err)
		}
		watch.begin(req.Guard)
		file := extract(req.Path, content, req.Limits)
		watch.end()
		if err := writeFrame(writer, file); err != nil {
			return fmt.Errorf("answer the parser's parent: %w", err)
		}
		// Each answer leaves at once: what is not said when the next file ends
		// the process would be blamed on this one.
		if err := writer.Flush(); err != nil {
			return fmt.Errorf("answer the parser's parent: %w", err)
		}
		if req.Guard.Memory > 0 && resident() > req.Guard.Memory/3 {
			return nil // freed memory is not always given back; a new process starts clean
		}
	}
}

func readFrame(r io.Reader, value any) error {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > maxFrame {
		return fmt.Errorf("frame of %d bytes", n)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return io.ErrUnexpectedEOF
	}
	return json.Unmarshal(body, value)
}

func writeFrame(w io.Writer, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if _, err := w.Write(binary.BigEndian.AppendUint32(nil, uint32(len(body)))); err != nil {
		return err
	}
	_, err = w.Write(body)
	return err
}

// watchdog ends the process when the file at hand costs too much. A C parser
// cannot be interrupted from inside, and nothing else runs in a worker.
type watchdog struct {
	busy    atomic.Bool
	started atomic.Int64 // processTime when the file at hand was begun
	guard   atomic.Pointer[workerGuard]
	wake    chan struct{}
}

const watchEvery = 10 * time.Millisecond

func newWatchdog() *watchdog {
	w := &watchdog{wake: make(chan struct{}, 1)}
	go w.run()
	return w
}

func (w *watchdog) begin(guard workerGuard) {
	w.guard.Store(&guard)
	w.started.Store(int64(processTime()))
	w.busy.Store(true)
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *watchdog) end() { w.busy.Store(false) }

func (w *watchdog) run() {
	tick := time.NewTicker(watchEvery)
	for {
		if !w.busy.Load() {
			tick.Stop()
			<-w.wake
			tick.Reset(watchEvery)
			continue
		}
		guard := w.guard.Load()
		if guard.Memory > 0 && resident() > guard.Memory {
			os.Exit(exitMemory)
		}
		if guard.Time > 0 && processTime()-time.Duration(w.started.Load()) > guard.Time {
			os.Exit(exitTime)
		}
		<-tick.C
	}
}
