package ui

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"growbench/theme/text"
)

// ExitFault is the exit code of an internal fault.
const ExitFault = 70

// Crash is a panic that was caught. The terminal is restored before anybody
// gets to see it.
type Crash struct {
	Task  string // what was being done
	Value any
	Stack []byte
}

// Error says in one line what failed.
func (c *Crash) Error() string {
	return fmt.Sprintf("internal fault in %s: %s; the run itself goes on, please report this", c.Task, c.what())
}

// Report is the fault with its stack, for standard error.
func (c *Crash) Report() string {
	return fmt.Sprintf("growbench: internal fault in %s: %s\n\n%s", c.Task, c.what(), strings.TrimRight(string(c.Stack), "\n")+"\n")
}

// what is the panic's value, which may hold text from outside.
func (c *Crash) what() string { return text.Visible(fmt.Sprint(c.Value)) }

// onScreen is the terminal in use, if there is one: a panic anywhere has to
// give it back first.
var onScreen atomic.Pointer[terminal]

// Go runs fn in a goroutine of its own. It is the one way goroutines are
// started: a panic in fn restores the terminal, is reported on standard error
// under the task's name, and ends the program with code 70.
func Go(task string, fn func()) {
	go func() {
		defer Catch(task)
		fn()
	}()
}

// Catch, deferred, does for the calling goroutine what Go does for a new one.
func Catch(task string) {
	value := recover()
	if value == nil {
		return
	}
	crash := &Crash{Task: task, Value: value, Stack: debug.Stack()}
	if t := onScreen.Load(); t != nil {
		t.crash(crash)
		return
	}
	fmt.Fprint(os.Stderr, crash.Report())
	os.Exit(ExitFault)
}

// ExitCode is the process's exit code after Run.
func ExitCode(exit Exit, err error) int {
	var crash *Crash
	switch {
	case errors.As(err, &crash):
		return ExitFault
	case err != nil:
		return 1
	case exit.Signal != nil:
		return 130
	}
	return 0
}
