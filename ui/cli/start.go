package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/engine/giver"
	"growbench/theme"
	"growbench/ui"
)

type ctx = context.Context

// start makes a run, gives it an owner and shows it.
func (a *App) start(ctx ctx, n engine.NewRun, headless, detach bool) error {
	dirs, err := engine.Create(n)
	if err != nil {
		return environment(err)
	}
	if err := a.Spawner.Spawn(ctx, dirs.Run, nil); err != nil {
		return environment(err)
	}
	return a.show(ctx, dirs.Run, view{headless: headless, detach: detach})
}

// view is how a run is to be shown.
type view struct {
	headless, detach bool
	mode             ui.Mode
	speed            float64 // of a replay
	named            string  // how the run was named, for the way back
	note             string
	affected, delay  string // for a run that goes on: what to do about affected tasks
	after            uint64 // events up to this one are known and not printed again
	stood            *engine.Standing
	begin            func() error // gives the run an owner
}

// show shows a run that has an owner (or has ended): on the screen, line by
// line, or not at all.
func (a *App) show(ctx ctx, runDir string, v view) error {
	run := filepath.Base(runDir)
	if v.detach {
		if a.asJSON {
			return a.json(map[string]string{"run": run, "dir": runDir})
		}
		a.printf("%s\n", run)
		a.say("The run goes on by itself. To watch it: %s", a.comeBack(run))
		return nil
	}
	if a.plain && !v.headless {
		return a.linear(ctx, engine.Watch(runDir), v)
	}
	if v.headless || !a.draws() {
		switch {
		case v.headless:
		case a.Screen:
			a.say("This terminal cannot show a screen (TERM=dumb): following run %s line by line (--headless does the same).", run)
		default:
			a.say("No terminal: following run %s without a screen (--headless does the same).", run)
		}
		return a.follow(ctx, runDir, v)
	}
	return a.screen(ctx, runDir, v)
}

// attended tells whether somebody can answer what a run waits for. Without a
// screen nobody can, whether that was asked for or not; a detached run is
// answered from elsewhere.
func (a *App) attended(headless, detach bool) bool {
	return detach || !headless && (a.draws() || a.plain)
}

// comeBack is the line that shows a run again, as this growbench was started.
func (a *App) comeBack(run string) string { return self() + " attach " + run }

// screen opens the workbench on a run. Leaving it leaves the run.
func (a *App) screen(ctx ctx, runDir string, v view) error {
	w := engine.Watch(runDir)
	o := ui.Options{ComeBack: a.comeBack(filepath.Base(runDir)), Note: v.note, Mode: v.mode, Speed: v.speed}
	if v.stood != nil {
		w, o.State = v.stood.Watch(), v.stood.State
		o.Begin = func() error {
			defer w.Look()
			return v.begin()
		}
	}
	w.Go, o.Source = ui.Go, w
	switch v.mode {
	case ui.ReadOnly:
		o.ComeBack = self() + " watch " + shellWord(v.named)
		if p := a.projectOfRun(runDir); p != nil {
			o.OverhearLoop = overhearingLoop(giver.Dir(p.StateRoot, p.ID))
		}
	case ui.Replay:
		o.ComeBack = self() + " replay " + shellWord(v.named)
		o.Project = a.projectOfRun(runDir)
	default:
		o.Project = a.projectOfRun(runDir)
		if spec, err := engine.LoadSpec(runDir); err == nil && o.Project != nil {
			defer a.talkIn(&o, spec.Root)()
		}
	}
	return a.draw(ctx, o)
}

// draw opens the workbench and says, once it is left, what goes on and how to
// come back.
func (a *App) draw(ctx ctx, o ui.Options) error {
	look := a.screenOptions()
	o.Theme, o.Attention = look.Theme, look.Attention
	left, err := ui.Run(ctx, o)
	if o.Begin != nil { // whoever left at once left it going on
		if failed := o.Begin(); failed != nil {
			return failed
		}
	}
	if left.Signal == syscall.SIGHUP {
		return err // nobody is there to read a line
	}
	if err == nil {
		a.sayLeft(left)
	}
	if code := ui.ExitCode(left, nil); err == nil && code != exitOK {
		return exit(code)
	}
	return err
}

// sayLeft says how things stand once the workbench was left.
func (a *App) sayLeft(left ui.Exit) {
	run := ""
	if left.State != nil {
		run = left.State.Run
	}
	switch {
	case left.Listing && left.Living > 0:
		a.say("%s at work. To come back: %s", counted(left.Living, "run"), left.Back)
	case left.Listing:
	case left.Mode == ui.Replay:
		a.say("To play it again: %s", left.Back)
	case left.Mode == ui.ReadOnly:
		a.say("Nothing was touched. To come back: %s", left.Back)
	case left.How == ui.Left:
		a.say("Run %s goes on. To come back: %s", run, left.Back)
	case left.State != nil && left.State.IsEnded():
		a.ended(left.State)
	}
}

// screenOptions is how the workbench looks and calls: flags, then the
// environment, then the configuration. A configuration that cannot be read
// keeps nobody from a run.
func (a *App) screenOptions() ui.Options {
	o := ui.Options{Attention: ui.FullAttention(), Theme: a.theme}
	if h, err := a.here(); err == nil {
		c := h.loaded.Config
		o.Attention = ui.Attention(c.Attention)
		if o.Theme == "" && c.Theme != "auto" {
			o.Theme = c.Theme
		}
	}
	if a.noColor || a.theme == "" && os.Getenv("NO_COLOR") != "" {
		o.Theme = theme.None
	}
	return o
}

// ended says how a run ended and where its work is.
func (a *App) ended(s *event.State) {
	line := fmt.Sprintf("Run %s: %s, verified: %s", s.Run, s.Status, s.Verified)
	if s.Verified == event.VerifiedNone {
		line += " (nothing was checked)"
	}
	if s.Reason != "" {
		line += ": " + s.Reason
	}
	a.say("%s", line)
	if s.Status == event.StatusStopped {
		a.say("To go on: %s resume %s", self(), s.Run)
	}
	if s.Tip != "" {
		a.say("The work is on branch %s. Report: %s show %s", s.Branch, self(), s.Run)
	}
}

// follow prints a run's events until it ends: JSON lines for a script, words
// for people. Ctrl-C and SIGTERM stop the run, a second one leaves at once;
// a terminal or a reader that goes away ends only this watcher. One who may only
// read leaves by them.
func (a *App) follow(ctx ctx, runDir string, v view) error {
	stops, hung, pipes := make(chan os.Signal, 2), make(chan os.Signal, 1), make(chan os.Signal, 1)
	hear(stops, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(stops)
	hear(hung, syscall.SIGHUP)
	defer signal.Stop(hung)
	signal.Notify(pipes, syscall.SIGPIPE) // writing to nobody is then an error, not the end
	defer signal.Stop(pipes)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := engine.Watch(runDir)
	defer w.Close()
	var interrupted atomic.Bool
	done := make(chan struct{})
	defer close(done)
	unread := a.unread(done)
	go func() {
		var asked chan struct{}
		for {
			select {
			case s := <-stops:
				if v.mode == ui.ReadOnly {
					interrupted.Store(true)
					cancel(errLeft)
					return
				}
				if asked != nil {
					// What was promised gets its chance to be sent.
					select {
					case <-asked:
					case <-time.After(time.Second):
					}
					cancel(errLeft)
					return
				}
				interrupted.Store(true)
				a.say("Stopping the run; once more leaves at once.")
				asked = make(chan struct{})
				go func() {
					defer close(asked)
					a.askToStop(ctx, w, s == syscall.SIGINT, cancel)
				}()
			case <-hung:
				cancel(errLeft)
				return
			case <-unread:
				cancel(errLeft)
				return
			case <-done:
				return
			}
		}
	}()
	p := a.printer(v.after)
	state, err := p.untilEnd(ctx, w)
	switch {
	case errors.Is(err, errLeft) && !interrupted.Load():
		return exit(exitOK)
	case errors.Is(err, errLeft):
		return exit(exitInterrupted)
	case errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.EIO):
		return exit(exitOK) // nobody reads any more; the run goes on
	case err != nil && a.unwritten != nil:
		return fmt.Errorf("%w; run %s goes on; to come back: %s", err, filepath.Base(runDir), a.comeBack(filepath.Base(runDir)))
	case err != nil:
		return err
	}
	return outcome(state, interrupted.Load())
}

// hear passes signals on, but for those this process was started to ignore,
// as nohup and a shell's background do.
func hear(to chan<- os.Signal, signals ...os.Signal) {
	for _, s := range signals {
		if !signal.Ignored(s) {
			signal.Notify(to, s)
		}
	}
}

var errLeft = errors.New("the watcher left")

func (a *App) askToStop(ctx ctx, w *engine.Watcher, interrupt bool, cancel context.CancelCauseFunc) {
	err := w.Do(ctx, engine.Command{Do: "stop", By: "signal", Interrupt: interrupt})
	if err != nil && !errors.Is(err, engine.ErrNoOwner) {
		cancel(err)
	}
}

func outcome(s *event.State, interrupted bool) error {
	switch {
	case interrupted && s.Status == event.StatusStopped:
		return exit(exitInterrupted)
	case s.Status == event.StatusPassed:
		return nil
	}
	return exit(exitProblems)
}

// printer writes events as they come.
type printer struct {
	app   *App
	state *event.State
	json  bool
	out   io.Writer
	after uint64
}

// printer writes JSON for a script: when asked to, or when nobody sits at the
// other end.
func (a *App) printer(after uint64) *printer {
	return &printer{app: a, state: event.NewState(), json: a.asJSON || !a.OutTerminal, out: &a.IO, after: after}
}

// errOrphaned ends following a run whose owner died.
var errOrphaned = errors.New("its owner is gone")

func (p *printer) untilEnd(ctx ctx, w *engine.Watcher) (*event.State, error) {
	for {
		u, err := w.Next(ctx)
		if err != nil {
			return p.state, err
		}
		for _, e := range u.Events {
			p.state.Apply(e)
			if err := p.print(e); err != nil {
				return p.state, err
			}
		}
		if u.OwnerAlive {
			continue
		}
		if p.state.IsEnded() {
			return p.state, nil
		}
		if len(u.Events) == 0 {
			return p.state, fmt.Errorf("follow run %s: %w; to go on: %s resume %s",
				filepath.Base(w.Dir()), errOrphaned, self(), filepath.Base(w.Dir()))
		}
	}
}

func (p *printer) print(e event.Event) error {
	if e.Seq <= p.after {
		return nil
	}
	if p.json {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		return p.line(string(harmless(line)))
	}
	if line := describe(e); line != "" {
		return p.line(line)
	}
	return nil
}

func (p *printer) line(line string) error {
	if _, err := fmt.Fprintln(p.out, line); err != nil {
		return writing(err)
	}
	return nil
}
