package tool

import (
	"context"
	"fmt"
	"strings"
	"time"

	"growbench/engine/workspace"
)

// RunCommand is the name of the tool that runs shell commands.
const RunCommand = "run_command"

const (
	maxCommandText = 8 << 10         // bytes of output an agent is given
	commandTime    = 5 * time.Minute // for one command
)

// runCommand runs what the patterns allow, and asks about the rest.
func (w *work) runCommand() Tool {
	return Tool{
		Name: RunCommand,
		Description: "Run a shell command in the project. Those that nobody has allowed are asked about and may be denied; " +
			"to build and test your files use check.",
		Params: []Param{{Name: "command", Type: "string", About: "one line for sh"}},
		run: func(ctx context.Context, a args) (string, error) {
			line := strings.TrimSpace(a.str("command"))
			if line == "" {
				return "", errWords("the command is empty")
			}
			if err := w.permitted(ctx, line); err != nil {
				return "", err
			}
			out, err := w.shell(ctx, line, "")
			if err != nil {
				return "", err
			}
			text := out.Text(maxCommandText)
			if text == "" {
				text = "(it printed nothing)\n"
			}
			switch {
			case out.Reason != workspace.Exited:
				return text, errWords("`%s` was ended: %s", line, out.Reason)
			case out.ExitCode != 0:
				return text, errWords("`%s` ended with exit code %d", line, out.ExitCode)
			}
			return text, nil
		},
	}
}

func (w *work) permitted(ctx context.Context, line string) error {
	if Allowed(line, w.Allow) {
		return nil
	}
	if w.Permit == nil {
		return errWords("`%s` is denied: no pattern of permissions.allow allows it, and nobody is there to ask. Go on without it; to build and test your files use check", line)
	}
	yes, err := w.Permit(ctx, line)
	switch {
	case err != nil:
		return err
	case !yes:
		return errWords("`%s` is denied by the operator. Go on without it", line)
	}
	return nil
}

// shell runs a line in the sandbox and shows what it prints.
func (w *work) shell(ctx context.Context, line, dir string) (workspace.Outcome, error) {
	w.runs++
	shown := &workspace.Live{Show: w.Live}
	c := workspace.Command{
		Shell: line, Dir: w.Dir, Env: w.Env, Secrets: w.Secrets,
		OnOutput: shown.Hear, Limits: workspace.Limits{Time: commandTime},
	}
	if dir != "" {
		c.Dir = dir
	}
	if w.Output != "" {
		c.SpillPath = fmt.Sprintf("%s-%d.txt", w.Output, w.runs)
	}
	out, err := workspace.Run(ctx, w.Confine(c))
	out.SpillPath = "" // a place no agent can look at
	if cause := context.Cause(ctx); cause != nil {
		return out, cause
	}
	return out, err
}
