package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// oneModel is an Ollama server with one model that can use tools.
func oneModel(t *testing.T) string {
	t.Helper()
	said := map[string]string{
		"/api/version": `{"version":"0.17.4"}`,
		"/api/tags":    `{"models":[{"name":"tiny:1b\u001b[31m","size":5000000000}]}`,
		"/api/ps":      `{"models":[]}`,
		"/api/show":    `{"capabilities":["completion","tools","thinking"],"model_info":{"a.context_length":40960}}`,
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, said[r.URL.Path]) }))
	t.Cleanup(site.Close)
	return site.URL
}

func (p *place) providers(of map[string]any) {
	p.t.Helper()
	putJSON(p.t, filepath.Join(p.base, "config", "growbench", "config.json"), map[string]any{"providers": of})
}

func TestModelsOfAServerThatAnswersAndOfOneThatDoesNot(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	down := map[string]any{"kind": "openai", "url": "http://127.0.0.1:1/v1"}
	p.providers(map[string]any{"ollama": map[string]any{"kind": "ollama", "url": oneModel(t), "num_ctx": 8192}, "lab": down})
	got := p.do("models").ends(exitOK)
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	if len(lines) != 4 {
		t.Fatalf("%q", lines)
	}
	for i, parts := range [][]string{
		{"lab ", "http://127.0.0.1:1/v1", "nobody answers", "; next: start the server"},
		{"ollama ", "0.17.4", "num_ctx 8192"},
		{"  tiny:1b", "tools, thinks", "context 40960", "5.0 GB"},
		{"next: make one an agent", `"kind": "native"`, `"provider": "ollama"`, "tiny:1b"},
	} {
		for _, part := range parts {
			if !strings.Contains(lines[i], part) {
				t.Errorf("line %d is %q, without %q", i+1, lines[i], part)
			}
		}
	}
	if strings.Contains(got.out, "\x1b") {
		t.Errorf("a model's name reaches the terminal: %q", got.out)
	}
	var list []struct {
		Provider  string
		Reachable bool
		Models    []struct {
			Name    string
			Tools   *bool
			Longest int64
		}
	}
	got = p.do("models", "--json").ends(exitOK)
	if err := json.Unmarshal([]byte(got.out), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Reachable || !list[1].Reachable || len(list[1].Models) != 1 || list[1].Models[0].Tools == nil || list[1].Models[0].Longest != 40960 {
		t.Errorf("%+v", list)
	}
	p.do("doctor").ends(exitOK, "models", "ollama: 1 model, 1 can use tools", "nobody answers")
}

func TestModelsWhereNoServerAnswers(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.providers(map[string]any{"ollama": map[string]any{"kind": "ollama", "url": "http://127.0.0.1:1"}})
	got := p.do("models").ends(exitEnvironment)
	for _, part := range []string{"nobody answers", "; next: ", "ollama"} {
		if !strings.Contains(got.out, part) {
			t.Errorf("%q does not say %q", got.out, part)
		}
	}
	if got = p.do("models", "--json").ends(exitEnvironment); !json.Valid([]byte(got.out)) {
		t.Errorf("%q", got.out)
	}
}
