package engine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"growbench/engine/config"
	"growbench/engine/model"
)

// ProviderInfo is a model server of the configuration, as it is now.
type ProviderInfo struct {
	Provider  string      `json:"provider"`
	Kind      string      `json:"kind"`
	URL       string      `json:"url"`
	Reachable bool        `json:"reachable"`
	Version   string      `json:"version"`
	NumCtx    int         `json:"num_ctx"` // what every request asks for; 0 where the server alone says
	Models    []ModelInfo `json:"models"`
	// Missing are models that agents of the configuration name and the server
	// does not have.
	Missing []string `json:"missing"`
	Problem string   `json:"problem"`
	Next    string   `json:"next"` // what to type
}

// ModelInfo is one model of a server. Tools and Thinking are null where the
// server does not say.
type ModelInfo struct {
	Name     string   `json:"name"`
	Tools    *bool    `json:"tools"`
	Thinking *bool    `json:"thinking"`
	Window   int64    `json:"window"`  // tokens an exchange may fill, 0 if not known
	Longest  int64    `json:"longest"` // tokens the model itself holds, 0 if not known
	Size     int64    `json:"size"`    // bytes on disk, 0 if not known
	Loaded   bool     `json:"loaded"`
	Agents   []string `json:"agents"` // of the configuration, that use it
}

// lookTime bounds how long a server may take to say what it has.
const lookTime = 5 * time.Second

// providerOptions are what the configuration says of a model of a provider. The
// key comes from the environment.
func providerOptions(c config.Config, provider, name string) (model.Options, error) {
	p, ok := c.Providers[provider]
	if !ok {
		return model.Options{}, fmt.Errorf("provider %q is not configured; there are %s", provider, strings.Join(slices.Sorted(maps.Keys(c.Providers)), ", "))
	}
	o := model.Options{Kind: model.Kind(p.Kind), URL: p.URL, Model: name, NumCtx: p.NumCtx, KeyName: p.KeyEnv}
	if p.Kind == string(model.Ollama) {
		o.URL, o.NumCtx = cmp.Or(p.URL, config.DefaultOllamaURL), cmp.Or(p.NumCtx, config.DefaultNumCtx)
	}
	if p.KeyEnv != "" {
		o.Key = strings.TrimSpace(os.Getenv(p.KeyEnv))
	}
	return o, nil
}

// Models looks at every provider at once. Whatever they do it takes no longer
// than a few seconds.
func Models(ctx context.Context, c config.Config) []ProviderInfo {
	names := slices.Sorted(maps.Keys(c.Providers))
	list := make([]ProviderInfo, len(names))
	var asking sync.WaitGroup
	for i, name := range names {
		asking.Go(func() { list[i] = providerInfo(ctx, c, name) })
	}
	asking.Wait()
	return list
}

func providerInfo(ctx context.Context, c config.Config, name string) ProviderInfo {
	info := ProviderInfo{Provider: name, Kind: c.Providers[name].Kind, Models: []ModelInfo{}, Missing: []string{}}
	o, err := providerOptions(c, name, "")
	if err != nil {
		info.Problem = err.Error()
		return info
	}
	info.URL, info.NumCtx = o.URL, o.NumCtx
	o.Ask = lookTime
	found, err := model.Look(ctx, o)
	if err != nil {
		info.Problem, info.Next = model.Words(err)
		if model.TroubleOf(err) == model.NotRunning && o.Kind == model.Ollama {
			info.Next = startOllama(o.URL)
		}
		return info
	}
	info.Reachable, info.Version = true, found.Version
	users := modelUsers(c, name)
	for _, m := range found.Models {
		if m.Known && !m.Chats {
			continue
		}
		one := ModelInfo{Name: m.Model, Window: m.Window, Longest: m.Longest, Size: m.Size, Loaded: m.Loaded, Agents: []string{}}
		if m.Known {
			one.Tools, one.Thinking = &m.Tools, &m.Thinking
		}
		for _, as := range []string{m.Model, strings.TrimSuffix(m.Model, ":latest")} {
			one.Agents = append(one.Agents, users[as]...)
			delete(users, as)
		}
		if m.AnyName {
			for _, as := range slices.Sorted(maps.Keys(users)) {
				one.Agents = append(one.Agents, users[as]...)
			}
			clear(users)
		}
		info.Models = append(info.Models, one)
	}
	info.Missing = slices.Sorted(maps.Keys(users))
	if info.Missing == nil {
		info.Missing = []string{}
	}
	info.advise(o.Kind == model.Ollama)
	if info.Problem == "" && o.Kind == model.OpenAI && model.IsOllama(ctx, o) {
		info.Problem = "this is an Ollama server, which cuts long prompts when asked this way"
		info.Next = `give the provider the kind "ollama" and the url without /v1`
	}
	return info
}

// advise says what is wrong with a server that answers, and what to do.
func (p *ProviderInfo) advise(ollama bool) {
	canCall := func(m ModelInfo) bool { return m.Tools == nil || *m.Tools }
	pull := "`ollama pull " + model.SuggestedModel + "`"
	switch {
	case len(p.Missing) > 0 && ollama:
		p.Problem, p.Next = "lacks "+strings.Join(p.Missing, ", "), "`ollama pull "+p.Missing[0]+"`"
	case len(p.Missing) > 0:
		p.Problem, p.Next = "does not list "+strings.Join(p.Missing, ", "), "mend the model of the agent in the configuration"
	case len(p.Models) == 0 && ollama:
		p.Problem, p.Next = "has no model yet", "get one that can use tools: "+pull
	case len(p.Models) == 0:
		p.Problem, p.Next = "lists no model", "load one in the server"
	case !slices.ContainsFunc(p.Models, canCall):
		p.Problem, p.Next = "no model here can use tools", "get one that can: "+pull
	}
}

// startOllama is what to type where none runs.
func startOllama(url string) string {
	local := strings.Contains(url, "127.0.0.1") || strings.Contains(url, "localhost") || strings.Contains(url, "[::1]")
	_, err := exec.LookPath("ollama")
	switch {
	case !local:
		return "start the server there, or mend the provider's url in the configuration"
	case err != nil:
		return "install Ollama (https://ollama.com/download), then `ollama serve` and `ollama pull " + model.SuggestedModel + "`; the demo needs no model"
	}
	return "`ollama serve`"
}

// modelUsers are the agents of a provider, by the model they name.
func modelUsers(c config.Config, provider string) map[string][]string {
	users := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(c.Agents)) {
		if a := c.Agents[name]; a.Kind == "native" && a.Provider == provider && a.Model != "" {
			users[a.Model] = append(users[a.Model], name)
		}
	}
	return users
}

// modelChecks is one line a provider.
func modelChecks(ctx context.Context, c config.Config) []HealthCheck {
	var checks []HealthCheck
	for _, p := range Models(ctx, c) {
		check := HealthCheck{Name: "models", OK: p.Reachable && p.Problem == "", Next: p.Next}
		switch {
		case !p.Reachable:
			check.Detail = fmt.Sprintf("%s at %s: %s", p.Provider, p.URL, p.Problem)
		case p.Problem != "":
			check.Detail = fmt.Sprintf("%s: %s", p.Provider, p.Problem)
		default:
			check.Detail = fmt.Sprintf("%s: %s", p.Provider, p.count())
		}
		checks = append(checks, check)
	}
	return checks
}

// count says how many models there are, and how many of them call tools.
func (p ProviderInfo) count() string {
	able, unknown := 0, 0
	for _, m := range p.Models {
		switch {
		case m.Tools == nil:
			unknown++
		case *m.Tools:
			able++
		}
	}
	text := fmt.Sprintf("%d models", len(p.Models))
	if len(p.Models) == 1 {
		text = "1 model"
	}
	if unknown == len(p.Models) {
		return text + ", the server does not say which can use tools"
	}
	return fmt.Sprintf("%s, %d can use tools", text, able)
}
