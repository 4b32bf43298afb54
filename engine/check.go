package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"growbench/engine/check"
	"growbench/engine/config"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// Bounds on what is taken of a check's output.
const (
	maxCheckOutput = 4 << 10  // bytes, of its end
	maxCheckRead   = 50 << 10 // bytes in which failures are looked for
)

// setup runs workspace.setup once a run: commands a trusted configuration
// names, such as installing what the project needs.
func (o *owner) setup(ctx context.Context) error {
	for i, command := range o.spec.Config.Workspace.Setup {
		if i < len(o.state.Setup) && o.state.Setup[i].Passed {
			continue
		}
		online := config.Online(o.spec.Config.Workspace.Network)
		out, err := o.shell(ctx, command, fmt.Sprintf("setup-%d", i+1), online)
		if err != nil {
			return err
		}
		passed := out.ExitCode == 0 && out.Reason == workspace.Exited
		ran := event.SetupRan{Command: command, Passed: passed, Exit: out.ExitCode, Network: o.confined.network(online)}
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

// leftFailing names a check that the last Worker left failing: where nothing
// else is verified, it is what is known of the end.
func (o *owner) leftFailing() string {
	w := o.state.Worker(o.state.Plan.N)
	if w == nil {
		return ""
	}
	for _, c := range w.Checks {
		if !c.Passed {
			return fmt.Sprintf("check `%s` fails after the last Worker", c.Command)
		}
	}
	return ""
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
	online := config.Online(o.spec.Config.Checks.Network)
	out, err := o.shell(ctx, command, name, online)
	if err != nil {
		return event.CheckRan{}, err
	}
	ran := event.CheckRan{
		When: when, K: k, Command: command, Exit: out.ExitCode, MS: out.Duration.Milliseconds(),
		Passed: out.ExitCode == 0 && out.Reason == workspace.Exited, Failures: []event.Failure{},
		Network: o.confined.network(online),
	}
	if !ran.Passed {
		ran.Failures = o.failures(command, out.Text(maxCheckRead))
		ran.Output = out.Text(maxCheckOutput)
		if out.Reason != workspace.Exited {
			ran.Failures = append(ran.Failures, event.Failure{Text: string(out.Reason)})
		}
	}
	return ran, nil
}

// elsewhere is the folder a command line goes to before it does anything else.
var elsewhere = regexp.MustCompile(`^\s*cd\s+([\w./-]+)\s*(?:&&|;)`)

// failures reads which files and lines a check complained about.
func (o *owner) failures(command, text string) []event.Failure {
	read := check.Output{Text: text, Dirs: []string{o.tree.Root()}}
	if real, err := filepath.EvalSymlinks(o.tree.Root()); err == nil {
		read.Dirs = append(read.Dirs, real)
	}
	if m := elsewhere.FindStringSubmatch(command); m != nil && filepath.IsLocal(m[1]) {
		read.In = filepath.Clean(m[1])
	}
	if root, err := os.OpenRoot(o.tree.Root()); err == nil {
		defer root.Close()
		read.Exists = func(path string) bool {
			info, err := root.Stat(path)
			return err == nil && info.Mode().IsRegular()
		}
	}
	out := []event.Failure{}
	for _, f := range check.Failures(read) {
		out = append(out, event.Failure(f))
	}
	return out
}

// shell runs one command line in the clone, its whole output kept on disk.
func (o *owner) shell(ctx context.Context, command, name string, online bool) (workspace.Outcome, error) {
	o.words.Rest() // from here on the files change
	out, err := workspace.Run(ctx, o.confined.wrap(workspace.Command{
		Shell: command, Dir: o.tree.Root(), Env: workspace.Environment(marker(o.spec.Run)),
		SpillPath: filepath.Join(o.dirs.Run, dirOutput, name+".txt"),
		Limits:    workspace.Limits{Time: wallLimit(o.spec), Grace: o.Grace},
	}, online))
	o.endLeftovers()
	if cause := context.Cause(ctx); cause != nil {
		return out, cause
	}
	if err != nil {
		return out, fmt.Errorf("run `%s` in the run's clone: %w", command, err)
	}
	return out, nil
}
