package model

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

var (
	errLongLine = errors.New("a line over its bound")
	errLarge    = errors.New("an answer over its bound")
)

// lines reads a stream line by line, however it is cut into pieces. Unlike a
// scanner it tells a line that is too long, and a last line that nothing ends.
type lines struct {
	from    *bufio.Reader
	longest int
	left    int64 // bytes the whole stream may still have
	long    []byte
}

func newLines(r io.Reader, longest int, largest int64) *lines {
	return &lines{from: bufio.NewReaderSize(r, 64<<10), longest: longest, left: largest}
}

// next is the next line without its end, good until the call after; io.EOF
// once the stream is over.
func (l *lines) next() ([]byte, error) {
	l.long = l.long[:0]
	for {
		part, err := l.from.ReadSlice('\n')
		l.left -= int64(len(part))
		switch {
		case len(l.long)+len(part) > l.longest:
			return nil, fmt.Errorf("%w of %d bytes", errLongLine, l.longest)
		case l.left < 0:
			return nil, errLarge
		case err == nil && len(l.long) == 0:
			return bytes.TrimRight(part, "\r\n"), nil
		}
		l.long = append(l.long, part...)
		switch {
		case err == nil || err == io.EOF && len(l.long) > 0:
			return bytes.TrimRight(l.long, "\r\n"), nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}
