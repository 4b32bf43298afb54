// Package command is the kind of agent that is another program: it is given
// its prompt on standard input or as an argument, works in the run's clone, and
// tells what it does on standard output, in lines that a decoder of its own
// reads. What it says decides how it ended; its exit code alone never does,
// but for programs that say nothing but text.
package command

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"growbench/engine/agent"
	"growbench/engine/workspace"
)

// Options choose a program. Without a preset, Argv and Decode do.
type Options struct {
	Preset string
	// Argv replaces the preset's program (further words go before the preset's
	// own); without a preset it is the whole command line. The word {prompt}
	// stands for the prompt, {flags} for where the preset's own words go.
	Argv []string
	// Prompt is "stdin" (the default) or "argument".
	Prompt string
	// Decode names the preset whose lines the program prints; default is the
	// preset itself, else text.
	Decode string
	// Env names variables of our own environment that are passed on.
	Env []string
	// Dir is the folder that relative file names in Argv belong to.
	Dir string
	// Wrap puts the command into a sandbox; nil is none.
	Wrap func(workspace.Command) workspace.Command
	// Output is how much the program may print, in bytes; 0 is no limit.
	Output int64
	// Grace is the time between SIGTERM and SIGKILL; 0 is the usual one.
	Grace time.Duration
}

// New makes the agent. The error says what is wrong with the options; whether
// the program is there shows when it runs.
func New(o Options) (agent.Agent, error) {
	p := preset{}
	if o.Preset != "" {
		var ok bool
		if p, ok = find(o.Preset); !ok {
			return nil, unknown("preset", o.Preset)
		}
	}
	if len(p.Argv) == 0 && len(o.Argv) == 0 {
		return nil, errors.New("it needs argv, the program to start")
	}
	name := o.Decode
	if name == "" {
		name = o.Preset
	}
	if name == "" {
		name = "text"
	}
	d, ok := find(name)
	if !ok {
		return nil, unknown("decoder", name)
	}
	switch o.Prompt {
	case "", "stdin", "argument":
	default:
		return nil, fmt.Errorf("the prompt goes to stdin or argument, not to %q", o.Prompt)
	}
	return program{options: o, preset: p, decode: d.decode}, nil
}

type program struct {
	options Options
	preset  preset
	decode  func(*feed) decoder
}

// decoder reads the lines of one program. Its methods are called under the
// feed's lock.
type decoder interface {
	// line takes one line of standard output.
	line(line []byte)
	// end judges what was said, once the program and all it started are gone.
	end(workspace.Outcome) (agent.Outcome, error)
}

func (p program) Run(ctx context.Context, req agent.Request, emit func(agent.Update)) (agent.Outcome, error) {
	schema, remove := p.handSchema(req)
	defer remove()
	argv, onStdin, err := p.argv(req, schema)
	if err != nil {
		return agent.Outcome{}, err
	}
	if err := p.installed(argv[0]); err != nil {
		return agent.Outcome{}, err
	}
	f := newFeed(emit)
	d := p.decode(f)
	c := workspace.Command{
		Argv: argv, Dir: req.Dir, Env: p.environment(req.Env),
		SpillPath: filepath.Join(req.OutputDir, spillName(req)),
		OnOutput:  func(workspace.Progress) { f.beat() },
		OnLine:    func(line []byte, _ error) { f.locked(func() { d.line(line) }) },
		Limits:    workspace.Limits{Output: p.options.Output, Grace: p.options.Grace, Line: maxLine},
	}
	if onStdin {
		c.Stdin = strings.NewReader(req.Prompt)
	}
	if p.options.Wrap != nil {
		c = p.options.Wrap(c)
	}
	done, err := workspace.Run(ctx, c)
	var out agent.Outcome
	var verdict error
	f.locked(func() {
		f.flush()
		out, verdict = d.end(done)
		f.flush()
	})
	switch {
	case context.Cause(ctx) != nil:
		return out, context.Cause(ctx)
	case err != nil:
		return out, err
	case done.Reason == workspace.OutputLimit:
		return out, fmt.Errorf("%w (%d bytes)", agent.ErrOutputLimit, p.options.Output)
	case verdict != nil:
		return out, p.explain(verdict)
	}
	if schema != "" {
		out = asked(req.Role, out)
	}
	return out, nil
}

// maxLine bounds one line of a stream, in bytes: a tool's whole result is in it.
const maxLine = 16 << 20

func spillName(req agent.Request) string {
	name := fmt.Sprintf("%d-agent", req.Attempt)
	if req.Again {
		name += "-again"
	}
	return name + ".txt"
}

// Program is what these options start, and whether it is there: an error says
// in words how to get it.
func (o Options) Program() (string, error) {
	a, err := New(o)
	if err != nil {
		return "", err
	}
	p := a.(program)
	argv, _, err := p.argv(agent.Request{}, "")
	if err != nil {
		return "", err
	}
	return argv[0], p.installed(argv[0])
}

// installed says in words what is missing, before a sandbox hides it behind an
// exit code.
func (p program) installed(name string) error {
	_, err := exec.LookPath(name)
	if err == nil {
		return nil
	}
	if p.preset.Install != "" && len(p.options.Argv) == 0 {
		return fmt.Errorf("start %s: it is not installed; get it with `%s`, or name the program in the agent's argv", name, p.preset.Install)
	}
	return fmt.Errorf("start %s: there is no such program; check the agent's argv: %w", name, err)
}
