package tool

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"growbench/engine/model"
	"growbench/engine/workspace"
)

func TestCommandsAreAskedAbout(t *testing.T) {
	dir := project(t, map[string]string{"a.txt": "one\n"})
	var asked []string
	answer, fault := true, error(nil)
	k := Kit{Dir: dir, Allow: []string{"cat *"}, Permit: func(_ context.Context, command string) (bool, error) {
		asked = append(asked, command)
		return answer, fault
	}}
	s := worker(t, k, "a.txt")
	ok(t, do(t, s, RunCommand, "command", "cat a.txt"), "one\n")
	ok(t, do(t, s, RunCommand, "command", "echo two > b.txt; cat b.txt"), "two\n")
	answer = false
	refused(t, do(t, s, RunCommand, "command", "touch c.txt"), "denied by the operator")
	fault = errors.New("the run was stopped")
	refused(t, do(t, s, RunCommand, "command", "touch c.txt"), "the run was stopped")
	if want := []string{"echo two > b.txt; cat b.txt", "touch c.txt", "touch c.txt"}; !slices.Equal(asked, want) {
		t.Errorf("asked about %q", asked)
	}
	k.Permit = nil
	refused(t, do(t, worker(t, k, "a.txt"), RunCommand, "command", "touch c.txt"), "`touch c.txt` is denied", "permissions.allow", "nobody is there", "check")
	if _, err := os.Stat(filepath.Join(dir, "c.txt")); err == nil {
		t.Error("a denied command was run")
	}
	refused(t, do(t, s, RunCommand, "command", "  "), "empty")
}

func TestCommandsRunConfinedAndBounded(t *testing.T) {
	dir := project(t, nil)
	var confined []string
	var live strings.Builder
	out := filepath.Join(t.TempDir(), "1-command")
	s := worker(t, Kit{
		Dir: dir, Allow: []string{"*"}, Output: out, Env: []string{"PATH=" + os.Getenv("PATH"), "ONLY=this"},
		Live:    func(text string) { live.WriteString(text) },
		Confine: func(c workspace.Command) workspace.Command { confined = append(confined, c.Shell); return c },
	})
	refused(t, do(t, s, RunCommand, "command", "false"), "exit code 1", "printed nothing")
	r := do(t, s, RunCommand, "command", "seq 100000")
	ok(t, r, "bytes left out", "100000\n")
	if len(r.Text) > maxCommandText || strings.Contains(r.Text, out) {
		t.Errorf("%d bytes: %.200q", len(r.Text), r.Text)
	}
	ok(t, do(t, s, RunCommand, "command", "env"), "ONLY=this")
	if want := []string{"false", "seq 100000", "env"}; !slices.Equal(confined, want) {
		t.Errorf("confined %q", confined)
	}
	if !strings.Contains(live.String(), "ONLY=this") {
		t.Errorf("live: %.40q", live.String())
	}
	if whole := content(t, filepath.Dir(out), "1-command-2.txt"); len(whole) != 588895 {
		t.Errorf("kept %d bytes", len(whole))
	}
}

// A command that is stopped takes what it started along, and its agent's end
// is told as it is.
func TestAStoppedCommandEndsWithItsGroup(t *testing.T) {
	dir := project(t, nil)
	ctx, cancel := context.WithCancelCause(context.Background())
	stopped := errors.New("stopped by the operator")
	s := worker(t, Kit{Dir: dir, Allow: []string{"*"}, Permit: func(context.Context, string) (bool, error) { return true, nil },
		Live: func(string) { cancel(stopped) }})
	r := s.Do(ctx, model.Call{Name: RunCommand, Arguments: `{"command":"(sleep 1000; touch late.txt) & echo begun; sleep 1000"}`}, room)
	refused(t, r, "stopped by the operator")
	if _, err := os.Stat(filepath.Join(dir, "late.txt")); err == nil {
		t.Error("what it started lived on")
	}
}
