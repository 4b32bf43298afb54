package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// MaxText is the most bytes of output that are handed to a model.
const MaxText = 50_000

// ErrLineTooLong comes with the beginning of a line that is over the limit;
// the rest of that line is left out.
var ErrLineTooLong = errors.New("line too long")

// Progress is what a command printed since the last report.
type Progress struct {
	// Text is the new output, raw: it may end inside a character or an escape
	// sequence. Only its end is kept when it came faster than it is shown.
	Text []byte
	// Dropped counts the new bytes that are not in Text.
	Dropped int64
	// Bytes and Lines count everything since the command was started.
	Bytes, Lines int64
}

// output keeps the head and the tail of what a command prints, in memory that
// does not grow with it, and passes all of it on to the spill file, the line
// decoder and the display. Its methods may be called from several goroutines.
type output struct {
	mu           sync.Mutex
	keep         int
	head, tail   []byte
	bytes, lines int64
	last         time.Time // when something was printed, or the start
	limit        int64     // bytes; 0 is none
	overflow     chan struct{}
	spill        *spill
	display      func(Progress)
	pending      Progress
	veil         *veil // nil without secrets
	faults       []error
}

// pendingLimit bounds what waits for the display; nobody reads more of it
// between two frames.
const pendingLimit = 64 << 10

func newOutput(limits Limits, spill *spill, display func(Progress), secrets []string) *output {
	return &output{veil: newVeil(secrets), keep: limits.Keep, limit: limits.Output, overflow: make(chan struct{}), last: time.Now(), spill: spill, display: display}
}

func (o *output) Write(chunk []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.take(o.veil.pass(chunk))
	return len(chunk), nil
}

// take keeps and passes on what may be seen.
func (o *output) take(chunk []byte) {
	under := o.limit == 0 || o.bytes <= o.limit
	o.last = time.Now()
	o.bytes += int64(len(chunk))
	o.lines += int64(bytes.Count(chunk, []byte("\n")))
	if o.limit > 0 && under && o.bytes > o.limit {
		close(o.overflow)
	}
	o.spill.write(chunk)
	if o.display != nil {
		o.pending.Text, o.pending.Dropped = keepEnd(append(o.pending.Text, chunk...), pendingLimit, o.pending.Dropped)
	}
	rest := chunk
	if free := o.keep - len(o.head); free > 0 {
		n := min(free, len(rest))
		o.head, rest = append(o.head, rest[:n]...), rest[n:]
	}
	o.tail = append(o.tail, rest...)
	if len(o.tail) > 2*o.keep {
		o.tail, _ = keepEnd(o.tail, o.keep, 0)
	}
}

// keepEnd shortens buffer to its last n bytes, in place, and adds what went to
// dropped.
func keepEnd(buffer []byte, n int, dropped int64) ([]byte, int64) {
	excess := len(buffer) - n
	if excess <= 0 {
		return buffer, dropped
	}
	return buffer[:copy(buffer, buffer[excess:])], dropped + int64(excess)
}

func (o *output) lastPrinted() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.last
}

// report hands pending output to the display, if there is any.
func (o *output) report() {
	o.mu.Lock()
	display, progress := o.display, o.pending
	o.pending = Progress{}
	progress.Bytes, progress.Lines = o.bytes, o.lines
	o.mu.Unlock()
	if display == nil || len(progress.Text) == 0 {
		return
	}
	if err := guarded("the display of output", func() { display(progress) }); err != nil {
		o.mu.Lock()
		o.display = nil
		o.faults = append(o.faults, err)
		o.mu.Unlock()
	}
}

func (o *output) fault(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.faults = append(o.faults, err)
}

// flush takes what waited for more to come.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.take(o.veil.rest())
}

// result moves what was kept into an outcome.
func (o *output) result(into *Outcome) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail, _ = keepEnd(o.tail, o.keep, 0)
	into.Head, into.Tail = bytes.Clone(o.head), bytes.Clone(o.tail)
	into.Bytes, into.Lines = o.bytes, o.lines
	into.Dropped = o.bytes - int64(len(o.head)) - int64(len(o.tail))
	into.SpillNote = o.spill.close()
	return errors.Join(o.faults...)
}

// Text is the output as valid UTF-8 in at most limit bytes (and never more
// than MaxText): its beginning and its end, with a note between them of how
// much is missing.
func (o Outcome) Text(limit int) string {
	if limit <= 0 || limit > MaxText {
		limit = MaxText
	}
	if o.Dropped == 0 {
		whole := strings.ToValidUTF8(string(o.Head)+string(o.Tail), "\uFFFD")
		if len(whole) <= limit {
			return whole
		}
	}
	where := ""
	if o.SpillPath != "" {
		where = "; all of it is in " + strings.ToValidUTF8(o.SpillPath, "\uFFFD")
	}
	// The count is at most o.Bytes, so this is the note's greatest length.
	room := limit - len(missingNote(o.Bytes, where))
	if room < 0 {
		where = ""
		room = max(0, limit-len(missingNote(o.Bytes, where)))
	}
	head, tail := o.Head, o.Tail
	if o.Dropped == 0 {
		// Both ends are cut out of one text, which may be all in the head.
		head = append(bytes.Clone(head), tail...)
		tail = head
	}
	first, used := firstValid(head, room/2)
	last, usedLast := lastValid(tail, room-len(first))
	text := first + missingNote(o.Bytes-int64(used)-int64(usedLast), where) + last
	if len(text) > limit { // a limit smaller than the note
		text, _ = lastValid([]byte(text), limit)
	}
	return text
}

func missingNote(count int64, where string) string {
	return fmt.Sprintf("\n[… %d bytes left out%s …]\n", count, where)
}

// firstValid returns the beginning of raw as at most limit bytes of UTF-8, and
// how many bytes of raw it stands for.
func firstValid(raw []byte, limit int) (text string, used int) {
	var b strings.Builder
	for used < len(raw) {
		r, size := utf8.DecodeRune(raw[used:])
		if b.Len()+utf8.RuneLen(r) > limit {
			break
		}
		b.WriteRune(r)
		used += size
	}
	return b.String(), used
}

// lastValid is firstValid from the end.
func lastValid(raw []byte, limit int) (text string, used int) {
	start, length := len(raw), 0
	for start > 0 {
		r, size := utf8.DecodeLastRune(raw[:start])
		if length+utf8.RuneLen(r) > limit {
			break
		}
		length += utf8.RuneLen(r)
		start -= size
	}
	text, _ = firstValid(raw[start:], limit)
	return text, len(raw) - start
}

// lineSplitter cuts a stream into lines for a decoder.
type lineSplitter struct {
	limit   int
	line    []byte
	skip    bool // inside the rest of a line that was too long
	deliver func(line []byte, err error)
}

func (s *lineSplitter) write(chunk []byte) {
	for len(chunk) > 0 {
		part, rest, complete := bytes.Cut(chunk, []byte("\n"))
		chunk = rest
		if !s.skip {
			free := s.limit - len(s.line)
			s.line = append(s.line, part[:min(len(part), free)]...)
			if len(part) > free {
				s.skip = true
				s.emit(ErrLineTooLong)
			}
		}
		if complete {
			if !s.skip {
				s.emit(nil)
			}
			s.skip = false
		}
	}
}

// end delivers a last line that had no line end.
func (s *lineSplitter) end() {
	if len(s.line) > 0 {
		s.emit(nil)
	}
}

func (s *lineSplitter) emit(err error) {
	s.deliver(bytes.TrimSuffix(s.line, []byte("\r")), err)
	if cap(s.line) > 1<<20 { // one huge line must not be paid for ever after
		s.line = nil
	}
	s.line = s.line[:0]
}

// pump reads a child's pipe to its end, or until its deadline. It never stops
// reading on account of what is done with the output, or the child would hang.
func pump(pipe *os.File, out *output, lines *lineSplitter) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := pipe.Read(buffer)
		if n > 0 {
			_, _ = out.Write(buffer[:n])
			lines = lines.feed(out, func(s *lineSplitter) { s.write(buffer[:n]) })
		}
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrDeadlineExceeded) {
				out.fault(fmt.Errorf("read the command's output: %w", err))
			}
			lines.feed(out, (*lineSplitter).end)
			return
		}
	}
}

// feed calls the decoder; one that panics gets no further lines.
func (s *lineSplitter) feed(out *output, use func(*lineSplitter)) *lineSplitter {
	if s == nil {
		return nil
	}
	if err := guarded("the decoder of output lines", func() { use(s) }); err != nil {
		out.fault(err)
		return nil
	}
	return s
}

// guarded turns a panic of a callback into an error.
func guarded(what string, call func()) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s failed: %v", what, cause)
		}
	}()
	call()
	return nil
}
