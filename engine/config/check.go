package config

import (
	"fmt"
	"math"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// choices are the values of plain keys that are words.
var choices = []struct {
	key     string
	allowed []string
	value   func(*Config) string
}{
	{"sandbox", []string{"auto", "bwrap", "landlock", "off"}, func(c *Config) string { return c.Sandbox }},
	{"affected", []string{"", "ask", "continue", "replan"}, func(c *Config) string { return c.Affected }},
	{"scope", []string{"flag", "ask", "quarantine"}, func(c *Config) string { return c.Scope }},
	{"base", []string{"head", "snapshot"}, func(c *Config) string { return c.Base }},
	{"map.run", []string{"", "patch", "mark", "off"}, func(c *Config) string { return c.Map.Run }},
	{"theme", []string{"auto", "light", "dark", "contrast", "none"}, func(c *Config) string { return c.Theme }},
}

// Choices lists the words that a plain key such as "theme" may have; nil for
// any other key.
func Choices(key string) []string {
	for _, choice := range choices {
		if choice.key == key {
			return slices.Clone(choice.allowed)
		}
	}
	return nil
}

// checker looks at the values of one layer. given tells which keys the layer
// sets; bad reports one that cannot be used.
type checker struct {
	given func(key string) bool
	bad   func(key, text string)
}

func (k checker) check(c *Config) {
	for _, choice := range choices {
		if value := choice.value(c); k.given(choice.key) && !slices.Contains(choice.allowed, value) {
			k.bad(choice.key, oneOf(value, choice.allowed))
		}
	}
	if c.AffectedDelay < 0 && k.given("affected_delay") {
		k.bad("affected_delay", "must not be below 0 (0 waits for an answer)")
	}
	k.limits(c.Limits)
	for _, name := range sortedKeys(c.Providers) {
		k.provider(joinKey("providers", name), c.Providers[name])
	}
	for _, name := range sortedKeys(c.Agents) {
		k.agent(joinKey("agents", name), name, c.Agents[name])
	}
	for _, name := range sortedKeys(c.Mirrors) {
		if len(c.Mirrors[name].Argv) == 0 {
			k.bad(joinKey("mirrors", name), `needs "argv", the program to start`)
		}
	}
	if k.given("telegram.url") {
		k.url("telegram.url", c.Telegram.URL)
	}
	for i, file := range c.Workspace.Copy {
		if why := outsideProject(file); why != "" {
			k.bad(fmt.Sprintf("workspace.copy[%d]", i), quoted(file)+" "+why)
		}
	}
}

func (k checker) limits(l Limits) {
	negative := map[string]bool{
		"limits.turns": l.Turns < 0, "limits.tokens": l.Tokens < 0,
		"limits.cost": l.Cost < 0 || math.IsNaN(l.Cost) || math.IsInf(l.Cost, 0),
		"limits.wall": l.Wall < 0, "limits.silence": l.Silence < 0, "limits.chain": l.Chain < 0,
	}
	for _, key := range sortedKeys(negative) {
		if negative[key] && k.given(key) {
			k.bad(key, "must not be below 0 (0 switches the limit off)")
		}
	}
	if k.given("limits.output") && l.Output <= 0 {
		k.bad("limits.output", "must be above 0: output is always bounded")
	}
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (k checker) provider(path string, p Provider) {
	switch p.Kind {
	case "ollama":
	case "openai":
		if p.URL == "" {
			k.bad(path, `needs "url", such as "http://127.0.0.1:8000/v1"`)
		}
		if p.NumCtx != 0 {
			k.bad(path+".num_ctx", "is for kind ollama only: this server takes no such setting")
		}
	case "":
		k.bad(path, `needs "kind": ollama or openai`)
	default:
		k.bad(path+".kind", oneOf(p.Kind, []string{"ollama", "openai"}))
	}
	if p.NumCtx < 0 {
		k.bad(path+".num_ctx", "must not be below 0")
	}
	if p.URL != "" {
		k.url(path+".url", p.URL)
	}
	// The message leaves the value out: it may well be the key itself.
	if p.KeyEnv != "" && !variableName.MatchString(p.KeyEnv) {
		k.bad(path+".key_env", "must be the name of an environment variable, such as OPENAI_API_KEY, never the key itself")
	}
}

func (k checker) url(path, text string) {
	address, err := url.Parse(text)
	switch {
	case err != nil || visible(text) != text:
		k.bad(path, "is not a usable address")
	case address.User != nil:
		k.bad(path, "must not hold a user or password: keys come from the environment (key_env)")
	case address.Scheme != "http" && address.Scheme != "https" || address.Host == "":
		k.bad(path, `must begin with http:// or https:// and name a host`)
	}
}

// agentFields says which fields belong to a kind of agent.
var agentFields = map[string][]string{
	"native":  {"provider", "model", "network"},
	"command": {"preset", "argv", "prompt", "decode", "env", "network"},
	"acp":     {"preset", "argv", "env", "network"},
	"script":  {"file", "network"},
}

func (k checker) agent(path, name string, a Agent) {
	if name == "none" {
		k.bad(path, `"none" is no name for an agent: it means that no model is used`)
	}
	if a.Kind == "" {
		k.bad(path, `needs "kind": acp, command, native or script`)
		return
	}
	fields, known := agentFields[a.Kind]
	if !known {
		k.bad(path+".kind", oneOf(a.Kind, sortedKeys(agentFields)))
		return
	}
	for _, field := range []string{"provider", "model", "preset", "argv", "prompt", "decode", "env", "file", "network"} {
		if k.given(path+"."+field) && !slices.Contains(fields, field) {
			k.bad(path+"."+field, "does not belong to kind "+a.Kind+" (which has "+strings.Join(fields, ", ")+")")
		}
	}
	switch a.Kind {
	case "native":
		if a.Provider == "" || a.Model == "" {
			k.bad(path, `needs "provider" and "model"`)
		}
	case "command", "acp":
		if len(a.Argv) == 0 && a.Preset == "" {
			k.bad(path, `needs "argv", the program to start, or "preset"`)
		}
	case "script":
		if a.File == "" {
			k.bad(path, `needs "file", the recorded steps`)
		}
	}
	if ways := []string{"stdin", "argument"}; a.Prompt != "" && !slices.Contains(ways, a.Prompt) {
		k.bad(path+".prompt", oneOf(a.Prompt, ways))
	}
	for i, variable := range a.Env {
		if !variableName.MatchString(variable) {
			k.bad(fmt.Sprintf("%s.env[%d]", path, i), "must be the name of an environment variable, without its value")
		}
	}
}

// outsideProject says why a path cannot be one inside the project, or "".
func outsideProject(file string) string {
	clean := path.Clean(file)
	switch {
	case path.IsAbs(file) || strings.HasPrefix(file, "~"):
		return "must be relative to the project"
	case clean == ".." || strings.HasPrefix(clean, "../"):
		return "leads out of the project"
	case clean == ".":
		return "is the whole project: name the files"
	case slices.Contains(strings.Split(strings.ToLower(clean), "/"), ".git"):
		return "is git's own folder, which a clone has already"
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
