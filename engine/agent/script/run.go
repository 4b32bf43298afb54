package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// maxReturn bounds what a command's output takes in the transcript, in bytes.
const maxReturn = 50 << 10

// New makes the agent that plays s. speed divides every recorded pause.
// confine puts what it runs into a sandbox; nil is none.
func New(s *Script, speed float64, confine func(workspace.Command) workspace.Command) agent.Agent {
	if confine == nil {
		confine = func(c workspace.Command) workspace.Command { return c }
	}
	return player{s, speed, confine}
}

type player struct {
	script  *Script
	speed   float64
	confine func(workspace.Command) workspace.Command
}

// Run plays the part of the request's task.
func (p player) Run(ctx context.Context, req agent.Request, emit func(agent.Update)) (agent.Outcome, error) {
	part, err := p.script.part(req.K)
	if err != nil {
		return agent.Outcome{}, err
	}
	files, err := workspace.OpenFiles(req.Dir, req.Scope)
	if err != nil {
		return agent.Outcome{}, err
	}
	defer files.Close()
	t := &take{player: p, req: req, files: files, emit: emit}
	steps := part.Steps
	if req.Again || req.K == 0 && req.Attempt > 1 && len(part.Again) > 0 {
		steps = part.Again
	}
	for i, s := range steps {
		if err := t.play(ctx, s, i); err != nil {
			return t.outcome, fmt.Errorf("step %d: %w", i+1, err)
		}
		if err := t.rest(ctx, time.Duration(p.script.Tick)); err != nil {
			return t.outcome, err
		}
	}
	return t.outcome, nil
}

// take is one playing of one part.
type take struct {
	player
	req     agent.Request
	files   *workspace.Files
	emit    func(agent.Update)
	turn    int
	outcome agent.Outcome
}

func (t *take) item(it event.Item) {
	it.Turn = t.turn
	t.emit(agent.Update{Item: it})
}

func (t *take) rest(ctx context.Context, d time.Duration) error {
	d = time.Duration(float64(d) / t.speed)
	if d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t *take) play(ctx context.Context, s Step, i int) error {
	switch {
	case s.Turn > 0:
		t.turn = s.Turn
		t.item(event.Item{})
	case s.Say != "":
		t.item(event.Item{Kind: event.ItemText, Text: s.Say})
	case s.Think != "":
		t.item(event.Item{Kind: event.ItemThinking, Text: s.Think})
	case s.Pause > 0:
		return t.rest(ctx, time.Duration(s.Pause))
	case s.Usage != nil:
		t.emit(agent.Update{Usage: &agent.Usage{
			In: s.Usage.In, Out: s.Usage.Out, Cached: s.Usage.Cached, Cost: s.Usage.Cost, Estimated: true,
		}})
	case s.Run != "":
		return t.command(ctx, s, i)
	case s.Result != nil:
		t.call("submit_result", "", func() (string, error) { return "accepted", nil })
		t.outcome.Submitted = s.Result
	case s.Message != "":
		t.item(event.Item{Kind: event.ItemText, Text: s.Message})
		t.outcome.Message = s.Message
	case s.Plan != nil:
		return t.plan(s)
	case s.Fail != "":
		return errors.New(s.Fail)
	default:
		return t.file(s)
	}
	return nil
}

// call does one tool call and tells of it, before and after.
func (t *take) call(name, args string, do func() (string, error)) error {
	t.item(event.Item{Kind: event.ItemCall, Name: name, Text: args})
	began := time.Now()
	text, err := do()
	it := event.Item{
		Kind: event.ItemReturn, Name: name, Args: args, Text: text,
		Bytes: int64(len(text)), MS: time.Since(began).Milliseconds(),
	}
	if err != nil {
		it.Error = err.Error()
	}
	t.item(it)
	return err
}

func (t *take) file(s Step) error {
	switch {
	case s.Read != "":
		return t.call("read_file", s.Read, func() (string, error) {
			c, err := t.files.Read(s.Read)
			return string(c.Data), err
		})
	case s.Edit != "":
		return t.call("edit_file", s.Edit, func() (string, error) {
			c, err := t.files.Edit(s.Edit, s.Old, s.New, "")
			return fmt.Sprintf("%s changed at line %d\n%s", s.Edit, c.Line, hunk(c.Line, s.Old, s.New)), err
		})
	case s.Write != "":
		return t.call("write_file", s.Write, func() (string, error) {
			content := []byte(s.Content)
			if s.From != "" {
				var err error
				if content, err = t.script.beside(s.From); err != nil {
					return "", err
				}
			}
			_, err := t.files.Write(s.Write, content)
			return fmt.Sprintf("%d bytes written", len(content)), err
		})
	case s.Delete != "":
		return t.call("delete_file", s.Delete, func() (string, error) {
			_, err := t.files.Delete(s.Delete)
			return "deleted", err
		})
	case s.Rename != "":
		return t.call("rename_file", s.Rename+" → "+s.To, func() (string, error) {
			_, err := t.files.Rename(s.Rename, s.To)
			return "renamed", err
		})
	}
	return errors.New("the step has no action")
}

// command runs a shell line in the clone. Another exit code than the recorded
// one ends the part: what follows was recorded for another outcome.
func (t *take) command(ctx context.Context, s Step, i int) error {
	t.item(event.Item{Kind: event.ItemCall, Name: "run_command", Text: s.Run})
	out, err := workspace.Run(ctx, t.confine(workspace.Command{
		Shell: s.Run, Dir: t.req.Dir, Env: t.req.Env,
		SpillPath: filepath.Join(t.req.OutputDir, fmt.Sprintf("%d-step-%d.txt", t.req.Attempt, i+1)),
		OnOutput:  (&workspace.Live{Show: t.prints}).Hear,
	}))
	it := event.Item{
		Kind: event.ItemReturn, Name: "run_command", Args: s.Run, Text: out.Text(maxReturn),
		Bytes: out.Bytes, MS: out.Duration.Milliseconds(),
	}
	switch {
	case err != nil:
		it.Error = err.Error()
	case out.Reason != workspace.Exited:
		it.Error = string(out.Reason)
		err = errors.New(it.Error)
	case out.ExitCode != 0:
		it.Error = fmt.Sprintf("exit code %d", out.ExitCode)
	}
	t.item(it)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err == nil && out.ExitCode != s.Exit {
		last := strings.TrimSpace(out.Text(2 << 10))
		err = fmt.Errorf("`%s` ended with exit code %d, recorded was %d: %s", s.Run, out.ExitCode, s.Exit, last)
	}
	return err
}

func (t *take) plan(s Step) error {
	var name string
	if json.Unmarshal(s.Plan, &name) != nil {
		t.outcome.Plan = s.Plan
	} else {
		data, err := t.script.beside(name)
		if err != nil {
			return fmt.Errorf("read the plan: %w", err)
		}
		t.outcome.Plan = data
	}
	return t.call("submit_plan", "", func() (string, error) { return "received", nil })
}

// prints adds what a command prints to the transcript.
func (t *take) prints(text string) { t.item(event.Item{Kind: event.ItemOutput, Text: text}) }
