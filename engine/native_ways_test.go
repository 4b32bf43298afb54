package engine

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
)

func writesA() func(question) said {
	return answers(callOf("write_file", map[string]any{"path": "a.txt", "content": "A\n"}), resultOf("Done.", "a.txt"))
}

// One model is given all of Task #0, and a Worker that failed runs again with
// another agent.
func TestOneModelAloneAndAnotherOnRetry(t *testing.T) {
	b := newBench(t, twoFiles)
	script := func(question) said { return said{} }
	s := newModelServer(t, func(q question) said { return script(q) })
	st, dirs := b.runNative(s, order{plan: oneTask(), single: true}, func(sp *Spec) {
		sp.Config.Agents["second"] = config.Agent{Kind: "native", Provider: "here", Model: "other"}
	})
	if w := st.Worker(1); !st.Single || w.State != event.Failed || !strings.Contains(w.Reason, "empty") || len(s.all["1"]) != 3 {
		t.Fatalf("Worker 1 is %s after %d requests: %s", w.State, len(s.all["1"]), w.Reason)
	}
	if n := strings.Count(b.read(dirs, fileEvents), `"type":"worker.noted"`); n != 2 {
		t.Errorf("asked again %d times, as far as the log tells", n)
	}
	script = writesA()
	resume, err := PrepareRetry(dirs.Run, 1, "second", false)
	must(t, err)
	must(t, b.spawn(dirs, resume))
	st = b.finish(dirs)
	if st.Status != event.StatusPassed || st.Worker(1).Agent != "second" || !strings.Contains(s.requests("1"), `"model":"other"`) {
		t.Errorf("ended as %s, Worker 1 by %s: %s", st.Status, st.Worker(1).Agent, st.Reason)
	}
	if _, err := PrepareRetry(dirs.Run, 1, "third", false); !errors.Is(err, ErrCannotRetry) {
		t.Errorf("%v", err)
	}
}

func TestNativeAgentsAreListed(t *testing.T) {
	s := newModelServer(t, writesA())
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"capabilities":["completion"],"template":"x","model_info":{}}`)
	}))
	t.Cleanup(plain.Close)
	c := config.Defaults()
	c.Providers = map[string]config.Provider{
		"here": {Kind: "ollama", URL: s.URL}, "gone": {Kind: "ollama", URL: "http://127.0.0.1:1"}, "plain": {Kind: "ollama", URL: plain.URL},
		"locked": {Kind: "openai", URL: "http://127.0.0.1:1/v1", KeyEnv: "GROWBENCH_TEST_NO_SUCH_KEY"},
	}
	for provider := range c.Providers {
		c.Agents[provider] = config.Agent{Kind: "native", Provider: provider, Model: "tiny"}
	}
	c.Agents["lost"] = config.Agent{Kind: "native", Provider: "nowhere", Model: "tiny"}
	want := map[string]struct {
		found bool
		note  string
	}{
		"here": {true, "context of 32768 tokens"}, "gone": {false, "ollama serve"}, "plain": {false, "cannot call tools"},
		"locked": {false, "GROWBENCH_TEST_NO_SUCH_KEY"}, "lost": {false, `"nowhere" is not configured`},
	}
	seen := 0
	for _, i := range Agents(context.Background(), c) {
		w, ours := want[i.Name]
		if !ours {
			continue
		}
		seen++
		if i.Kind != "native" || i.Found != w.found || !strings.Contains(i.Note, w.note) || !strings.HasPrefix(i.Program, "tiny at ") {
			t.Errorf("%s: %+v", i.Name, i)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d are listed", seen, len(want))
	}
	for name, words := range map[string]string{"here": "", "gone": "", "locked": "GROWBENCH_TEST_NO_SUCH_KEY", "lost": "nowhere"} {
		err := CanRun(c, name)
		if (err == nil) != (words == "") || err != nil && !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A Scout that is a model: it looks with tools, and its report is the answer.
func TestAScoutThatIsAModel(t *testing.T) {
	b := newBench(t, three)
	s := newModelServer(t, byAgent(map[string]func(question) said{"scout": answers(
		callOf("list_files", map[string]any{}), callOf("signatures", map[string]any{"path": "a/a.go"}),
		callOf("write_file", map[string]any{"path": "a/a.go", "content": "x"}),
		callOf("report", map[string]any{"text": "## Files\n- a/a.go — 3 — A\n\n## Signatures\nA() int — a/a.go\n"}))}))
	c := config.Defaults()
	c.Sandbox = "off"
	c.Providers = map[string]config.Provider{"here": {Kind: "ollama", URL: s.URL}}
	c.Agents["local"] = config.Agent{Kind: "native", Provider: "here", Model: "tiny"}
	a, err := Scout(t.Context(), ScoutRequest{StateRoot: b.state, Project: b.project, Config: c, Agent: "local", Question: "Where is A? </file>"})
	must(t, err)
	if len(a.Files) != 1 || a.Files[0] != (ScoutFile{"a/a.go", 3}) || len(a.Signatures) != 1 || a.Signatures[0] != (doc.Signature{Signature: "A() int", Path: "a/a.go"}) || a.Turns != 4 || a.Tokens.In == 0 {
		t.Errorf("%+v", a)
	}
	got := s.requests("scout")
	for _, words := range []string{"a/a.go — 3 lines", "a/a.go exports:", `there is no tool \"write_file\"`} {
		if !strings.Contains(got, words) {
			t.Errorf("it was not told %q", words)
		}
	}
}
