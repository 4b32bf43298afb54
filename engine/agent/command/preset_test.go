package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// recordTo, when set, makes the tests below write what a real agent prints
// over the recorded streams in testdata.
const recordTo = "GROWBENCH_TEST_RECORD"

// made is a whole piece of work: it thinks, looks, fails at something, hands in.
var made = []reply{
	{Think: "Let me think.", Text: "I will look.", Shell: "echo hello > made.txt; cat a.txt; printf 'tool says usage limit reached'"},
	{Text: "Second.", Shell: "cat missing.txt"},
	{
		Text:       "# RESULT #1 (by Worker 1)\n\n## Files\n- created: made.txt\n\n## Signatures\n- none\n\n## Breaking\n- none\n\n## Summary\nMade it.\n",
		Structured: `{"status":"done","files":{"created":["made.txt"],"modified":[],"deleted":[]},"signatures":[],"breaking":[],"summary":"Made it.","needs":[]}`,
	},
}

// real tells where the real agent of a preset is, as words of a command line.
func real(name string) []string {
	return strings.Fields(os.Getenv("GROWBENCH_TEST_" + strings.ToUpper(name)))
}

// home makes a preset's configuration that points it at the model, and gives
// the environment and further words it needs.
func home(t testing.TB, name, url string) (env, words []string) {
	t.Helper()
	dir := t.TempDir()
	env = []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir + "/.config", "XDG_DATA_HOME=" + dir + "/.local/share", "XDG_CACHE_HOME=" + dir + "/.cache"}
	marks(t, dir)
	switch name {
	case "pi":
		write(t, dir+"/.pi/agent/models.json", `{"providers":{"lab":{"baseUrl":"`+url+`/v1","api":"openai-completions","apiKey":"x",
			"models":[{"id":"toy","contextWindow":32000,"maxTokens":2000,"reasoning":true,"cost":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":0}}]}}}`)
		write(t, dir+"/.pi/agent/settings.json", `{"retry":{"enabled":false}}`)
		return append(env, "PI_OFFLINE=1"), []string{"--model", "lab/toy"}
	case "claude":
		return append(env, "ANTHROPIC_BASE_URL="+url, "ANTHROPIC_API_KEY=x", "CLAUDE_CODE_MAX_RETRIES=0",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"), []string{"--model", "claude-sonnet-4-5"}
	case "codex":
		write(t, dir+"/.codex/config.toml", "model = \"toy\"\nmodel_provider = \"lab\"\n[model_providers.lab]\nname = \"lab\"\nbase_url = \""+url+
			"/v1\"\nwire_api = \"responses\"\nrequest_max_retries = 0\nstream_max_retries = 0\n")
	case "opencode":
		write(t, dir+"/.config/opencode/opencode.json", `{"provider":{"lab":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"`+url+`/v1","apiKey":"x"},
			"models":{"toy":{"limit":{"context":32000,"output":2000},"cost":{"input":3,"output":15,"cache_read":0.3}}}}},"model":"lab/toy"}`)
		env = append(env, "OPENCODE_DISABLE_MODELS_FETCH=1")
	case "gemini":
		write(t, dir+"/.gemini/settings.json", `{"security":{"auth":{"selectedType":"gemini-api-key"}},"general":{"disableAutoUpdate":true},"privacy":{"usageStatisticsEnabled":false}}`)
		env = append(env, "GOOGLE_GEMINI_BASE_URL="+url, "GEMINI_API_KEY=x", "GEMINI_MODEL=toy")
	}
	return env, nil
}

// marks puts instructions wherever agents look for a user's own.
func marks(t testing.TB, home string) {
	for _, path := range []string{".claude/CLAUDE.md", ".pi/agent/AGENTS.md", ".codex/AGENTS.md", ".gemini/GEMINI.md", ".config/opencode/AGENTS.md"} {
		write(t, filepath.Join(home, path), "MARK-OF-THE-USER\n")
	}
}

// asIs is a sandbox that is none.
func asIs(c workspace.Command) workspace.Command { return c }

// played is one run of a preset: of the real agent where there is one, else of
// what a real one of that version has printed.
type played struct {
	out   agent.Outcome
	heard *heard
	err   error
	dir   string
	model *fakeModel // nil when it was a recording
}

func play(t *testing.T, name, variant string, replies ...reply) played {
	t.Helper()
	p, _ := find(name)
	fixture := filepath.Join("testdata", p.Name+"-"+p.Version+variant+".jsonl")
	got := played{dir: project(t)}
	req := request(t, got.dir)
	o := Options{Decode: name, Wrap: asIs}
	if words := real(name); len(words) > 0 {
		got.model = newFakeModel(t, replies...)
		for _, f := range []string{"CLAUDE.md", "AGENTS.md", "GEMINI.md"} {
			write(t, filepath.Join(got.dir, f), "MARK-OF-THE-PROJECT\n")
		}
		env, extra := home(t, name, got.model.URL)
		req.Env = workspace.Environment(env...)
		o.Preset, o.Argv = name, append(append(words, wordFlags), extra...)
		if name == "pi" || name == "claude" {
			o.Argv = append(append(words, extra...), wordFlags)
		}
		if os.Getenv(recordTo) != "" {
			path, err := filepath.Abs(fixture)
			if err != nil {
				t.Fatal(err)
			}
			o.Wrap = func(c workspace.Command) workspace.Command {
				c.Argv = append([]string{"sh", "-c", `out=$1; shift; "$@" | tee "$out"`, "sh", path}, c.Argv...)
				return c
			}
			t.Cleanup(func() { scrub(t, path, got.dir) })
		}
	} else {
		t.Logf("no real %s here (GROWBENCH_TEST_%s is not set): the recording of version %s is played", name, strings.ToUpper(name), p.Version)
		path, err := filepath.Abs(fixture)
		if err != nil {
			t.Fatal(err)
		}
		o.Argv = []string{"cat", path}
		if p.schema != noSchema {
			// So that the answer is looked at as one that was asked for in a shape.
			o.Preset, o.Argv = name, []string{"sh", "-c", "cat " + path, wordFlags}
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	got.out, got.heard, got.err = run(t, ctx, o, req)
	return got
}

// scrub takes from a recording what is another's prompt or this machine's.
func scrub(t *testing.T, path, dir string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	data = bytes.ReplaceAll(data, []byte(dir), []byte("/project"))
	data = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).ReplaceAll(data, []byte("http://127.0.0.1:1"))
	var kept []byte
	for line := range bytes.Lines(data) {
		var e map[string]any
		if json.Unmarshal(line, &e) == nil && e["subtype"] == "init" {
			line = []byte(encode(object{"type": e["type"], "subtype": "init", "session_id": e["session_id"],
				"claude_code_version": e["claude_code_version"], "permissionMode": e["permissionMode"]}) + "\n")
		}
		if bytes.Contains(line, []byte(`"sections"`)) {
			if e["type"] == "agent_end" {
				e["messages"] = []any{}
			}
			if m, ok := e["message"].(map[string]any); ok {
				e["message"] = object{"role": m["role"], "content": m["content"]}
			}
			line = []byte(encode(e) + "\n")
		}
		kept = append(kept, line...)
	}
	if err := os.WriteFile(path, kept, 0o644); err != nil {
		t.Error(err)
	}
}

func agents() []string { return []string{"pi", "claude", "codex", "opencode", "gemini"} }

func TestEachAgentsWorkIsSeen(t *testing.T) {
	for _, name := range agents() {
		t.Run(name, func(t *testing.T) {
			p := play(t, name, "", made...)
			if p.err != nil {
				t.Fatalf("ended with %v\n%+v", p.err, p.heard.items)
			}
			h := p.heard
			if h.turns != 3 {
				t.Errorf("%d turns", h.turns)
			}
			if text := h.text(event.ItemText); !strings.Contains(text, "I will look.") || !strings.Contains(text, "Second.") {
				t.Errorf("it said %q", text)
			}
			if text := h.text(event.ItemThinking); name != "gemini" && !strings.Contains(text, "Let me think.") {
				t.Errorf("it thought %q", text)
			}
			calls, returns := h.of(event.ItemCall), h.of(event.ItemReturn)
			if len(calls) < 2 || len(returns) != len(calls) {
				t.Fatalf("%d calls, %d returns", len(calls), len(returns))
			}
			if !strings.Contains(calls[0].Text, "cat a.txt") || calls[0].Name == "" || calls[0].Turn != 1 || calls[1].Turn != 2 {
				t.Errorf("calls %+v", calls)
			}
			first, second := returns[0], returns[1]
			if !strings.Contains(first.Text, "one\ntool says") || first.Bytes != int64(len(first.Text)) || first.Error != "" ||
				first.Name != calls[0].Name || first.Args != calls[0].Text {
				t.Errorf("the first returned %+v", first)
			}
			// Two of them do not tell that a command failed.
			if failed := second.Error != ""; failed != (name != "opencode" && name != "gemini") || !strings.Contains(second.Text, "No such file") {
				t.Errorf("the second returned %+v", second)
			}
			if h.used.In != 3000 || h.used.Out != 150 || h.used.Cached != 1800 {
				t.Errorf("it used %+v", h.used)
			}
			if cost := h.used.Cost > 0; cost != (name == "pi" || name == "opencode" || name == "claude") {
				t.Errorf("it cost %v", h.used.Cost)
			}
			asked := name == "claude" || name == "codex"
			if asked && !strings.Contains(string(p.out.Submitted), `"summary":"Made it."`) {
				t.Errorf("it submitted %s", p.out.Submitted)
			}
			if !asked && (p.out.Submitted != nil || !strings.HasPrefix(p.out.Message, "# RESULT #1") || strings.Contains(p.out.Message, "Second")) {
				t.Errorf("its last message is %q, submitted %s", p.out.Message, p.out.Submitted)
			}
			if p.model != nil {
				if data, err := os.ReadFile(filepath.Join(p.dir, "made.txt")); err != nil || string(data) != "hello\n" {
					t.Errorf("made.txt: %q, %v", data, err)
				}
				checkContext(t, name, p.model)
			}
		})
	}
}

// checkContext compares what reached the model with what Context says of it.
func checkContext(t *testing.T, name string, m *fakeModel) {
	t.Helper()
	all := strings.Join(m.requests(), "\n")
	if !strings.Contains(all, "Make made.txt.") {
		t.Error("the prompt did not reach the model")
	}
	unknown := strings.Contains(Context(name), "unknown")
	if got := strings.Contains(all, "MARK-OF-THE-PROJECT"); got != unknown {
		t.Errorf("the project's instructions reached the model: %v; said is %q", got, Context(name))
	}
	if got := strings.Contains(all, "MARK-OF-THE-USER"); got != (unknown || strings.Contains(Context(name), "your own AGENTS.md")) {
		t.Errorf("the user's instructions reached the model: %v; said is %q", got, Context(name))
	}
}

func TestModelErrorIsAFailure(t *testing.T) {
	for _, name := range agents() {
		t.Run(name, func(t *testing.T) {
			p := play(t, name, "-error", reply{Status: 400, Text: "the model is on fire"})
			var limit *agent.UsageLimit
			if p.err == nil || errors.As(p.err, &limit) || !strings.Contains(p.err.Error(), "on fire") {
				t.Errorf("ended with %v", p.err)
			}
		})
	}
}

func TestUsageLimitSaysWhenItEnds(t *testing.T) {
	bodies := map[string]string{"codex": fmt.Sprintf(`{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached",
		"plan_type":"plus","resets_at":%d}}`, time.Now().Add(2*time.Hour).Unix())}
	for _, name := range agents() {
		t.Run(name, func(t *testing.T) {
			p := play(t, name, "-limit", reply{Status: 429, Text: "You exceeded your current quota. Please retry in 7200s.", Body: bodies[name]})
			var limit *agent.UsageLimit
			if !errors.As(p.err, &limit) {
				t.Fatalf("ended with %v", p.err)
			}
			// Codex tells a time of day, the others how long it takes.
			left := time.Until(limit.Until)
			if name == "codex" && (left <= 0 || left > 24*time.Hour) || name != "codex" && (left < time.Hour || left > 3*time.Hour) {
				t.Errorf("it ends at %v", limit.Until)
			}
		})
	}
}
