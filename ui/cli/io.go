// Package cli is the command line: one file a command, each turning flags into
// a call. Everything it prints goes through one IO.
package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

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
func (s IO) printf(format string, args ...any) { fmt.Fprintf(s.Out, format, args...) }

// say writes progress and messages, on standard error.
func (s IO) say(format string, args ...any) { fmt.Fprintf(s.Err, format+"\n", args...) }

// json writes one value, on standard output.
func (s IO) json(v any) error {
	enc := json.NewEncoder(s.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}
