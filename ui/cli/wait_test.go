package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"growbench/engine"
	"growbench/engine/event"
)

// until follows the run in dir until it is as wanted.
func (p *place) until(dir, what string, want func(s *event.State, alive bool) bool) *event.State {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	w := engine.Watch(dir)
	defer w.Close()
	s := event.NewState()
	for {
		u, err := w.Next(ctx)
		if err != nil {
			log, _ := os.ReadFile(filepath.Join(dir, "owner.log"))
			p.t.Fatalf("run %s never came to %s: %v; phase %s, status %s, reason %q\n%s",
				filepath.Base(dir), what, err, s.Phase, s.Status, s.Reason, log)
		}
		for _, e := range u.Events {
			s.Apply(e)
		}
		if want(s, u.OwnerAlive) {
			return s
		}
	}
}

// ended follows the run until its owner has left.
func (p *place) ended(dir string) *event.State {
	p.t.Helper()
	return p.until(dir, "its end", func(s *event.State, alive bool) bool { return !alive })
}

// held follows the run until Worker k waits at a gate.
func (p *place) held(dir string, k int) {
	p.t.Helper()
	p.until(dir, "a Worker at a gate", func(s *event.State, _ bool) bool {
		w := s.Worker(k)
		return w != nil && w.State == event.Running && strings.HasPrefix(w.ToolArgs, "read line")
	})
}

// waits follows the run until it waits for an answer, and returns the question.
func (p *place) waits(dir string) event.Waiting {
	p.t.Helper()
	s := p.until(dir, "a question", func(s *event.State, _ bool) bool { return len(s.Waits) > 0 })
	return s.Waits[0]
}

// ownerOf is the process that owns the run, 0 when nobody does.
func ownerOf(dir string) int {
	if !engine.OwnerAlive(dir) {
		return 0
	}
	var owner struct{ PID int }
	data, err := os.ReadFile(filepath.Join(dir, "owner.json"))
	if err != nil || json.Unmarshal(data, &owner) != nil {
		return 0
	}
	return owner.PID
}

// kill ends a process as kill -9 does.
func (p *place) kill(pid int) {
	p.t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		p.t.Fatalf("kill %d: %v", pid, err)
	}
}

// nobody fails when a process of the run is left.
func (p *place) nobody(dir string) {
	p.t.Helper()
	if left := marked("GROWBENCH_RUN=" + filepath.Base(dir)); len(left) > 0 {
		p.t.Errorf("processes of run %s are left: %v", filepath.Base(dir), left)
	}
	if pid := ownerOf(dir); pid != 0 {
		p.t.Errorf("process %d still owns run %s", pid, filepath.Base(dir))
	}
}

// detached starts a run and returns its directory.
func (p *place) detached(args ...string) string {
	p.t.Helper()
	var v struct{ Run, Dir string }
	p.do(append(args, "--detach", "--json")...).ends(0).json(&v)
	if filepath.Base(v.Dir) != v.Run || v.Run == "" {
		p.t.Fatalf("--detach --json says %+v", v)
	}
	return v.Dir
}

// made waits for the directory of the only run and returns it.
func (p *place) made() string {
	p.t.Helper()
	late := time.After(patience)
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		if dirs := p.runDirs(); len(dirs) > 0 {
			return dirs[len(dirs)-1]
		}
		select {
		case <-look.C:
		case <-late:
			p.t.Fatal("no run was made")
		}
	}
}

// shown is the run's state as show --json prints it.
func (p *place) shown(name string) *event.State {
	p.t.Helper()
	s := &event.State{}
	p.do("show", name, "--json").ends(exitOK).json(s)
	return s
}
