package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

func shell(lines string) Options { return Options{Argv: []string{"sh", "-c", lines}} }

func TestTextAgentReadsItsPromptAndSaysItsLast(t *testing.T) {
	dir := project(t)
	out, h, err := run(t, context.Background(), shell(`cat; echo; pwd; echo err >&2; echo two > a.txt`), request(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	want := "Make made.txt. End with a RESULT.\n" + dir + "\n"
	if out.Message != want || h.text(event.ItemText) != want || h.turns != 1 {
		t.Errorf("message %q, said %q in %d turns", out.Message, h.text(event.ItemText), h.turns)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(data) != "two\n" {
		t.Errorf("a.txt holds %q", data)
	}
}

func TestPromptAsArgument(t *testing.T) {
	req := request(t, project(t))
	for name, o := range map[string]Options{
		"last word":  {Argv: []string{"sh", "-c", `printf '%s|' "$@"; cat`, "sh", "-x"}, Prompt: "argument"},
		"in a place": {Argv: []string{"sh", "-c", `printf '%s|' "$2" "$1"; cat`, "sh", "{prompt}", "-x"}},
	} {
		out, _, err := run(t, context.Background(), o, req)
		if err != nil || out.Message != "-x|"+req.Prompt+"|\n" {
			t.Errorf("%s: %q, %v", name, out.Message, err)
		}
	}
	req.Prompt = strings.Repeat("x", maxArgument+1)
	_, _, err := run(t, context.Background(), Options{Argv: []string{"echo"}, Prompt: "argument"}, req)
	if err == nil || !strings.Contains(err.Error(), `"prompt": "stdin"`) {
		t.Errorf("a prompt too long for an argument: %v", err)
	}
}

func TestExitCodeDecidesForText(t *testing.T) {
	_, _, err := run(t, context.Background(), shell(`echo "# RESULT #1"; echo "no key" >&2; exit 3`), request(t, project(t)))
	if err == nil || !strings.Contains(err.Error(), "exit code 3") || !strings.Contains(err.Error(), "no key") {
		t.Errorf("ended with %v", err)
	}
}

// A file beside the configuration is meant, not what stands in the clone.
func TestFilesOfTheConfigurationAreMeant(t *testing.T) {
	beside, dir := t.TempDir(), project(t)
	write(t, filepath.Join(beside, "agent.sh"), "echo chosen\n")
	write(t, filepath.Join(dir, "agent.sh"), "echo planted\n")
	o := Options{Argv: []string{"sh", "agent.sh"}, Dir: beside}
	if out, _, err := run(t, context.Background(), o, request(t, dir)); err != nil || out.Message != "chosen\n" {
		t.Errorf("%q, %v", out.Message, err)
	}
	if got := o.Files(); !slices.Equal(got, []string{filepath.Join(beside, "agent.sh")}) {
		t.Errorf("it needs %v", got)
	}
	whole := filepath.Join(beside, "agent.sh")
	o = Options{Argv: []string{"sh", whole, "/no/such/file", filepath.Dir(whole)}, Dir: beside}
	if got := o.Files(); !slices.Equal(got, []string{whole}) {
		t.Errorf("it needs %v", got)
	}
}

func TestMissingProgramSaysWhatToDo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, _, err := run(t, context.Background(), Options{Preset: "codex"}, request(t, project(t)))
	if err == nil || !strings.Contains(err.Error(), "npm install -g @openai/codex") {
		t.Errorf("ended with %v", err)
	}
	_, _, err = run(t, context.Background(), Options{Argv: []string{"no-such-agent"}}, request(t, project(t)))
	if err == nil || !strings.Contains(err.Error(), "argv") {
		t.Errorf("ended with %v", err)
	}
}

// Keys reach the agent that names them and no other.
func TestOnlyNamedVariablesArePassedOn(t *testing.T) {
	t.Setenv("PLANTED_API_KEY", "planted")
	t.Setenv("OTHER_SECRET", "planted too")
	t.Setenv("CODEX_HOME", "/somewhere")
	out, _, err := run(t, context.Background(), shell("env"), request(t, project(t)))
	if err != nil || strings.Contains(out.Message, "planted") || strings.Contains(out.Message, "CODEX_HOME") {
		t.Errorf("its environment: %s, %v", out.Message, err)
	}
	o := shell("env")
	o.Env = []string{"PLANTED_API_KEY", "NOT_SET"}
	out, _, err = run(t, context.Background(), o, request(t, project(t)))
	if err != nil || !strings.Contains(out.Message, "PLANTED_API_KEY=planted\n") || strings.Contains(out.Message, "planted too") || strings.Contains(out.Message, "NOT_SET") {
		t.Errorf("its environment: %s, %v", out.Message, err)
	}
	o.Preset, o.Argv = "codex", []string{"sh", "-c", `printf '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"%s"}}\n{"type":"turn.completed"}\n' "$CODEX_HOME$PLANTED_API_KEY"`}
	if out, _, err = run(t, context.Background(), o, request(t, project(t))); err != nil || out.Message != "/somewhereplanted" {
		t.Errorf("%q, %v", out.Message, err)
	}
}

func TestFailedSignInNamesTheKeyThatWasNotPassedOn(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "planted")
	o := Options{Preset: "claude", Argv: []string{"sh", "-c", `echo '{"type":"result","subtype":"success","is_error":true,"result":"Invalid API key · Please run /login"}'`}}
	_, _, err := run(t, context.Background(), o, request(t, project(t)))
	if err == nil || !strings.Contains(err.Error(), `"env": ["ANTHROPIC_API_KEY"]`) || strings.Contains(err.Error(), "planted") {
		t.Errorf("ended with %v", err)
	}
}

func TestFloodIsEnded(t *testing.T) {
	for name, lines := range map[string]string{
		"lines": `yes "$(printf %01000d 1)"`, "without line ends": `cat /dev/zero`, "standard error": `yes >&2`,
	} {
		o := shell(lines)
		o.Output, o.Grace = 8<<20, 100*time.Millisecond
		out, h, err := run(t, context.Background(), o, request(t, project(t)))
		if !errors.Is(err, agent.ErrOutputLimit) {
			t.Errorf("%s: ended with %v", name, err)
		}
		if len(out.Message) > maxMessage || h.updates > 10_000 {
			t.Errorf("%s: %d bytes kept, %d updates", name, len(out.Message), h.updates)
		}
	}
}

func TestStopEndsWhatIgnoresSignals(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("stopped by the operator")
	a, err := New(Options{Argv: []string{"sh", "-c", `trap '' TERM INT HUP; (trap '' TERM; while :; do sleep 1000; done) & echo $$; echo ready; while :; do sleep 1000; done`},
		Grace: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	out, err := a.Run(ctx, request(t, project(t)), func(u agent.Update) {
		if strings.Contains(u.Item.Text, "ready") {
			cancel(why)
		}
	})
	if !errors.Is(err, why) {
		t.Errorf("ended with %v", err)
	}
	session, _, _ := strings.Cut(out.Message, "\n")
	if left := inSession(t, session); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// inSession lists the processes of a session.
func inSession(t *testing.T, session string) []string {
	t.Helper()
	if session == "" {
		t.Fatal("no session")
	}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // gone meanwhile
		}
		_, rest, _ := strings.Cut(string(data), ") ")
		if f := strings.Fields(rest); len(f) > 3 && f[3] == session && f[0] != "Z" {
			found = append(found, string(data))
		}
	}
	return found
}

func TestOptionsThatMakeNoAgent(t *testing.T) {
	for _, o := range []Options{
		{}, {Preset: "nobody"}, {Preset: "text"}, {Argv: []string{"x"}, Decode: "nobody"}, {Argv: []string{"x"}, Prompt: "telepathy"},
	} {
		if a, err := New(o); err == nil {
			t.Errorf("%+v made %v", o, a)
		}
	}
}

func TestWrapSeesTheWholeCommand(t *testing.T) {
	var seen workspace.Command
	o := Options{Preset: "codex", Argv: []string{"sh", "-c", "exit 0"}, Wrap: func(c workspace.Command) workspace.Command {
		seen = c
		return c
	}}
	_, _, err := run(t, context.Background(), o, request(t, project(t)))
	if err == nil {
		t.Error("an agent that said nothing ended well")
	}
	if !slices.Contains(seen.Argv, "--dangerously-bypass-approvals-and-sandbox") || slices.Contains(seen.Argv, "--sandbox") || seen.Dir == "" {
		t.Errorf("wrapped was %+v", seen.Argv)
	}
	o.Wrap = nil
	a, _ := New(o)
	if argv, _, _ := a.(program).argv(request(t, project(t)), ""); slices.Contains(argv, "--dangerously-bypass-approvals-and-sandbox") {
		t.Errorf("without a sandbox of ours it is %v", argv)
	}
}

// The schema is handed over inside the clone, and no link leads it out.
func TestSchemaStaysInTheClone(t *testing.T) {
	dir, outside := project(t), filepath.Join(t.TempDir(), "precious")
	write(t, outside, "precious")
	link := filepath.Join(dir, ".git", schemaName)
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	o := Options{Preset: "codex", Argv: []string{"sh", "-c", `for a; do last=$1; shift; case $last in .git/*) cat "$last";; esac; done`, "sh"}}
	_, h, _ := run(t, context.Background(), o, request(t, dir))
	if notes := h.text(event.ItemNote); h.used.In != 0 || strings.Contains(notes, "precious") {
		t.Errorf("it read %q", notes)
	}
	if data, _ := os.ReadFile(outside); string(data) != "precious" {
		t.Errorf("the file outside became %q", data)
	}
	if _, err := os.Lstat(link); !os.IsNotExist(err) {
		t.Errorf("the schema is still there: %v", err)
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.RemoveAll(filepath.Join(dir, ".git")))
	must(os.Symlink(t.TempDir(), filepath.Join(dir, ".git")))
	if path, err := writeSchema(dir, resultSchema); err == nil {
		t.Errorf("written through a link, as %s", path)
	}
}
