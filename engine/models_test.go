package engine

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"growbench/engine/config"
)

// ollamaWith is an Ollama server with these models, and what each can do.
func ollamaWith(t *testing.T, models map[string]string) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/version":
			fmt.Fprint(w, `{"version":"0.17.4"}`)
		case "/api/tags":
			var list []string
			for name := range models {
				list = append(list, `{"name":"`+name+`","size":5000000000}`)
			}
			fmt.Fprint(w, `{"models":[`+strings.Join(list, ",")+`]}`)
		case "/api/ps":
			fmt.Fprint(w, `{"models":[]}`)
		case "/api/show":
			body, _ := io.ReadAll(r.Body)
			for name, can := range models {
				if strings.Contains(string(body), `"`+name+`"`) {
					fmt.Fprint(w, `{"capabilities":[`+can+`],"model_info":{"a.context_length":40960}}`)
					return
				}
			}
			w.WriteHeader(http.StatusNotFound)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(site.Close)
	return site.URL
}

func providers(of map[string]config.Provider) config.Config {
	c := config.Defaults()
	c.Providers = of
	return c
}

// only looks at the one provider of a configuration.
func only(t *testing.T, c config.Config) ProviderInfo {
	t.Helper()
	list := Models(t.Context(), c)
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	return list[0]
}

const talks, calls = `"completion"`, `"completion","tools"`

func TestModelsSayWhatIsThereAndWhatIsNext(t *testing.T) {
	down := httptest.NewServer(nil)
	down.Close()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html><title>Hello</title>") }))
	defer page.Close()
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer closed.Close()
	away := httptest.NewServer(http.RedirectHandler("https://elsewhere.example/x?key=planted", http.StatusFound))
	defer away.Close()
	for name, c := range map[string]struct {
		kind, url     string
		reachable     bool
		problem, next string
	}{
		"all is well":         {"ollama", ollamaWith(t, map[string]string{"a:1b": calls, "e": `"embedding"`}), true, "", ""},
		"no model":            {"ollama", ollamaWith(t, nil), true, "has no model yet", "`ollama pull "},
		"none for a talk":     {"ollama", ollamaWith(t, map[string]string{"e": `"embedding"`}), true, "has no model yet", "`ollama pull "},
		"none calls tools":    {"ollama", ollamaWith(t, map[string]string{"a": talks}), true, "no model here can use tools", "`ollama pull "},
		"not running":         {"ollama", down.URL, false, "nobody answers", "ollama"},
		"another not running": {"openai", down.URL + "/v1", false, "nobody answers", "start the server"},
		"a web page":          {"ollama", page.URL, false, "", "kind"},
		"a web page for /v1":  {"openai", page.URL + "/v1", false, "an HTML page", "kind"},
		"no key for Ollama":   {"ollama", closed.URL, false, "401", "PLANTED_KEY_NAME"},
		"a redirect":          {"ollama", away.URL, false, "it redirects to https://elsewhere.example", "url"},
		"no key":              {"openai", closed.URL + "/v1", false, "401", "PLANTED_KEY_NAME"},
	} {
		t.Run(name, func(t *testing.T) {
			p := only(t, providers(map[string]config.Provider{"x": {Kind: c.kind, URL: c.url, KeyEnv: "PLANTED_KEY_NAME"}}))
			if p.Reachable != c.reachable || !strings.Contains(p.Problem, c.problem) || !strings.Contains(p.Next, c.next) || (p.Next == "") != (p.Problem == "") {
				t.Errorf("%+v", p)
			}
		})
	}
}

func TestModelsTellWhoUsesThem(t *testing.T) {
	c := providers(map[string]config.Provider{"x": {Kind: "ollama", URL: ollamaWith(t, map[string]string{"a:1b": calls, "b:latest": talks})}})
	c.Agents = map[string]config.Agent{
		"one":   {Kind: "native", Provider: "x", Model: "a:1b"},
		"two":   {Kind: "native", Provider: "x", Model: "b"},
		"three": {Kind: "native", Provider: "x", Model: "not-there"},
		"other": {Kind: "native", Provider: "y", Model: "a:1b"},
	}
	p := only(t, c)
	users := map[string]string{}
	for _, m := range p.Models {
		users[m.Name] = strings.Join(m.Agents, ",")
		if m.Tools == nil || *m.Tools != (m.Name == "a:1b") || m.Longest != 40960 || m.Window != config.DefaultNumCtx || m.Size != 5e9 {
			t.Errorf("%+v", m)
		}
	}
	if users["a:1b"] != "one" || users["b:latest"] != "two" || strings.Join(p.Missing, ",") != "not-there" || !strings.Contains(p.Next, "`ollama pull not-there`") {
		t.Errorf("%v, %+v", users, p)
	}
}

func TestDoctorHasALineForEachModelServer(t *testing.T) {
	c := providers(map[string]config.Provider{
		"good": {Kind: "ollama", URL: ollamaWith(t, map[string]string{"a": calls, "b": talks})},
		"bare": {Kind: "ollama", URL: ollamaWith(t, nil)},
	})
	checks := modelChecks(t.Context(), c)
	if len(checks) != 2 || checks[0].OK || checks[0].Next == "" || !strings.HasPrefix(checks[0].Detail, "bare: has no model") {
		t.Fatalf("%+v", checks)
	}
	if !checks[1].OK || checks[1].Required || checks[1].Detail != "good: 2 models, 1 can use tools" {
		t.Errorf("%+v", checks[1])
	}
}

func TestTheKeyOfAProviderComesFromTheEnvironment(t *testing.T) {
	t.Setenv("LAB_KEY_OF_A_TEST", " sk-planted ")
	c := providers(map[string]config.Provider{"lab": {Kind: "openai", URL: "http://h/v1", KeyEnv: "LAB_KEY_OF_A_TEST"}, "o": {Kind: "ollama"}})
	o, err := providerOptions(c, "lab", "m")
	if err != nil || o.Key != "sk-planted" || o.KeyName != "LAB_KEY_OF_A_TEST" || o.NumCtx != 0 {
		t.Errorf("%v", err)
	}
	o, err = providerOptions(c, "o", "m")
	if err != nil || o.URL != config.DefaultOllamaURL || o.NumCtx != config.DefaultNumCtx {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := providerOptions(c, "none", "m"); err == nil || !strings.Contains(err.Error(), "lab, o") {
		t.Errorf("%v", err)
	}
}
