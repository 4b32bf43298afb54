package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/ui"
)

// source is a run as the linear mode follows it.
type source interface {
	Next(ctx context.Context) (engine.Update, error)
	Do(ctx context.Context, c engine.Command) error
	Dir() string
	Close() error
}

// plain is the workbench as lines: what happens is printed as it happens, and
// everything else is reached by typed commands. It moves no cursor and writes
// no escape sequence, for screen readers, logs and pipes.
type plain struct {
	app      *App
	readOnly bool
	source   source
	stop     context.CancelFunc // of following source
	news     chan told
	state    *event.State
	owner    bool
	after    uint64 // events up to this one are not printed
	orphaned bool   // that nobody runs it was said
	offered  time.Time
	stopping bool
	typedOut bool // the input has ended
	lost     error
	desk     *mapDesk // the project's map
}

// told is what came from a source, or why nothing did.
type told struct {
	from   source
	update engine.Update
	err    error
}

// linear opens the linear mode on a run.
func (a *App) linear(ctx ctx, s source, v view) error {
	p := &plain{app: a, readOnly: v.mode != ui.Live, after: v.after, news: make(chan told)}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stops, ends, pipes := make(chan os.Signal, 2), make(chan os.Signal, 2), make(chan os.Signal, 1)
	hear(stops, syscall.SIGINT)
	defer signal.Stop(stops)
	hear(ends, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(ends)
	signal.Notify(pipes, syscall.SIGPIPE) // writing to nobody is then an error, not the end
	defer signal.Stop(pipes)
	done := make(chan struct{})
	defer close(done)
	unread, typed := a.unread(done), lines(ctx, a.In)

	p.say("growbench, plain: run %s. Type help for the commands, leave to leave; leaving stops nothing.", filepath.Base(s.Dir()))
	if v.note != "" {
		p.say("note: %s", v.note)
	}
	p.desk = newMapDesk(a.mapOpener(a.projectDir()), a.projectDir(), p.say)
	defer p.desk.leave()
	p.follow(ctx, s)
	defer func() { p.stop() }()
	// What is typed counts once it is known what it is about.
	var heard <-chan string
	for {
		if p.lost != nil {
			return nil // nobody reads any more; the run goes on
		}
		if p.typedOut && !a.Screen && p.over() && p.desk.work == nil {
			return outcome(p.state, p.stopping)
		}
		listens := heard
		if p.desk.work != nil && !a.Screen {
			listens = nil // what is piped in goes on when the map's work is done
		}
		select {
		case n := <-p.news:
			if n.from == p.source {
				p.receive(n)
				if !p.typedOut {
					heard = typed
				}
			}
		case line, ok := <-listens:
			if !ok {
				heard = nil
				p.typedOut = true
				if a.Screen {
					return nil // Ctrl-D
				}
				continue
			}
			if err := p.command(ctx, line); err != nil {
				return err
			}
		case out := <-p.desk.done:
			p.desk.finished(out)
		case <-stops:
			if err := p.interrupt(); err != nil {
				return err
			}
		case <-ends:
			return exit(exitInterrupted)
		case <-unread:
			return nil
		}
	}
}

// errLeave ends the linear mode by the operator's wish.
var errLeave = exit(exitOK)

// interrupt is Ctrl-C: it offers, and a second one soon after leaves.
func (p *plain) interrupt() error {
	const twice = 2 * time.Second
	if p.state.IsEnded() || !p.offered.IsZero() && time.Since(p.offered) <= twice {
		return errLeave
	}
	p.offered = time.Now()
	p.say("question: leave, stop or stay? Type leave, stop or stay. Leaving does not end the run; Ctrl-C once more leaves. Back here with: %s",
		p.app.comeBack(filepath.Base(p.source.Dir())))
	return nil
}

// follow shows another run.
func (p *plain) follow(ctx ctx, s source) {
	if p.source != nil {
		p.stop()
	}
	p.source, p.state, p.owner, p.orphaned = s, event.NewState(), true, false
	ctx, p.stop = context.WithCancel(ctx)
	news := p.news
	go func() {
		defer s.Close()
		for {
			u, err := s.Next(ctx)
			if ctx.Err() != nil {
				return
			}
			select {
			case news <- told{s, u, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
}

// receive prints what is new.
func (p *plain) receive(n told) {
	if n.err != nil {
		p.say("error: no news of the run: %s", text.Line(n.err.Error()))
		return
	}
	for _, e := range n.update.Events {
		p.state.Apply(e)
		if e.Seq > p.after {
			p.tell(e)
		}
	}
	p.after = max(p.after, p.state.LastSeq)
	p.owner = n.update.OwnerAlive
	if !p.owner && !p.state.IsEnded() && len(n.update.Events) == 0 && !p.orphaned {
		p.orphaned = true
		p.say("orphaned: nobody runs it any more; to go on, leave and type: %s resume %s", self(), filepath.Base(p.source.Dir()))
	}
}

// over tells whether nothing more will come of the run.
func (p *plain) over() bool { return p.state.IsEnded() && !p.owner || p.orphaned }

// tell prints an event; what the run waits for is a question.
func (p *plain) tell(e event.Event) {
	if w, ok := e.Body.(event.Waiting); ok {
		p.ask(w)
		return
	}
	if line := describe(e); line != "" {
		p.say("%s", line)
	}
	if _, ok := e.Body.(event.RunEnded); ok && !p.typedOut {
		p.say("note: the run has ended; type leave to leave, or runs and open RUN for another")
	}
}

func (p *plain) ask(w event.Waiting) {
	who := text.Line(w.Kind)
	if w.K > 0 {
		who += fmt.Sprintf(", Worker %d", w.K)
	}
	p.say("question %s (%s): %s", w.ID, who, text.Visible(w.Text))
	for i, c := range w.Choices {
		p.say("question %s, choice %d: %s", w.ID, i+1, text.Visible(c))
	}
	if !p.readOnly {
		p.say("to answer it, type: answer %s 1 (or another number, or the words)", w.ID)
	}
}

// say prints lines in which nothing is left that a terminal would act on.
func (p *plain) say(format string, args ...any) {
	s := strings.TrimRight(text.Clean(fmt.Sprintf(format, args...)), "\n")
	if _, err := io.WriteString(&p.app.IO, s+"\n"); err != nil && p.lost == nil {
		p.lost = err
	}
}

// maxTyped is how long a typed line may be, in bytes.
const maxTyped = 64 << 10

// lines are the lines of in as they are typed; one that is too long is left
// out. The channel is closed with the end of in.
func lines(ctx context.Context, in io.Reader) <-chan string {
	typed := make(chan string)
	go func() {
		defer close(typed)
		r := bufio.NewReaderSize(in, maxTyped)
		for {
			line, err := r.ReadSlice('\n')
			for errors.Is(err, bufio.ErrBufferFull) {
				line = nil
				_, err = r.ReadSlice('\n')
			}
			if s := strings.TrimSpace(string(line)); s != "" {
				select {
				case typed <- s:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return typed
}
