package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// typist is a linear mode on pipes, to which a test types.
type typist struct {
	*running
	in io.WriteCloser
}

func (p *place) typing(args ...string) *typist {
	p.t.Helper()
	cmd := p.command(args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	return &typist{p.startCommand(cmd), in}
}

func (y *typist) types(line string) {
	y.p.t.Helper()
	if _, err := io.WriteString(y.in, line+"\n"); err != nil {
		y.p.t.Fatal(err)
	}
}

// prints waits until words are on standard output.
func (y *typist) prints(words string) {
	y.p.t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		out, errs := y.printed()
		if strings.Contains(out, words) {
			return
		}
		select {
		case <-y.changed:
		case <-y.ended:
			if out, _ = y.printed(); !strings.Contains(out, words) {
				y.p.t.Fatalf("it ended without %q:\n%s%s", words, out, errs)
			}
		case <-late.C:
			y.p.t.Fatalf("it never prints %q:\n%s%s", words, out, errs)
		}
	}
}

// insist sends Ctrl-C until two came close enough together to leave.
func (y *typist) insist() {
	y.p.t.Helper()
	late := time.After(patience)
	for asked := 0; ; {
		out, _ := y.printed()
		if n := strings.Count(out, "question: leave"); n > asked {
			asked = n
			_ = y.cmd.Process.Signal(syscall.SIGINT) // it may have left already
		}
		select {
		case <-y.changed:
		case <-y.ended:
			return
		case <-late:
			y.p.t.Fatal("Ctrl-C does not leave")
		}
	}
}

// plainly checks that nothing is in it that a terminal would act on.
func (s said) plainly() said {
	s.t.Helper()
	if i := strings.IndexFunc(s.out, func(r rune) bool { return r < 0x20 && r != '\n' || r >= 0x7f && r <= 0x9f }); i >= 0 {
		s.t.Errorf("growbench %s printed a control: %q", s.line, s.out[max(0, i-20):min(len(s.out), i+20)])
	}
	return s
}

func TestPlainFollowsARunAndReachesEverything(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	evil := "\x1b]0;x\x07\x1b[31mred\u202e"
	p.configure(steps([]step{{"turn": 1}, {"say": "Looking " + evil}, {"write": "a.txt", "content": "A\n"}, done("a.txt")}, write("b.txt", "B\n")),
		func(c map[string]any) { c["checks"] = map[string]any{"verify": []string{"true"}} })
	y := p.typing(p.runTwo("--plain")...)
	y.prints("worker 2: done")
	y.prints("note: the run has ended")
	for _, c := range []struct{ typed, prints string }{
		{"help", "command: transcript K [tail N] — "},
		{"status", "status: passed; verified: passed"},
		{"worker", "worker 2: done, "},
		{"worker 1", "worker 1, commit: "},
		{"task 2", "begin task of Worker 2"},
		{"task", "begin Task #0"},
		{"prompt 1", "[Read from: task1.md]"},
		{"transcript 1", "says: Looking "},
		{"transcript 1 tail 1", "transcript: "},
		{"result 2", "# RESULT #2 (by Worker 2)"},
		{"diff 1", "+A"},
		{"ledger", "ledger: empty"},
		{"report", "begin report"},
		{"runs", "run: " + filepath.Base(p.made())},
		{"questions", "questions: none"},
		{"answer w9 yes", `error: answer: the run does not wait for "w9"`},
		{"stop", "error: stop: the run has ended"},
		{"worker 7", `error: worker: "7" is no Worker's number`},
		{"prompt 0", "error: prompt: it was given no prompt yet"},
		{"transcript", "error: transcript: "},
		{"dance \x1b[2J", "error: dance is no command here"},
		{"open latest", "run: "},
	} {
		y.types(c.typed)
		y.prints(c.prints)
	}
	y.types("leave")
	y.wait().ends(exitOK).plainly()

	// The same over a pipe that ends, on the run that has ended.
	got := p.feed("status\nresult 1\n", "--plain").ends(exitOK).plainly()
	for _, words := range []string{"status: passed", "# RESULT #1"} {
		if !strings.Contains(got.out, words) {
			t.Errorf("%q is missing in\n%s", words, got.out)
		}
	}
	got = p.feed("", "replay", "latest", "--plain", "--speed", "instant").ends(exitOK).plainly()
	if !strings.Contains(got.out, "worker 1: started") || !strings.Contains(got.out, "this is a replay") {
		t.Errorf("the replay:\n%s", got.out)
	}
	p.do("--plain", "--json").ends(exitUsage)
}

func TestPlainAnnouncesAQuestionAndTakesTheAnswer(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(steps([]step{{"result": map[string]any{"status": "blocked", "needs": []string{"b.txt"}, "summary": "x"}}}, write("b.txt", "B\n")))
	y := p.typing(p.runTwo("--plain")...)
	y.prints("question ")
	w := p.waits(p.made())
	y.prints(fmt.Sprintf("question %s (%s, Worker 1): ", w.ID, w.Kind))
	for i, c := range w.Choices {
		y.prints(fmt.Sprintf("question %s, choice %d: %s", w.ID, i+1, c))
	}
	y.types("answer " + w.ID + " nonsense")
	y.prints(`error: answer: "nonsense" is none of `)
	last := len(w.Choices)
	y.types(fmt.Sprintf("answer %s %d", w.ID, last))
	y.prints("answer sent: " + w.ID + ": " + w.Choices[last-1])
	y.prints("answered: " + w.Choices[last-1])
	y.in.Close()
	y.wait().plainly()
}

func TestPlainStopsByWordAndLeavesByCtrlC(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(g.gated())
	y := p.typing(p.runTwo("--plain")...)
	dir := p.made()
	p.held(dir, 2)
	y.prints("worker 2: started")
	y.signal(syscall.SIGINT)
	y.prints("question: leave, stop or stay?")
	y.types("stay")
	y.types("status")
	y.prints("workers: 1 of 2 done")
	y.insist()
	y.wait().ends(exitOK).plainly()
	if s := p.shown("latest"); s.Owner != "alive" {
		t.Fatalf("the run did not go on: %s", s.Owner)
	}

	y = p.typing("attach", "latest", "--plain")
	y.prints("worker 2: started")
	y.types("stop")
	y.prints("stopping the run")
	y.prints("run " + filepath.Base(dir) + ": stopped")
	y.types("leave")
	y.wait().ends(exitOK).plainly()
	p.ended(dir)

	// Without anybody to type, the end of the run is the end, and its outcome.
	p.feed("", "attach", "latest", "--plain").ends(exitProblems)
}
