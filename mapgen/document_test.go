package mapgen

import (
	"context"
	"slices"
	"strings"
	"testing"

	"growbench/mapgen/symbols"
)

func TestDocumentsAreListedAndAreNoCode(t *testing.T) {
	root := repository(t)
	write(t, root, map[string]string{
		"guide/README.md":    "# Build, test | and (run\n\nHow the shop is built and kept.\n\n## Zanzibar\n",
		"guide/package.json": `{"name": "guide", "scripts": {"build": "x, y"}, "dependencies": {"left": "1", "shop": "link:../web"}}`,
		"guide/Makefile":     "all:\n\techo\n",
		"guide/lock.mk":      "",
	})
	initMap(t, root)
	m := mapOf(t, root, "guide")
	for name, want := range map[string]string{"README.md": "~# Build, test | and (run; ~## Zanzibar", "package.json": "~package guide; ~script build: x, y", "Makefile": "~all"} {
		if got := strings.Join(fileIn(t, m, name).Exports, "; "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := fileIn(t, m, "package.json").Deps; !slices.Equal(got, []string{"ext/left", "pkg/web"}) {
		t.Errorf("needs %q", got)
	}
	if m.Role != "Guide: How the shop is built and kept" || len(m.Symbols) > 0 || strings.Contains(m.ArchText(), "exported") || strings.Contains(m.ArchText(), "Outside") {
		t.Errorf("role %q, symbols %v, arch %q", m.Role, m.Symbols, m.ArchText())
	}
	right(t, root)
	p := open(t, root, Options{})
	source, err := p.Recall(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range source.Dirs {
		for _, f := range d.Files {
			if document := symbols.Outlined(f.Name); document && len(f.Symbols)+len(f.Deps) > 0 || f.Name == "price.go" && len(f.Symbols) == 0 {
				t.Errorf("questions search %s for %q, %q", f.Name, f.Symbols, f.Deps)
			}
		}
	}
}
