// Package voice has a language model say what files and directories are for.
//
// It writes the prompts, reads the replies however they are dressed, paces and
// repeats calls, and keeps every answer in a cache that other tools share. It
// knows no wire format: whoever uses it brings the function that asks.
package voice

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Prompt names the wording of the prompts and the rules by which replies are
// read: what was said under another one is asked again.
const Prompt = "1"

// Ask puts a prompt to a model.
type Ask func(ctx context.Context, prompt string) (Reply, error)

// Reply is what the model answered. Cut says that it was ended at its limit,
// Why what may be wrong with it.
type Reply struct {
	Text string
	Cut  bool
	Why  string
	Usage
}

// Usage is what calls cost, in tokens.
type Usage struct{ In, Out int64 }

// Failure is an error of an Ask that says more than that it failed.
type Failure struct {
	Err   error
	Final bool          // to ask again is in vain
	Long  bool          // the prompt does not fit into the model's context
	After time.Duration // the server wants to be left alone for so long
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// Stopped: the model cannot be asked any more. What was said is kept.
type Stopped struct {
	Doing string
	Err   error
}

func (s *Stopped) Error() string { return s.Doing + ": " + s.Err.Error() }
func (s *Stopped) Unwrap() error { return s.Err }

// ErrUnread: the model answers, but nobody can make out what it says of this
// file or directory.
var ErrUnread = errors.New("the model's reply holds no description")

// FileText is what a model says of a file.
type FileText struct {
	Purpose  string
	Deps     []string
	Concepts []string
}

// DirText is what a model says of a directory.
type DirText struct {
	Role string
	Arch string
}

// FileQuestion asks about a file.
type FileQuestion struct {
	Path string
	Hash [32]byte // of the file's bytes
	Text string
	// Before is what was said of an earlier version; then Changed are the parts
	// of Text that are new since, and they alone are sent.
	Before  *FileText
	Changed []string
}

// DirQuestion asks about a directory.
type DirQuestion struct {
	Path  string
	Files []Named // with their purposes
	Parts []Named // directories below, with their roles
}

// Named is something with a name and what it is for.
type Named struct{ Name, Text string }

// File asks what a file is for, unless it is known.
func (v *Voice) File(ctx context.Context, q FileQuestion) (FileText, error) {
	e, err := v.say(ctx, question{
		about: q.Path, key: keyOf(q.Hash), fields: fileFields,
		prompt: func(tokens int) string { return filePrompt(q, tokens) },
	})
	if err != nil {
		return FileText{}, fmt.Errorf("describe %s: %w", shown(q.Path), err)
	}
	return FileText{Purpose: e.Purpose, Deps: e.Deps, Concepts: e.Concepts}, nil
}

// Dir asks what a directory is for, unless it is known.
func (v *Voice) Dir(ctx context.Context, q DirQuestion) (DirText, error) {
	e, err := v.say(ctx, question{
		about: q.Path, key: dirKey(q), fields: dirFields,
		prompt: func(tokens int) string { return dirPrompt(q, tokens) },
	})
	if err != nil {
		return DirText{}, fmt.Errorf("describe %s: %w", shown(q.Path), err)
	}
	return DirText{Role: e.Role, Arch: e.Arch}, nil
}
