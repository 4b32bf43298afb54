package tool

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"growbench/engine/check"
	"growbench/engine/workspace"
)

// CheckTool is the name of the tool that builds and tests a Worker's files.
const CheckTool = "check"

const (
	maxCheckRead = 50_000  // bytes in which failures are looked for
	maxCheckTail = 3 << 10 // bytes shown where no failure was understood
)

// checking is one command of a check.
type checking struct {
	line, dir string // dir is absolute
	runs      bool   // it runs the project's own code
}

// check builds and tests the packages of the targets and nothing else of the
// project. Where there is no such way, the project's own checks are run.
func (w *work) check() Tool {
	return Tool{
		Name:        CheckTool,
		Description: "Build and test the packages of your Target Files. It says what fails, and where.",
		run: func(ctx context.Context, _ args) (string, error) {
			todo := w.checks()
			if len(todo) == 0 {
				return "there is nothing to check here: no package is known for your files, and the project names no checks\n", nil
			}
			var passed []string
			left := ""
			for _, c := range todo {
				if c.runs && !w.Trusted {
					if err := w.permitted(ctx, c.line); err != nil {
						left = fmt.Sprintf("not run, as nobody has trusted this project's tests and there is no sandbox: `%s`\n", c.line)
						continue
					}
				}
				out, err := w.shell(ctx, c.line, c.dir)
				if err != nil {
					return "", err
				}
				if out.Reason == workspace.Exited && out.ExitCode == 0 {
					passed = append(passed, "`"+c.line+"`")
					continue
				}
				why := fmt.Sprintf("exit code %d", out.ExitCode)
				if out.Reason != workspace.Exited {
					why = string(out.Reason)
				}
				return w.complaints(c, out), errWords("`%s` fails (%s)%s", c.line, why, after(passed))
			}
			return "passed: " + strings.Join(passed, ", ") + "\n" + left, nil
		},
	}
}

func after(passed []string) string {
	if len(passed) == 0 {
		return ""
	}
	return "; passed before it: " + strings.Join(passed, ", ")
}

// complaints are the places a check complains about, or, where none was
// understood, the end of what it printed.
func (w *work) complaints(c checking, out workspace.Outcome) string {
	read := check.Output{Text: out.Text(maxCheckRead), Dirs: []string{w.Dir}}
	if real, err := filepath.EvalSymlinks(w.Dir); err == nil {
		read.Dirs = append(read.Dirs, real)
	}
	if in, err := filepath.Rel(w.Dir, c.dir); err == nil && in != "." && filepath.IsLocal(in) {
		read.In = filepath.ToSlash(in)
	}
	read.Exists = func(path string) bool {
		info, err := os.Stat(filepath.Join(w.Dir, path))
		return err == nil && info.Mode().IsRegular()
	}
	var b strings.Builder
	for _, f := range check.Failures(read) {
		switch {
		case f.File == "":
			fmt.Fprintf(&b, "%s\n", f.Text)
		case f.Line == 0:
			fmt.Fprintf(&b, "%s: %s\n", f.File, f.Text)
		default:
			fmt.Fprintf(&b, "%s:%d: %s\n", f.File, f.Line, f.Text)
		}
	}
	if b.Len() == 0 {
		return out.Text(maxCheckTail)
	}
	return b.String()
}

// checks are the commands for the targets: Go's own for packages of Go, the
// project's for all else.
func (w *work) checks() []checking {
	todo, rest := w.goChecks()
	if !rest && len(todo) > 0 {
		return todo
	}
	for _, line := range w.Each {
		todo = append(todo, checking{line: line, dir: w.Dir})
	}
	return todo
}
