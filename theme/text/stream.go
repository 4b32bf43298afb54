package text

import (
	"strings"
	"unicode/utf8"
)

// Stream cleans text that arrives in chunks, as [Clean] cleans it whole: the
// result never depends on where the chunks were cut, be it inside a rune, an
// escape sequence or a line. What it keeps between chunks is bounded by the
// current line ([MaxLine]).
//
// A carriage return moves to the start of the line and what follows
// overwrites; a backspace moves one cell to the left. So a progress bar is the
// line it shows last, and a line is handed out when it can no longer change.
//
// The zero value is ready. A Stream is not safe for concurrent use.
type Stream struct {
	line line
	esc  escape
	out  []byte
	part [utf8.UTFMax]byte // a rune cut by the end of a chunk
	n    int               // bytes in part
}

// Write takes the next chunk and returns the lines it completed, each with its
// newline.
func (s *Stream) Write(chunk []byte) string {
	s.out = s.out[:0]
	for s.n > 0 && len(chunk) > 0 {
		s.part[s.n] = chunk[0]
		s.n++
		chunk = chunk[1:]
		if utf8.FullRune(s.part[:s.n]) {
			part := s.part
			n := s.n
			s.n = 0
			s.hold(s.runes(part[:n]))
		}
	}
	if len(chunk) > 0 {
		s.hold(s.runes(chunk))
	}
	return string(s.out)
}

// Flush ends the stream: it returns what is left, without a newline of its
// own, and makes s ready for another stream.
func (s *Stream) Flush() string {
	s.out = s.out[:0]
	for _, b := range s.part[:s.n] {
		s.rune(utf8.RuneError, []byte{b})
	}
	s.n = 0
	s.giveBack()
	s.out = s.line.appendTo(s.out)
	left := string(s.out)
	*s = Stream{}
	return left
}

// Current returns the unfinished line as it reads now, for a live view.
func (s *Stream) Current() string {
	return string(s.line.appendTo(nil))
}

// Clean returns s as safe text of one or more lines: what a terminal would
// leave on each line, as plain characters. Newlines stay (also in place of
// U+2028 and U+2029) and tabs become spaces; escape sequences, all other
// controls and characters that only deceive the eye are gone; bytes that are
// not UTF-8 become U+FFFD. A line longer than [MaxLine] is broken.
//
// Clean is idempotent.
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	var stream Stream
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		n := min(len(s), MaxLine)
		b.WriteString(stream.Write([]byte(s[:n])))
		s = s[n:]
	}
	b.WriteString(stream.Flush())
	return b.String()
}

// isPlain reports whether s is printable ASCII in lines of bounded length,
// which is what nearly all text is and needs no work.
func isPlain(s string) bool {
	start := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f {
			if c != '\n' || i-start > MaxLine {
				return false
			}
			start = i + 1
		}
	}
	return len(s)-start <= MaxLine
}

// runes feeds the whole runes of b and returns the rest: a rune cut short.
func (s *Stream) runes(b []byte) (rest []byte) {
	for len(b) > 0 {
		if s.esc.state == ground && !s.line.moved && !s.line.returned {
			if n := asciiRun(b, MaxLine-s.line.col); n > 0 {
				s.line.ascii(b[:n])
				b = b[n:]
				continue
			}
		}
		if !utf8.FullRune(b) {
			return b
		}
		r, size := utf8.DecodeRune(b)
		s.rune(r, b[:size])
		b = b[size:]
	}
	return nil
}

func (s *Stream) hold(rest []byte) {
	s.n = copy(s.part[:], rest)
}

// asciiRun returns how many bytes at the start of b, up to limit, are
// printable ASCII.
func asciiRun(b []byte, limit int) int {
	b = b[:min(len(b), limit)]
	for i, c := range b {
		if c < 0x20 || c >= 0x7f {
			return i
		}
	}
	return len(b)
}

func (s *Stream) rune(r rune, raw []byte) {
	if s.esc.state == ground {
		s.ground(r)
		return
	}
	switch s.esc.step(r, raw) {
	case executed, rejected:
		s.ground(r)
	case abandoned:
		s.giveBack()
	case restarted:
		s.giveBack()
		s.esc.open()
		s.rune(r, raw)
	case eraseRight:
		s.line.eraseRight()
	case eraseLine:
		s.line.eraseLine()
	}
}

// giveBack ends the open sequence and takes what it held as ordinary text.
func (s *Stream) giveBack() {
	s.esc.state = ground
	held := s.esc.held
	s.esc.held = nil
	for len(held) > 0 {
		r, size := utf8.DecodeRune(held)
		s.ground(r)
		held = held[size:]
	}
}

// ground obeys or writes a rune that belongs to no sequence.
func (s *Stream) ground(r rune) {
	switch c := classOf(r); c {
	case visible:
		s.put(r)
	case broken:
		s.put(replacement)
	case mark, variation, joiner:
		s.line.combine(r, c)
	case separator:
		s.endLine()
	case control:
		s.control(r)
	}
}

func (s *Stream) control(r rune) {
	switch r {
	case '\n':
		s.endLine()
	case '\r':
		s.line.home()
	case '\b':
		s.line.back()
	case '\t':
		s.breakIfFull(1)
		s.line.tab()
	case esc:
		s.esc.open()
	}
}

func (s *Stream) put(r rune) {
	width := runeWidth(r)
	s.breakIfFull(width)
	s.line.put(r, width)
}

// breakIfFull breaks the line if it has no room for width more cells.
func (s *Stream) breakIfFull(width int) {
	if !s.line.returned && s.line.col+width > MaxLine {
		s.endLine()
	}
}

func (s *Stream) endLine() {
	s.out = s.line.appendTo(s.out)
	s.out = append(s.out, '\n')
	s.line.reset()
}
