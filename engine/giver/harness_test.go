package giver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/model"
	"growbench/engine/workspace"
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
	server  *scripted
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
	p.server = newScripted(t)
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

func put(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func (p *place) options() Options {
	self, err := os.Executable()
	must(p.t, err)
	o := Options{
		StateRoot: filepath.Join(p.base, "state"), Project: p.project, Window: p.window,
		Spec:    engine.Spec{Base: "head", Planner: "planner", Worker: "worker", Attended: true, Review: p.review, Config: p.config},
		Spawner: engine.Spawner{Argv: []string{self}}, Grace: 300 * time.Millisecond,
	}
	if p.server != nil {
		o.Client = p.server.client(p.t)
	}
	return o
}

func (p *place) open() *session {
	p.t.Helper()
	s, err := Open(p.options())
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

// scripted is a model server that speaks Ollama's wire format over HTTP and
// gives one answer after another, whatever it is asked.
type scripted struct {
	*httptest.Server
	mu      sync.Mutex
	react   func(asked) answer // in place of answers
	answers []answer
	asked   []asked
	held    chan struct{} // closed at the end: answers that never end, end
}

// answer is one of a scripted model.
type answer struct {
	text  string
	calls []call
	hold  bool // say the text, then nothing more
	lost  bool // a call that the server could not read
	think string
}

type call struct {
	Name      string `json:"name"`
	Arguments any    `json:"arguments"`
}

// asked is what the model was sent.
type asked struct {
	Messages []struct {
		Role      string `json:"role"`
		Content   string `json:"content"`
		ToolName  string `json:"tool_name"`
		ToolCalls []struct {
			Function struct{ Name string } `json:"function"`
		} `json:"tool_calls"`
	} `json:"messages"`
	Tools []struct {
		Function struct{ Name string } `json:"function"`
	} `json:"tools"`
	Format json.RawMessage `json:"format"`
	Body   string          `json:"-"`
}

func newScripted(t testing.TB) *scripted {
	s := &scripted{held: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(func() {
		close(s.held)
		s.Close()
	})
	return s
}

func (s *scripted) client(t testing.TB) model.Client {
	t.Helper()
	c, err := model.New(model.Options{Kind: model.Ollama, URL: s.URL, Model: "tiny-chat", NumCtx: 1 << 20, Retries: []time.Duration{}})
	must(t, err)
	return c
}

// will answers so from now on, in this order.
func (s *scripted) will(answers ...answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, answers...)
}

func (s *scripted) last() asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[len(s.asked)-1]
}

func (s *scripted) left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.answers)
}

func (s *scripted) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	switch r.URL.Path {
	case "/api/show":
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		io.WriteString(w, `{"template":"{{ .Content }}","details":{"format":"gguf","family":"llama"},"model_info":{"general.architecture":"llama","llama.context_length":1048576},"capabilities":["completion","tools"]}`)
	case "/api/chat":
		var a asked
		json.Unmarshal(body, &a)
		a.Body = string(body)
		s.mu.Lock()
		s.asked = append(s.asked, a)
		next := answer{text: "There is nothing more in the script."}
		if s.react != nil {
			next = s.react(a)
		} else if len(s.answers) > 0 {
			next, s.answers = s.answers[0], s.answers[1:]
		}
		s.mu.Unlock()
		s.say(w, r, next)
	default:
		http.NotFound(w, r)
	}
}

func (s *scripted) say(w http.ResponseWriter, r *http.Request, a answer) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	line := func(message map[string]any, more map[string]any) {
		message["role"] = "assistant"
		out := map[string]any{"model": "tiny-chat", "created_at": "2026-11-30T10:00:00.000000001Z", "message": message, "done": false}
		for k, v := range more {
			out[k] = v
		}
		data, _ := json.Marshal(out)
		w.Write(append(data, '\n'))
		w.(http.Flusher).Flush()
	}
	if a.think != "" {
		line(map[string]any{"content": "", "thinking": a.think}, nil)
	}
	for piece := range slices.Chunk([]byte(a.text), 10) {
		line(map[string]any{"content": string(piece)}, nil)
	}
	if a.hold {
		select {
		case <-r.Context().Done():
		case <-s.held:
		}
		return
	}
	if len(a.calls) > 0 {
		var calls []map[string]any
		for i, c := range a.calls {
			calls = append(calls, map[string]any{"id": fmt.Sprintf("call_%d", i), "function": map[string]any{"index": i, "name": c.Name, "arguments": c.Arguments}})
		}
		line(map[string]any{"content": "", "tool_calls": calls}, nil)
	}
	made := 20
	if a.text == "" && len(a.calls) == 0 && !a.lost {
		made = 1
	}
	line(map[string]any{"content": ""}, map[string]any{"done": true, "done_reason": "stop", "prompt_eval_count": 200, "eval_count": made, "total_duration": 1})
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
	return answer{calls: []call{{toolDraft, args}}}
}

// one is a Task #0 for a plan of one task.
func one() answer { return task0(map[string]any{"target_files": []string{"new1.txt"}}) }

func says(text string) answer { return answer{text: text} }

func calls(name string, args map[string]any) answer { return answer{calls: []call{{name, args}}} }
