package mapgen

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"growbench/mapgen/recall"
)

// workspace is a monorepo of three packages in two languages.
var workspace = map[string]string{
	"package.json":                 `{"private": true, "workspaces": ["packages/*"]}`,
	"packages/core/package.json":   `{"name": "@shop/core", "main": "index.ts"}`,
	"packages/core/index.ts":       "export const sum = (a: number[]): number => 0\n",
	"packages/web/package.json":    `{"name": "@shop/web"}`,
	"packages/web/src/page.ts":     "import { sum } from '@shop/core';\nimport { far } from './deep/far';\nexport const page = () => sum([far])\n",
	"packages/web/src/deep/far.ts": "export const far = 1\n",
	"tools/go.mod":                 "module example.com/tools\n\ngo 1.24\n",
	"tools/main.go":                "package main\n\nimport _ \"example.com/tools/lib\"\n\nfunc main() {}\n",
	"tools/lib/lib.go":             "package lib\n",
}

func newWorkspace(t *testing.T) *Project {
	root := t.TempDir()
	git(t, root, "init", "-q")
	write(t, root, workspace)
	git(t, root, "add", "-A")
	git(t, root, "commit", "-qm", "start")
	p, _ := initMap(t, root)
	return p
}

func TestTheGraphJoinsPackages(t *testing.T) {
	p := newWorkspace(t)
	g, err := p.Graph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := []PackageNode{{".", "npm", []string{}}, {"packages/core", "npm", []string{}}, {"packages/web", "npm", []string{"packages/core"}}, {"tools", "go", []string{}}}
	if !reflect.DeepEqual(g.Packages, want) {
		t.Errorf("packages %+v", g.Packages)
	}
	edges := []Edge{{"packages/web/src", "packages/core", 1}, {"packages/web/src", "packages/web/src/deep", 1}, {"tools", "tools/lib", 1}}
	if !reflect.DeepEqual(g.Edges, edges) {
		t.Errorf("edges %+v", g.Edges)
	}
}

func TestTheGraphIsWrittenOnRequest(t *testing.T) {
	p := newWorkspace(t)
	ctx := context.Background()
	g, err := p.Graph(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.WriteGraph(ctx, g); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(p.Root(), GraphName))
	if err != nil || !strings.Contains(string(text), "- packages/web (npm) -> packages/core\n") || !strings.Contains(string(text), "- packages/web/src -> packages/core (1), packages/web/src/deep (1)\n") {
		t.Errorf("%s, %v", text, err)
	}
	if s, err := p.Status(ctx); err != nil || !s.Clean {
		t.Errorf("the map does not know the file: %+v, %v", s, err)
	}
	write(t, p.Root(), map[string]string{GraphName: "# somebody's own\n"})
	if err := p.WriteGraph(ctx, g); !errors.Is(err, ErrNotOurs) {
		t.Errorf("%v", err)
	}
	if text, _ := os.ReadFile(filepath.Join(p.Root(), GraphName)); string(text) != "# somebody's own\n" {
		t.Errorf("overwritten: %s", text)
	}
	if _, err := open(t, t.TempDir(), Options{}).Graph(ctx); !errors.Is(err, ErrNoMap) {
		t.Errorf("without a map: %v", err)
	}
}

// A workspace's root lists its packages, whether they came by a scan or by a
// patch, and with or without what was remembered.
func TestAWorkspaceListsItsPackages(t *testing.T) {
	p := newWorkspace(t)
	ctx := context.Background()
	lists := func(want string) {
		t.Helper()
		text := documents(t, p.Root())[".pi-map.md"]
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
	lists("Packages: packages/core (npm); packages/web (npm); tools (go)")
	if text := documents(t, p.Root())["packages/web/.pi-map.md"]; !strings.Contains(text, "\nPackage: packages/web (npm)\n") {
		t.Errorf("%s", text)
	}
	write(t, p.Root(), map[string]string{"packages/new/Cargo.toml": "[package]\nname = \"new\"\n"})
	if _, err := p.Patch(ctx, []string{"packages/new/Cargo.toml"}, Auto); err != nil {
		t.Fatal(err)
	}
	lists("Packages: packages/core (npm); packages/new (cargo); packages/web (npm); tools (go)")
	if err := os.Remove(filepath.Join(p.Root(), "tools/go.mod")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(p.Root(), ".growbench")); err != nil {
		t.Fatal(err)
	}
	p = open(t, p.Root(), Options{})
	if _, err := p.Patch(ctx, []string{"tools/go.mod"}, Auto); err != nil {
		t.Fatal(err)
	}
	lists("Packages: packages/core (npm); packages/new (cargo); packages/web (npm)")
	patched := documents(t, p.Root())
	if _, err := p.Reinit(ctx, "."); err != nil {
		t.Fatal(err)
	}
	if anew := documents(t, p.Root()); !reflect.DeepEqual(anew, patched) {
		t.Error("made anew, the map differs from the patched one")
	}
}

func TestContextKnowsPackages(t *testing.T) {
	p := newWorkspace(t)
	b, err := p.Context(context.Background(), "far", recall.Want{})
	if err != nil || !strings.Contains(b.Text, "### packages/web/src/deep\n") || !strings.Contains(b.Text, "package: packages/web\n") {
		t.Errorf("%s, %v", b.Text, err)
	}
	// Both packages have an entry; the question says whose.
	for _, name := range []string{"core", "@shop/core"} {
		b, err := p.Context(context.Background(), "exports of "+name, recall.Want{})
		if err != nil || b.Dirs[0].Path != "packages/core" {
			t.Errorf("%s: %+v, %v", name, b.Dirs, err)
		}
	}
}
