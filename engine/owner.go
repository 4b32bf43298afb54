package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/mapgen/symbols"
)

// OwnerOptions are what an owner needs beside its run directory.
type OwnerOptions struct {
	// Agents makes the agent of a name in the run's configuration.
	Agents func(runDir string, spec Spec, name string, confine Confine) (agent.Agent, error)
	// Resume tells where and why to go on; nil for a run's first owner.
	Resume *event.RunResumed
	// Symbols reads exported symbols; nil reads them in this process, guarded.
	Symbols Extractor
	// Grace is how long an ended process group has before it is killed.
	Grace time.Duration
	Now   func() time.Time
	// KeeperGone is closed when the owner's keeper has ended; nil: it has none.
	KeeperGone <-chan struct{}
	// Ready is called once the control socket answers.
	Ready func()
	// AfterAppend is called with each event that is in the log.
	AfterAppend func(event.Event)
}

// owner carries a run out. One goroutine works the chain; the others only
// read, or hand in commands.
type owner struct {
	OwnerOptions
	dirs  Dirs
	spec  Spec
	log   *event.Log
	hub   *hub
	tree  *workspace.Tree
	state *event.State // written by append alone, under mu

	mu      sync.Mutex
	answers map[string]asked
	stop    context.CancelCauseFunc
	lost    error // the log cannot be written any more

	confined  *confinement
	publish   publisher
	words     *workspace.Vocabulary  // of the clone's code
	at        string                 // the commit the clone's files are known to equal, or ""
	whole     bool                   // all a Worker left is in the tree that was written
	spent     time.Duration          // by agents, waiting not counted
	talked    map[int]int64          // bytes each agent was given and said
	waited    time.Duration          // by the agent at work, for the operator
	kept      map[string]agent.Agent // agents that know their server
	permitted map[string]bool        // commands the operator allowed for the whole run
}

// stopped is why a run's context ended when an operator asked for it.
type stopped struct {
	by        string
	interrupt bool
}

func (s *stopped) Error() string {
	if s.interrupt {
		return "interrupted"
	}
	return "stopped by the operator"
}

// Own takes a run's directory over and works until the run ends. It returns
// ErrOwned when another process is at it. The run's own failure is in its
// log, not in the error.
func Own(ctx context.Context, runDir string, opt OwnerOptions) error {
	held, err := takeLock(runDir)
	if err != nil {
		return err
	}
	defer held.release()
	o, err := newOwner(runDir, opt)
	if err != nil {
		return err
	}
	defer o.log.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	o.stop = cancel
	signals := o.catchSignals()
	defer signal.Stop(signals)
	if err := workspace.SetSubreaper(); err != nil {
		fmt.Fprintln(os.Stderr, "growbench:", err)
	}
	go func() {
		select {
		case <-o.KeeperGone:
			o.stop(errKeeperGone)
		case <-ctx.Done():
		}
	}()
	srv, err := o.openSocket()
	if err != nil {
		return err
	}
	defer srv.close()
	go srv.serve()
	if o.Ready != nil {
		o.Ready()
	}
	o.endLeftovers()
	defer func() { o.confined.close() }()
	o.work(ctx)
	o.words.Rest()
	o.endLeftovers()
	return o.lost
}

func newOwner(runDir string, opt OwnerOptions) (*owner, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Symbols == nil {
		opt.Symbols = symbols.NewPool(symbols.PoolOptions{})
	}
	if opt.Grace == 0 {
		opt.Grace = 5 * time.Second
	}
	spec, err := LoadSpec(runDir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(runDir, dirOutput), 0o700); err != nil {
		return nil, fmt.Errorf("make the place for what commands print: %w", err)
	}
	log, events, report, err := event.OpenLog(filepath.Join(runDir, fileEvents), opt.Now)
	if err != nil {
		return nil, err
	}
	if !report.Clean() {
		fmt.Fprintf(os.Stderr, "growbench: %s: %d torn bytes set aside, bad lines %v skipped\n", fileEvents, report.TornBytes, report.BadLines)
	}
	confined, err := newConfinement(dirsOf(runDir), spec)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("find a sandbox: %w", err), log.Close())
	}
	state := event.Fold(events)
	if opt.Resume != nil && opt.Resume.Reason == "resume" && state.Status == event.StatusPassed {
		// Somebody else went on with it between the look and the lock.
		return nil, errors.Join(fmt.Errorf("resume run %s: %w: it passed", spec.Run, ErrNothingToDo), log.Close())
	}
	return &owner{
		OwnerOptions: opt, dirs: dirsOf(runDir), spec: spec, log: log, hub: newHub(),
		state: state, confined: confined, answers: map[string]asked{},
		talked: map[int]int64{}, kept: map[string]agent.Agent{}, permitted: map[string]bool{},
	}, nil
}

func (o *owner) catchSignals() chan os.Signal {
	signals := make(chan os.Signal, 2)
	signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		for s := range signals {
			o.stop(&stopped{by: s.String(), interrupt: s == syscall.SIGINT})
		}
	}()
	return signals
}

// openSocket writes owner.json only once the socket answers.
func (o *owner) openSocket() (*server, error) {
	path, err := socketPath(o.spec.Run)
	if err != nil {
		return nil, err
	}
	srv, err := listen(path, o.hub, o.command)
	if err != nil {
		return nil, err
	}
	start, err := workspace.ProcessStart(os.Getpid())
	if err != nil {
		start = 0 // only shown; the lock tells who owns the run
	}
	data, err := json.Marshal(Owner{PID: os.Getpid(), Start: start, Socket: path})
	if err == nil {
		err = writeFile(filepath.Join(o.dirs.Run, fileOwner), append(data, '\n'))
	}
	if err != nil {
		srv.close()
		return nil, err
	}
	return srv, nil
}

// marker is in the environment of every process of the run.
func marker(run string) string { return "GROWBENCH_RUN=" + run }

// endLeftovers ends what an earlier owner, or an agent that is done, has left
// running.
func (o *owner) endLeftovers() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*o.Grace+time.Second)
	defer cancel()
	_, err := workspace.EndMarked(ctx, marker(o.spec.Run), o.Grace)
	_, orphans := workspace.ReapOrphans(ctx, marker(o.spec.Run), o.Grace)
	if err = errors.Join(err, orphans); err != nil {
		fmt.Fprintln(os.Stderr, "growbench: end what the run left behind:", err)
	}
}

// command carries out what came over the socket.
func (o *owner) command(c Command) error {
	switch c.Do {
	case "ping":
		return nil
	case "stop":
		o.stop(&stopped{by: c.By, interrupt: c.Interrupt})
		return nil
	case "answer":
		return o.answer(c)
	}
	return fmt.Errorf("unknown command %q", c.Do)
}

// append writes events to the log and folds them. durable events are on the
// disk when it returns: what follows them reaches outside the log. A log that
// cannot be written ends the run: what happens unseen did not happen.
func (o *owner) append(durable bool, bodies ...event.Body) error {
	if len(bodies) == 0 {
		return nil
	}
	o.mu.Lock()
	events, err := o.log.Append(durable, bodies...)
	for _, e := range events {
		o.state.Apply(e)
	}
	if err != nil && o.lost == nil {
		o.lost = err
	}
	o.mu.Unlock()
	if err != nil {
		o.stop(err)
		return err
	}
	for _, e := range events {
		if o.AfterAppend != nil {
			o.AfterAppend(e)
		}
		o.hub.publish(note{Seq: e.Seq})
	}
	return nil
}

// work takes the run from wherever its log stands to its end, and says in the
// log how it ended.
func (o *owner) work(ctx context.Context) {
	err := o.open(ctx)
	if err == nil {
		err = o.chain(ctx)
	}
	if err == nil {
		err = o.patchMap(ctx)
	}
	if err == nil {
		err = o.verify(ctx)
	}
	if err == nil && o.spec.Bisect {
		err = o.blame(ctx)
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	if err := o.end(err); err != nil {
		fmt.Fprintln(os.Stderr, "growbench: end the run:", err)
	}
}

// failure ends the chain at a Worker, with the Worker's end already logged.
type failure struct {
	k      int
	reason string
}

func (f *failure) Error() string {
	if f.k == 0 {
		return f.reason
	}
	return fmt.Sprintf("Worker %d: %s", f.k, f.reason)
}

// end publishes what there is, writes the report and closes the run.
func (o *owner) end(cause error) error {
	ended := event.RunEnded{Run: o.spec.Run, Status: event.StatusPassed, Verified: verified(o.state.Verify.Ran)}
	var stop *stopped
	var failed *failure
	switch {
	case errors.As(cause, &stop):
		ended.Status, ended.Reason = event.StatusStopped, stop.Error()
		if w := o.lastStarted(); w != nil && w.State != event.Done {
			ended.Worker = w.K
		}
	case errors.As(cause, &failed):
		ended.Status, ended.Reason, ended.Worker = event.StatusFailed, failed.Error(), failed.k
	case cause != nil:
		ended.Status, ended.Reason = event.StatusFailed, cause.Error()
	case ended.Verified == event.VerifiedFailed:
		ended.Status, ended.Reason = event.StatusFailed, "verification failed"
	case ended.Verified == event.VerifiedNone && o.leftFailing() != "":
		ended.Status, ended.Reason = event.StatusFailed, o.leftFailing()
	}
	var notes []string
	if o.tree != nil {
		branch, commit, err := o.hand(ended.Status)
		if err != nil {
			notes = append(notes, err.Error())
			if ended.Status == event.StatusPassed {
				ended.Status, ended.Reason = event.StatusFailed, err.Error()
			}
		}
		ended.Branch, ended.Commit = branch, commit
	}
	if err := o.writeReport(ended, notes); err != nil {
		fmt.Fprintln(os.Stderr, "growbench:", err)
	}
	return o.append(true, ended)
}

func (o *owner) lastStarted() *event.Worker {
	for i := len(o.state.Workers) - 1; i >= 0; i-- {
		if o.state.Workers[i].State != event.Pending {
			return &o.state.Workers[i]
		}
	}
	return nil
}

func verified(ran []event.CheckRan) string {
	if len(ran) == 0 {
		return event.VerifiedNone
	}
	for _, c := range ran {
		if !c.Passed {
			return event.VerifiedFailed
		}
	}
	return event.VerifiedPassed
}
