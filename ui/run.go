// Package ui is the workbench: it watches one run, draws its state and turns
// keys into commands. It never runs anything itself; leaving it leaves the run
// as it is.
package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/engine/giver"
	"growbench/theme"
)

// Source is a run as seen by a watcher: live, recorded or of another process.
type Source interface {
	// Next blocks until there is something new or the owner's life changed; the
	// first call returns at once with whether the owner lives. A run that ended
	// has nothing new: Next then blocks until ctx is done.
	Next(ctx context.Context) (engine.Update, error)
	// Do sends a command to the run's owner.
	Do(ctx context.Context, c engine.Command) error
	// Dir is the run directory, for transcripts, prompts and tasks.
	Dir() string
}

// Options are what the workbench needs to know.
type Options struct {
	// Source is the run shown first; nil shows the list of Project's runs.
	Source Source
	// Mode is how Source is shown.
	Mode Mode
	// Speed is how fast a replay begins; 0 is instant.
	Speed float64
	// Project is what the list of runs and the answers work with; nil leaves
	// this screen with the one run.
	Project *Project
	// Talk opens the project's conversation; nil: this screen has none. Talking
	// opens it at once.
	Talk    func() (*giver.Session, error)
	Talking bool
	// Overhear follows the conversation while another process has it.
	Overhear func() *giver.Follower
	// OverhearLoop follows its grow loop meanwhile.
	OverhearLoop func() *giver.LoopFollower
	// State is what is known of the run already; the workbench goes on folding
	// it. Nil means nothing is known.
	State *event.State
	// Begin starts the owner of the run shown first, which has none; nil means
	// that nothing is to be started. The screen does not wait for it. What keeps
	// the owner from starting ends the workbench; who gave Begin knows it.
	Begin func() error
	// Theme is a theme's name. Empty means no colour if NO_COLOR is set, else
	// dark or light as the terminal is.
	Theme string
	// Attention is how the operator is called; the zero value is not at all.
	Attention Attention
	// ComeBack is the command that opens this screen again.
	ComeBack string
	// Note is shown beside the run's name, such as "demo".
	Note string
	// In and Out are the terminal; nil means standard input and output.
	In  io.Reader
	Out io.Writer
	// OnMap shows the project's map first.
	OnMap bool
	// Works tells what Workers changed; nil means the run's own repository.
	Works Works
	// Clock tells the time; nil means time.Now.
	Clock func() time.Time
	// Getenv reads the environment; nil means os.Getenv.
	Getenv func(string) string
	// Width and Height are the screen's size where Out cannot tell it.
	Width, Height int
}

// How says how the workbench was closed.
type How int

const (
	Left    How = iota // the run goes on without a watcher
	Stopped            // the operator stopped the run
	Ended              // the run had come to its end
)

// Exit is how the workbench was closed, and what was known of the run then.
type Exit struct {
	How    How
	Signal os.Signal // what ended the screen, nil for a key
	State  *event.State
	// Listing is true when the list of runs was on the screen; State is then of
	// no importance.
	Listing bool
	Mode    Mode
	Living  int    // runs of the project at work then
	Back    string // what to type to see the same again
}

// ErrNoTerminal is returned when there is no screen to draw on.
var ErrNoTerminal = errors.New("open the workbench: the output is no terminal; use --headless or --plain")

// Run shows the workbench until the operator leaves it. When it returns the
// terminal is as it was. A panic anywhere is reported on standard error and
// returned as a *Crash.
func Run(ctx context.Context, o Options) (Exit, error) {
	if o.In == nil {
		o.In = os.Stdin
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	look, err := chooseTheme(&o)
	if err != nil {
		return Exit{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := newTerminal(o.In, o.Out, cancel)
	if t.out.file == nil && (o.Width <= 0 || o.Height <= 0) {
		return Exit{}, ErrNoTerminal
	}
	if !onScreen.CompareAndSwap(nil, t) {
		return Exit{}, fmt.Errorf("open the workbench: one is open in this process already")
	}
	defer onScreen.Store(nil)
	defer watchSignals(t)()

	m := newModel(ctx, o, look)
	defer m.chart.leave()
	err = t.show(ctx, guarded{m, &tea.View{}}, o)
	m.closeTalk()
	signal, fault := t.outcome()
	exit := Exit{
		How: m.how(), Signal: signal, State: m.state, Listing: m.atHome(), Mode: m.visit.mode, Living: m.living(), Back: m.back(),
	}
	switch {
	case fault != nil:
		fmt.Fprint(os.Stderr, fault.Report())
		return exit, fault
	case signal != nil || ctx.Err() != nil:
		return exit, nil
	case err != nil:
		return exit, fmt.Errorf("draw the workbench: %w", err)
	}
	return exit, nil
}

func chooseTheme(o *Options) (theme.Theme, error) {
	switch {
	case o.Theme == "" && o.Getenv("NO_COLOR") != "":
		o.Theme = theme.None
	case o.Theme == "":
		o.Theme = theme.Auto
	}
	look, err := theme.New(o.Theme, nil)
	look.Symbols = theme.SymbolsFor(o.Getenv)
	return look, err
}

// show runs the program and gives the terminal back.
func (t *terminal) show(ctx context.Context, m tea.Model, o Options) error {
	defer close(t.ended)
	defer t.restoreModes()
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(t.in.side()), tea.WithOutput(t.out.side()),
		tea.WithFPS(framesPerSecond), tea.WithoutSignalHandler(),
	}
	if t.out.file != nil {
		options = append(options, tea.WithFilter(t.sized))
	}
	if o.Width > 0 && o.Height > 0 {
		options = append(options, tea.WithWindowSize(o.Width, o.Height))
	}
	// The library clears the title it has set, so this comes after all of it.
	_, _ = io.WriteString(t.out, pushTitle)
	program := tea.NewProgram(m, options...)
	t.program.Store(program)
	_, err := program.Run()
	if o.Attention.Status {
		_, _ = io.WriteString(t.out, ansi.ClearProgramStatus) // nobody watches from here any more
	}
	_, _ = io.WriteString(t.out, popTitle)
	if errors.Is(err, tea.ErrProgramPanic) {
		return &Crash{Task: "the terminal library", Value: err}
	}
	return err
}

// guarded catches panics of the model, so that they end in the same report as
// those of goroutines.
type guarded struct {
	*model
	last *tea.View
}

func (g guarded) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = g
	defer Catch(fmt.Sprintf("handling %T", msg))
	return g, g.update(msg)
}

func (g guarded) View() (v tea.View) {
	v = *g.last
	defer Catch("drawing the screen")
	*g.last = g.view()
	return *g.last
}

func (g guarded) Init() tea.Cmd { return g.init() }

// task makes a Cmd whose panics are caught and named.
func task(name string, fn func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		defer Catch(name)
		return fn()
	}
}
