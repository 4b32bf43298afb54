package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/event"
	"growbench/engine/workspace"
)

// In a sandbox a Worker's commands work in the clone and nowhere else: not in
// the user's project, not in the run's own records, not on its socket.
func TestCommandsAreConfined(t *testing.T) {
	for _, kind := range []string{workspace.SandboxBwrap, workspace.SandboxLandlock} {
		t.Run(kind, func(t *testing.T) {
			// The state folder is outside /tmp, as a user's is.
			state, err := os.MkdirTemp("/var/tmp", "growbench-test-")
			must(t, err)
			t.Cleanup(func() { os.RemoveAll(state) })
			b := newBench(t, twoFiles)
			b.state = state
			dirs := b.create(order{sandbox: kind, plan: twoTasks(), script: steps(nil, nil), verify: []string{"grep -q ONE a.txt"}})
			outside := filepath.Join(b.project.Root, "a.txt")
			records := filepath.Join(dirs.Run, fileEvents)
			script := steps(
				[]step{
					{"run": "sed -i s/one/ONE/ a.txt && echo $TMPDIR > $TMPDIR/x && cat $TMPDIR/x"},
					{"run": "echo spoilt > " + outside + "; true"},
					{"run": "cat " + records + " && exit 9; true"},
					{"run": "ls " + filepath.Dir(dirs.Run) + " && exit 9; true"},
					result([]string{"a.txt"}),
				},
				[]step{result(nil)},
			)
			must(t, os.WriteFile(filepath.Join(dirs.Run, dirAttached, "script.json"), marshal(t, script), 0o600))
			_, _, missing := workspace.DetectSandbox(kind)
			if err := b.spawn(dirs, nil); missing != nil {
				// A machine without it: the run is refused in words, not run without.
				if err == nil || !strings.Contains(err.Error(), "sandbox") {
					t.Fatalf("without %s the run begins: %v", kind, err)
				}
				return
			} else if err != nil {
				t.Fatal(err)
			}
			s := b.finish(dirs)
			if s.Status != event.StatusPassed {
				t.Fatalf("%s: %s\n%s", s.Status, s.Reason, ownerLog(dirs))
			}
			if w := s.Worker(1); !w.Sandboxed || !strings.Contains(w.SandboxNote, kind) {
				t.Errorf("sandboxed %v, %q", w.Sandboxed, w.SandboxNote)
			}
			if data, _ := os.ReadFile(outside); string(data) != "one\n" {
				t.Errorf("the user's file became %q", data)
			}
			if got := git(t, b.project.Root, "show", s.Branch+":a.txt"); got != "ONE" {
				t.Errorf("a.txt on the branch: %q", got)
			}
			noProcess(t, dirs)
		})
	}
}

func TestWithoutSandboxItIsSaid(t *testing.T) {
	b := newBench(t, twoFiles)
	s, _ := b.run(order{plan: twoTasks(), script: steps([]step{result(nil)}, []step{result(nil)})})
	if w := s.Worker(1); w.Sandboxed || w.SandboxNote == "" {
		t.Errorf("sandboxed %v, %q", w.Sandboxed, w.SandboxNote)
	}
}
