package event

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// maxLine bounds one record; a longer one is a bad line, skipped and named.
const maxLine = 16 << 20

// Tail reads the whole lines of a file that another process may still be
// writing. It keeps its place; a line without its newline waits for the rest.
type Tail struct {
	path   string
	file   *os.File
	offset int64 // of the first byte not yet given out
	long   bool  // inside a line that is too long
	chunk  []byte
}

// NewTail follows the file at path from byte offset on. The file need not
// exist yet.
func NewTail(path string, offset int64) *Tail { return &Tail{path: path, offset: offset} }

// Offset is the place after the last whole line given out, in bytes.
func (t *Tail) Offset() int64 { return t.offset }

// Close lets go of the file.
func (t *Tail) Close() error {
	if t.file == nil {
		return nil
	}
	err := t.file.Close()
	t.file = nil
	return err
}

// Next calls line with each whole line that has come since, without its
// newline, and stops early when line returns false. A file that is not there
// yet has no lines; one that has become shorter is read again from its start.
func (t *Tail) Next(line func([]byte) bool) error {
	if err := t.open(); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	info, err := t.file.Stat()
	if err != nil {
		return fmt.Errorf("follow %s: %w", t.path, err)
	}
	if info.Size() < t.offset {
		t.offset, t.long = 0, false
	}
	if info.Size() == t.offset {
		return nil
	}
	if t.chunk == nil {
		t.chunk = make([]byte, 64<<10)
	}
	chunk := t.chunk
	var pending []byte
	at := t.offset
	for {
		n, err := t.file.ReadAt(chunk, at)
		at += int64(n)
		rest := chunk[:n]
		for {
			i := bytes.IndexByte(rest, '\n')
			if i < 0 {
				break
			}
			whole := rest[:i]
			if len(pending) > 0 {
				whole = append(pending, whole...)
				pending = pending[:0]
			}
			rest = rest[i+1:]
			t.offset = at - int64(len(rest))
			if t.long || len(whole) > maxLine {
				t.long = false
				continue
			}
			if !line(whole) {
				return nil
			}
		}
		pending = append(pending, rest...)
		if len(pending) > maxLine {
			t.offset, t.long, pending = at, true, nil
		}
		if err == io.EOF || (err == nil && n == 0) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("follow %s: %w", t.path, err)
		}
	}
}

func (t *Tail) open() error {
	if t.file != nil {
		return nil
	}
	f, err := openRegular(t.path, os.O_RDONLY)
	if err != nil {
		return err
	}
	t.file = f
	return nil
}

// openRegular opens a file that is a file: a FIFO of that name must not block.
func openRegular(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: not a regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
