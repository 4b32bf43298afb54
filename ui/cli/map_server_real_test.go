package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"growbench/testdata/ollama/ollamatest"
)

// The same over the wire, with a real server where tests have one: the name of
// the file has the scripted model say a description.
func TestServerDescribesTheMap(t *testing.T) {
	p, d := newPlace(t), newDescriber(t)
	d.will(func(int, string) reply {
		return reply{text: "**PURPOSE:** Counts what lies in the store.\n**DEPS:** none\n**CONCEPTS:** counting, stock\n**ROLE:** The store and its count.\n**ARCH:** One file counts.\n"}
	})
	put(t, filepath.Join(p.repo, "<|say:describe|>.go"), "package store\n\nfunc Count() int { return 0 }\n")
	p.git(p.repo, "init", "-q")
	url, model := d.URL, "tiny"
	if ollamatest.Real() {
		url, model = ollamatest.Start(t, "llama").URL, ollamatest.Plain
	}
	putJSON(t, filepath.Join(p.base, "config", "growbench", "config.json"), map[string]any{
		"providers": map[string]any{"here": map[string]any{"kind": "ollama", "url": url}},
		"agents":    map[string]any{"teller": map[string]any{"kind": "native", "provider": "here", "model": model}},
	})
	p.do("map", "init", "--llm", "teller").ends(exitOK, "2 calls")
	page := p.pages()[".pi-map.md"]
	for _, w := range []string{"| Counts what lies in the store. | exp: Count() int", "The store and its count.", "One file counts.", "counting, stock"} {
		if !strings.Contains(page, w) {
			t.Errorf("no %q in\n%s", w, page)
		}
	}
	p.do("map", "init", "--llm", "teller").ends(exitOK, "0 calls")
}
