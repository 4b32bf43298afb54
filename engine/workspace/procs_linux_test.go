package workspace

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// marker is an environment entry that only processes of this test carry.
func marker(t *testing.T) string {
	return fmt.Sprintf("GROWBENCH_RUN=%s-%d", strings.ReplaceAll(t.Name(), "/", "-"), os.Getpid())
}

func assertNothingLeft(t *testing.T, mark string, outcome Outcome) {
	t.Helper()
	if left, err := markedProcesses(mark); err != nil || len(left) > 0 {
		t.Errorf("still running: %v, %v", numbers(left), err)
	}
	if sessionAlive(outcome.PID) {
		t.Errorf("session %d still has processes", outcome.PID)
	}
}

func TestBackgroundProcessesNeverHoldACommand(t *testing.T) {
	file, err := os.Open("testdata/background-forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	forms := bufio.NewScanner(file)
	for forms.Scan() {
		form := forms.Text()
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			mark := marker(t)
			endsByItself := strings.Contains(form, "echo up")
			command := Command{Shell: form, Env: Environment(mark)}
			if !endsByItself {
				command.Limits.Time = time.Second
			}
			outcome := run(t, command)
			assertNothingLeft(t, mark, outcome)
			if endsByItself {
				// The shell ended by itself; its code and its output count.
				if outcome.Reason != Exited || outcome.ExitCode != 0 || !outcome.BackgroundEnded || outcome.Text(0) != "up\n" {
					t.Errorf("%v, output %q", outcome, outcome.Text(0))
				}
			} else if outcome.Reason != TimedOut || outcome.ExitCode != 143 {
				t.Errorf("%v", outcome)
			}
		})
	}
}

func TestProcessesInAnotherGroupOfTheSessionAreEnded(t *testing.T) {
	t.Parallel()
	mark := marker(t)
	outcome := run(t, Command{Argv: []string{"bash", "-c", "set -m; sleep 300 >/dev/null & trap '' TERM; (sleep 300; :) & exit 2"},
		Env: Environment(mark), Limits: Limits{Grace: 50 * time.Millisecond}})
	assertNothingLeft(t, mark, outcome)
	if outcome.ExitCode != 2 || !outcome.BackgroundEnded {
		t.Error(outcome)
	}
}

func TestLateChildIsEndedBeforeItWrites(t *testing.T) {
	t.Parallel()
	mark, dir := marker(t), t.TempDir()
	outcome := run(t, Command{Shell: "(sleep 2; echo late > late.txt) >/dev/null 2>&1 & echo done", Dir: dir, Env: Environment(mark)})
	assertNothingLeft(t, mark, outcome)
	if !outcome.BackgroundEnded || outcome.Text(0) != "done\n" {
		t.Errorf("%v, output %q", outcome, outcome.Text(0))
	}
	if _, err := os.Stat(filepath.Join(dir, "late.txt")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("late.txt: %v", err)
	}
}

func TestWhatEndsByItselfShortlyAfterIsNoBackgroundProcess(t *testing.T) {
	t.Parallel()
	outcome := run(t, Command{Argv: []string{"bash", "-c", "exec > >(sleep 0.05; cat); echo through the filter"},
		Limits: Limits{Settle: 20 * time.Second}})
	if outcome.Text(0) != "through the filter\n" || outcome.BackgroundEnded {
		t.Errorf("%v, output %q", outcome, outcome.Text(0))
	}
}

// afterLines feeds a command one empty line when it has printed n lines: its
// children are then as far as the test wants them.
func afterLines(n int) (stdin io.Reader, onLine func([]byte, error)) {
	reader, writer := io.Pipe()
	return reader, func([]byte, error) {
		if n--; n == 0 {
			go func() { _, _ = writer.Write([]byte("\n")); writer.Close() }()
		}
	}
}

// A daemon leaves the session and keeps the pipe; the run's marker finds it.
func TestDaemonLosesThePipeAndIsFoundByItsMarker(t *testing.T) {
	t.Parallel()
	mark := marker(t)
	stdin, onLine := afterLines(1)
	outcome := run(t, Command{Shell: "setsid sh -c 'trap \"\" TERM; sleep 300 & echo $$; wait' & read x; exit 0",
		Env: Environment(mark), Stdin: stdin, OnLine: onLine, Limits: Limits{Drain: 50 * time.Millisecond}})
	pid, err := strconv.Atoi(strings.TrimSpace(outcome.Text(0)))
	if err != nil {
		t.Fatalf("%v, output %q", outcome, outcome.Text(0))
	}
	start, err := ProcessStart(pid)
	if err != nil || !Alive(pid, start) || Alive(pid, start+1) {
		t.Fatalf("the daemon should be running: %v", err)
	}
	if ended, err := EndMarked(t.Context(), mark+"x", time.Second); ended != 0 || err != nil {
		t.Errorf("a longer marker ended %d processes, %v", ended, err)
	}
	ended, err := EndMarked(t.Context(), mark, 50*time.Millisecond)
	if ended != 2 || err != nil || Alive(pid, start) {
		t.Errorf("ended %d, error %v, alive %v", ended, err, Alive(pid, start))
	}
	assertNothingLeft(t, mark, outcome)
}

func TestEndMarkedAlsoEndsWhatShedTheMarker(t *testing.T) {
	t.Parallel()
	mark := marker(t)
	// The first is known by its session alone, having lost its parent; the
	// second by its parent alone, which ends first.
	cmd := exec.Command("sh", "-c", `(env -i sleep 300 >/dev/null &); env -i setsid sh -c 'trap "" TERM; echo; exec sleep 300' & wait`)
	cmd.Env = Environment(mark)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := pipe.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	var children []process
	table, err := processTable()
	if err != nil {
		t.Fatal(err)
	}
	for pid, p := range table {
		if ours, _ := DescendsFrom(pid, cmd.Process.Pid); ours || (p.session == cmd.Process.Pid && pid != p.session) {
			children = append(children, p)
		}
	}
	ended, err := EndMarked(t.Context(), mark, 100*time.Millisecond)
	if len(children) != 2 || ended != 3 || err != nil {
		t.Errorf("%d children, %d ended, %v", len(children), ended, err)
	}
	for _, p := range children {
		if Alive(p.pid, p.start) {
			t.Errorf("process %d is still running", p.pid)
		}
	}
	_ = cmd.Wait()
}

func TestEndMarkedRefusesAMarkerThatFitsTooMuch(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "GROWBENCH_RUN", "GROWBENCH_RUN=", "=x"} {
		if _, err := EndMarked(t.Context(), bad, time.Second); err == nil {
			t.Errorf("marker %q was accepted", bad)
		}
	}
}

func TestEndMarkedStopsWithItsContext(t *testing.T) {
	t.Parallel()
	mark := marker(t)
	cmd := exec.Command("sh", "-c", `trap "" TERM; echo; while :; do sleep 1; done`)
	cmd.Env = Environment(mark)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := pipe.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := EndMarked(ctx, mark, time.Minute); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "may be left") {
		t.Errorf("error %v", err)
	}
	if _, err := EndMarked(t.Context(), mark, time.Millisecond); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait()
}

func TestProcessIdentity(t *testing.T) {
	t.Parallel()
	self := os.Getpid()
	start, err := ProcessStart(self)
	if err != nil || start == 0 || !Alive(self, start) {
		t.Errorf("this process: start %d, %v", start, err)
	}
	for _, c := range []struct {
		pid, ancestor int
		want          bool
	}{{self, os.Getppid(), true}, {os.Getppid(), self, false}, {self, self, false}} {
		if got, err := DescendsFrom(c.pid, c.ancestor); got != c.want || err != nil {
			t.Errorf("%d descends from %d: %v, %v", c.pid, c.ancestor, got, err)
		}
	}
	cmd := exec.Command("true")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	start, err = ProcessStart(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	awaitExit(cmd)
	if Alive(cmd.Process.Pid, start) {
		t.Error("a process that has ended counts as alive until it is waited for")
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := DescendsFrom(cmd.Process.Pid, self); err == nil {
		t.Error("something is said of the descent of a process that is gone")
	}
	if _, err := ProcessStart(cmd.Process.Pid); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("start of a process that is gone: %v", err)
	}
}

func init() {
	childRoles["subreaper"] = func(mark string) error {
		if err := SetSubreaper(); err != nil {
			return err
		}
		// Children that are nobody's orphans: two have ended, with a code
		// that must not get lost, one carries the marker and goes on.
		ended, endedInSession := exec.Command("sh", "-c", "exit 7"), exec.Command("sh", "-c", "exit 7")
		endedInSession.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := errors.Join(ended.Start(), Start(endedInSession)); err != nil {
			return err
		}
		awaitExit(ended)
		awaitExit(endedInSession)
		running := exec.Command("cat")
		running.Env = Environment(mark)
		running.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		stdin, err := running.StdinPipe()
		if err != nil {
			return err
		}
		if err := Start(running); err != nil {
			return err
		}
		stdinOfRun, onLine := afterLines(2)
		outcome, err := Run(context.Background(), Command{Env: Environment(mark), Stdin: stdinOfRun, OnLine: onLine,
			Shell: `setsid sh -c 'echo; exec sleep 300 >/dev/null 2>&1' &
				env -i setsid sh -c 'sleep 300 >/dev/null 2>&1 & echo; exec >/dev/null 2>&1; wait' &
				read x; exit 0`})
		if err != nil {
			return err
		}
		// Two daemons came to us; the child of one of them follows it.
		count, err := ReapOrphans(context.Background(), mark, time.Second)
		if err != nil || count != 3 {
			return fmt.Errorf("%v: %d orphans were ended, error %v", outcome, count, err)
		}
		table, err := processTable()
		if err != nil {
			return err
		}
		for pid, p := range table {
			ours := pid == ended.Process.Pid || pid == endedInSession.Process.Pid || pid == running.Process.Pid
			if p.parent == os.Getpid() && !ours {
				return fmt.Errorf("process %+v was neither ended nor reaped", p)
			}
		}
		if err := stdin.Close(); err != nil {
			return err
		}
		if err := Wait(running); err != nil {
			return fmt.Errorf("the running child: %w", err)
		}
		if err := ended.Wait(); ended.ProcessState.ExitCode() != 7 {
			return fmt.Errorf("the child's exit status was taken away: %v", err)
		}
		if err := Wait(endedInSession); endedInSession.ProcessState.ExitCode() != 7 {
			return fmt.Errorf("the listed child's exit status was taken away: %v", err)
		}
		return nil
	}
}

func TestOrphansAreEndedAndReapedAndChildrenLeftAlone(t *testing.T) {
	t.Parallel()
	if output, err := asChild("subreaper", marker(t)).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
