package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"growbench/engine/workspace"
	"growbench/ui"
)

// The README's key table and what it says of sandboxes are the program's own.
// UPDATE_README=1 writes them.
func TestReadmeIsTheProgramsOwn(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, part := range []struct{ name, text string }{{"keys", ui.KeyTable()}, {"sandboxes", sandboxes()}} {
		begin, end := "<!-- "+part.name+" -->\n", "<!-- /"+part.name+" -->"
		head, rest, found := strings.Cut(text, begin)
		_, tail, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("README.md has no place for the %s", part.name)
		}
		text = head + begin + part.text + end + tail
	}
	switch {
	case text == string(data):
	case os.Getenv("UPDATE_README") == "":
		t.Fatal("the README is not the program's; UPDATE_README=1 go test . writes it")
	default:
		if err := os.WriteFile("README.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sandboxes is what the README says of each sandbox.
func sandboxes() string {
	var text strings.Builder
	passes := workspace.PassesOf(workspace.SandboxBwrap)
	if len(passes) == 0 {
		text.WriteString("`bwrap` stops all of them. ")
	} else {
		fmt.Fprintf(&text, "`bwrap` does not stop an agent that %s. ", strings.Join(passes, "; "))
	}
	text.WriteString("Landlock, which takes its place, does not stop an agent that\n\n")
	for _, row := range workspace.PassesOf(workspace.SandboxLandlock) {
		fmt.Fprintf(&text, "- %s\n", row)
	}
	text.WriteString("\nWithout a sandbox an agent can do whatever you can. Even so an agent is stopped that\n\n")
	weak := workspace.PassesOf(workspace.SandboxNone)
	for _, row := range workspace.Attacks() {
		if !slices.ContainsFunc(weak, func(w string) bool { return strings.HasPrefix(w, row) }) {
			fmt.Fprintf(&text, "- %s\n", row)
		}
	}
	return text.String()
}
