package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever a project's file holds: it is accepted or reported with its place,
// it never panics, and without trust nothing that runs gets through.
func FuzzProjectFile(f *testing.F) {
	for _, seed := range []string{
		documented, executing, "", "{}", "[]", "{\"a\": 1, \"a\": 2}", "\uFEFF{\"limits\": {\"wall\": \"1m\"}}", "{\"scope\":\r7}",
		`{"agents": {"a.b[0]": {"kind": "script", "file": "x"}}, "roles": {"worker": "a.b[0]"}}`,
		`{"permissions": {"allow": ["a", "b"]}, "skills": ["s", "../t"]}`, "{\"\\ud800\": 1}", "\xff\xfe{}", `{"limits": {"output": 1e3, "cost": 1e999}}`,
	} {
		f.Add([]byte(seed))
	}
	top := f.TempDir()
	f.Setenv("HOME", top)
	f.Setenv("XDG_CONFIG_HOME", "")
	f.Setenv("XDG_STATE_HOME", "")
	project := filepath.Join(top, "project")
	if err := os.Mkdir(project, 0o755); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(project, ProjectFile), data, 0o644); err != nil {
			t.Fatal(err)
		}
		loaded, err := Load(Options{ProjectRoot: project})
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, ProjectFile+":") && !strings.HasPrefix(line, "… and ") {
					t.Errorf("no place in %q", line)
				}
			}
			if visible(strings.ReplaceAll(err.Error(), "\n", "")) != strings.ReplaceAll(err.Error(), "\n", "") {
				t.Errorf("raw controls in %q", err)
			}
			return
		}
		c := loaded.Config
		if len(c.Checks.Each)+len(c.Checks.Verify)+len(c.Workspace.Setup)+len(c.Permissions.Allow)+len(c.Skills)+len(c.Mirrors) > 0 ||
			c.Sandbox == "off" || !reflect.DeepEqual(c.Providers, Defaults().Providers) {
			t.Errorf("untrusted values are in force: %+v", c)
		}
		for name, agent := range c.Agents {
			if agent.Kind != "native" {
				t.Errorf("untrusted agent %q is in force", name)
			}
		}
		for _, ref := range agentRefs(c) {
			if _, ok := c.Agents[ref.name]; ref.name != "" && !ok {
				t.Errorf("%s names the missing agent %q", ref.key, ref.name)
			}
		}
		frozen, err := json.Marshal(c)
		if err != nil || !utf8.Valid(frozen) {
			t.Fatalf("freezing: %v", err)
		}
		var back Config
		if err := json.Unmarshal(frozen, &back); err != nil || !reflect.DeepEqual(back, c) {
			t.Errorf("thawing: %v\n got %+v\nwant %+v", err, back, c)
		}
		for _, row := range Explain(loaded).Rows() {
			if row.Source == "" {
				t.Errorf("%s has no source", row.Key)
			}
		}
	})
}
