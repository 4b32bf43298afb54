package engine

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
)

// program is a command agent that is a shell script beside the configuration.
func program(t *testing.T, lines string) config.Agent {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "agent.sh"), []byte(lines), 0o644))
	return config.Agent{Kind: "command", Argv: []string{"sh", "agent.sh"}, Decode: "text", Dir: dir}
}

// createFor makes a run whose every role is the agent a.
func (b *bench) createFor(a config.Agent, o order) Dirs {
	b.t.Helper()
	o.script = map[string]any{}
	dirs := b.create(o)
	spec, err := LoadSpec(dirs.Run)
	if err != nil {
		b.t.Fatal(err)
	}
	spec.Config.Agents = map[string]config.Agent{"mine": a}
	spec.Planner, spec.Worker = "mine", "mine"
	if err := saveSpec(dirs.Run, spec); err != nil {
		b.t.Fatal(err)
	}
	return dirs
}

func (b *bench) runFor(a config.Agent, o order, env ...string) (*event.State, Dirs) {
	b.t.Helper()
	dirs := b.createFor(a, o)
	if err := b.spawn(dirs, nil, env...); err != nil {
		b.t.Fatalf("%v\n%s", err, ownerLog(dirs))
	}
	return b.finish(dirs), dirs
}

func oneTask() doc.Plan { return doc.Plan{Tasks: []doc.PlanTask{task("a", 0, "a.txt")}} }

// say is a shell line that prints a RESULT.
const say = `printf '# RESULT #%s (by Worker %s)\n\n## Files\n- modified: %s\n\n## Signatures\n- none\n\n## Breaking\n- none\n\n## Summary\n%s\n' `

func TestShellScriptDoesTheWork(t *testing.T) {
	b := newBench(t, twoFiles)
	a := program(t, `prompt=$(cat)
case $prompt in
"You are Worker 1 "*) echo ONE > a.txt; `+say+`1 1 a.txt First.;;
"You are Worker 2 "*) echo "$prompt" | grep -q First. && echo TWO > b.txt; `+say+`2 2 b.txt Second.;;
esac`)
	s, dirs := b.runFor(a, order{plan: twoTasks(), verify: []string{"grep -q ONE a.txt && grep -q TWO b.txt"}})
	if s.Status != event.StatusPassed || s.Verified != event.VerifiedPassed {
		t.Fatalf("ended as %s, verified %s: %s\n%s", s.Status, s.Verified, s.Reason, ownerLog(dirs))
	}
	if r := readResult(t, dirs, 2); r.Summary != "Second." || !slices.Equal(r.Files.Modified, []string{"b.txt"}) {
		t.Errorf("RESULT #2 is %+v", r)
	}
	if s.Worker(1).Agent != "mine" || s.Worker(1).Turns != 1 {
		t.Errorf("Worker 1: %+v", s.Worker(1))
	}
}

// A program that lies in the shared temporary folder, of which a sandbox shows
// nothing else, is there all the same.
func TestAProgramInTheTemporaryFolder(t *testing.T) {
	b := newBench(t, twoFiles)
	a := program(t, "#!/bin/sh\necho ONE > a.txt; "+say+"1 1 a.txt First.\n")
	script := filepath.Join(a.Dir, a.Argv[1])
	must(t, os.Chmod(script, 0o755))
	a.Argv, a.Dir = []string{script}, ""
	if s, dirs := b.runFor(a, order{plan: oneTask(), sandbox: "auto"}); s.Status != event.StatusPassed {
		t.Errorf("ended as %s: %s\n%s", s.Status, s.Reason, ownerLog(dirs))
	}
}

func TestPlannerThatIsAProgram(t *testing.T) {
	b := newBench(t, twoFiles)
	a := program(t, `case $(cat) in
"You are the Planner"*) echo 'Here is the plan:'; echo '`+"```json"+`'; echo '`+doc.FormatPlan(oneTask())+`'; echo '`+"```"+`'; echo x > a.txt;;
*) echo ONE > a.txt; `+say+`1 1 a.txt First.;;
esac`)
	s, dirs := b.runFor(a, order{plan: oneTask(), planner: true})
	if s.Status != event.StatusPassed || s.Plan.N != 1 {
		t.Errorf("ended as %s with %d tasks: %s\n%s", s.Status, s.Plan.N, s.Reason, ownerLog(dirs))
	}
}

func TestProgramsThatDoNotEndWell(t *testing.T) {
	fence := "echo '```'; " + say + "1 1 a.txt Spoofed.; echo '```'; "
	for name, c := range map[string]struct {
		lines   string
		limits  config.Limits
		state   string
		reason  string // part of it
		summary string // of the RESULT, when there is one
	}{
		"exit code": {lines: `echo ONE > a.txt; ` + say + `1 1 a.txt Done.; echo "no key" >&2; exit 3`,
			state: event.Failed, reason: "exit code 3"},
		"nothing done, exit code 0": {lines: `cat > /dev/null; exit 0`, state: event.Failed, reason: "changed nothing"},
		"flood":                     {lines: `yes`, limits: config.Limits{Output: 1 << 20}, state: event.Failed, reason: "output limit"},
		"deaf to signals": {lines: `trap '' TERM INT HUP; while :; do sleep 1000; done`,
			limits: config.Limits{Wall: config.Duration(300 * time.Millisecond)}, state: event.TimedOut, reason: "wall-clock"},
		"silent": {lines: `sleep 1000`, limits: config.Limits{Silence: config.Duration(300 * time.Millisecond)}, state: event.Stalled, reason: "silent"},
		"a RESULT that a tool printed, and its own": {lines: `echo ONE > a.txt; ` + fence + say + `1 1 a.txt Own.`,
			state: event.Done, summary: "Own."},
		"only a RESULT that a tool printed": {lines: `echo ONE > a.txt; echo running the tool:; ` + fence + `echo that was its output`,
			state: event.Done, summary: "(observed)"},
		"a daemon left behind": {lines: `echo ONE > a.txt; setsid sleep 1000 < /dev/null > /dev/null 2>&1 & ` + say + `1 1 a.txt Own.`,
			state: event.Done, summary: "Own."},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, twoFiles)
			limits := config.Defaults().Limits
			if c.limits != (config.Limits{}) {
				limits = c.limits
			}
			s, dirs := b.runFor(program(t, c.lines), order{plan: oneTask(), limits: limits})
			w := s.Worker(1)
			if w.State != c.state || !strings.Contains(w.Reason, c.reason) {
				t.Fatalf("Worker 1 is %s: %s\n%s", w.State, w.Reason, ownerLog(dirs))
			}
			if c.summary != "" {
				if r := readResult(t, dirs, 1); !strings.HasPrefix(r.Summary, c.summary) {
					t.Errorf("its RESULT is %+v", r)
				}
			} else if len(s.Results) != 0 {
				t.Errorf("a RESULT was accepted: %+v", s.Results)
			}
			if c.state == event.Failed && c.reason == "exit code 3" && w.Partial == "" {
				t.Error("its unfinished work was not kept")
			}
			noneLeft(t, dirs)
		})
	}
}

// noneLeft fails when a process of a run is still there.
func noneLeft(t *testing.T, dirs Dirs) {
	t.Helper()
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	must(t, err)
	for _, path := range environs {
		data, err := os.ReadFile(path)
		if err != nil || !slices.Contains(strings.Split(string(data), "\x00"), marker(filepath.Base(dirs.Run))) {
			continue
		}
		stat, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "stat"))
		if _, rest, _ := strings.Cut(string(stat), ") "); !strings.HasPrefix(rest, "Z") && rest != "" {
			t.Errorf("left behind: %s", stat)
		}
	}
}

// A secret of ours reaches the agent that names it, and no file of the run.
func TestSecretsStayOutOfRuns(t *testing.T) {
	b := newBench(t, twoFiles)
	a := program(t, `env | grep -v NAMED > a.txt; cat a.txt
test "$NAMED_API_KEY" = hush-named && echo has the named one
`+say+`1 1 a.txt Done.`)
	a.Env = []string{"NAMED_API_KEY"}
	s, dirs := b.runFor(a, order{plan: oneTask(), verify: []string{"env"}},
		"PLANTED_TOKEN=hush-planted", "ANTHROPIC_API_KEY=hush-planted", "NAMED_API_KEY=hush-named")
	if s.Status != event.StatusPassed {
		t.Fatalf("ended as %s: %s", s.Status, s.Reason)
	}
	seen := false
	for _, root := range []string{dirs.Run, dirs.Tree} {
		must(t, filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				data := string(mustRead(t, path))
				seen = seen || strings.Contains(data, "has the named one")
				if strings.Contains(data, "hush-") {
					t.Errorf("%s holds a secret", path)
				}
			}
			return err
		}))
	}
	if !seen {
		t.Error("the agent did not get the key it names")
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

// pi is the real Pi when GROWBENCH_TEST_PI says where it is (words of a
// command line), else a script that says what a real one has said.
type pi struct {
	agent config.Agent
	env   []string
	hangs chan struct{} // closed when the model has stopped in the middle
}

// piModes are what the model does.
const (
	piWorks = "works"
	piFails = "fails"
	piHangs = "hangs"
)

func newPi(t *testing.T, mode string) pi {
	t.Helper()
	p := pi{hangs: make(chan struct{})}
	words := strings.Fields(os.Getenv("GROWBENCH_TEST_PI"))
	if len(words) == 0 {
		t.Log("no real pi here (GROWBENCH_TEST_PI is not set): a recording of one is played")
		p.recorded(t, mode)
		return p
	}
	var once sync.Once
	quit := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if mode == piFails {
			http.Error(w, `{"error":{"message":"the model is on fire"}}`, http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		send := func(delta, finish string) {
			fmt.Fprintf(w, `data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"toy","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", delta, finish)
			w.(http.Flusher).Flush()
		}
		send(`{"role":"assistant","content":"I begin."}`, "null")
		if mode == piHangs {
			once.Do(func() { close(p.hangs) })
			<-quit
			return
		}
		k, file := "1", "a.txt"
		if strings.Contains(string(body), "You are Worker 2 ") {
			k, file = "2", "b.txt"
		}
		if !strings.Contains(string(body), `"role":"tool"`) {
			send(`{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"echo DONE > `+file+`\"}"}}]}`, "null")
			send(`{}`, `"tool_calls"`)
		} else {
			text := fmt.Sprintf(`# RESULT #%s (by Worker %s)\n\n## Files\n- modified: %s\n\n## Signatures\n- none\n\n## Breaking\n- none\n\n## Summary\nBy Worker %s.\n`, k, k, file, k)
			send(`{"content":"`+text+`"}`, "null")
			send(`{}`, `"stop"`)
		}
		io.WriteString(w, `data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"toy","choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":50,"total_tokens":1050,"prompt_tokens_details":{"cached_tokens":600}}}`+"\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(func() { close(quit); server.CloseClientConnections(); server.Close() })
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "models.json"), []byte(`{"providers":{"lab":{"baseUrl":"`+server.URL+`/v1","api":"openai-completions",
		"apiKey":"x","models":[{"id":"toy","contextWindow":32000,"maxTokens":2000,"cost":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":0}}]}}}`), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "settings.json"), []byte(`{"retry":{"enabled":false}}`), 0o600))
	p.agent = config.Agent{Kind: "command", Preset: "pi", Argv: append(words, "--model", "lab/toy", "--offline")}
	p.env = []string{"PI_CODING_AGENT_DIR=" + dir}
	return p
}

// recorded says what a Pi of 1.6.0 says, and does what its one tool call does.
func (p *pi) recorded(t *testing.T, mode string) {
	head := `printf '%s\n' '{"type":"session","version":3}' '{"type":"agent_start"}' '{"type":"turn_start"}' '{"type":"message_start","message":{"role":"assistant","content":[],"stopReason":"pending"}}' '{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"I begin."}}'
`
	usage := `"usage":{"input":400,"output":50,"cacheRead":600,"cacheWrite":0,"totalTokens":1050,"cost":{"total":0.00213}}`
	lines := map[string]string{
		piWorks: `case $(cat) in "You are Worker 1 "*) k=1 f=a.txt;; *) k=2 f=b.txt;; esac
` + head + `printf '%s\n' '{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"I begin."}],` + usage + `,"stopReason":"toolUse"}}'
printf '{"type":"tool_execution_start","toolCallId":"c1","toolName":"bash","args":{"command":"echo DONE > %s"}}\n' $f
echo DONE > $f
printf '%s\n' '{"type":"tool_execution_end","toolCallId":"c1","toolName":"bash","result":{"content":[{"type":"text","text":"(no output)"}]},"isError":false,"durationMs":5}' '{"type":"turn_start"}'
printf '{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"# RESULT #%s (by Worker %s)\\n\\n## Files\\n- modified: %s\\n\\n## Signatures\\n- none\\n\\n## Breaking\\n- none\\n\\n## Summary\\nBy Worker %s.\\n"}],` + usage + `,"stopReason":"stop"}}\n' $k $k $f $k
echo '{"type":"agent_settled","aborted":false}'`,
		piFails: head + `printf '%s\n' '{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"500 the model is on fire"}}' '{"type":"agent_settled","aborted":false}'`,
		piHangs: `trap '' TERM
` + head + `sleep 1000`,
	}
	p.agent = program(t, lines[mode])
	p.agent.Decode = "pi"
	close(p.hangs)
}

func TestPiWorksThroughAChain(t *testing.T) {
	b, p := newBench(t, twoFiles), newPi(t, piWorks)
	s, dirs := b.runFor(p.agent, order{plan: twoTasks(), verify: []string{"grep -q DONE a.txt && grep -q DONE b.txt"}}, p.env...)
	if s.Status != event.StatusPassed || s.Verified != event.VerifiedPassed {
		t.Fatalf("ended as %s, verified %s: %s\n%s", s.Status, s.Verified, s.Reason, ownerLog(dirs))
	}
	for k := 1; k <= 2; k++ {
		w := s.Worker(k)
		if w.Turns != 2 || w.Tokens.In != 2000 || w.Tokens.Out != 100 || w.Tokens.Cached != 1200 || w.Cost < 0.004 {
			t.Errorf("Worker %d: %d turns, %+v", k, w.Turns, w.Tokens)
		}
		if r := readResult(t, dirs, k); r.Summary != fmt.Sprintf("By Worker %d.", k) {
			t.Errorf("RESULT #%d: %+v", k, r)
		}
		items, err := event.ReadTranscript(dirs.Run, k).Next(1000)
		must(t, err)
		if !slices.ContainsFunc(items, func(it event.Item) bool {
			return it.Kind == event.ItemReturn && it.Name == "bash" && strings.Contains(it.Args, "echo DONE")
		}) {
			t.Errorf("Worker %d's transcript: %+v", k, items)
		}
	}
	noneLeft(t, dirs)
}

func TestPiWithAFailingModelIsAFailedWorker(t *testing.T) {
	b, p := newBench(t, twoFiles), newPi(t, piFails)
	s, dirs := b.runFor(p.agent, order{plan: twoTasks()}, p.env...)
	if w := s.Worker(1); w.State != event.Failed || !strings.Contains(w.Reason, "500") || s.Worker(2).State != event.Pending {
		t.Errorf("Worker 1 is %s: %s\n%s", w.State, w.Reason, ownerLog(dirs))
	}
}

func TestPiStoppedInTheMiddleLeavesNothing(t *testing.T) {
	b, p := newBench(t, twoFiles), newPi(t, piHangs)
	dirs := b.createFor(p.agent, order{plan: twoTasks()})
	must(t, b.spawn(dirs, nil, p.env...))
	<-p.hangs
	b.until(dirs, func(s *event.State, alive bool) bool { return s.Worker(1) != nil && s.Worker(1).Turns > 0 || !alive })
	must(t, Send(context.Background(), dirs.Run, Command{Do: "stop"}))
	s := b.finish(dirs)
	if s.Status != event.StatusStopped || s.Worker(1).State != event.Stopped {
		t.Errorf("ended as %s, Worker 1 %s: %s", s.Status, s.Worker(1).State, ownerLog(dirs))
	}
	noneLeft(t, dirs)
}
