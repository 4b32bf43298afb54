package workspace

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"
)

// run runs command under a deadline that only a command that hangs reaches.
func run(t *testing.T, command Command) Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	outcome, err := Run(ctx, command)
	if err != nil {
		t.Fatalf("%s: %v", command.name(), err)
	}
	if ctx.Err() != nil {
		t.Fatalf("%s hung until the test's deadline", command.name())
	}
	return outcome
}

func TestRunReportsHowACommandEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command Command
		code    int
		text    string
	}{
		{Command{Shell: "echo out; echo err >&2; echo out; exit 3"}, 3, "out\nerr\nout\n"},
		{Command{Argv: []string{"printf", "%s", "a b"}}, 0, "a b"},
		{Command{Shell: "kill -SEGV $$"}, 139, ""},
		{Command{Shell: "(exit 5) | cat"}, 0, ""},
		{Command{Shell: "cat; echo end"}, 0, "end\n"},
		{Command{Shell: "cat", Stdin: strings.NewReader("in\n")}, 0, "in\n"},
		{Command{Shell: "exit 0", Stdin: strings.NewReader(strings.Repeat("x", 1<<20))}, 0, ""},
		{Command{Shell: "if ( : </dev/tty ) 2>/dev/null; then echo terminal; else echo none; fi"}, 0, "none\n"},
		{Command{Shell: "pwd; echo $PWD", Dir: "/"}, 0, "/\n/\n"},
		{Command{Shell: "echo $A$HOME", Env: []string{"A=b"}}, 0, "b\n"},
	} {
		outcome := run(t, c.command)
		if outcome.Reason != Exited || outcome.ExitCode != c.code || outcome.Text(0) != c.text || outcome.BackgroundEnded {
			t.Errorf("%s: %v, output %q; want code %d, output %q", c.command.name(), outcome, outcome.Text(0), c.code, c.text)
		}
	}
}

func TestRunThatCannotStart(t *testing.T) {
	t.Parallel()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx     context.Context
		command Command
		want    error
	}{
		{t.Context(), Command{Argv: []string{"no-such-program"}}, exec.ErrNotFound},
		{t.Context(), Command{Shell: "true", Dir: "/no/such/dir"}, os.ErrNotExist},
		{t.Context(), Command{Shell: "true", SpillPath: "/no/such/dir/f"}, os.ErrNotExist},
		{t.Context(), Command{}, nil},
		{t.Context(), Command{Shell: "true", Argv: []string{"true"}}, nil},
		{cancelled, Command{Shell: "true"}, context.Canceled},
	} {
		if _, err := Run(c.ctx, c.command); err == nil || (c.want != nil && !errors.Is(err, c.want)) {
			t.Errorf("%+v: error %v, want %v", c.command, err, c.want)
		}
	}
}

func TestRunEndsACommandForEachReason(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command Command
		reason  EndReason
	}{
		{Command{Shell: "sleep 300; echo went on", Limits: Limits{Time: 100 * time.Millisecond}}, TimedOut},
		{Command{Shell: "kill -STOP $$; echo went on", Limits: Limits{Time: 100 * time.Millisecond}}, TimedOut},
		{Command{Shell: "sleep 300; echo went on", Limits: Limits{Silence: 100 * time.Millisecond}}, Silent},
		{Command{Shell: "yes", Limits: Limits{Output: 1000}}, OutputLimit},
	} {
		outcome := run(t, c.command)
		if outcome.Reason != c.reason || outcome.ExitCode != 143 || outcome.BackgroundEnded || strings.Contains(outcome.Text(0), "went on") {
			t.Errorf("%s: %v, output %.40q; want %s", c.command.name(), outcome, outcome.Text(0), c.reason)
		}
	}
}

func TestRunEndsWithItsContextAndKeepsWhatWasPrinted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shell string
		code  int
	}{
		{"echo up; sleep 300; :", 143},
		{"trap '' TERM; echo up; sleep 300; :", 137},
		{"trap 'exit 9' TERM; echo up; while :; do sleep 0.01; done", 9},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		outcome, err := Run(ctx, Command{Shell: c.shell, OnLine: func([]byte, error) { cancel() }, Limits: Limits{Grace: 2 * time.Second}})
		if err != nil {
			t.Fatal(err)
		}
		if outcome.Reason != Stopped || outcome.ExitCode != c.code || !strings.HasPrefix(outcome.Text(0), "up\n") {
			t.Errorf("%s: %v, output %q; want code %d", c.shell, outcome, outcome.Text(0), c.code)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if outcome, err := Run(ctx, Command{Shell: "sleep 300"}); err != nil || outcome.Reason != TimedOut {
		t.Errorf("a deadline in the context: %v, %v", outcome, err)
	}
}

func TestFloodIsBoundedInMemory(t *testing.T) {
	for _, kind := range []string{"lines", "noline", "err", "bin"} {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		outcome := run(t, Command{Argv: []string{"sh", "testdata/flood.sh", kind}, OnOutput: func(Progress) {},
			Limits: Limits{Output: 30 << 20, Frame: time.Second}})
		runtime.GC()
		runtime.ReadMemStats(&after)
		if outcome.Reason != OutputLimit || outcome.Bytes < 30<<20 {
			t.Errorf("%s: %v, %d bytes", kind, outcome, outcome.Bytes)
		}
		if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 4<<20 {
			t.Errorf("%s: %d bytes more are held", kind, grown)
		}
		// Everything allocated meanwhile, freed or not: no copy of the flood.
		if total := after.TotalAlloc - before.TotalAlloc; total > 16<<20 {
			t.Errorf("%s: %d bytes were allocated", kind, total)
		}
		if kept := len(outcome.Head) + len(outcome.Tail); kept != 2*96<<10 || outcome.Dropped != outcome.Bytes-int64(kept) {
			t.Errorf("%s: kept %d, dropped %d of %d", kind, kept, outcome.Dropped, outcome.Bytes)
		}
		if text := outcome.Text(0); len(text) > MaxText || !utf8.ValidString(text) {
			t.Errorf("%s: text of %d bytes, valid %v", kind, len(text), utf8.ValidString(text))
		}
	}
}

func TestFiniteFloodShowsItsEnd(t *testing.T) {
	t.Parallel()
	spill := filepath.Join(t.TempDir(), "out")
	outcome := run(t, Command{Argv: []string{"sh", "testdata/flood.sh", "finite"}, SpillPath: spill, Limits: Limits{Spill: 1 << 20}})
	if outcome.ExitCode != 3 || outcome.Reason != Exited || outcome.Bytes != 20_000_005 || outcome.Lines != 10_000_002 {
		t.Errorf("%v, %d bytes, %d lines", outcome, outcome.Bytes, outcome.Lines)
	}
	if text := outcome.Text(0); !strings.HasSuffix(text, "\nEND\n") || !strings.Contains(text, spill) || len(text) > MaxText {
		t.Errorf("text of %d bytes ends with %q", len(text), text[max(0, len(text)-20):])
	}
	if info, err := os.Stat(spill); err != nil || info.Size() < 1<<20 || info.Size() > 1<<20+200 || outcome.SpillNote == "" {
		t.Errorf("spill file %v, %v, note %q", info, err, outcome.SpillNote)
	}
}

func TestSpillHoldsTheWholeOutput(t *testing.T) {
	t.Parallel()
	spill := filepath.Join(t.TempDir(), "out")
	outcome := run(t, Command{Shell: "seq 100000", SpillPath: spill, Limits: Limits{Keep: 100}})
	if got := content(t, spill); int64(len(got)) != outcome.Bytes || !strings.HasPrefix(got, "1\n2\n") || !strings.HasSuffix(got, "\n100000\n") || outcome.SpillNote != "" {
		t.Errorf("%d of %d bytes are in the file, note %q", len(got), outcome.Bytes, outcome.SpillNote)
	}
}

func TestLinesComeFromStandardOutputAlone(t *testing.T) {
	t.Parallel()
	var lines []string
	tooLong := 0
	outcome := run(t, Command{Shell: `printf '{"a":1}\r\n'; echo noise >&2; printf %0200d 0; printf '\nlast'`, Limits: Limits{Line: 100},
		OnLine: func(line []byte, err error) {
			if errors.Is(err, ErrLineTooLong) {
				tooLong++
				return
			}
			lines = append(lines, string(line))
		}})
	if strings.Join(lines, "|") != `{"a":1}|last` || tooLong != 1 {
		t.Errorf("lines %q, %d too long", lines, tooLong)
	}
	if text := outcome.Text(0); !strings.Contains(text, "noise\n") || !strings.Contains(text, "last") {
		t.Errorf("output %q", text)
	}
}

func TestDisplayGetsMergedChunksThatAddUp(t *testing.T) {
	t.Parallel()
	var shown, dropped, calls int64
	var last Progress
	outcome := run(t, Command{Shell: "seq 200000; echo", OnOutput: func(p Progress) {
		calls++
		shown += int64(len(p.Text))
		dropped += p.Dropped
		last = p
	}})
	if shown+dropped != outcome.Bytes || last.Bytes != outcome.Bytes || last.Lines != outcome.Lines {
		t.Errorf("%d shown + %d dropped of %d bytes; last report %d bytes, %d lines", shown, dropped, outcome.Bytes, last.Bytes, last.Lines)
	}
	if most := 2 + int64(outcome.Duration/(time.Second/12)); calls < 1 || calls > most {
		t.Errorf("%d calls in %v", calls, outcome.Duration)
	}
}

func TestPanicOfACallbackIsAnErrorAndTheCommandGoesOn(t *testing.T) {
	t.Parallel()
	outcome, err := Run(t.Context(), Command{Shell: "seq 100000; exit 4",
		OnLine: func([]byte, error) { panic("decoder") }, OnOutput: func(Progress) { panic("screen") }})
	if err == nil || !strings.Contains(err.Error(), "decoder") || !strings.Contains(err.Error(), "screen") {
		t.Errorf("error %v", err)
	}
	if outcome.ExitCode != 4 || outcome.Lines != 100000 {
		t.Errorf("%v, %d lines", outcome, outcome.Lines)
	}
}

func TestStdinThatFailsIsAnError(t *testing.T) {
	t.Parallel()
	broken := io.MultiReader(strings.NewReader("half"), iotest.ErrReader(errors.New("lost the rest")))
	outcome, err := Run(t.Context(), Command{Shell: "cat", Stdin: broken})
	if err == nil || !strings.Contains(err.Error(), "lost the rest") || outcome.Text(0) != "half" {
		t.Errorf("output %q, error %v", outcome.Text(0), err)
	}
}

func TestStdinThatNeverEndsDoesNotHoldACommand(t *testing.T) {
	t.Parallel()
	reader, writer := io.Pipe()
	defer writer.Close()
	outcome := run(t, Command{Shell: "exit 6", Stdin: reader})
	if outcome.ExitCode != 6 || outcome.Reason != Exited {
		t.Error(outcome)
	}
}
