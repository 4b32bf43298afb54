package giver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/model"
	"growbench/engine/workspace"
	"growbench/testdata/fixture"
	"growbench/testdata/ollama/ollamatest"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case engine.OwnerCommand:
			leave(engine.RunOwner(os.Args[2:], engine.OwnerOptions{Grace: 500 * time.Millisecond}))
		case engine.KeeperCommand:
			leave(engine.RunKeeper(os.Args[2:], engine.KeeperOptions{Grace: 500 * time.Millisecond}))
		case converse:
			leave(play(os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

func leave(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// patience bounds how long a test waits for what must come. It is never what a
// test measures.
const patience = time.Minute

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// place is a project, a state folder, agents that are shell scripts, and a
// model server.
type place struct {
	t       testing.TB
	base    string
	project workspace.Project
	config  config.Config
	server  *ollamatest.Scripted
	review  bool
	window  int64
}

var someFiles = map[string]string{
	"size.go": "package size\n\n// Parse reads a size.\nfunc Parse(text string) (int, error) { return 0, nil }\n\n// Size is bytes.\ntype Size int\n\nfunc (s Size) String() string { return \"\" }\n",
	"a.txt":   "a\n",
	"long.go": "package size\n" + strings.Repeat("// more\n", 600) + "\n// Long is here.\nfunc Long(n int) {}\n",
}

func newPlace(t testing.TB) *place {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	root := filepath.Join(base, "project")
	for name, text := range someFiles {
		put(t, filepath.Join(root, name), text)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-qm", "base"}} {
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=U", "-c", "user.email=u@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	p := &place{t: t, base: base, config: config.Defaults(), window: 1 << 20}
	p.project, err = workspace.FindProject(root)
	must(t, err)
	p.config.Sandbox, p.config.Map.Run = "off", "off"
	p.config.Agents = map[string]config.Agent{
		"planner": p.program("planner", "cat > /dev/null; cat '"+filepath.Join(base, "plan.json")+"'"),
		"worker":  p.program("worker", workerScript),
		"scout":   p.program("scout", "cat > /dev/null; printf '## Files\\n- size.go — 9 lines — sizes\\n\\n## Signatures\\nParse(text string) (int, error) — size.go\\n\\n## Notes\\n- "+noted+"\\n'"),
	}
	p.config.Roles = config.Roles{Giver: "model", Planner: "planner", Worker: "worker", Scout: "scout"}
	p.plan(3)
	p.server = ollamatest.NewScripted(t)
	return p
}

// noted is a line that a Scout has found.
const noted = "the table of units in size.go is sorted by length and searched backwards"

// workerScript writes the first target of its task and hands in.
const workerScript = `prompt=$(cat)
k=$(printf '%s\n' "$prompt" | sed -n 's/^# Task #\([0-9]*\).*/\1/p' | head -1)
f=$(printf '%s\n' "$prompt" | sed -n '/^### Target Files/{n;p;q}')
echo "by $k" > "$f"
printf '# RESULT #%s (by Worker %s)\n\n## Files\n- created: %s\n\n## Signatures\n- none\n\n## Breaking\n- none\n\n## Summary\nWrote %s.\n' "$k" "$k" "$f" "$f"`

func (p *place) program(name, script string) config.Agent {
	path := filepath.Join(p.base, name+".sh")
	put(p.t, path, script+"\n")
	return config.Agent{Kind: "command", Argv: []string{"sh", path}, Prompt: "stdin", Decode: "text"}
}

// plan is what the Planner answers: n tasks, a file each.
func (p *place) plan(n int) {
	var plan doc.Plan
	for k := range n {
		plan.Tasks = append(plan.Tasks, doc.PlanTask{
			Title: fmt.Sprintf("part %d", k+1), Layer: k, Goal: "Write it.", Background: "decided", PastFailures: doc.None,
			Constraints: []string{"stay small"}, TargetFiles: []string{fmt.Sprintf("new%d.txt", k+1)}, Signatures: []string{},
		})
	}
	put(p.t, filepath.Join(p.base, "plan.json"), doc.FormatPlan(plan))
}

var put = fixture.Put

func (p *place) options() Options {
	self, err := os.Executable()
	must(p.t, err)
	o := Options{
		StateRoot: filepath.Join(p.base, "state"), Project: p.project, Window: p.window,
		Spec:    engine.Spec{Base: "head", Planner: "planner", Worker: "worker", Attended: true, Review: p.review, Config: p.config},
		Spawner: engine.Spawner{Argv: []string{self}}, Grace: 300 * time.Millisecond,
	}
	if p.server != nil {
		o.Client = client(p.t, p.server.URL, 1<<20)
	}
	return o
}

func (p *place) open() *session {
	p.t.Helper()
	return p.start(p.options())
}

func (p *place) start(o Options) *session {
	p.t.Helper()
	s, err := Open(o)
	must(p.t, err)
	p.t.Cleanup(func() { p.leave(s) })
	return &session{s, p.t}
}

// leave lets nothing of a run go on, whatever the test did.
func (p *place) leave(s *Session) {
	s.Close()
	dirs, _ := engine.Runs(filepath.Join(p.base, "state"), p.project.Name)
	for _, dir := range dirs {
		if engine.OwnerAlive(dir) {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			engine.Stop(ctx, dir, engine.StopOptions{Grace: 300 * time.Millisecond})
			cancel()
		}
	}
}

// session is a conversation that a test waits for.
type session struct {
	*Session
	t testing.TB
}

func (s *session) until(what string, wanted func(Look) bool) Look {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l, err := s.Until(ctx, wanted)
	if err != nil {
		s.t.Fatalf("it never comes to %s: %v\n%s", what, err, transcript(l.State))
	}
	return l
}

// says puts words in and waits until they are answered.
func (s *session) says(text string) Look {
	s.t.Helper()
	must(s.t, s.Say(text, ByOperator))
	return s.until("an answer", func(l Look) bool { return !l.Turn && l.Queued == 0 })
}

func (s *session) ends() Look {
	s.t.Helper()
	return s.until("the end of the run", func(l Look) bool { return l.State.Run.Ended && !l.Busy() })
}

// transcript is a conversation for a test's complaint.
func transcript(s State) string {
	var b strings.Builder
	for _, m := range s.Messages {
		line, _ := json.Marshal(m)
		b.WriteString(clip(string(line), 600) + "\n")
	}
	return b.String()
}

// bodies are the messages of one kind.
func bodies[B event.Body](l Look) (all []B) {
	for _, m := range l.State.Messages {
		if b, ok := m.Body.(B); ok {
			all = append(all, b)
		}
	}
	return all
}

type (
	answer = ollamatest.Answer
	call   = ollamatest.Call
	asked  = ollamatest.Asked
)

func client(t testing.TB, url string, window int) model.Client {
	t.Helper()
	c, err := model.New(model.Options{Kind: model.Ollama, URL: url, Model: ollamatest.Chat, NumCtx: window, Retries: []time.Duration{}})
	must(t, err)
	return c
}

// task0 is a call that drafts Task #0; changes replace its parts.
func task0(changes ...map[string]any) answer {
	args := map[string]any{
		"goal": "Sizes are written in three files.", "background": "The operator wants one file a unit.", "past_failures": "",
		"constraints": []string{"nothing else changes"}, "target_files": []string{"new1.txt", "new2.txt", "new3.txt"},
		"signatures": []string{"Parse(text string) (int, error) — size.go"},
	}
	for _, c := range changes {
		for k, v := range c {
			args[k] = v
		}
	}
	return answer{Calls: []call{{Name: toolDraft, Arguments: args}}}
}

// one is a Task #0 for a plan of one task.
func one() answer { return task0(map[string]any{"target_files": []string{"new1.txt"}}) }

func says(text string) answer { return answer{Text: text} }

func calls(name string, args map[string]any) answer {
	return answer{Calls: []call{{Name: name, Arguments: args}}}
}

func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
