package cli

import (
	"errors"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/workspace"
)

// Exit codes.
const (
	exitOK          = 0
	exitProblems    = 1
	exitUsage       = 2
	exitEnvironment = 3
	exitFault       = 70
	exitInterrupted = 130
)

// coded is an error with the exit code it ends in. A nil err has been said
// already.
type coded struct {
	code int
	err  error
}

func (c *coded) Error() string {
	if c.err == nil {
		return ""
	}
	return c.err.Error()
}

func (c *coded) Unwrap() error { return c.err }

func usage(err error) error       { return &coded{exitUsage, err} }
func environment(err error) error { return &coded{exitEnvironment, err} }
func exit(code int) error         { return &coded{code, nil} }

// codeOf is the exit code an error ends in.
func codeOf(err error) int {
	var c *coded
	var untrusted *config.UntrustedError
	var problems *config.ProblemsError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &c):
		return c.code
	case errors.As(err, &untrusted), errors.Is(err, workspace.ErrForeignOwner),
		errors.Is(err, workspace.ErrNoGit), errors.Is(err, config.ErrNoHome):
		return exitEnvironment
	case errors.As(err, &problems), errors.Is(err, engine.ErrNoRun):
		return exitUsage
	}
	return exitProblems
}
