//go:build cgo

package ledger

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"growbench/mapgen/symbols"
)

// tree answers the resolver from a case.
type tree map[string]string

func (t tree) List(dir string) []string {
	var names []string
	for p := range t {
		rest, ok := strings.CutPrefix(p, strings.TrimPrefix(dir+"/", "./"))
		if !ok {
			continue
		}
		name, _, deeper := strings.Cut(rest, "/")
		if deeper {
			name += "/"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (t tree) Read(p string) ([]byte, error) {
	if text, ok := t[path.Clean(p)]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("no %s", p)
}

func TestUsersOfWhatWasBroken(t *testing.T) {
	for _, c := range []struct {
		name   string
		change Change
		files  tree
		want   string // path:line, "?" where it is not certain
	}{
		{"Go", Change{Symbol: "Parse", Kind: "removed", File: "size/size.go", Language: "Go", Package: "size"}, tree{
			"go.mod":         "module example.com/x\n",
			"a/plain.go":     "package a\n\nimport \"example.com/x/size\"\n\n// size.Parse\nvar _ = size.Parse(\"size.Parse\")\n\nfunc Parse() {}\n",
			"a/alias.go":     "package a\n\nimport s \"example.com/x/size\"\n\nvar _ = s.Parse\nvar _ = other.Parse\n",
			"b/other.go":     "package b\n\nimport \"example.com/y/size\"\n\nvar _ = size.Parse\n",
			"size/beside.go": "package size\n\nfunc use() { Parse(); x.Parse() }\n",
		}, "a/alias.go:5 a/plain.go:6 size/beside.go:3"},
		{"Go method", Change{Symbol: "Store.Close", Kind: "removed", File: "store/store.go", Language: "Go", Package: "store"}, tree{
			"go.mod": "module example.com/x\n",
			"a/a.go": "package a\n\nimport \"example.com/x/store\"\n\nfunc f(s *store.Store) { s.Close(); Close() }\n",
			"b/b.go": "package b\n\nfunc f(s interface{ Close() }) { s.Close() }\n",
		}, "?a/a.go:5"},
		{"TypeScript", Change{Symbol: "parse", Kind: "renamed", File: "src/size.ts", Language: "TypeScript"}, tree{
			"src/named.ts":  "import { parse } from './size'\n// parse\nexport const a = parse('parse') + x.parse()\n",
			"src/space.ts":  "import * as size from './size'\nsize.parse(`${size.parse('')}`)\n",
			"src/index.ts":  "export { parse } from './size'\n",
			"src/others.ts": "import { parse } from './other'\nparse()\n",
			"src/none.ts":   "import { format } from './size'\nconst parse = 1\n",
		}, "src/index.ts:1 src/named.ts:1 src/named.ts:3 src/space.ts:2 via src/index.ts parse"},
		{"Python", Change{Symbol: "parse", Kind: "moved", File: "pkg/size.py", Language: "Python"}, tree{
			"pkg/__init__.py": "", "pkg/size.py": "",
			"pkg/a.py": "from .size import parse\n\nx = parse('parse')  # parse\n",
			"pkg/b.py": "from . import size as s\n\nx = s.parse('')\n",
			"pkg/c.py": "import json\n\nx = json.parse('')\n",
			"main.py":  "from pkg import size\n\nx = f\"{size.parse('a')}\"\n",
		}, "main.py:3 pkg/a.py:1 pkg/a.py:3 pkg/b.py:3"},
		{"Rust", Change{Symbol: "parse", Kind: "removed", File: "src/size.rs", Language: "Rust"}, tree{
			"Cargo.toml": "[package]\nname = \"x\"\n", "src/lib.rs": "mod size;\n", "src/size.rs": "",
			"src/a.rs": "use crate::size::parse;\n\nfn f() { parse(\"parse\"); }\n",
			"src/b.rs": "fn f() { other::parse(); }\n",
		}, "src/a.rs:1 src/a.rs:3"},
		{"Java", Change{Symbol: "Size.MAX", Kind: "removed", File: "a/Size.java", Language: "Java", Package: "a"}, tree{
			"a/Beside.java": "package a;\n\nclass Beside { int x = Size.MAX; int y = other.MAX; }\n",
			"b/Far.java":    "package b;\n\nimport a.Size;\n\nclass Far {\n int x = Size.MAX; // Size.MAX\n}\n",
			"b/Not.java":    "package b;\n\nclass Not { int x = Size.MAX; }\n",
		}, "a/Beside.java:3 b/Far.java:6"},
	} {
		c.change.Class = Breaking
		if got := traced(t, c.change, c.files); got != c.want {
			t.Errorf("%s: users at %s, want %s", c.name, got, c.want)
		}
	}
}

// traced lists the users of one change among some files, and then the places
// it can be had from as well.
func traced(t *testing.T, change Change, files tree) string {
	t.Helper()
	resolver := symbols.NewResolver(files)
	trails, err := Trace([]*Change{&change}, func(_, endings []string, closer func(path, text string) bool) (found []Version, err error) {
		for p, text := range files {
			code := symbols.Extract(p, []byte(text), symbols.Limits{})
			if code.Language == "" || !slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(p, e) }) || !closer(p, text) {
				continue
			}
			resolver.Resolve(&code)
			found = append(found, Version{text, code})
		}
		return found, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range trails[0].Places {
		mark := ""
		if !u.Certain {
			mark = "?"
		}
		got = append(got, fmt.Sprintf("%s%s:%d", mark, u.Path, u.Line))
	}
	slices.Sort(got)
	for _, via := range trails[0].Through {
		got = append(got, "via "+via.File+" "+via.Symbol)
	}
	return strings.Join(got, " ")
}
