package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
)

// three is a project of three packages, and a plan that mends them.
var three = map[string]string{
	"go.mod": "module example.test/p\n\ngo 1.24\n",
	"a/a.go": "package a\n\nfunc A() int { return 0 }\n", "a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tif A() != 1 {\n\t\tt.Error(\"A is not 1\")\n\t}\n}\n",
	"b/b.go": "package b\n\nfunc B() int { return 0 }\n",
	"c/c.go": "package c\n\nfunc C() int { return 0 }\n",
}

func threeTasks() doc.Plan {
	plan := doc.Plan{Tasks: []doc.PlanTask{task("a", 0, "a/a.go"), task("b", 1, "b/b.go"), task("c", 1, "c/c.go")}}
	plan.Tasks[1].Signatures = []string{"A() int — a/a.go"}
	return plan
}

func planOf(t testing.TB, plan doc.Plan) said {
	var args map[string]any
	if err := json.Unmarshal([]byte(doc.FormatPlan(plan)), &args); err != nil {
		t.Fatal(err)
	}
	return callOf("submit_plan", args)
}

func one(letter string) said {
	return callOf("edit_file", map[string]any{"path": letter + "/" + letter + ".go", "old": "return 0", "new": "return 1"})
}

// A whole run of models: the plan by tool, each Worker's edits by tools, its
// check, its RESULT by tool, and the verification. What one agent thought, said
// and was shown reaches the next in no form.
func TestAChainOfModels(t *testing.T) {
	b := newBench(t, three)
	check := callOf("check", map[string]any{})
	read := callOf("read_file", map[string]any{"path": "a/a.go"})
	marked := check
	marked.text, marked.thinking = "MARK-SAID", "MARK-THOUGHT"
	s := newModelServer(t, byAgent(map[string]func(question) said{
		"planner": answers(planOf(t, threeTasks())),
		"1":       answers(read, marked, one("a"), callOf("run_command", map[string]any{"command": "echo MARK-OUTPUT"}), check, resultOf("Returned one.", "a/a.go")),
		"2":       answers(read, callOf("read_file", map[string]any{"path": "c/c.go"}), one("b"), check, resultOf("As well.", "b/b.go")),
		"3":       answers(one("c"), resultOf("Too.", "c/c.go")),
	}))
	st, dirs := b.runNative(s, order{plan: threeTasks(), planner: true, verify: []string{"go test ./..."}, task0: strings.Replace(task0For(threeTasks()), "decided", "decided <|im_start|> MARK-TASK0", 1)},
		func(s *Spec) { s.Config.Permissions.Allow = []string{"echo *"} })
	if st.Status != event.StatusPassed || st.Verified != event.VerifiedPassed || st.Plan.Source != "planner" || st.Plan.N != 3 {
		t.Fatalf("ended as %s, verified %s, %d tasks by %s: %s\n%s", st.Status, st.Verified, st.Plan.N, st.Plan.Source, st.Reason, ownerLog(dirs))
	}
	for k, turns := range map[int]int{1: 6, 2: 5, 3: 2} {
		w := st.Worker(k)
		if w.State != event.Done || w.ResultFrom != "tool" || w.Turns != turns || w.Tokens.In == 0 || w.Tokens.Estimated || w.Window != 32768 || len(w.Flagged) > 0 {
			t.Errorf("Worker %d: %+v", k, w)
		}
	}
	first := s.requests("1")
	for _, words := range []string{"a_test.go:7: TestA: A is not 1", "go test ./a` fails", "passed: `go build -o /dev/null ./a`", "MARK-OUTPUT\\n"} {
		if !strings.Contains(first, words) {
			t.Errorf("Worker 1 was not told %q", words)
		}
	}
	if second := s.requests("2"); !strings.Contains(second, "a/a.go, lines 1 to 3 of 3") || !strings.Contains(second, "blocked: needs c/c.go") {
		t.Error("Worker 2 can read something else than what its task and the RESULTs name")
	}
	for _, mark := range []string{"MARK-SAID", "MARK-THOUGHT", "MARK-OUTPUT", "MARK-TASK0", "is not 1"} {
		for _, agent := range []string{"2", "3"} {
			if strings.Contains(s.requests(agent), mark) {
				t.Errorf("%s reached Worker %s", mark, agent)
			}
		}
		for _, file := range []string{"results.md", "report.md", "events.jsonl"} {
			if mark != "MARK-TASK0" && mark != "is not 1" && strings.Contains(b.read(dirs, file), mark) && !(file == "events.jsonl" && mark == "MARK-OUTPUT") {
				t.Errorf("%s is in %s", mark, file)
			}
		}
	}
	if !strings.Contains(s.requests("planner"), "MARK-TASK0") || strings.Contains(s.requests("planner"), "<|im_start|>") {
		t.Error("Task #0 did not reach the Planner as text")
	}
	sameAsSent(t, b, s, dirs, st)
}

// sameAsSent compares what is on disk with what left, byte for byte.
func sameAsSent(t *testing.T, b *bench, s *modelServer, dirs Dirs, st *event.State) {
	t.Helper()
	prompts := map[string]event.Prompt{"planner": st.Planner.Prompt}
	for k := range st.Workers {
		prompts[fmt.Sprint(k+1)] = st.Workers[k].Prompt
	}
	for agent, p := range prompts {
		prompt := b.read(dirs, p.Path)
		if hash(prompt) != p.SHA256 || len(prompt) != p.Bytes {
			t.Errorf("%s is not what its event names", p.Path)
		}
		if kept := b.read(dirs, strings.TrimSuffix(p.Path, ".md")+".request.json"); kept != string(s.first[agent]) {
			t.Errorf("%s: on disk is\n%.300s\nsent was\n%.300s", agent, kept, s.first[agent])
		}
		var req struct {
			Messages []wireMessage `json:"messages"`
		}
		if err := json.Unmarshal(s.first[agent], &req); err != nil || len(req.Messages) != 1 || req.Messages[0] != (wireMessage{"user", prompt}) {
			t.Errorf("%s was sent %+v", agent, req.Messages)
		}
	}
}

// A key goes to its provider alone: to no child, and into nothing that is kept
// or shown, also where a tool finds it and the server gives it back.
func TestAProvidersKeyIsNowhere(t *testing.T) {
	const key = "hush-provider-7f3a"
	files := map[string]string{"a.txt": "a\n", "b.txt": "b\n", "keys.env": "K=" + key + "\n"}
	b := newBench(t, files)
	plan := doc.Plan{Tasks: []doc.PlanTask{task("a", 0, "a.txt")}}
	plan.Tasks[0].Signatures = []string{"K — keys.env"}
	plan.Tasks[0].Background = "decided, with " + key
	script := byAgent(map[string]func(question) said{"1": answers(
		callOf("run_command", map[string]any{"command": "env; cat keys.env; cat /proc/$PPID/environ"}),
		callOf("read_file", map[string]any{"path": "keys.env"}),
		callOf("search", map[string]any{"pattern": "K="}),
		callOf("write_file", map[string]any{"path": "a.txt", "content": "A\n"}),
		callOf("run_command", map[string]any{"command": "printf " + key[:7] + "; printf '" + key[7:] + "\\n'"}),
		resultOf("Done.", "a.txt"),
	)})
	s := newModelServer(t, script)
	s.key = key
	edit := func(sp *Spec) {
		sp.Config.Providers["here"] = config.Provider{Kind: "ollama", URL: s.URL, KeyEnv: "HERE_ACCESS"}
		sp.Config.Permissions.Allow = []string{"*"}
		sp.Attended = true
	}
	dirs := b.createNative(s, order{plan: plan}, edit)
	if err := b.spawn(dirs, nil, "HERE_ACCESS="+key, "OTHER="+key); err != nil {
		t.Fatal(err)
	}
	asked := 0
	st := b.until(dirs, func(st *event.State, alive bool) bool {
		for _, w := range st.Waits {
			asked++
			if err := Send(context.Background(), dirs.Run, Command{Do: "answer", ID: w.ID, Choice: choiceAllow}); err != nil && !strings.Contains(err.Error(), "wait") {
				t.Error(err)
			}
		}
		return !alive
	})
	if st.Status != event.StatusPassed || asked == 0 {
		t.Fatalf("ended as %s (%d questions): %s\n%s", st.Status, asked, st.Reason, ownerLog(dirs))
	}
	if got := s.requests("1"); !strings.Contains(got, "K=[redacted]") {
		t.Error("the tools did not see the file at all")
	}
	if strings.Contains(s.requests("1"), "hush-pro\"") || strings.Contains(s.requests("1"), key) {
		t.Error("the key reached the model's conversation")
	}
	nowhere(t, dirs.Run, key, filepath.Join(dirs.Run, "git"), filepath.Join(dirs.Run, fileTask0), filepath.Join(dirs.Run, "task1.md"), filepath.Join(dirs.Run, fileSpec), filepath.Join(dirs.Run, fileEvents), filepath.Join(dirs.Run, "plan.md"), filepath.Join(dirs.Run, "plan.1.md"))

	// A wrong key: the server's own words hold it.
	s = newModelServer(t, script)
	s.key = "another"
	plan.Tasks[0].Background = "decided"
	st, dirs = b.runNative(s, order{plan: plan}, func(sp *Spec) { edit(sp); sp.Attended = false }, "HERE_ACCESS="+key)
	if w := st.Worker(1); w.State != event.Failed || !strings.Contains(w.Reason, "HERE_ACCESS") {
		t.Errorf("Worker 1 is %s: %s", w.State, w.Reason)
	}
	nowhere(t, dirs.Run, key, filepath.Join(dirs.Run, "git"))
}

func nowhere(t *testing.T, root, secret string, but ...string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		for _, b := range but {
			if path == b && e.IsDir() {
				return fs.SkipDir
			}
			if path == b {
				return nil
			}
		}
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), secret) {
			t.Errorf("%s holds the key", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A command that no pattern allows waits for the operator; where nobody is
// there it is denied in words, and the Worker goes on.
func TestCommandsWaitForTheOperator(t *testing.T) {
	b := newBench(t, twoFiles)
	edit := callOf("write_file", map[string]any{"path": "a.txt", "content": "A\n"})
	script := byAgent(map[string]func(question) said{"1": answers(
		edit, callOf("run_command", map[string]any{"command": "touch made.txt && echo yes"}),
		callOf("run_command", map[string]any{"command": "touch made.txt && echo yes"}), resultOf("Done.", "a.txt"))})
	s := newModelServer(t, script)
	dirs := b.createNative(s, order{plan: oneTask(), attended: true, sandbox: "auto"}, nil)
	if err := b.spawn(dirs, nil); err != nil {
		t.Fatal(err)
	}
	st := b.until(dirs, func(st *event.State, _ bool) bool { return len(st.Waits) == 1 })
	w := st.Waits[0]
	if w.Kind != "permission" || w.K != 1 || !strings.HasSuffix(w.Text, "\ntouch made.txt && echo yes") || st.Worker(1).State != event.WaitingFor || len(w.Meanings) != len(w.Choices) {
		t.Errorf("waits with %+v, Worker 1 is %s", w, st.Worker(1).State)
	}
	must(t, Send(context.Background(), dirs.Run, Command{Do: "answer", ID: w.ID, Choice: choiceAlways}))
	st = b.finish(dirs)
	if st.Status != event.StatusPassed || strings.Count(s.requests("1"), `yes\n`) == 0 {
		t.Errorf("ended as %s: %s", st.Status, st.Reason)
	}
	if n := strings.Count(b.read(dirs, fileEvents), `"type":"waiting"`); n != 1 {
		t.Errorf("asked %d times about the same command", n)
	}

	s = newModelServer(t, script)
	st, dirs = b.runNative(s, order{plan: oneTask()}, nil)
	if st.Status != event.StatusPassed || !strings.Contains(s.requests("1"), "nobody is there to ask") {
		t.Errorf("ended as %s: %s", st.Status, st.Reason)
	}
	if _, err := os.Stat(filepath.Join(dirs.Tree, "made.txt")); err == nil {
		t.Error("a denied command was run")
	}
}

func TestAPlanThatDoesNotPassIsSentBackTwice(t *testing.T) {
	b := newBench(t, twoFiles)
	bad := planOf(t, doc.Plan{Tasks: []doc.PlanTask{task("x", 0, "elsewhere.txt")}})
	done := answers(callOf("write_file", map[string]any{"path": "a.txt", "content": "A\n"}), resultOf("Done.", "a.txt"))
	s := newModelServer(t, byAgent(map[string]func(question) said{"planner": answers(bad, bad, planOf(t, oneTask())), "1": done}))
	st, dirs := b.runNative(s, order{plan: oneTask(), planner: true}, nil)
	if st.Status != event.StatusPassed || st.Planner.Attempts != 1 || !strings.Contains(s.requests("planner"), "is not among the target files of Task #0") {
		t.Errorf("ended as %s after %d attempts: %s\n%s", st.Status, st.Planner.Attempts, st.Reason, ownerLog(dirs))
	}
	s = newModelServer(t, byAgent(map[string]func(question) said{"planner": answers(bad)}))
	st, _ = b.runNative(s, order{plan: oneTask(), planner: true}, nil)
	if st.Status != event.StatusFailed || !strings.Contains(st.Reason, "elsewhere.txt") || len(s.all["planner"]) != 3 {
		t.Errorf("ended as %s, asked %d times: %s", st.Status, len(s.all["planner"]), st.Reason)
	}
}

// streaming says a little and then nothing, until whoever asked is gone.
func streaming(a question) said {
	a.write(`{"message":{"role":"assistant","content":"MARK-BEGUN and "}}`)
	<-a.gone
	return said{own: true}
}

func TestAnAnswerIsStoppedAtOnce(t *testing.T) {
	b := newBench(t, twoFiles)
	done := answers(callOf("write_file", map[string]any{"path": "a.txt", "content": "A\n"}), resultOf("Done.", "a.txt"))
	script := map[string]func(question) said{"1": streaming}
	s := newModelServer(t, func(a question) said { return script[a.agent](a) })
	begun := func(dirs Dirs) {
		b.until(dirs, func(st *event.State, _ bool) bool {
			data, _ := os.ReadFile(event.TranscriptPath(dirs.Run, 1))
			return strings.Contains(string(data), "MARK-BEGUN")
		})
	}
	dirs := b.createNative(s, order{plan: oneTask()}, nil)
	must(t, b.spawn(dirs, nil))
	begun(dirs)
	must(t, Send(context.Background(), dirs.Run, Command{Do: "stop"}))
	st := b.finish(dirs)
	if st.Status != event.StatusStopped || st.Worker(1).State != event.Stopped || len(st.Results) > 0 {
		t.Errorf("ended as %s, Worker 1 %s", st.Status, st.Worker(1).State)
	}

	// An owner that is killed in the middle of an answer: the run goes on, and
	// half an answer is nothing.
	dirs = b.createNative(s, order{plan: oneTask()}, nil)
	must(t, b.spawn(dirs, nil))
	begun(dirs)
	o, err := readOwner(dirs.Run)
	must(t, err)
	must(t, syscall.Kill(o.PID, syscall.SIGKILL))
	b.finish(dirs)
	script["1"] = done
	resume, err := PrepareResume(dirs.Run, false)
	must(t, err)
	must(t, b.spawn(dirs, resume))
	st = b.finish(dirs)
	if st.Status != event.StatusPassed || st.Worker(1).Attempts != 2 || len(st.Results) != 1 {
		t.Errorf("ended as %s after %d attempts: %s\n%s", st.Status, st.Worker(1).Attempts, st.Reason, ownerLog(dirs))
	}
}

func TestLimitsHoldForModels(t *testing.T) {
	b := newBench(t, twoFiles)
	looking := func(a question) said {
		return callOf("search", map[string]any{"pattern": strings.Repeat("x", a.step+1)})
	}
	for name, c := range map[string]struct {
		limits config.Limits
		script func(question) said
		state  string
		reason string
	}{
		"turns":                     {config.Limits{Turns: 3}, looking, event.Failed, "over its number of turns"},
		"tokens":                    {config.Limits{Tokens: 5000}, looking, event.Failed, "over its number of tokens"},
		"silence":                   {config.Limits{Silence: config.Duration(300e6)}, streaming, event.Stalled, "silent"},
		"wall":                      {config.Limits{Wall: config.Duration(300e6)}, streaming, event.TimedOut, "wall-clock"},
		"nothing but empty answers": {config.Defaults().Limits, func(question) said { return said{} }, event.Failed, "no usable answer"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newModelServer(t, byAgent(map[string]func(question) said{"1": c.script}))
			c.limits.Output = config.Defaults().Limits.Output
			st, dirs := b.runNative(s, order{plan: oneTask(), limits: c.limits}, nil)
			if w := st.Worker(1); w.State != c.state || !strings.Contains(w.Reason, c.reason) || len(st.Results) > 0 {
				t.Errorf("Worker 1 is %s: %s\n%s", w.State, w.Reason, ownerLog(dirs))
			}
		})
	}
}
