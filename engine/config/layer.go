package config

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// layer is one configuration file: its tree, what it says alone, and where.
// The zero layer is a file that is not there.
type layer struct {
	place  string // display name
	tree   *node
	config Config
	lines  map[string]int
}

func (l layer) given(key string) bool { _, ok := l.lines[key]; return ok }

// at is the place of a key, or of the nearest key around it.
func (l layer) at(key string) string {
	for {
		if line, ok := l.lines[key]; ok && key != "" {
			return fmt.Sprintf("%s:%d", l.place, line)
		}
		cut := strings.LastIndexAny(key, ".[")
		if cut < 0 {
			return l.place
		}
		key = key[:cut]
	}
}

// sandbox is the protection the user asks for.
func (l layer) sandbox() string {
	if l.given("sandbox") {
		return l.config.Sandbox
	}
	return Defaults().Sandbox
}

// newLayer parses and checks one file by itself; readErr is what reading said.
func newLayer(place string, data []byte, readErr error) (layer, problemList) {
	l := layer{place: place}
	var problems problemList
	switch {
	case errors.Is(readErr, fs.ErrNotExist):
		return l, nil
	case readErr != nil:
		problems.add(place, 0, "", readErr.Error())
		return l, problems
	}
	l.tree, problems = parseTree(place, data)
	if l.tree == nil {
		return l, problems
	}
	var wrong problemList
	l.lines, wrong = decodeTree(place, l.tree, &l.config)
	problems = append(problems, wrong...)
	checker{given: l.given, bad: func(key, text string) {
		// One report is enough: a value of the wrong type is also a missing one.
		for _, earlier := range wrong {
			if rest, below := strings.CutPrefix(earlier.Key, key); below && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				return
			}
		}
		l.report(&problems, key, text)
	}}.check(&l.config)
	return l, problems
}

func (l layer) report(problems *problemList, key, text string) {
	line := 0
	for around := key; line == 0 && around != ""; {
		line = l.lines[around]
		around = around[:max(0, strings.LastIndexAny(around, ".["))]
	}
	problems.add(l.at(key), line, key, text)
}

// checkNames reports roles and agents that name something neither this layer
// nor the one below it defines.
func (l layer) checkNames(below Config, problems *problemList) {
	agents, providers := map[string]bool{}, map[string]bool{}
	for _, c := range []Config{below, l.config} {
		for name := range c.Agents {
			agents[name] = true
		}
		for name := range c.Providers {
			providers[name] = true
		}
	}
	for _, ref := range agentRefs(l.config) {
		if ref.name != "" && l.given(ref.key) && !agents[ref.name] {
			l.report(problems, ref.key, missing("agent", ref.name, sortedKeys(agents)))
		}
	}
	for _, name := range sortedKeys(l.config.Agents) {
		if a := l.config.Agents[name]; a.Kind == "native" && a.Provider != "" && !providers[a.Provider] {
			l.report(problems, joinKey("agents", name)+".provider", missing("provider", a.Provider, sortedKeys(providers)))
		}
	}
}

// agentRef is a plain value that names an agent.
type agentRef struct{ key, name string }

func agentRefs(c Config) []agentRef {
	refs := []agentRef{
		{"roles.giver", c.Roles.Giver}, {"roles.scout", c.Roles.Scout},
		{"roles.planner", c.Roles.Planner}, {"roles.worker", c.Roles.Worker},
	}
	if c.Map.LLM != "none" {
		refs = append(refs, agentRef{"map.llm", c.Map.LLM})
	}
	return refs
}

func missing(kind, name string, known []string) string {
	text := "there is no " + kind + " named " + quoted(name)
	if near := nearest(name, known); near != "" {
		return text + ` (did you mean "` + near + `"?)`
	}
	if len(known) == 0 {
		return text + ": define it under \"" + kind + "s\""
	}
	return text + " (there are: " + visible(strings.Join(known, ", ")) + ")"
}

// checkProject reports what a project's file must not do: name files outside
// of itself, or ask for more than anybody would read before trusting it.
func (l layer) checkProject(problems *problemList) {
	c := l.config
	asked := len(c.Providers) + len(c.Agents) + len(c.Mirrors) + len(c.Skills) + len(c.Checks.Each) +
		len(c.Checks.Verify) + len(c.Workspace.Setup) + len(c.Permissions.Allow)
	if asked > maxItems {
		l.report(problems, "", fmt.Sprintf("defines %d agents, commands and the like; a project may have %d", asked, maxItems))
	}
	for i, skill := range l.config.Skills {
		if why := outsideProject(skill); why != "" {
			l.report(problems, fmt.Sprintf("skills[%d]", i), quoted(skill)+" "+why)
		}
	}
	for _, name := range sortedKeys(l.config.Agents) {
		if file := l.config.Agents[name].File; file != "" {
			if why := outsideProject(file); why != "" {
				l.report(problems, joinKey("agents", name)+".file", quoted(file)+" "+why)
			}
		}
	}
}

// prune copies a tree without the keys drop names. A list that loses all its
// elements goes as a whole, so that it hides nothing below it.
func prune(n *node, path string, drop map[string]bool) *node {
	copied := *n
	copied.members, copied.items = nil, nil
	for _, m := range n.members {
		key := joinKey(path, m.key)
		if drop[key] {
			continue
		}
		value := prune(m.value, key, drop)
		if len(value.items) == 0 && len(m.value.items) > 0 {
			continue
		}
		copied.members = append(copied.members, member{m.key, value})
	}
	for i, item := range n.items {
		if key := fmt.Sprintf("%s[%d]", path, i); !drop[key] {
			copied.items = append(copied.items, prune(item, key, drop))
		}
	}
	return &copied
}
