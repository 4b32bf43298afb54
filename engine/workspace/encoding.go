package workspace

import (
	"bytes"
	"errors"
	"sort"
	"unicode/utf8"
)

var (
	ErrBinary  = errors.New("the file is binary")
	ErrNotUTF8 = errors.New("file is not UTF-8, so only plain ASCII text in it can be replaced, and by ASCII only")
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// Binary says whether data is no text: a NUL byte among its first 8,000.
func Binary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0
}

// editable says whether old can be replaced by replacement in data byte for
// byte, without harm to an encoding we do not know.
func editable(data []byte, old, replacement string) error {
	if Binary(data) || bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return ErrBinary
	}
	if !utf8.ValidString(replacement) {
		return errors.New("the new text is not UTF-8")
	}
	if !utf8.Valid(data) && !(ascii(old) && ascii(replacement)) {
		return ErrNotUTF8
	}
	return nil
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lines is a text with every line end as "\n", and the way back to the bytes
// it was made of. Agents write "\n"; files may have "\r\n", "\r" or a mixture.
type lines struct {
	data []byte // the file's bytes
	flat []byte // with "\n" line ends; same as data if there is nothing to do
	// cut holds the positions in flat of the "\n" that were "\r\n".
	cut []int
}

func flatten(data []byte) lines {
	if bytes.IndexByte(data, '\r') < 0 {
		return lines{data: data, flat: data}
	}
	if bytes.IndexByte(data, '\n') < 0 {
		return lines{data: data, flat: bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))}
	}
	l := lines{data: data, flat: make([]byte, 0, len(data))}
	for i, b := range data {
		if b == '\r' && i+1 < len(data) && data[i+1] == '\n' {
			l.cut = append(l.cut, len(l.flat))
			continue
		}
		l.flat = append(l.flat, b)
	}
	return l
}

// origin is the position in data where what stands at position flat begins.
func (l lines) origin(flat int) int {
	return flat + sort.SearchInts(l.cut, flat)
}

// endNear is the line end in use around the position flat: the next one, else
// the last one before, else "\n".
func (l lines) endNear(flat int) string {
	at := bytes.IndexByte(l.flat[flat:], '\n')
	if at >= 0 {
		at += flat
	} else if at = bytes.LastIndexByte(l.flat[:flat], '\n'); at < 0 {
		return "\n"
	}
	switch start, end := l.origin(at), l.origin(at+1); {
	case end-start == 2:
		return "\r\n"
	case l.data[start] == '\r':
		return "\r"
	}
	return "\n"
}

// lineOf is the line, from 1, that the position flat lies in.
func (l lines) lineOf(flat int) int {
	return 1 + bytes.Count(l.flat[:flat], []byte("\n"))
}
