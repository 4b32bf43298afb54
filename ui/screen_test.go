package ui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"

	"growbench/engine"
	"growbench/engine/event"
)

// noon is when the recorded runs are looked at.
var noon = time.Date(2026, 3, 1, 10, 0, 55, 0, time.UTC)

// feed is a run told by a test.
type feed struct {
	news     chan engine.Update
	commands chan engine.Command
	refuse   error
	dir      string
}

func newFeed(dir string) *feed {
	return &feed{news: make(chan engine.Update, 16), commands: make(chan engine.Command, 16), dir: dir}
}

func (f *feed) Next(ctx context.Context) (engine.Update, error) {
	select {
	case u := <-f.news:
		return u, nil
	case <-ctx.Done():
		return engine.Update{}, ctx.Err()
	}
}

func (f *feed) Do(_ context.Context, c engine.Command) error {
	f.commands <- c
	return f.refuse
}

func (f *feed) Dir() string { return f.dir }

// recorded reads a run of testdata.
func recorded(t testing.TB, name string) []event.Event {
	t.Helper()
	events, report, err := event.Read(filepath.Join("testdata", name+".jsonl"))
	if err != nil || !report.Clean() {
		t.Fatalf("read %s: %v %+v", name, err, report)
	}
	return events
}

// glass is a terminal on which a workbench runs.
type glass struct {
	t      testing.TB
	keys   *io.PipeWriter
	result chan outcome

	mu      sync.Mutex
	term    *vt.Emulator
	raw     bytes.Buffer
	changed chan struct{}
}

type outcome struct {
	exit Exit
	err  error
}

// newTerm returns an emulator whose replies go nowhere.
func newTerm(width, height int) *vt.Emulator {
	term := vt.NewEmulator(width, height)
	go io.Copy(io.Discard, term)
	return term
}

// open runs a workbench of that size on source.
func open(t testing.TB, width, height int, o Options) *glass {
	t.Helper()
	in, keys := io.Pipe()
	g := &glass{t: t, keys: keys, result: make(chan outcome, 1), term: newTerm(width, height), changed: make(chan struct{}, 1)}
	o.In, o.Out, o.Width, o.Height = in, g, width, height
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.Clock == nil {
		o.Clock = func() time.Time { return noon }
	}
	go func() {
		exit, err := Run(t.Context(), o)
		in.Close()
		g.result <- outcome{exit, err}
	}()
	return g
}

// Write draws on the glass; there is no line discipline that adds returns.
func (g *glass) Write(p []byte) (int, error) {
	g.mu.Lock()
	g.raw.Write(p)
	g.term.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")))
	g.mu.Unlock()
	select {
	case g.changed <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (g *glass) text() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.term.String()
}

func (g *glass) bytes() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.raw.String()
}

// until waits for words on the screen and returns it.
func (g *glass) until(words ...string) string {
	g.t.Helper()
	return g.when(strings.Join(words, ", "), func(s string) bool {
		for _, w := range words {
			if !strings.Contains(s, w) {
				return false
			}
		}
		return true
	})
}

func (g *glass) when(what string, ok func(string) bool) string {
	g.t.Helper()
	late := time.After(time.Minute)
	for {
		if s := g.text(); ok(s) {
			return s
		}
		select {
		case <-g.changed:
		case out := <-g.result:
			g.t.Fatalf("the workbench ended while waiting for %q: %+v", what, out)
		case <-late:
			g.t.Fatalf("%q did not come; the screen:\n%s", what, g.text())
		}
	}
}

func (g *glass) press(keys string) {
	g.t.Helper()
	if _, err := io.WriteString(g.keys, keys); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		g.t.Fatal(err)
	}
}

// end waits for the workbench to be closed.
func (g *glass) end() outcome {
	g.t.Helper()
	select {
	case out := <-g.result:
		return out
	case <-time.After(time.Minute):
		g.t.Fatalf("the workbench did not end; the screen:\n%s", g.text())
		return outcome{}
	}
}

// golden compares a screen with a file of testdata; with UPDATE_GOLDEN set it
// is written instead.
func golden(t *testing.T, name, screen string) {
	t.Helper()
	lines := strings.Split(screen, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(strings.TrimSuffix(lines[i], "\r"), " ")
	}
	got := strings.Join(lines, "\n") + "\n"
	path := filepath.Join("testdata", name+".golden")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the screen differs from %s:\n%s", path, got)
	}
}
