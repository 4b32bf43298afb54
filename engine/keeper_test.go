package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"growbench/engine/event"
)

// traceless is a shell line that leaves a daemon nothing leads to: no marker,
// a session of its own, its parents gone. It is known by its arguments alone.
func traceless(name string) string {
	return fmt.Sprintf(`(env -i setsid sh -c '(echo up > daemon-up; exec sleep %s) & exit' >/dev/null 2>&1 </dev/null &); until test -s daemon-up; do sleep 0.01; done`, name)
}

// seconds is a number of seconds to sleep that no other test has.
func seconds(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("%d.%d", 80_000+os.Getpid()%9_999, time.Now().UnixNano())
}

// sleepers are the processes that sleep for that long.
func sleepers(t testing.TB, seconds string) []int {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []int
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err == nil && slices.Contains(strings.Split(string(data), "\x00"), seconds) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			found = append(found, pid)
		}
	}
	return found
}

// comes waits for what nothing tells of.
func comes(t testing.TB, what func() bool) bool {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for !what() {
		select {
		case <-look.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// keeperOf is the process that keeps the owner of a run.
func keeperOf(t *testing.T, o Owner) int {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", o.PID))
	must(t, err)
	_, rest, _ := strings.Cut(string(data), "\nPPid:")
	line, _, _ := strings.Cut(rest, "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	must(t, err)
	if cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err != nil || !strings.Contains(string(cmdline), KeeperCommand) {
		t.Fatalf("the owner's parent is %q, %v", cmdline, err)
	}
	return pid
}

// awaitKeeper returns when nobody keeps the run any more.
func awaitKeeper(t *testing.T, dirs Dirs) {
	t.Helper()
	held, err := takeKeeper(dirs.Run)
	must(t, err)
	held.release()
}

// daemonRun is a run whose only Worker has left a daemon and is at work.
func daemonRun(t *testing.T, name string) (*bench, Dirs, Owner) {
	t.Helper()
	b := newBench(t, twoFiles)
	dirs := b.createFor(program(t, traceless(name)+"\necho at work\nsleep "+name), order{plan: oneTask()})
	must(t, b.spawn(dirs, nil))
	if !comes(t, func() bool { return len(sleepers(t, name)) == 2 }) {
		t.Fatalf("the daemon is not up: %v\n%s", sleepers(t, name), ownerLog(dirs))
	}
	o, err := readOwner(dirs.Run)
	must(t, err)
	return b, dirs, o
}

// A daemon that nothing leads to ends with the run, however the owner ends.
func TestNoDaemonOutlivesItsRun(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, b *bench, dirs Dirs, o Owner){
		"stop": func(t *testing.T, b *bench, dirs Dirs, _ Owner) {
			must(t, Send(context.Background(), dirs.Run, Command{Do: "stop"}))
		},
		"kill -9 of the owner": func(t *testing.T, b *bench, dirs Dirs, o Owner) {
			must(t, syscall.Kill(o.PID, syscall.SIGKILL))
		},
		"kill -9 of the owner's group": func(t *testing.T, b *bench, dirs Dirs, o Owner) {
			must(t, syscall.Kill(-o.PID, syscall.SIGKILL))
		},
		"SIGTERM to the keeper": func(t *testing.T, b *bench, dirs Dirs, o Owner) {
			must(t, syscall.Kill(keeperOf(t, o), syscall.SIGTERM))
		},
		"kill -9 of the keeper": func(t *testing.T, b *bench, dirs Dirs, o Owner) {
			must(t, syscall.Kill(keeperOf(t, o), syscall.SIGKILL))
			if s := b.finish(dirs); s.Status != event.StatusFailed || !strings.Contains(s.Reason, "keeper was killed") || s.Worker(1).State != event.Failed {
				t.Errorf("it ended as %s: %s; Worker 1 %s", s.Status, s.Reason, s.Worker(1).State)
			}
		},
		"kill -9 of the owner, then stop": func(t *testing.T, b *bench, dirs Dirs, o Owner) {
			must(t, syscall.Kill(o.PID, syscall.SIGKILL))
			b.finish(dirs)
			s, err := Stop(context.Background(), dirs.Run, StopOptions{Grace: 200 * time.Millisecond})
			must(t, err)
			if s.Status != event.StatusStopped {
				t.Errorf("it ended as %s: %s", s.Status, s.Reason)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			name := seconds(t)
			b, dirs, o := daemonRun(t, name)
			end(t, b, dirs, o)
			b.finish(dirs)
			awaitKeeper(t, dirs)
			if left := sleepers(t, name); len(left) > 0 {
				t.Errorf("left: %v\n%s", left, ownerLog(dirs))
			}
			noneLeft(t, dirs)
		})
	}
}

// The next owner begins only when nothing of the killed one's is left.
func TestResumeWaitsForTheKeeper(t *testing.T) {
	b := newBench(t, twoFiles)
	name := seconds(t)
	// Deaf to all but SIGKILL, and still writing.
	a := program(t, `trap '' TERM INT
test -e $HOME/second && { sleep 0; `+say+`1 1 a.txt Second.; exit; }
(env -i HOME="$HOME" setsid sh -c 'trap "" TERM; while :; do echo first >> a.txt; sleep 0.01; done' `+name+` >/dev/null 2>&1 &)
until test "$(cat a.txt | wc -l)" -gt 2; do sleep 0.01; done
echo at work; sleep `+name)
	home := t.TempDir()
	dirs := b.createFor(a, order{plan: oneTask()})
	must(t, b.spawn(dirs, nil, "HOME="+home))
	b.until(dirs, func(s *event.State, alive bool) bool { return !alive || s.Plan.N > 0 && s.Worker(1).Turns > 0 })
	o, err := readOwner(dirs.Run)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(home, "second"), nil, 0o600))
	must(t, syscall.Kill(o.PID, syscall.SIGKILL))
	b.until(dirs, func(_ *event.State, alive bool) bool { return !alive })
	resumed, err := PrepareResume(dirs.Run, false)
	must(t, err)
	must(t, b.spawn(dirs, resumed, "HOME="+home))
	s := b.finish(dirs)
	if s.Status != event.StatusPassed {
		t.Fatalf("resumed it ended as %s: %s\n%s", s.Status, s.Reason, ownerLog(dirs))
	}
	if r := readResult(t, dirs, 1); r.Summary != "Second." {
		t.Errorf("RESULT #1: %+v", r)
	}
	if got := git(t, b.project.Root, "show", s.Branch+":a.txt"); strings.Contains(got, "first") {
		t.Errorf("the first owner's agent wrote into the second one's work:\n%s", got)
	}
	if left := sleepers(t, name); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	noneLeft(t, dirs)
}

// Who asks and is gone before it can be looked at may be an agent: it can stop
// the run, as a signal could, but approve nothing.
func TestWhoAsksAndLeavesApprovesNothing(t *testing.T) {
	self, err := os.Executable()
	must(t, err)
	// The owner looks only when the one who asks has gone.
	asked := make(chan Command, 10)
	srv, err := listen(filepath.Join(t.TempDir(), "s"), newHub(), func(c Command) error { asked <- c; return nil })
	must(t, err)
	defer srv.close()
	for _, do := range []string{"answer", "ping", "watch", "stop"} {
		if out, err := exec.Command(self, "say-and-leave", srv.path, do).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	go srv.serve()
	if c := <-asked; c.Do != "stop" || len(asked) > 0 {
		t.Errorf("%q was carried out for somebody unknown", c.Do)
	}
}

func sayAndLeave(socket, do string) error {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return err
	}
	return json.NewEncoder(conn).Encode(Command{Do: do, ID: "blocked-1-1", Choice: "widen"})
}

// ask gives a run's owner a command, as an agent would to approve itself.
func ask(socket, do string) error {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(conn).Encode(Command{Do: do, ID: "blocked-1-1", Choice: "widen"}); err != nil {
		return err
	}
	var r reply
	if err := json.NewDecoder(conn).Decode(&r); err != nil {
		return err
	}
	if !r.OK {
		return errors.New(r.Error)
	}
	return nil
}

// With every sandbox: nothing outlives a killed owner, and the run goes on.
func TestKilledOwnerInEverySandbox(t *testing.T) {
	eachKind(t, func(t *testing.T, mode string) {
		h := newHome(t, mode, twoFiles)
		before := snapshot(t, h.project.Root)
		name := seconds(t)
		dirs := h.order(`echo ONE > a.txt
if ! test -e "$HOMEDIR/again"; then `+traceless(name)+`; rm daemon-up; trap '' TERM; sleep `+name+`; fi
res 1 Own.`, order{plan: oneTask(), verify: []string{"grep -q ONE a.txt"}})
		h.start(dirs)
		if !comes(t, func() bool { return len(sleepers(t, name)) == 2 }) {
			t.Fatalf("it is not at work\n%s", ownerLog(dirs))
		}
		o, err := readOwner(dirs.Run)
		must(t, err)
		must(t, syscall.Kill(o.PID, syscall.SIGKILL))
		h.finish(dirs)
		awaitKeeper(t, dirs)
		if left := sleepers(t, name); len(left) > 0 {
			t.Errorf("left: %v\n%s", left, ownerLog(dirs))
		}
		noneLeft(t, dirs)
		untouched(t, h.project.Root, before)
		put(t, filepath.Join(h.dir, "again"), "")
		resumed, err := PrepareResume(dirs.Run, false)
		must(t, err)
		must(t, h.spawn(dirs, resumed, h.env()...))
		if s := h.finish(dirs); s.Status != event.StatusPassed || s.Worker(1).Attempts != 2 {
			t.Errorf("resumed it ended as %s: %s\n%s", s.Status, s.Reason, ownerLog(dirs))
		}
		untouched(t, h.project.Root, before)
		noneLeft(t, dirs)
	})
}
