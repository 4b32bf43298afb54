// Package cli is the command line: one file a command, each turning flags into
// a call. Everything it prints goes through one IO.
package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"golang.org/x/term"
)

// IO is where a command reads and writes. Foreign text is cleaned by whoever
// prints it.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	// Screen is true when input and output are a terminal.
	Screen bool
	// OutTerminal is true when output is a terminal.
	OutTerminal bool
	unwritten   error // the first failure of Out
}

// draws tells whether the terminal can be painted on, not only written to.
func (s *IO) draws() bool { return s.Screen && os.Getenv("TERM") != "dumb" }

// Write writes to standard output and remembers its first failure: what is
// printed line by line is not asked each time.
func (s *IO) Write(p []byte) (int, error) {
	n, err := s.Out.Write(p)
	if err != nil && s.unwritten == nil {
		s.unwritten = err
	}
	return n, err
}

// lost is why something printed did not arrive. A reader or a terminal that
// went away is no such reason.
func (s *IO) lost() error {
	if s.unwritten == nil || errors.Is(s.unwritten, syscall.EPIPE) || s.OutTerminal && errors.Is(s.unwritten, syscall.EIO) {
		return nil
	}
	return writing(s.unwritten)
}

// writing tells of an output that cannot be written, without the name of a
// stream nobody typed.
func writing(err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		err = errno
	}
	return fmt.Errorf("write the output: %w", err)
}

// Std is the process's own input and output.
func Std() IO {
	out := term.IsTerminal(int(os.Stdout.Fd()))
	return IO{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Screen: out && term.IsTerminal(int(os.Stdin.Fd())), OutTerminal: out,
	}
}

// printf writes for people, on standard output.
func (s *IO) printf(format string, args ...any) { fmt.Fprintf(s, format, args...) }

// say writes progress and messages, on standard error.
func (s *IO) say(format string, args ...any) { fmt.Fprintf(s.Err, format+"\n", args...) }

// json writes one value, on standard output.
func (s *IO) json(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	if _, err := s.Write(harmless(b.Bytes())); err != nil {
		return writing(err)
	}
	return nil
}

// harmless escapes what a terminal would act on in JSON: the controls above
// ASCII, and the marks that turn the direction of text round. They stand in
// strings alone, so that every value stays what it is.
func harmless(data []byte) []byte {
	if bytes.IndexFunc(data, misleads) < 0 {
		return data
	}
	var b bytes.Buffer
	for _, r := range string(data) {
		if misleads(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}

func misleads(r rune) bool {
	switch {
	case r < 0x7f:
		return false
	case r <= 0x9f, r == 0x061c, r == 0x200e, r == 0x200f:
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
