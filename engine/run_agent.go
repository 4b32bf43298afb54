package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// runAgent runs one agent within its limits, keeps its transcript, logs its
// signs of life, and ends every process it has left. The int64 is the size of
// all it was given and said, in bytes.
func (o *owner) runAgent(ctx context.Context, name string, req agent.Request) (agent.Outcome, int64, error) {
	a, err := o.agent(name)
	if err != nil {
		return agent.Outcome{}, 0, err
	}
	transcript, err := event.OpenTranscript(o.dirs.Run, req.K, o.transcriptAttempt(req))
	if err != nil {
		return agent.Outcome{}, 0, err
	}
	defer transcript.Close()
	req.Env = workspace.Environment(marker(o.spec.Run))
	req.OutputDir = filepath.Join(o.dirs.Run, dirOutput, event.AgentFile(req.K))
	if err := os.MkdirAll(req.OutputDir, 0o700); err != nil {
		return agent.Outcome{}, 0, fmt.Errorf("make the place for the output of %s: %w", event.AgentFile(req.K), err)
	}
	l := &listener{owner: o, k: req.K, transcript: transcript, size: int64(len(req.Prompt))}
	o.words.Rest() // from here on the files change
	req.Permit = o.permit(req.K)
	began := o.Now()
	o.waited = 0
	out, err := agent.Limit(a, o.limits(req.K)).Run(ctx, req, l.hear)
	o.spent += o.Now().Sub(began) - o.waited
	o.endLeftovers()
	o.talked[req.K] += l.size
	if err == nil {
		err = l.failed
	}
	return out, l.size, err
}

// transcriptAttempt keeps asking again in the transcript of the work itself.
func (o *owner) transcriptAttempt(req agent.Request) int {
	if req.Again {
		return 0
	}
	return req.Attempt
}

// maxRepeats ends an agent that makes the same call with the same result over
// and over.
const maxRepeats = 3

// limits of the next agent: its own, and what is left of the chain's. Time
// spent waiting for the operator is in neither.
func (o *owner) limits(k int) agent.Limits {
	c := o.spec.Config.Limits
	l := agent.Limits{
		Wall: time.Duration(c.Wall), Silence: time.Duration(c.Silence), Output: int64(c.Output), Turns: c.Turns,
		Tokens: c.Tokens, Repeats: maxRepeats,
		OnSilent: func(d time.Duration) {
			if k > 0 {
				o.append(false, event.WorkerSilent{K: k, Seconds: int64(d.Seconds())})
			}
		},
	}
	if c.Cost > 0 {
		l.Cost = max(c.Cost-o.state.Usage.Cost, 1e-9)
	}
	if chain := time.Duration(c.Chain); chain > 0 {
		left := max(chain-o.spent, time.Millisecond)
		if l.Wall == 0 || left < l.Wall {
			l.Wall, l.Chain = left, chain
		}
	}
	return l
}

// listener turns an agent's updates into transcript lines and events.
type listener struct {
	owner      *owner
	k          int
	transcript *event.Transcript
	mu         sync.Mutex
	size       int64
	turn       int
	said       int64 // bytes
	failed     error
}

func (l *listener) hear(u agent.Update) {
	l.mu.Lock()
	defer l.mu.Unlock()
	it := u.Item
	if it.At.IsZero() {
		it.At = l.owner.Now().UTC()
	}
	l.size += int64(len(it.Text))
	l.said += int64(len(it.Text))
	if it.Kind != "" {
		if err := l.transcript.Write(it); err != nil && l.failed == nil {
			l.failed = err
		}
		l.owner.hub.publish(note{K: l.k, Item: &it})
	}
	if bodies := l.bodies(it, u.Usage); len(bodies) > 0 {
		if err := l.owner.append(false, bodies...); err != nil && l.failed == nil {
			l.failed = err
		}
	}
}

func (l *listener) bodies(it event.Item, usage *agent.Usage) []event.Body {
	var out []event.Body
	if it.Turn > l.turn {
		l.turn = it.Turn
		out = append(out, event.WorkerTurn{K: l.k, Turn: it.Turn, Said: l.said})
	}
	switch it.Kind {
	case event.ItemCall:
		out = append(out, event.WorkerToolStarted{K: l.k, Name: it.Name, ArgsPreview: preview(it.Text)})
	case event.ItemNote:
		if it.Name == event.NoteAsked || it.Name == event.NoteMended {
			out = append(out, event.WorkerNoted{K: l.k, What: it.Name, Text: preview(it.Text)})
		}
	case event.ItemReturn:
		out = append(out, event.WorkerTool{
			K: l.k, Name: it.Name, ArgsPreview: preview(it.Args), ResultBytes: it.Bytes, MS: it.MS, Error: preview(it.Error), Said: l.said,
		})
	}
	if usage != nil {
		out = append(out, event.WorkerUsage{
			K: l.k, In: usage.In, Out: usage.Out, Cached: usage.Cached, Cost: usage.Cost, Estimated: usage.Estimated,
			Context: usage.Context, Window: usage.Window, Said: l.said,
		})
	}
	return out
}

// maxPreview bounds a tool's arguments in the log, in runes.
const maxPreview = 160

func preview(text string) string {
	runes := []rune(text)
	if len(runes) <= maxPreview {
		return string(runes)
	}
	return string(runes[:maxPreview-1]) + "…"
}

// transcriptBytes is the size of all Worker k's agent was given and said: as
// counted while it ran, else, after a change of owner, from its transcript.
func (o *owner) transcriptBytes(k int) int64 {
	if n := o.talked[k]; n > 0 {
		return n
	}
	n := int64(o.state.Worker(k).Prompt.Bytes)
	r := event.ReadTranscript(o.dirs.Run, k)
	defer r.Close()
	for {
		items, err := r.Next(1000)
		for _, it := range items {
			n += int64(len(it.Text))
		}
		if err != nil || len(items) == 0 {
			return n
		}
	}
}

// NewAgent makes the agent of a name in a run's configuration.
func NewAgent(runDir string, spec Spec, name string, confine Confine) (agent.Agent, error) {
	c, ok := spec.Config.Agents[name]
	if !ok {
		return nil, fmt.Errorf("start agent %q: it is not configured; `growbench config` lists what is", name)
	}
	return makeAgent(runDir, spec, name, c, confine)
}
