package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// FoundCommand is a verify command nobody configured: the project's files
// suggest it. It is listed and never run until the user trusts it.
type FoundCommand struct {
	Command string `json:"command"`
	Why     string `json:"why"` // what suggests it, such as "go.mod"
	Trusted bool   `json:"trusted"`
}

// item binds the command to what suggested it: the text of an npm script is
// part of Why, so another script under the same name asks again.
func (f FoundCommand) item() Item {
	return Item{Kind: "found", Key: "checks.verify", Value: f.Command + "\n" + f.Why, Place: f.Why}.seal()
}

// FindVerify looks at a few well-known files in the project's root. It runs
// nothing and opens only regular files.
func FindVerify(projectRoot string) []FoundCommand {
	found := []FoundCommand{}
	add := func(command, why string) { found = append(found, FoundCommand{Command: command, Why: why}) }
	if hasFile(projectRoot, "go.mod") {
		add("go test ./...", "go.mod")
	}
	if script := npmTest(projectRoot); script != "" {
		add("npm test", "package.json, script test: "+script)
	}
	if hasFile(projectRoot, "Cargo.toml") {
		add("cargo test", "Cargo.toml")
	}
	if why := pytest(projectRoot); why != "" {
		add("pytest", why)
	}
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} { // the order in which make looks
		if !hasFile(projectRoot, name) {
			continue
		}
		if text, err := readProjectFile(projectRoot, name, maxConfig); err == nil && testTarget.Match(text) {
			add("make test", name+", target test")
		}
		break
	}
	return found
}

// testTarget matches a rule for test, also among several targets, but not a
// variable (test := …).
var testTarget = regexp.MustCompile(`(?m)^(?:[^\s#:=][^#:=\n]*[ \t])?test(?:[ \t][^#:=\n]*)?::?(?:[^=:\n]|$)`)

func npmTest(root string) string {
	data, err := readProjectFile(root, "package.json", maxConfig)
	if err != nil {
		return ""
	}
	var manifest struct {
		Scripts map[string]any `json:"scripts"`
	}
	if json.Unmarshal([]byte(strings.TrimPrefix(string(data), "\uFEFF")), &manifest) != nil {
		return ""
	}
	script, _ := manifest.Scripts["test"].(string)
	if strings.Contains(script, "no test specified") { // what npm init writes
		return ""
	}
	return strings.TrimSpace(script)
}

func pytest(root string) string {
	if hasFile(root, "pytest.ini") {
		return "pytest.ini"
	}
	if text, err := readProjectFile(root, "pyproject.toml", maxConfig); err == nil && strings.Contains(string(text), "pytest") {
		return "pyproject.toml mentions pytest"
	}
	for _, pattern := range []string{"tests/test_*.py", "tests/*_test.py", "test_*.py"} {
		folder, name := filepath.Split(pattern)
		entries, err := os.ReadDir(filepath.Join(root, folder))
		if err != nil {
			continue
		}
		for _, entry := range entries {
			if fits, _ := filepath.Match(name, entry.Name()); fits && entry.Type().IsRegular() {
				return pattern
			}
		}
	}
	return ""
}

func hasFile(root, name string) bool {
	info, err := os.Stat(filepath.Join(root, name))
	return err == nil && info.Mode().IsRegular()
}
