package main

import (
	"os"
	"strings"
	"testing"

	"growbench/ui"
)

// The README's key table is the program's own. UPDATE_README=1 writes it.
func TestReadmeHasTheKeys(t *testing.T) {
	const begin, end = "<!-- keys -->\n", "<!-- /keys -->"
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(data), begin)
	table, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("README.md has no place for the keys")
	}
	if table == ui.KeyTable() {
		return
	}
	if os.Getenv("UPDATE_README") == "" {
		t.Fatal("the README's keys are not the program's; UPDATE_README=1 go test . writes them")
	}
	if err := os.WriteFile("README.md", []byte(head+begin+ui.KeyTable()+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
