package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// withoutUntrusted is the project's layer as far as it counts: without what
// nobody trusted, without names that are the user's, and without choices that
// named something left out. Each is noted.
func (l *Loaded) withoutUntrusted(project, user layer) layer {
	if project.tree == nil {
		return project
	}
	drop, gone := map[string]bool{}, map[string]bool{} // key paths; names of agents
	leave := func(key, why string) {
		drop[key] = true
		l.Notes = append(l.Notes, project.at(key)+": "+visible(key)+" is left out: "+why)
	}
	const untrusted = "it needs trust (" + TrustCommand + ")"
	for _, item := range l.Untrusted {
		leave(item.Key, untrusted)
	}
	if project.given("attention") {
		leave("attention", "how you are called is for your own file to say")
	}
	if project.given("telegram") {
		leave("telegram", "where the loop is shown is for your own file to say")
	}
	const owned = "your own definition of that name counts"
	for _, name := range sortedKeys(project.config.Providers) {
		if _, shadowed := user.config.Providers[name]; shadowed {
			leave(joinKey("providers", name), owned)
		}
	}
	for _, name := range sortedKeys(project.config.Mirrors) {
		if _, shadowed := user.config.Mirrors[name]; shadowed {
			leave(joinKey("mirrors", name), owned)
		}
	}
	for _, name := range sortedKeys(project.config.Agents) {
		agent, key := project.config.Agents[name], joinKey("agents", name)
		if _, shadowed := user.config.Agents[name]; shadowed {
			leave(key, owned)
			continue
		}
		if agent.Kind == "native" && drop[joinKey("providers", agent.Provider)] && !hasProvider(user, agent.Provider) {
			leave(key, "its provider needs trust ("+TrustCommand+")")
		}
		gone[name] = drop[key]
	}
	for _, ref := range agentRefs(project.config) {
		if gone[ref.name] {
			leave(ref.key, "the agent "+visible(ref.name)+" is not trusted yet")
		}
	}
	kept := project
	kept.tree = prune(project.tree, "", drop)
	return kept
}

// hasProvider is true for providers that exist without the project.
func hasProvider(user layer, name string) bool {
	_, own := user.config.Providers[name]
	_, builtIn := Defaults().Providers[name]
	return own || builtIn
}

// overlay decodes a layer over c and returns where its keys stand.
func overlay(c *Config, l layer) map[string]int {
	if l.tree == nil {
		return nil
	}
	lines, _ := decodeTree(l.place, l.tree, c) // its problems were reported before
	return lines
}

// merge lays the user's file and what counts of the project's over the
// defaults, and records where each value came from.
func (l *Loaded) merge(user, project layer) {
	c := &l.Config
	userLines := overlay(c, user)
	c.Skills = absolute(c.Skills, filepath.Dir(l.UserFile))
	allowed, skills, before := slices.Clone(c.Permissions.Allow), slices.Clone(c.Skills), c.Limits
	own := map[string]bool{}
	for name := range c.Agents {
		own[name] = true
	}
	projectLines := overlay(c, project)
	for name, agent := range c.Agents {
		agent.Dir = l.ProjectRoot
		if own[name] {
			agent.Dir = filepath.Dir(l.UserFile)
		}
		if len(agent.Argv) == 0 {
			agent.Argv = nil // as JSON gives it back
		}
		if len(agent.Env) == 0 {
			agent.Env = nil
		}
		c.Agents[name] = agent
	}
	for _, row := range flatten(*c) {
		l.Sources[row.Key] = "default"
		if line, ok := userLines[row.Key]; ok {
			l.Sources[row.Key] = fmt.Sprintf("%s:%d", user.place, line)
		}
		if line, ok := projectLines[row.Key]; ok {
			l.Sources[row.Key] = fmt.Sprintf("%s:%d", project.place, line)
		}
	}
	// These two add up: the project's must not take the user's away.
	both := func(key string, users, projects []string) []string {
		if _, ok := projectLines[key]; !ok {
			return users
		}
		if line, ok := userLines[key]; ok {
			l.Sources[key] = fmt.Sprintf("%s:%d, %s", user.place, line, l.Sources[key])
		}
		for _, value := range projects {
			if !slices.Contains(users, value) {
				users = append(users, value)
			}
		}
		return users
	}
	c.Permissions.Allow = both("permissions.allow", allowed, c.Permissions.Allow)
	c.Skills = both("skills", skills, absolute(c.Skills, l.ProjectRoot))
	l.noteProject(before, projectLines)
}

// absolute resolves paths against the folder of the file that names them.
func absolute(paths []string, folder string) []string {
	resolved := []string{}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		resolved = append(resolved, path)
	}
	return resolved
}

// noteProject tells what plain values of the project deserve a look.
func (l *Loaded) noteProject(before Limits, lines map[string]int) {
	old, now := reflect.ValueOf(before), reflect.ValueOf(l.Config.Limits)
	for i, name := range keysOf(now.Type()) {
		path := "limits." + name
		if _, set := lines[path]; !set {
			continue
		}
		was, is := number(old.Field(i)), number(now.Field(i))
		if was != 0 && (is == 0 || is > was) {
			l.Notes = append(l.Notes, fmt.Sprintf("%s: the project raises %s from %s to %s",
				l.Sources[path], path, show(old.Field(i)), show(now.Field(i))))
		}
	}
	if _, set := lines["workspace.copy"]; set && len(l.Config.Workspace.Copy) > 0 {
		l.Notes = append(l.Notes, l.Sources["workspace.copy"]+": agents get copies of "+
			visible(strings.Join(l.Config.Workspace.Copy, ", ")))
	}
}

func number(v reflect.Value) float64 {
	if v.CanInt() {
		return float64(v.Int())
	}
	return v.Float()
}

// adoptFound makes found verify commands count once they are trusted. There
// are none when a file says something about verifying.
func (l *Loaded) adoptFound() {
	const verify = "checks.verify"
	for _, found := range l.Found {
		if found.Trusted {
			l.Config.Checks.Verify = append(l.Config.Checks.Verify, found.Command)
			l.Sources[verify] = "found and trusted"
			continue
		}
		l.Notes = append(l.Notes, fmt.Sprintf("found, not run: %s (%s); %s can add it", visible(found.Command), visible(found.Why), TrustCommand))
	}
}

// apply sets the values of environment and flags. A role may name only an
// agent that is in force; one that waits for trust is noted, since whoever
// runs it asks for trust first.
func (l *Loaded) apply(overrides []Override, project layer, presets []string) problemList {
	var problems problemList
	for _, o := range overrides {
		before := l.Config
		if err := setText(&l.Config, o.Key, o.Value); err != nil {
			problems.add(o.Source, 0, o.Key, err.Error())
			continue
		}
		name := refName(l.Config, o.Key)
		_, known := l.Config.Agents[name]
		_, waits := project.config.Agents[name]
		switch {
		case name == "" || known:
			l.Sources[o.Key] = o.Source
		case waits:
			l.Config = before
			l.Notes = append(l.Notes, fmt.Sprintf("%s: the agent %s is not trusted yet (%s)", o.Source, visible(name), TrustCommand))
		case slices.Contains(presets, name):
			l.Config.Agents[name] = Agent{Kind: "command", Preset: name}
			l.Sources[o.Key] = o.Source
			l.Sources[joinKey("agents", name)] = "built in"
		default:
			problems.add(o.Source, 0, o.Key, missing("agent", name, slices.Concat(sortedKeys(l.Config.Agents), presets)))
		}
	}
	return problems
}

// refName is the agent that the value at key names, "" for other keys.
func refName(c Config, key string) string {
	for _, ref := range agentRefs(c) {
		if ref.key == key {
			return ref.name
		}
	}
	return ""
}

// complete fills in what an ollama provider may leave out.
func (l *Loaded) complete() {
	for name, provider := range l.Config.Providers {
		if provider.Kind != "ollama" {
			continue
		}
		if provider.URL == "" {
			provider.URL = DefaultOllamaURL
			l.Sources[joinKey("providers", name)+".url"] = "default"
		}
		if provider.NumCtx == 0 {
			provider.NumCtx = DefaultNumCtx
			l.Sources[joinKey("providers", name)+".num_ctx"] = "default"
		}
		l.Config.Providers[name] = provider
	}
	if l.Config.Sandbox == "off" {
		l.Notes = append(l.Notes, "the sandbox is off: agents can read and change what you can")
	}
}
