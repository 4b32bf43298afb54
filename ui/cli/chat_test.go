package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/testdata/ollama/ollamatest"
)

// talks gives the user a Giver on a scripted model server, and agents that are
// shell scripts.
func (p *place) talks(answers ...ollamatest.Answer) *ollamatest.Scripted {
	p.t.Helper()
	server := ollamatest.NewScripted(p.t)
	server.Will(answers...)
	dir := filepath.Join(p.base, "config", "growbench")
	plan := doc.Plan{}
	for k, file := range []string{"new1.txt", "new2.txt", "new3.txt"} {
		plan.Tasks = append(plan.Tasks, task("part", k, file))
	}
	put(p.t, filepath.Join(dir, "plan.sh"), "cat > /dev/null\ncat <<'END'\n"+doc.FormatPlan(plan)+"\nEND\n")
	put(p.t, filepath.Join(dir, "work.sh"), `prompt=$(cat)
k=$(printf '%s\n' "$prompt" | sed -n 's/^# Task #\([0-9]*\).*/\1/p' | head -1)
f=$(printf '%s\n' "$prompt" | sed -n '/^### Target Files/{n;p;q}')
echo "by $k" > "$f"
printf '# RESULT #%s (by Worker %s)\n\n## Files\n- created: %s\n\n## Signatures\n- none\n\n## Breaking\n- none\n\n## Summary\nWrote %s.\n' "$k" "$k" "$f" "$f"
`)
	command := func(script string) map[string]any {
		return map[string]any{"kind": "command", "argv": []string{"sh", script}, "prompt": "stdin", "decode": "text"}
	}
	putJSON(p.t, filepath.Join(dir, "config.json"), map[string]any{
		"providers": map[string]any{"here": map[string]any{"kind": "ollama", "url": server.URL, "num_ctx": 1 << 20}},
		"agents": map[string]any{
			"model": map[string]any{"kind": "native", "provider": "here", "model": ollamatest.Chat}, "planner": command("plan.sh"), "worker": command("work.sh"),
		},
		"roles": map[string]any{"giver": "model", "planner": "planner", "worker": "worker"},
	})
	return server
}

// drafts is a call that drafts Task #0.
func drafts(background string) ollamatest.Answer {
	return ollamatest.Answer{Calls: []ollamatest.Call{{Name: "draft_task0", Arguments: map[string]any{
		"goal": "Sizes are written in three files.", "background": background, "constraints": []string{"nothing else changes"},
		"target_files": []string{"new1.txt", "new2.txt", "new3.txt"}, "signatures": []string{},
	}}}}
}

func answers(text string) ollamatest.Answer { return ollamatest.Answer{Text: text} }

// chatted are the lines a conversation printed, by type.
func (s said) chatted() map[string][]map[string]any {
	s.t.Helper()
	all := map[string][]map[string]any{}
	for line := range strings.Lines(s.out) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			s.t.Fatalf("%q: %v", line, err)
		}
		kind, _ := e["type"].(string)
		all[kind] = append(all[kind], e)
	}
	return all
}

// A request becomes Task #0, is sent back once, approved by a line, planned,
// approved again, done by three Workers, and reported.
func TestChatFromARequestToAReport(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.talks(drafts("Check it with `go test ./...`."), drafts("One file a unit."), answers("It waits for you."), answers("All three are written."))
	got := p.feed("Write sizes into three files\n"+`{"approve":"draft"}`+"\n"+`{"approve":"plan"}`+"\n", "chat", "--headless").ends(exitOK)
	all := got.chatted()
	drafted := all["draft"]
	if len(drafted) != 2 || drafted[0]["ok"] != false || drafted[1]["ok"] != true {
		t.Errorf("drafts %v", drafted)
	}
	if v, _ := drafted[1]["isolation"].(float64); len(drafted) == 2 && drafted[1]["bytes"] == nil || v < 0 {
		t.Errorf("%v", drafted[1])
	}
	kinds := []string{}
	for _, w := range all["waiting"] {
		kinds = append(kinds, w["kind"].(string))
		if w["id"] == "" || w["text"] == "" || len(w["choices"].([]any)) < 2 {
			t.Errorf("%v", w)
		}
	}
	if strings.Join(kinds, " ") != "draft review" {
		t.Errorf("waited for %v", kinds)
	}
	runs := all["run"]
	last := runs[len(runs)-1]
	if last["status"] != "passed" || last["n"] != 3.0 || last["done"] != 3.0 || last["g_p"] == nil {
		t.Errorf("the run's last line is %v", last)
	}
	messages := all["message.done"]
	if end := messages[len(messages)-1]; end["role"] != "giver" || end["text"] != "All three are written." {
		t.Errorf("the last message is %v", end)
	}
	said := ""
	for _, d := range all["message.delta"] {
		text, _ := d["text"].(string)
		said += text
	}
	if said != "It waits for you.All three are written." {
		t.Errorf("streamed %q", said)
	}
	if len(all["tool"]) != 2 || all["tool"][0]["error"] == nil || all["tool"][1]["error"] != nil {
		t.Errorf("tools %v", all["tool"])
	}
	if _, err := os.Stat(filepath.Join(p.repo, "new1.txt")); err == nil {
		t.Error("the user's own tree was changed")
	}
	if p.git(p.repo, "show", "giver/task/sizes-written-three-files:new3.txt") != "by 3" {
		t.Error("the branch lacks the work")
	}
}

// A conversation goes on where it was; a run that failed is no news later.
func TestChatGoesOn(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	server := p.talks(answers("What sizes?"), drafts("One file a unit."), answers("Look."), answers("The Workers failed."), answers("I would look first."))
	p.do("chat", "--headless", "Write sizes").ends(exitOK)
	p.feed("Any\n", "chat", "--headless").ends(exitOK)
	if body := server.Last().Body; !strings.Contains(body, "What sizes?") {
		t.Errorf("the model is not told what was said before:\n%s", body)
	}
	put(t, filepath.Join(p.base, "config", "growbench", "work.sh"), "exit 3\n")
	got := p.feed(`{"approve":"draft"}`+"\n", "chat", "--headless", "--no-review").ends(exitProblems)
	runs := got.chatted()["run"]
	if runs[len(runs)-1]["status"] != "failed" {
		t.Errorf("%v", runs)
	}
	p.feed("And now?\n", "chat", "--headless").ends(exitOK)
	if body := server.Last().Body; !strings.Contains(body, "failed") {
		t.Errorf("the model is not told of the failure:\n%s", body)
	}
	if n := len(p.runDirs()); n != 1 {
		t.Errorf("%d runs", n)
	}
}

func TestChatLinesThatCannotBe(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.talks()
	for _, line := range []string{
		`{"approve":"draft"}`, `{"deny":"draft-0","why":"x"}`, `{"answer":"x","choice":"y"}`, `{"say":"a","stop":true}`, `{}`, `{"shout":"x"}`, `{"say":`, `{"draft":""}`, `{"loop":"faster"}`, `{"loop":"now","say":"a"}`,
	} {
		got := p.feed(line+"\n", "chat", "--headless")
		if got.code != exitUsage || got.err == "" || got.out != "" {
			t.Errorf("%s ended with %d\n%s", line, got.code, got.all())
		}
	}
	p.feed("", "chat", "--headless").ends(exitOK)
	p.feed(`{"stop":true}`+"\n", "chat", "--headless").ends(exitOK)
}

// Without a model the user writes Task #0 and the plan; text has nobody to
// answer it.
func TestChatWithoutAModel(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	p.feed("hello\n", "chat", "--headless").ends(exitEnvironment, "no model")
	brief := doc.FormatTask(doc.Task{Goal: "Make both letters large.", Background: "decided", PastFailures: doc.None, Constraints: []string{"nothing else"}, TargetFiles: []string{"a.txt", "b.txt"}})
	plan := doc.FormatPlan(doc.Plan{Tasks: []doc.PlanTask{task("first", 0, "a.txt"), task("second", 1, "b.txt")}})
	var lines strings.Builder
	for _, l := range []map[string]any{{"draft": brief}, {"approve": "draft", "plan": plan}} {
		data, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(data, '\n'))
	}
	got := p.feed(lines.String(), "chat", "--headless").ends(exitOK)
	runs := got.chatted()["run"]
	if last := runs[len(runs)-1]; last["status"] != "passed" || last["done"] != 2.0 {
		t.Errorf("%v", last)
	}
}

// One process has the conversation; another only follows it.
func TestChatIsFollowedByASecondProcess(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.talks(ollamatest.Answer{Text: "I think about it", Hold: true})
	first := p.startCommand(p.command("chat", "--headless", "Write sizes"))
	first.prints("I think")
	second := p.start("chat", "--headless")
	second.says("read only")
	second.prints("Write sizes")
	p.do("chat", "--headless", "me too").ends(exitEnvironment, "another growbench")
	first.signal(os.Interrupt)
	first.says("Stopped")
	if got := first.wait(); got.code != exitOK && got.code != exitProblems {
		t.Errorf("ended with %d\n%s", got.code, got.all())
	}
	second.wait().ends(exitOK, "I think about it")
}

func FuzzChatLine(f *testing.F) {
	for _, line := range []string{"hi", `{"say":"x"}`, `{"approve":"draft","plan":"p"}`, `{"stop":true}`, `{"loop":"now"}`, `{"scope":["a"]}`, `{`, `{"say":"a"}{"say":"b"}`} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		l, err := parseChatLine(line)
		if err == nil && l.Say == nil && l.Draft == nil && l.Approve == nil && l.Deny == nil && l.Answer == nil && l.Loop == nil && l.Scope == nil && !l.Stop {
			t.Errorf("%q does nothing", line)
		}
	})
}
