package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/giver"
	"growbench/engine/workspace"
	"growbench/loop"
	"growbench/mapgen/symbols"
	"growbench/theme/text"
	"growbench/ui"
)

func (a *App) chatCommand() *cobra.Command {
	var headless, noReview bool
	c := &cobra.Command{
		Use:   "chat [TEXT]",
		Short: "Talk a change over; what is decided becomes Task #0 and, once you approve it, a run",
		Long: `Goes on with this project's conversation. The model of roles.giver answers; it
looks, remembers, drafts Task #0 and asks you to approve it, and cannot change a
file. Without such a model you write Task #0 yourself.

With --headless it reads a line at a time, text or JSON, each after the one
before is done, and prints what comes of them:
  {"say":TEXT}  {"draft":TEXT}  {"approve":ID}  {"approve":ID,"plan":TEXT}
  {"deny":ID,"why":TEXT}  {"answer":ID,"choice":NAME,"text":TEXT}  {"stop":true}
  {"scope":[PATH,…]}  {"loop":"cancel"}  {"loop":"now"}
ID is that of a "waiting" line, or "draft", "plan" or "scope" for the one at hand;
stop ends the answer that is being made, at once. At the end of the input what runs
is waited for, a loop too. "grow loop" begins one; any text, an empty line too,
ends it, and so does {"loop":"cancel"}; {"loop":"now"} ends its countdown; scope is
what it may change without a question.`,
		Example: "  growbench chat \"Sizes should know binary units\"\n  printf '%s\\n' 'Add binary units' '{\"approve\":\"draft\"}' '{\"approve\":\"plan\"}' | growbench chat --headless",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			said := ""
			if len(args) > 0 {
				said = args[0]
			}
			if !headless && a.draws() && !a.plain {
				return a.chatScreen(cmd.Context(), said, !noReview)
			}
			return a.chat(cmd.Context(), said, !noReview)
		},
	}
	c.Flags().BoolVar(&headless, "headless", false, "no screen: read lines, print lines")
	c.Flags().BoolVar(&noReview, "no-review", false, "start the Workers without asking about the plan")
	return c
}

func (a *App) chat(ctx ctx, said string, review bool) error {
	h, err := a.here()
	if err != nil {
		return err
	}
	if err := h.trusted(); err != nil {
		return err
	}
	o, end, err := a.conversation(h, review)
	if err != nil {
		return err
	}
	defer end()
	if o.Project, err = workspace.FindProject(h.project.Root); err != nil {
		return err
	}
	s, err := giver.Open(o)
	if errors.Is(err, engine.ErrOwned) {
		return a.overhear(ctx, giver.Dir(h.stateRoot, h.project.Name), said)
	}
	if err != nil {
		return environment(err)
	}
	if cut := s.Cut(); !cut.Clean() {
		a.say("The conversation's log was not whole: %d torn bytes were set aside, lines %v skipped.", cut.TornBytes, cut.BadLines)
	}
	if hint := s.MapHint(); hint != "" {
		a.say("%s", hint)
	}
	defer mirrorLoop(s, h.loaded.Config, h.project.Root)()
	return a.converse(ctx, s, said)
}

// chatScreen opens the workbench with the conversation on it.
func (a *App) chatScreen(ctx ctx, said string, review bool) error {
	h, err := a.here()
	if err != nil {
		return err
	}
	if err := h.trusted(); err != nil {
		return err
	}
	o := ui.Options{Project: a.uiProject(h.stateRoot, h.project.Name, h.project.Root), Talking: true}
	open, end := a.talkOf(h, review)
	defer end()
	overhearing(&o, giver.Dir(h.stateRoot, h.project.Name))
	o.Talk = func() (*giver.Session, error) {
		s, err := open()
		if err == nil && said != "" {
			err = s.Say(said, giver.ByOperator)
		}
		return s, err
	}
	return a.draw(ctx, o)
}

// talkOf opens a project's conversation when it is wanted. end lets go of what
// that takes.
func (a *App) talkOf(h here, review bool) (open func() (*giver.Session, error), end func()) {
	o, letGo, err := a.conversation(h, review)
	if err != nil {
		return func() (*giver.Session, error) { return nil, err }, func() {}
	}
	o.Go = ui.Go
	var wait atomic.Pointer[func()]
	open = func() (*giver.Session, error) {
		if err := h.trusted(); err != nil {
			return nil, err
		}
		if o.Project, err = workspace.FindProject(h.project.Root); err != nil {
			return nil, err
		}
		s, err := giver.Open(o)
		if err == nil {
			gone := mirrorLoop(s, h.loaded.Config, h.project.Root)
			wait.Store(&gone)
		}
		return s, err
	}
	return open, func() {
		if gone := wait.Load(); gone != nil {
			(*gone)()
		}
		letGo()
	}
}

// overhearing lets a screen follow the conversation in dir while another process
// has it.
func overhearing(o *ui.Options, dir string) {
	o.Overhear = func() *giver.Follower { return giver.Follow(dir) }
	o.OverhearLoop = overhearingLoop(dir)
}

func overhearingLoop(dir string) func() *giver.LoopFollower {
	return func() *giver.LoopFollower { return giver.FollowLoop(dir) }
}

// talkIn puts the conversation of the project in root on a screen. What it needs
// is looked for when it is wanted. end lets go of it.
func (a *App) talkIn(o *ui.Options, root string) (end func()) {
	var last atomic.Pointer[func()]
	o.Talk = func() (*giver.Session, error) {
		h, err := a.projectAt(root)
		if err != nil {
			return nil, err
		}
		open, end := a.talkOf(h, true)
		if before := last.Swap(&end); before != nil {
			(*before)()
		}
		return open()
	}
	overhearing(o, giver.Dir(o.Project.StateRoot, o.Project.ID))
	return func() {
		if end := last.Load(); end != nil {
			(*end)()
		}
	}
}

// conversation is what a project's conversation works with, but for the project
// itself. end lets go of it.
func (a *App) conversation(h here, review bool) (o giver.Options, end func(), err error) {
	c := h.loaded.Config
	spec, err := a.spec(h, runOptions{detach: true, review: review})
	if err != nil {
		return o, nil, err
	}
	secrets := config.SecretValues(c)
	o = giver.Options{
		StateRoot: h.stateRoot, Spec: spec, Spawner: a.Spawner,
		Skills: func() ([]loop.Skill, []error) { return a.skillsNow(h) },
		Hide:   func(text string) string { return config.Redact(text, secrets) },
		Ready: func(spec engine.Spec, plan doc.Plan) error {
			if _, _, err := engine.FindSandbox(spec.Config); err != nil {
				return fmt.Errorf("find a sandbox for the agents: %w", err)
			}
			return canRun(spec, plan)
		},
	}
	if name, agent, _ := c.AgentFor("giver"); agent.Kind == "native" {
		if o.Client, err = engine.ModelClient(c, name); err != nil {
			return o, nil, environment(err)
		}
		if p := c.Providers[agent.Provider]; p.Kind == "ollama" {
			o.Window = int64(p.NumCtx)
		}
	}
	pool := symbols.NewPool(symbols.PoolOptions{Command: parserArgv(), Env: parserEnv, Workers: 1})
	o.Symbols = pool
	return o, pool.Close, nil
}

// converse has the conversation on standard input and output.
func (a *App) converse(ctx ctx, s *giver.Session, said string) error {
	stops, gone := make(chan os.Signal, 2), make(chan os.Signal, 1)
	hear(stops, syscall.SIGINT)
	defer signal.Stop(stops)
	hear(gone, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(gone)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan struct{})
	unread := a.unread(done)
	go func() {
		for {
			select {
			case <-stops:
				if !s.Stop() {
					cancel(errInterrupted)
					return
				}
				a.say("Stopped; once more leaves.")
			case <-gone:
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
	p := a.talkPrinter()
	printed := make(chan error, 1)
	feed := s.Listen()
	go func() { printed <- p.all(feed) }()
	t := &talk{App: a, s: s}
	if run := s.Look().State.Run; run.Ended {
		t.before = run.ID
	}
	code := t.run(ctx, said)
	close(done)
	l := s.Look()
	err := s.Close()
	err = errors.Join(err, <-printed)
	if l.Run.Lives() {
		a.say("Run %s goes on. To come back: %s chat, or %s", l.Run.Run, self(), a.comeBack(l.Run.Run))
	}
	if err == nil && code != exitOK {
		err = exit(code)
	}
	return err
}

var errInterrupted = errors.New("interrupted")

// overhear follows a conversation that another process has.
func (a *App) overhear(ctx ctx, dir, said string) error {
	if said != "" {
		return environment(errors.New("another growbench has this project's conversation; say it there"))
	}
	a.say("Another growbench has this conversation: following it, read only. Ctrl-C leaves.")
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	p := a.talkPrinter()
	defer p.overhearLoop(ctx, dir)()
	w := giver.Follow(dir)
	defer w.Close()
	for {
		messages, owned, err := w.Next(ctx)
		if ctx.Err() != nil {
			return exit(exitInterrupted)
		}
		if err != nil {
			return err
		}
		for i := range messages {
			if err := p.update(giver.Update{Message: &messages[i]}); err != nil {
				return err
			}
		}
		if !owned {
			return nil
		}
	}
}

// talkPrinter writes what comes of a conversation.
func (a *App) talkPrinter() *talkPrinter {
	return &talkPrinter{printer: printer{app: a, json: a.asJSON || !a.OutTerminal, out: &a.IO}, state: &giver.State{}}
}

type talkPrinter struct {
	printer
	mu    sync.Mutex // of what a conversation says and what its loop does
	state *giver.State
	loop  loopNews
}

// all prints until there is no more.
func (p *talkPrinter) all(feed *giver.Feed) error {
	var failed error
	for {
		updates, err := feed.Next(context.Background())
		if err != nil {
			return failed
		}
		for _, u := range updates {
			if failed == nil {
				failed = p.update(u)
			}
		}
	}
}

func (p *talkPrinter) update(u giver.Update) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if u.Message != nil {
		p.state.Apply(*u.Message)
	}
	if words := p.loop.notice(u); words != "" {
		p.app.say("growbench: %s", text.Line(words))
	}
	if !p.loop.is(u) {
		return nil
	}
	if p.json {
		if line := eventLine(u, p.state); line != nil {
			return p.line(string(harmless(line)))
		}
		return nil
	}
	if words := chatWords(u); words != "" {
		return p.line(text.Clean(words))
	}
	return nil
}
