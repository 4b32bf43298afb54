package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
)

func TestAPanicWhileDrawingIsCaughtAndNamed(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	term := newTerminal(strings.NewReader(""), io.Discard, cancel)
	term.exit = func(int) {}
	onScreen.Store(term)
	defer onScreen.Store(nil)
	last := tea.NewView("the last good frame")
	if v := (guarded{nil, &last}).View(); v.Content != last.Content {
		t.Errorf("draws %q", v.Content)
	}
	if _, fault := term.outcome(); fault == nil || fault.Task != "drawing the screen" {
		t.Errorf("the fault is %+v", fault)
	}
	if ctx.Err() == nil {
		t.Error("the program was not asked to end")
	}
	close(term.ended)
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		exit Exit
		err  error
		want int
	}{
		{Exit{}, nil, 0},
		{Exit{How: Stopped}, nil, 0},
		{Exit{Signal: syscall.SIGTERM}, nil, 130},
		{Exit{}, errors.New("no screen"), 1},
		{Exit{Signal: syscall.SIGTERM}, &Crash{Task: "x"}, ExitFault},
	} {
		if got := ExitCode(c.exit, c.err); got != c.want {
			t.Errorf("%+v, %v: exit %d, want %d", c.exit, c.err, got, c.want)
		}
	}
}

func TestWithoutATerminalNothingIsDrawn(t *testing.T) {
	var out strings.Builder
	_, err := Run(t.Context(), Options{Source: newFeed(t.TempDir()), In: strings.NewReader(""), Out: &out})
	if !errors.Is(err, ErrNoTerminal) || out.Len() > 0 {
		t.Errorf("%v, wrote %q", err, out.String())
	}
}

func TestOneWorkbenchAtATime(t *testing.T) {
	g, f := watch(t, "working", Options{})
	_, err := Run(t.Context(), Options{Source: f, In: strings.NewReader(""), Out: io.Discard, Width: 80, Height: 24})
	if err == nil {
		t.Error("a second one was opened")
	}
	g.press("q")
	g.end()
}

func TestDocumentsStayInsideTheRunDirectory(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	for path, body := range map[string]string{secret: "secret", filepath.Join(dir, "task1.md"): "fine"} {
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join(dir, "link.md")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	if body, err := readInside(dir, "task1.md"); err != nil || body != "fine" {
		t.Errorf("%q, %v", body, err)
	}
	for _, name := range []string{secret, "../" + filepath.Base(filepath.Dir(secret)) + "/secret", "link.md", "pipe.md", ".", "", "gone.md"} {
		if body, err := readInside(dir, name); err == nil {
			t.Errorf("%q gave %q", name, body)
		}
	}
}

// flaky is a source whose first Next fails.
type flaky struct {
	*feed
	failed bool
}

func (f *flaky) Next(ctx context.Context) (engine.Update, error) {
	if !f.failed {
		f.failed = true
		return engine.Update{}, errors.New("the socket is \x1b[2Jgone")
	}
	return f.feed.Next(ctx)
}

func TestALostSourceIsSaidAndAskedAgain(t *testing.T) {
	f := newFeed(t.TempDir())
	f.news <- engine.Update{Events: recorded(t, "working"), OwnerAlive: true}
	g := open(t, 100, 30, Options{Source: &flaky{feed: f}, State: event.NewState(), Theme: "none"})
	g.until("no news of the run: the socket is gone")
	g.until("Worker 2 of 3 at work")
	g.press("q")
	g.end()
}

func TestAnOrphanedRunIsSaid(t *testing.T) {
	g, f := watch(t, "working", Options{})
	f.news <- engine.Update{OwnerAlive: false}
	g.until("orphaned: the process that ran this is gone")
	g.press("S")
	g.until("S does nothing now: nobody runs it now")
	g.press("q")
	if out := g.end(); out.exit.How != Left {
		t.Errorf("left with %+v", out)
	}
}
