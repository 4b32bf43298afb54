package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// place is a home folder and a project of a test's own.
type place struct {
	t             *testing.T
	home, project string
}

func newPlace(t *testing.T) place {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := place{t: t, home: filepath.Join(top, "home"), project: filepath.Join(top, "project")}
	for _, dir := range []string{p.home, p.project} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", p.home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_STATE_HOME", "")
	for _, entry := range environment {
		t.Setenv(entry.variable, "")
	}
	return p
}

func (p place) write(path, text string) string {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	return path
}

func (p place) user(text string) string {
	return p.write(filepath.Join(p.home, ".config/growbench/config.json"), text)
}

func (p place) own(text string) string { return p.file(ProjectFile, text) }

func (p place) file(name, text string) string {
	return p.write(filepath.Join(p.project, name), text)
}

func (p place) load(overrides ...Override) Loaded {
	p.t.Helper()
	loaded, err := p.tryLoad(overrides...)
	if err != nil {
		p.t.Fatalf("loading: %v", err)
	}
	return loaded
}

func (p place) tryLoad(overrides ...Override) (Loaded, error) {
	return Load(Options{ProjectRoot: p.project, Overrides: overrides})
}

func (p place) trust(opts TrustOptions) {
	p.t.Helper()
	if err := Trust(p.load(), opts); err != nil {
		p.t.Fatalf("trusting: %v", err)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("missing %q in:\n%s", part, text)
		}
	}
}

func keysOfItems(items []Item) string {
	var keys []string
	for _, item := range items {
		keys = append(keys, item.Kind+" "+item.Key)
	}
	return strings.Join(keys, "; ")
}

const documented = `{
  "providers": {"ollama": {"kind": "ollama", "url": "http://127.0.0.1:11434", "num_ctx": 32768},
                "lab":    {"kind": "openai", "url": "http://127.0.0.1:8000/v1", "key_env": "OPENAI_API_KEY"}},
  "agents":    {"local":  {"kind": "native", "provider": "ollama", "model": "qwen3-coder:30b"},
                "pi":     {"kind": "command", "preset": "pi"},
                "mine":   {"kind": "command", "argv": ["sh", "agent.sh"], "prompt": "stdin", "decode": "text"},
                "oc":     {"kind": "acp", "argv": ["opencode", "acp"]}},
  "roles":     {"giver": "local", "scout": "local", "planner": "local", "worker": "mine"},
  "checks":    {"each": ["go build ./..."], "verify": ["go test ./..."]},
  "limits":    {"turns": 40, "tokens": 400000, "cost": 5.0, "wall": "10m", "silence": "3m", "chain": "30m"},
  "permissions": {"allow": ["go test *", "go build *"]},
  "workspace": {"copy": [".env.test"], "setup": ["npm ci"]},
  "sandbox":   "auto",
  "affected":  "ask", "scope": "flag"
}
`
