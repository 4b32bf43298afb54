package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDefaultsHoldWithoutAnyFile(t *testing.T) {
	p := newPlace(t)
	loaded := p.load()
	if !reflect.DeepEqual(loaded.Config, Defaults()) {
		t.Errorf("got %+v", loaded.Config)
	}
	limits := loaded.Config.Limits
	if limits.Turns != 40 || limits.Tokens != 400000 || limits.Cost != 5 || limits.Wall.Std() != 10*time.Minute ||
		limits.Silence.Std() != 3*time.Minute || limits.Chain.Std() != 30*time.Minute || limits.Output != 64<<20 {
		t.Errorf("limits %+v", limits)
	}
	for _, row := range Explain(loaded).Rows() {
		equal(t, row.Key, row.Source, "default")
	}
	if err := loaded.RequireTrust(); err != nil {
		t.Error(err)
	}
}

func TestTheDocumentedFileIsReadWhole(t *testing.T) {
	p := newPlace(t)
	p.user("\uFEFF" + documented)
	c := p.load().Config
	folder := filepath.Join(p.home, ".config/growbench")
	want := Defaults()
	want.Providers["lab"] = Provider{Kind: "openai", URL: "http://127.0.0.1:8000/v1", KeyEnv: "OPENAI_API_KEY"}
	want.Agents = map[string]Agent{
		"local": {Kind: "native", Provider: "ollama", Model: "qwen3-coder:30b", Dir: folder},
		"pi":    {Kind: "command", Preset: "pi", Dir: folder},
		"mine":  {Kind: "command", Argv: []string{"sh", "agent.sh"}, Prompt: "stdin", Decode: "text", Dir: folder},
		"oc":    {Kind: "acp", Argv: []string{"opencode", "acp"}, Dir: folder},
	}
	want.Roles = Roles{Giver: "local", Scout: "local", Planner: "local", Worker: "mine"}
	want.Checks = Checks{Each: []string{"go build ./..."}, Verify: []string{"go test ./..."}}
	want.Permissions.Allow = []string{"go test *", "go build *"}
	want.Workspace = Workspace{Copy: []string{".env.test"}, Setup: []string{"npm ci"}}
	want.Affected = "ask"
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
}

func TestASnapshotGivesTheSameConfigurationBack(t *testing.T) {
	p := newPlace(t)
	p.user(documented)
	p.file("steps.json", "[]")
	p.own(`{"agents": {"s": {"kind": "script", "file": "steps.json"}, "e": {"kind": "acp", "preset": "x", "argv": [], "env": []}},
		"limits": {"output": "3KB", "wall": "90s", "chain": "1h"}, "mirrors": {"m": {"argv": ["a"]}}, "skills": ["steps.json"]}`)
	p.trust(TrustOptions{})
	for name, c := range map[string]Config{"loaded": p.load().Config, "defaults": Defaults()} {
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var back Config
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, c) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, back, c)
		}
	}
	equal(t, "script", p.load().Config.Agents["s"].ScriptFile(), filepath.Join(p.project, "steps.json"))
}

func TestEveryValueRemembersWhereItCameFrom(t *testing.T) {
	p := newPlace(t)
	p.user("{\n\"theme\": \"dark\",\n\"scope\": \"ask\",\n\"limits\": {\"turns\": 10,\n\"wall\": \"1m\"},\n\"agents\": {\"a\": {\"kind\": \"native\", \"provider\": \"ollama\",\n\"model\": \"m\"}}\n}")
	p.own("{\n\"scope\": \"quarantine\",\n\"roles\": {\"worker\": \"a\"},\n\"limits\": {\"turns\": 7}\n}")
	t.Setenv("GROWBENCH_THEME", "light")
	t.Setenv("GROWBENCH_SANDBOX", "off")
	loaded := p.load(Override{"base", "snapshot", "flag --base"}, Override{"limits.wall", "2m", "flag --wall"}, Override{"limits.wall", "3m", "flag --wall"})
	const user = "~/.config/growbench/config.json"
	want := map[string][2]string{
		"theme":                {"light", "env GROWBENCH_THEME"},
		"sandbox":              {"off", "env GROWBENCH_SANDBOX"},
		"scope":                {"quarantine", ".growbench.json:2"},
		"roles.worker":         {"a", ".growbench.json:3"},
		"limits.turns":         {"7", ".growbench.json:4"},
		"limits.wall":          {"3m", "flag --wall"},
		"limits.chain":         {"30m", "default"},
		"limits.output":        {"64MB", "default"},
		"base":                 {"snapshot", "flag --base"},
		"agents.a.kind":        {"native", user + ":6"},
		"agents.a.model":       {"m", user + ":7"},
		"checks.each":          {"[]", "default"},
		"affected":             {"ask; continue where nobody can", "default"},
		"providers.ollama.url": {DefaultOllamaURL, "default"},
	}
	seen := 0
	for _, row := range Explain(loaded).Rows() {
		if row.Source == "" {
			t.Errorf("%s has no source", row.Key)
		}
		if pair, ok := want[row.Key]; ok {
			seen++
			equal(t, row.Key, [2]string{row.Value, row.Source}, pair)
		}
	}
	equal(t, "rows seen", seen, len(want))
	if !slices.ContainsFunc(loaded.Notes, func(n string) bool { return strings.HasPrefix(n, "the sandbox is off") }) {
		t.Errorf("notes %q", loaded.Notes)
	}
}

func TestExplanationAsJSON(t *testing.T) {
	p := newPlace(t)
	p.user(`{"limits": {"wall": "90s"}}`)
	for name, explanation := range map[string]Explanation{"loaded": Explain(p.load()), "defaults": ExplainDefaults()} {
		data, err := json.Marshal(explanation)
		if err != nil {
			t.Fatal(err)
		}
		var shape struct {
			Values  map[string]any
			Sources map[string]string
			Notes   []string
		}
		if err := json.Unmarshal(data, &shape); err != nil {
			t.Fatal(err)
		}
		wall := shape.Values["limits"].(map[string]any)["wall"]
		want := map[string]any{"loaded": "1m30s", "defaults": "10m"}[name]
		if wall != want || shape.Sources["limits.wall"] == "" || shape.Notes == nil {
			t.Errorf("%s: %s", name, data)
		}
	}
}

func TestTheProjectMayChooseAndSetPlainValuesWithoutTrust(t *testing.T) {
	p := newPlace(t)
	p.user(documented)
	p.own(`{"roles": {"worker": "oc"}, "limits": {"turns": 3, "cost": 50}, "theme": "dark", "affected": "continue", "scope": "quarantine",
		"workspace": {"copy": [".env"]}, "map": {"llm": "small"}, "agents": {"small": {"kind": "native", "provider": "ollama", "model": "tiny"}}, "sandbox": "bwrap"}`)
	loaded := p.load()
	if err := loaded.RequireTrust(); err != nil {
		t.Fatal(err)
	}
	c := loaded.Config
	equal(t, "worker", c.Roles.Worker, "oc")
	equal(t, "giver", c.Roles.Giver, "local")
	equal(t, "model", c.Agents[c.Map.LLM].Model, "tiny")
	equal(t, "sandbox", c.Sandbox, "bwrap")
	equal(t, "copy", strings.Join(c.Workspace.Copy, ","), ".env")
	equal(t, "verify", strings.Join(c.Checks.Verify, ","), "go test ./...")
	equal(t, "notes", strings.Join(loaded.Notes, "\n"),
		".growbench.json:1: the project raises limits.cost from 5 to 50\n.growbench.json:2: agents get copies of .env")
}

func TestAnOllamaProviderIsCompleted(t *testing.T) {
	p := newPlace(t)
	p.user(`{"providers": {"ollama": {"kind": "ollama", "num_ctx": 8192}}}`)
	loaded := p.load()
	equal(t, "provider", loaded.Config.Providers["ollama"], Provider{Kind: "ollama", URL: DefaultOllamaURL, NumCtx: 8192})
	equal(t, "source", loaded.Sources["providers.ollama.url"], "default")
	equal(t, "source", loaded.Sources["providers.ollama.num_ctx"], "~/.config/growbench/config.json:1")
}

func TestFoldersFollowXDG(t *testing.T) {
	p := newPlace(t)
	check := func(wantConfig, wantState string) {
		t.Helper()
		file, err := ConfigFile()
		state, err2 := StateRoot()
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		equal(t, "config", file, wantConfig)
		equal(t, "state", state, wantState)
	}
	check(p.home+"/.config/growbench/config.json", p.home+"/.local/state/growbench")
	t.Setenv("XDG_CONFIG_HOME", "relative/is/ignored")
	t.Setenv("XDG_STATE_HOME", "./too")
	check(p.home+"/.config/growbench/config.json", p.home+"/.local/state/growbench")
	t.Setenv("XDG_CONFIG_HOME", "/c")
	t.Setenv("XDG_STATE_HOME", "/s")
	check("/c/growbench/config.json", "/s/growbench")

	t.Setenv("XDG_STATE_HOME", "")
	for _, home := range []string{"", "relative"} {
		t.Setenv("HOME", home)
		_, err := StateRoot()
		if !errors.Is(err, ErrNoHome) {
			t.Fatalf("HOME=%q: %v", home, err)
		}
		contains(t, err.Error(), "set HOME or XDG_STATE_HOME")
		if _, err := p.tryLoad(); !errors.Is(err, ErrNoHome) {
			t.Errorf("HOME=%q: loading: %v", home, err)
		}
	}
}

func TestProjectNamesAreSafeAndApart(t *testing.T) {
	p := newPlace(t)
	odd := filepath.Join(p.project, "a b\x1b[2J…")
	same := filepath.Join(p.home, filepath.Base(p.project))
	for _, dir := range []string{odd, same} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(p.home, "link")
	if err := os.Symlink(p.project, link); err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, root := range []string{p.project, link, odd, same} {
		name, err := ProjectName(root)
		if err != nil {
			t.Fatal(err)
		}
		names[root] = name
		if strings.ContainsAny(name, " /\x1b[") {
			t.Errorf("unsafe name %q", name)
		}
	}
	equal(t, "through a link", names[link], names[p.project])
	if names[same] == names[p.project] {
		t.Error("two projects of one base name share their state")
	}
	if !strings.HasPrefix(names[p.project], "project-") {
		t.Errorf("name %q", names[p.project])
	}
}

func TestFlagsChooseAgentsByName(t *testing.T) {
	p := newPlace(t)
	p.user(documented)
	equal(t, "worker", p.load(Override{"roles.worker", "pi", "flag --worker"}).Config.Roles.Worker, "pi")
	_, err := p.tryLoad(Override{"roles.worker", "pii", "flag --worker"})
	if err == nil {
		t.Fatal("an unknown agent was accepted")
	}
	equal(t, "error", err.Error(), `flag --worker: roles.worker: there is no agent named "pii" (did you mean "pi"?)`)
}

func TestRolesFallBackToTheWorkerOrTheOnlyAgent(t *testing.T) {
	c := Defaults()
	if name, _, ok := c.AgentFor("worker"); ok {
		t.Errorf("found %q among no agents", name)
	}
	c.Agents["one"] = Agent{Kind: "script", File: "/a"}
	name, _, ok := c.AgentFor("planner")
	equal(t, "only agent", name, "one")
	equal(t, "found", ok, true)
	c.Agents["two"] = Agent{Kind: "script", File: "/b"}
	if _, _, ok := c.AgentFor("planner"); ok {
		t.Error("chose one of two")
	}
	c.Roles = Roles{Worker: "two", Giver: "one"}
	for role, want := range map[string]string{"planner": "two", "scout": "two", "worker": "two", "giver": "one"} {
		name, _, _ := c.AgentFor(role)
		equal(t, role, name, want)
	}
}

func TestUnitsSpellBack(t *testing.T) {
	for text, want := range map[string]string{"10m": "10m", "90s": "1m30s", "60m": "1h", "1h30m": "1h30m", "0": "0s", "1500ms": "1.5s", "1h0m10s": "1h0m10s", "10h": "10h", "20m0s": "20m"} {
		var d Duration
		if err := d.UnmarshalText([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		equal(t, text, d.String(), want)
	}
	for text, want := range map[string]Bytes{"64MB": 64 << 20, "64 MiB": 64 << 20, "1k": 1024, "2G": 2 << 30, "7": 7, "1GiB": 1 << 30} {
		var b, back Bytes
		if err := b.UnmarshalText([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		equal(t, text, b, want)
		if err := back.UnmarshalText([]byte(b.String())); err != nil || back != b {
			t.Errorf("%s spelled %s: %v, %v", text, b, back, err)
		}
	}
	for _, text := range []string{"", "MB", "x", "1.5MB", "9999999999999GB", "1MBB", "1 2"} {
		var b Bytes
		if err := b.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read as %d", text, b)
		}
	}
}

func TestSecretsStayInTheEnvironment(t *testing.T) {
	p := newPlace(t)
	const secret, token, short = `sk-"quoted"<&>/+ end`, "agent-token", "x"
	t.Setenv("LAB_KEY", secret)
	t.Setenv("MY_TOKEN", token)
	t.Setenv("OTHER", "harmless")
	t.Setenv("SHORT_KEY", short)
	p.user(`{"providers": {"lab": {"kind": "openai", "url": "http://h/v1", "key_env": "LAB_KEY"}, "s": {"kind": "openai", "url": "http://h/v1", "key_env": "SHORT_KEY"},
		"none": {"kind": "openai", "url": "http://h/v1", "key_env": "NOT_SET_ANYWHERE"}},
		"agents": {"a": {"kind": "command", "preset": "x", "env": ["MY_TOKEN", "OTHER"]}}}`)
	loaded := p.load()
	secrets := SecretValues(loaded.Config)
	equal(t, "secrets", strings.Join(secrets, "|"), token+"|"+secret)
	data, err := json.Marshal(Explain(loaded))
	if err != nil {
		t.Fatal(err)
	}
	inJSON, _ := json.Marshal(secret)
	for _, part := range []string{secret, token, string(inJSON)} {
		if strings.Contains(string(data), part) {
			t.Errorf("the explanation shows %s", part)
		}
	}
	equal(t, "plain", Redact("a "+secret+" b "+token, secrets), "a "+Redacted+" b "+Redacted)
	equal(t, "JSON", Redact(`{"k":`+string(inJSON)+`}`, secrets), `{"k":"`+Redacted+`"}`)
	equal(t, "JSON without HTML escapes", Redact(compact(secret), secrets), `"`+Redacted+`"`)
	equal(t, "address", Redact("?key=sk-%22quoted%22%3C%26%3E%2F%2B+end&x", secrets), "?key="+Redacted+"&x")
	equal(t, "short", Redact("x y", []string{short}), "x y")
	equal(t, "one within another", Redact("secret-longer secret", []string{"secret", "secret-longer"}), Redacted+" "+Redacted)
}
