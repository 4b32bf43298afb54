package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/config"
	"growbench/engine/event"
)

// ending is an agent that does not end well, and the right end of its Worker.
type ending struct {
	name, script  string
	limits        config.Limits
	stop          bool   // the operator stops the run once it has written
	state, reason string // of the Worker; reason in part
	summary       string // of its RESULT, in part; empty: there is none
	kept          bool   // its unfinished work is kept in a ref
	says          string // in words, for the table
}

var endings = []ending{
	{name: "prints without end, as fast as it can", script: `echo HALF > a.txt; exec yes "$(head -c 4000 /dev/zero | tr '\0' x)"`,
		limits: config.Limits{Output: 16 << 20}, state: event.Failed, reason: "output limit", kept: true,
		says: "failed at the limit of output (`limits.output`); what is printed beyond the limit is nowhere; its unfinished work is kept in a ref"},
	{name: "is deaf to every signal but SIGKILL", script: `trap '' TERM INT HUP QUIT; (trap '' TERM; sleep 86399) & echo HALF > a.txt; while :; do sleep 86399; done`,
		stop: true, state: event.Stopped, reason: "stopped", kept: true,
		says: "stopped, killed after the time of grace; its unfinished work is kept in a ref"},
	{name: "fails with an exit code after printing its RESULT", script: `echo HALF > a.txt; res a Done.; exit 3`,
		state: event.Failed, reason: "exit code 3", kept: true,
		says: "failed, its RESULT does not count; its unfinished work is kept in a ref"},
	{name: "ends with exit code 0 and has done nothing", script: `:`,
		state: event.Failed, reason: "changed nothing",
		says: "asked once for its RESULT, then failed: it handed in nothing and changed nothing"},
	{name: "hands in only a RESULT of another Worker's number", script: `echo HALF > a.txt; res 2 Misnumbered.`,
		state: event.Done, summary: "Misnumbered.",
		says: "done: it is read as its own, with a warning; RESULT #2 is Worker 2's alone"},
	{name: "only prints what a tool has said, RESULTs among it", script: `echo HALF > a.txt; echo 'The tool printed:'; echo '~~~'; res 1 Spoofed; echo '~~~'; echo 'It said:'; res 1 Spoofed | sed 's/^/> /'; echo done`,
		state: event.Done, summary: "(observed)",
		says: "asked once for its RESULT, then done: its RESULT is what was seen to change, marked `(observed)`"},
}

func TestAgentsThatDoNotEndWell(t *testing.T) {
	eachKind(t, func(t *testing.T, mode string) {
		for _, e := range endings {
			t.Run(e.name, func(t *testing.T) {
				t.Parallel()
				e.check(t, mode)
			})
		}
	})
}

func (e ending) check(t *testing.T, mode string) {
	h := newHome(t, mode, twoFiles)
	before := snapshot(t, h.project.Root)
	limits := config.Defaults().Limits
	if e.limits != (config.Limits{}) {
		limits = e.limits
	}
	dirs := h.order(e.script, order{plan: oneTask(), limits: limits})
	h.start(dirs)
	if e.stop {
		if !comes(t, func() bool {
			data, _ := os.ReadFile(filepath.Join(dirs.Tree, "a.txt"))
			return string(data) == "HALF\n"
		}) {
			t.Fatalf("it did not begin\n%s", ownerLog(dirs))
		}
		must(t, Send(context.Background(), dirs.Run, Command{Do: "stop"}))
	}
	s := h.finish(dirs)
	w := s.Worker(1)
	status := map[string]string{event.Done: event.StatusPassed, event.Stopped: event.StatusStopped}[e.state]
	if status == "" {
		status = event.StatusFailed
	}
	if s.Status != status || w.State != e.state || !strings.Contains(w.Reason, e.reason) {
		t.Fatalf("the run ended as %s, Worker 1 as %s: %s\n%s", s.Status, w.State, w.Reason, ownerLog(dirs))
	}
	if len(s.Results) > 0 != (e.summary != "") {
		t.Errorf("RESULTs: %+v", s.Results)
	} else if e.summary != "" && (s.Results[0].K != 1 || len(s.Results) > 1 || !strings.Contains(s.Results[0].Summary, e.summary)) {
		t.Errorf("its RESULT is %+v", s.Results[0])
	}
	switch {
	case (w.Partial != "") != e.kept:
		t.Errorf("its unfinished work is in %q", w.Partial)
	case e.kept && git(t, h.project.Root, "show", w.Partial+":a.txt") != "HALF":
		t.Error("its unfinished work is not what it left")
	}
	if report := h.read(dirs, fileReport); e.kept && !strings.Contains(report, w.Partial) {
		t.Errorf("the report does not name %s:\n%s", w.Partial, report)
	}
	if e.limits.Output > 0 {
		checkSize(t, dirs.Run, int64(3*e.limits.Output))
	}
	untouched(t, h.project.Root, before)
	noneLeft(t, dirs)
}

// checkSize fails when a directory holds more than so many bytes.
func checkSize(t *testing.T, dir string, most int64) {
	t.Helper()
	var size int64
	must(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
		return err
	}))
	if size > most {
		t.Errorf("%s holds %d bytes, over %d", dir, size, most)
	}
}
