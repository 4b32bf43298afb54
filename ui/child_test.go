package ui

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"growbench/engine"
	"growbench/engine/event"
)

// childRole, when set, makes the test binary a workbench on its own terminal.
const childRole = "GROWBENCH_TEST_WORKBENCH"

func TestMain(m *testing.M) {
	if role := os.Getenv(childRole); role != "" {
		os.Exit(child(role))
	}
	// The runtime's signal goroutine must not be born in a bubble of a test.
	// And what is caught here is not ignored in a child, however the tests
	// themselves were started (nohup).
	signal.Notify(make(chan os.Signal, 1), syscall.SIGWINCH, syscall.SIGHUP)
	time.Local = time.UTC // clocks on the screen
	os.Exit(m.Run())
}

// child runs a workbench that behaves as its role says.
func child(role string) int {
	events, _, err := event.Read("testdata/working.jsonl")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	f := newFeed("testdata/run")
	f.news <- engine.Update{Events: events, OwnerAlive: true}
	o := Options{Source: f, ComeBack: "growbench attach r1", Attention: FullAttention()}
	switch role {
	case "nohup":
		signal.Ignore(syscall.SIGHUP)
	case "panic in a goroutine":
		o.Source = &faulty{feed: f, fault: func() {
			Go("the faulty goroutine", func() { panic("nobody \x1b]0;caught\x07 this") })
		}}
	case "panic in a command":
		o.Source = &faulty{feed: f, fault: func() { panic("in the source") }}
	case "panic in update":
		// Picking another agent asks for the directory within Update.
		o.Source = &faulty{feed: f, dirFault: func() { panic("in update") }}
	case "stuck update":
		o.Source = &faulty{feed: f, dirFault: func() { select {} }}
	case "affected":
		f.news = make(chan engine.Update, 1)
		f.news <- engine.Update{OwnerAlive: true, Events: append(events, event.Event{Seq: 90, At: noon, Body: event.Waiting{
			ID: "affected-2-9", Kind: "affected", K: 2, Text: "it relies on what broke", Choices: []string{event.AffectedContinue, event.AffectedEdit},
		}})}
		o.Source = linter{f}
	case "before":
		Go("a goroutine before the screen", func() { panic("too early") })
		select {}
	}
	exit, err := Run(context.Background(), o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else if exit.How == Left && exit.Signal == nil {
		fmt.Printf("The run goes on. Back with: %s\n", o.ComeBack)
	}
	return ExitCode(exit, err)
}

// linter is a source whose run takes an answer only with a good text.
type linter struct{ *feed }

func (l linter) Do(_ context.Context, c engine.Command) error {
	if c.ID != "affected-2-9" || c.Choice != event.AffectedEdit || !strings.Contains(c.Text, "BETTER") {
		return fmt.Errorf("the task does not pass the lint: %q", c.Choice)
	}
	return nil
}

// faulty is a source whose second Next, or whose Dir after the screen has come
// up, has a fault.
type faulty struct {
	*feed
	fault    func()
	dirFault func()
	asked    bool
	dirs     int
}

func (f *faulty) Next(ctx context.Context) (engine.Update, error) {
	if f.asked && f.fault != nil {
		f.fault()
	}
	f.asked = true
	return f.feed.Next(ctx)
}

func (f *faulty) Dir() string {
	// The planner's transcript, then that of the Worker at work.
	if f.dirs++; f.dirs > 2 && f.dirFault != nil {
		f.dirFault()
	}
	return f.feed.Dir()
}
