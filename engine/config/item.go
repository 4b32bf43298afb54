package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Item is one thing of the project that would run a program, leave the
// machine or weaken a protection: it counts once the user trusted it.
type Item struct {
	Kind   string     `json:"kind"`  // agent, provider, check, verify, setup, permission, sandbox, network, skill, mirror or found
	Key    string     `json:"key"`   // where it stands, such as "agents.mine" or "checks.each[0]"
	Value  string     `json:"value"` // exact text: a command as written, a definition as JSON
	Place  string     `json:"place"` // ".growbench.json:4"; for found commands what they were found by
	Files  []FileHash `json:"files"` // files of the project that it names
	Hash   string     `json:"hash"`  // SHA-256 over kind, name, value and Files, in hex
	Reason string     `json:"reason,omitempty"`
	// Problem says why the item cannot be trusted at all, such as a script
	// that is a named pipe; "" for everything usual.
	Problem string `json:"problem,omitempty"`
}

// String is one line for people, with every control character visible.
func (i Item) String() string {
	line := i.Kind + " " + visible(i.Key) + ": " + visible(i.Value) + " (" + visible(i.Place)
	for _, file := range i.Files {
		line += ", with " + visible(file.Path)
	}
	line += ")"
	for _, extra := range []string{i.Reason, i.Problem} {
		if extra != "" {
			line += " — " + visible(extra)
		}
	}
	return line
}

// name is the key without a list position: moving a command up or down in its
// list changes nothing about what it may do.
func (i Item) name() string {
	name, _, _ := strings.Cut(i.Key, "[")
	if strings.HasSuffix(i.Key, "]") {
		return name
	}
	return i.Key
}

func (i Item) seal() Item {
	if i.Files == nil {
		i.Files = []FileHash{}
	}
	content, _ := json.Marshal([]any{i.Kind, i.name(), i.Value, i.Files}) // strings only: cannot fail
	sum := sha256.Sum256(content)
	i.Hash = hex.EncodeToString(sum[:])
	return i
}

// maxItems bounds what one project may ask for: nobody reads longer lists.
const maxItems = 500

// itemsOf lists what needs trust in the project's layer. What the user
// defined under the same name is not the project's to change and is left out.
func itemsOf(root string, project, user layer) []Item {
	c := project.config
	var items []Item
	budget := int64(maxBoundBytes)
	add := func(kind, key, value string, bind func(*binder)) {
		b := &binder{root: root, budget: &budget}
		if bind != nil {
			bind(b)
		}
		items = append(items, Item{
			Kind: kind, Key: key, Value: value, Place: project.at(key),
			Files: b.files, Problem: b.problem,
		}.seal())
	}
	for _, name := range sortedKeys(c.Providers) {
		if _, owned := user.config.Providers[name]; !owned {
			add("provider", joinKey("providers", name), compact(c.Providers[name]), nil)
		}
	}
	for _, name := range sortedKeys(c.Agents) {
		agent := c.Agents[name]
		if _, owned := user.config.Agents[name]; owned || agent.Kind == "native" {
			continue
		}
		add("agent", joinKey("agents", name), compact(agent), func(b *binder) {
			b.words(agent.Argv)
			b.file(agent.File)
		})
	}
	for _, name := range sortedKeys(c.Mirrors) {
		if _, owned := user.config.Mirrors[name]; !owned {
			argv := c.Mirrors[name].Argv
			add("mirror", joinKey("mirrors", name), compact(c.Mirrors[name]), func(b *binder) { b.words(argv) })
		}
	}
	for _, list := range []struct {
		kind, key string
		values    []string
		bind      func(*binder, string)
	}{
		{"check", "checks.each", c.Checks.Each, (*binder).command},
		{"verify", "checks.verify", c.Checks.Verify, (*binder).command},
		{"setup", "workspace.setup", c.Workspace.Setup, (*binder).command},
		{"permission", "permissions.allow", c.Permissions.Allow, (*binder).command},
		{"skill", "skills", c.Skills, (*binder).tree},
	} {
		for i, value := range list.values {
			add(list.kind, fmt.Sprintf("%s[%d]", list.key, i), value, func(b *binder) { list.bind(b, value) })
		}
		// An empty list runs nothing, but it would silence the user's own checks.
		if project.given(list.key) && len(list.values) == 0 && strings.HasPrefix(list.key, "checks.") {
			add(list.kind, list.key, "[]", nil)
		}
	}
	if project.given("sandbox") && weaker(c.Sandbox, user.sandbox()) {
		add("sandbox", "sandbox", c.Sandbox, nil)
	}
	for _, network := range []struct {
		key            string
		project, users *bool
	}{
		{"checks.network", c.Checks.Network, user.config.Checks.Network},
		{"workspace.network", c.Workspace.Network, user.config.Workspace.Network},
	} {
		if project.given(network.key) && Online(network.project) && !Online(network.users) {
			add("network", network.key, "true", nil)
		}
	}
	return items
}

// weaker tells whether sandbox a protects less than b.
func weaker(a, b string) bool {
	strength := []string{"off", "auto", "landlock", "bwrap"}
	return slices.Index(strength, a) < slices.Index(strength, b)
}

// compact is a definition as one line of JSON, without escapes for HTML.
func compact(definition any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(definition); err != nil {
		return fmt.Sprint(definition)
	}
	return strings.TrimSpace(out.String())
}
