package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"growbench/engine/agent"
	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// worker takes Worker k to its end: its agent's work unless a RESULT is
// already accepted, then the engine's own part.
func (o *owner) worker(ctx context.Context, k int) error {
	for !o.state.Worker(k).Result {
		again, err := o.attempt(ctx, k)
		if err != nil {
			return o.endWorker(ctx, k, err)
		}
		if !again {
			break
		}
	}
	if err := o.holdScope(ctx, k); err != nil {
		return o.endWorker(ctx, k, err)
	}
	return o.settle(ctx, k)
}

// attempt runs Worker k's agent from the commit before it. It returns true
// when the operator widened the task and the Worker is to begin anew.
func (o *owner) attempt(ctx context.Context, k int) (again bool, err error) {
	start := o.before(k)
	if err := o.startFrom(ctx, start); err != nil {
		return false, err
	}
	task := o.state.Plan.Tasks.Task(k)
	attempt := o.state.Worker(k).Attempts + 1
	name := o.spec.agentName(o.state.Plan.Tasks.Tasks[k-1].Agent)
	text := workerPrompt(o.isNative(name), k, o.state.Plan.N, task, o.earlier(k))
	prompt, ref, err := o.savePrompt(promptName(k, attempt), o.asSent(ctx, name, text))
	if err != nil {
		return false, err
	}
	if err := o.append(true, event.WorkerStarted{
		K: k, Agent: name, Prompt: ref, Attempt: attempt,
		Sandboxed: o.confined.sandboxed(), SandboxNote: o.confined.note,
		Network: o.confined.network(config.Online(o.spec.Config.Agents[name].Network)),
	}); err != nil {
		return false, err
	}
	req := agent.Request{
		Role: agent.Worker, K: k, Attempt: attempt, Prompt: prompt, Dir: o.tree.Root(),
		Scope: workspace.Scope{Targets: task.TargetFiles}, Reads: o.earlierFiles(k),
		Sent: o.keepRequest(promptName(k, attempt)),
	}
	out, _, err := o.runAgent(ctx, name, req)
	var limit *agent.UsageLimit
	if errors.As(err, &limit) {
		return true, o.waitForLimit(ctx, k, limit)
	}
	if err != nil {
		return false, err
	}
	return o.handIn(ctx, k, req, name, out, start)
}

// startFrom makes the clone exactly commit. What the Worker before has just
// left needs no second look at every file: only the agents' own git is brought
// along.
func (o *owner) startFrom(ctx context.Context, commit string) error {
	known := o.at
	o.at = ""
	if known != "" && known == commit {
		return o.tree.SyncToy(ctx, commit)
	}
	return o.tree.Reset(ctx, commit)
}

// earlier is what the Workers before k handed on.
func (o *owner) earlier(k int) []doc.Result {
	return slices.DeleteFunc(slices.Clone(o.state.Results), func(r doc.Result) bool { return r.K >= k })
}

// handIn takes what the agent ended with as RESULT #k: what it submitted, what
// its last message says, what it says when asked once more, and at last what
// the engine itself saw.
func (o *owner) handIn(ctx context.Context, k int, req agent.Request, name string, out agent.Outcome, start string) (again bool, err error) {
	tree, err := o.tree.WriteTree(ctx)
	if err != nil {
		return false, err
	}
	changes, err := o.tree.Changes(ctx, start, tree)
	if err != nil {
		return false, err
	}
	o.whole = len(o.tree.LeftOut()) == 0 && !slices.ContainsFunc(changes, func(c workspace.FileChange) bool {
		return c.Kind == workspace.NestedRepository
	})
	got, needs, missing := readOutcome(k, out)
	if len(needs) > 0 {
		return o.blocked(ctx, k, needs)
	}
	if missing != "" && !out.Asked {
		got, err = o.askAgain(ctx, k, req, name, missing, tree, got)
		if err != nil {
			return false, err
		}
	}
	if got.source == "" {
		if len(changes) == 0 {
			return false, errors.New("it handed in no RESULT and changed nothing (" + missing + ")")
		}
		got = observed(k, changes)
	}
	flagged := outsideChanges(k, changes, o.state.Plan.Tasks.Tasks)
	bodies := make([]event.Body, 0, len(flagged)+1)
	for _, f := range flagged {
		bodies = append(bodies, f)
	}
	bodies = append(bodies, event.ResultAccepted{K: k, Result: got.result, Source: got.source, Tree: tree, Problems: got.problems})
	if err := o.append(true, bodies...); err != nil {
		return false, err
	}
	return false, o.writeResults()
}

// handed is a RESULT and where it came from: tool, message or observed.
type handed struct {
	result   doc.Result
	source   string
	problems []doc.Problem
}

// readOutcome finds the RESULT in what an agent ended with. missing says why
// there is none that can be taken as it is; got may still be usable when only
// a section is missing.
func readOutcome(k int, out agent.Outcome) (got handed, needs []string, missing string) {
	if len(out.Submitted) > 0 {
		s, problems, err := doc.ParseSubmitted(out.Submitted, k)
		if err != nil {
			return handed{}, nil, err.Error()
		}
		if s.Status == "blocked" {
			return handed{}, orSomething(s.Needs), ""
		}
		return handed{s.Result, "tool", problems}, nil, faults(problems)
	}
	if needs, ok := doc.ParseBlocked(out.Message); ok {
		return handed{}, orSomething(needs), ""
	}
	result, problems, err := doc.ParseResult(out.Message, k)
	if err != nil {
		return handed{}, nil, err.Error()
	}
	return handed{result, "message", problems}, nil, faults(problems)
}

func orSomething(needs []string) []string {
	if len(needs) == 0 {
		return []string{"(it did not say what)"}
	}
	return needs
}

func faults(problems []doc.Problem) string {
	var texts []string
	for _, p := range problems {
		if p.Level == doc.Error {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "; ")
}

// askAgain asks the agent once for the RESULT alone. What it writes meanwhile
// is undone. When that brings nothing better, a RESULT that lacks only a
// section is taken with its fault noted.
func (o *owner) askAgain(ctx context.Context, k int, req agent.Request, name, missing, tree string, first handed) (handed, error) {
	prompt := o.asSent(ctx, name, fmt.Sprintf(againContract, k, missing))
	prompt, ref, err := o.savePrompt(promptName(k, req.Attempt)+".again", prompt)
	if err != nil {
		return handed{}, err
	}
	if err := o.append(true, event.WorkerStarted{
		K: k, Agent: name, Prompt: ref, Attempt: req.Attempt, Again: true,
		Sandboxed: o.confined.sandboxed(), SandboxNote: o.confined.note,
		Network: o.confined.network(config.Online(o.spec.Config.Agents[name].Network)),
	}); err != nil {
		return handed{}, err
	}
	req.Again, req.Prompt, req.Scope = true, prompt, workspace.Scope{}
	out, _, err := o.runAgent(ctx, name, req)
	if cause := context.Cause(ctx); cause != nil {
		return handed{}, cause
	}
	if err := o.restore(ctx, k, tree); err != nil {
		return handed{}, err
	}
	if err == nil {
		if second, _, still := readOutcome(k, out); still == "" && second.source != "" {
			return second, nil
		}
	}
	return first, nil
}

// restore makes the clone's files those of tree again.
func (o *owner) restore(ctx context.Context, k int, tree string) error {
	commit, err := o.tree.CommitTree(ctx, tree, o.before(k), "Work of Worker "+strconv.Itoa(k)+"\n", o.Now().UTC())
	if err != nil {
		return err
	}
	return o.tree.Reset(ctx, commit)
}

// observed is a RESULT written from what git saw.
func observed(k int, changes []workspace.FileChange) handed {
	r := doc.Result{K: k, Summary: "(observed) The Worker handed in no RESULT; this lists what changed."}
	for _, c := range changes {
		switch c.Kind {
		case workspace.Created:
			r.Files.Created = append(r.Files.Created, c.Path)
		case workspace.Deleted:
			r.Files.Deleted = append(r.Files.Deleted, c.Path)
		case workspace.Renamed:
			r.Files.Deleted = append(r.Files.Deleted, c.OldPath)
			r.Files.Created = append(r.Files.Created, c.Path)
		default:
			r.Files.Modified = append(r.Files.Modified, c.Path)
		}
	}
	bounded, problems := doc.Bound(r)
	return handed{bounded, "observed", problems}
}

// blocked waits for the operator to widen the task, when there is one.
func (o *owner) blocked(ctx context.Context, k int, needs []string) (again bool, err error) {
	list := strings.Join(needs, ", ")
	if !o.spec.Attended {
		return false, fmt.Errorf("blocked: needs %s (nobody is there to widen its task)", list)
	}
	id := fmt.Sprintf("blocked-%d-%d", k, o.state.LastSeq)
	choice, err := o.ask(ctx, event.Waiting{
		ID: id, Kind: "blocked", K: k, Choices: []string{"widen", "fail"},
		Text: fmt.Sprintf("Worker %d is blocked: it needs %s. Widen its task and run it again?", k, list),
	})
	if err != nil {
		return false, err
	}
	if choice != "widen" {
		return false, fmt.Errorf("blocked: needs %s", list)
	}
	return true, o.widen(k, needs)
}

// waitForLimit waits until a model server gives more again, or the operator
// decides. It returns nil when the agent is to be asked anew.
func (o *owner) waitForLimit(ctx context.Context, k int, limit *agent.UsageLimit) error {
	if !o.spec.Attended {
		return fmt.Errorf("%w; nobody is there to wait", limit)
	}
	until := limit.Until
	if !until.After(o.Now()) {
		until = time.Time{} // an end that has passed would have it ask without a pause
	}
	choice, err := o.ask(ctx, event.Waiting{
		ID: fmt.Sprintf("limit-%d-%d", k, o.state.LastSeq), Kind: "limit", K: k,
		Text: limit.Error(), Choices: []string{"retry", "fail"}, Until: until,
	})
	if err == nil && choice != "retry" {
		err = limit
	}
	return err
}

// widen adds files to a task, after a new lint.
func (o *owner) widen(k int, needs []string) error {
	task := o.state.Plan.Tasks.Tasks[k-1]
	task.TargetFiles = slices.Clone(task.TargetFiles)
	for _, n := range needs {
		if !slices.Contains(task.TargetFiles, n) {
			task.TargetFiles = append(task.TargetFiles, n)
		}
	}
	plan := doc.Plan{Tasks: slices.Clone(o.state.Plan.Tasks.Tasks)}
	plan.Tasks[k-1] = task
	text := doc.FormatTask(plan.Task(k))
	if _, problems := doc.LintTaskText(text, doc.LintOptions{}); doc.HasErrors(problems) {
		return fmt.Errorf("its task cannot be widened: %s", faults(problems))
	}
	if err := o.append(true, event.TaskEdited{K: k, Task: task, SHA256: hash(text), By: "operator"}); err != nil {
		return err
	}
	return writeFile(filepath.Join(o.dirs.Run, taskFile(k)), []byte(text))
}

// endWorker closes a Worker that did not end well, and keeps what it left.
func (o *owner) endWorker(ctx context.Context, k int, cause error) error {
	if ended := context.Cause(ctx); ended != nil {
		cause = ended
	}
	state := event.Failed
	var stop *stopped
	switch {
	case errors.As(cause, &stop) && stop.interrupt:
		state = event.Interrupted
	case errors.As(cause, &stop):
		state = event.Stopped
	case errors.Is(cause, agent.ErrTimedOut):
		state = event.TimedOut
	case errors.Is(cause, agent.ErrStalled):
		state = event.Stalled
	}
	var bodies []event.Body
	accepted := o.state.Worker(k).Result
	if accepted && stop != nil {
		// Its work is done and in the log; a resume goes on from there.
	} else if kept, ok := o.keepPartial(k); ok {
		bodies = append(bodies, kept)
	}
	bodies = append(bodies, event.WorkerEnded{K: k, State: state, Reason: cause.Error(), TranscriptBytes: o.transcriptBytes(k)})
	if err := o.append(true, bodies...); err != nil {
		return err
	}
	if accepted && !o.state.Worker(k).Result {
		if err := o.writeResults(); err != nil {
			return err
		}
	}
	if stop != nil {
		return stop
	}
	return &failure{k: k, reason: cause.Error()}
}

// keepPartial puts unfinished work into a ref of its own, so that nothing is
// lost when the Worker runs again.
func (o *owner) keepPartial(k int) (event.PartialKept, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), cleanup)
	defer cancel()
	start := o.before(k)
	tree, err := o.tree.WriteTree(ctx)
	if err != nil {
		return event.PartialKept{}, false
	}
	if changes, err := o.tree.Changes(ctx, start, tree); err != nil || len(changes) == 0 {
		return event.PartialKept{}, false
	}
	message := fmt.Sprintf("Unfinished work of Worker %d\n", k)
	commit, err := o.tree.CommitTree(ctx, tree, start, message, o.Now().UTC())
	if err != nil {
		return event.PartialKept{}, false
	}
	ref := fmt.Sprintf("refs/growbench/%s/%d-unfinished-%d", o.spec.Run, k, max(1, o.state.Worker(k).Attempts))
	if err := o.tree.PublishAs(ctx, ref, commit); err != nil {
		return event.PartialKept{}, false
	}
	return event.PartialKept{K: k, Ref: ref, Commit: commit}, true
}
