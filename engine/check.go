package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"growbench/engine/event"
	"growbench/engine/workspace"
)

// Bounds on what a check leaves in the log.
const (
	maxCheckOutput = 4 << 10 // bytes
	maxFailures    = 50
)

// setup runs workspace.setup once a run: commands a trusted configuration
// names, such as installing what the project needs.
func (o *owner) setup(ctx context.Context) error {
	for i, command := range o.spec.Config.Workspace.Setup {
		if i < len(o.state.Setup) && o.state.Setup[i].Passed {
			continue
		}
		out, err := o.shell(ctx, command, fmt.Sprintf("setup-%d", i+1))
		if err != nil {
			return err
		}
		passed := out.ExitCode == 0 && out.Reason == workspace.Exited
		ran := event.SetupRan{Command: command, Passed: passed, Exit: out.ExitCode}
		if !passed {
			ran.Output = out.Text(maxCheckOutput)
		}
		if err := o.append(true, ran); err != nil {
			return err
		}
		if !passed {
			return &failure{reason: fmt.Sprintf("workspace.setup `%s` ended with exit code %d", command, out.ExitCode)}
		}
	}
	return nil
}

// checkEach runs checks.each after Worker k: a signal, not a gate.
func (o *owner) checkEach(ctx context.Context, k int) error {
	commands := o.spec.Config.Checks.Each
	for i := len(o.state.Worker(k).Checks); i < len(commands); i++ {
		ran, err := o.check(ctx, "each", k, commands[i], fmt.Sprintf("check-%d-%d", k, i+1))
		if err != nil {
			return err
		}
		if err := o.append(false, ran); err != nil {
			return err
		}
	}
	return nil
}

// verify runs checks.verify on what the chain made. Commands that were merely
// found are listed.
func (o *owner) verify(ctx context.Context) error {
	if len(o.spec.Found) > 0 {
		if err := o.append(false, event.ChecksFound{Commands: o.spec.Found}); err != nil {
			return err
		}
	}
	commands := o.spec.Config.Checks.Verify
	if len(commands) == 0 {
		return nil
	}
	if err := o.tree.Reset(ctx, o.before(o.state.Plan.N+1)); err != nil {
		return err
	}
	for i, command := range commands {
		ran, err := o.check(ctx, "verify", 0, command, fmt.Sprintf("verify-%d", i+1))
		if err != nil {
			return err
		}
		if err := o.append(true, ran); err != nil {
			return err
		}
	}
	return nil
}

func (o *owner) check(ctx context.Context, when string, k int, command, name string) (event.CheckRan, error) {
	out, err := o.shell(ctx, command, name)
	if err != nil {
		return event.CheckRan{}, err
	}
	ran := event.CheckRan{
		When: when, K: k, Command: command, Exit: out.ExitCode, MS: out.Duration.Milliseconds(),
		Passed: out.ExitCode == 0 && out.Reason == workspace.Exited, Failures: []event.Failure{},
	}
	if !ran.Passed {
		text := out.Text(50 << 10)
		ran.Failures = failures(text)
		ran.Output = out.Text(maxCheckOutput)
		if out.Reason != workspace.Exited {
			ran.Failures = append(ran.Failures, event.Failure{Text: string(out.Reason)})
		}
	}
	return ran, nil
}

// shell runs one command line in the clone, its whole output kept on disk.
func (o *owner) shell(ctx context.Context, command, name string) (workspace.Outcome, error) {
	out, err := workspace.Run(ctx, workspace.Command{
		Shell: command, Dir: o.tree.Root(), Env: workspace.Environment(marker(o.spec.Run)),
		SpillPath: filepath.Join(o.dirs.Run, dirOutput, name+".txt"),
		Limits:    workspace.Limits{Time: wallLimit(o.spec), Grace: o.Grace},
	})
	o.endLeftovers()
	if cause := context.Cause(ctx); cause != nil {
		return out, cause
	}
	if err != nil {
		return out, fmt.Errorf("run `%s` in the run's clone: %w", command, err)
	}
	return out, nil
}

// place is "file.ext:12: text" or "file.ext:12:5: text", as compilers and
// test tools print it.
var place = regexp.MustCompile(`^\s*(?:Error:\s*)?([^\s:()]+\.[A-Za-z0-9]+):(\d+)(?::\d+)?:?\s+(.*)$`)

// failures reads file and line out of a check's output.
func failures(output string) []event.Failure {
	out := []event.Failure{}
	for line := range strings.Lines(output) {
		m := place.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(m[2])
		if err != nil {
			continue
		}
		out = append(out, event.Failure{File: m[1], Line: n, Text: preview(m[3])})
		if len(out) == maxFailures {
			break
		}
	}
	return out
}
