package mapgen

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"growbench/mapgen/scan"
)

func edit(t *testing.T, root, name, from, to string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	after := strings.Replace(string(text), from, to, 1)
	if after == string(text) {
		t.Fatalf("%s does not hold %q", name, from)
	}
	write(t, root, map[string]string{name: after})
}

func remove(t *testing.T, root, name string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(root, name)); err != nil {
		t.Fatal(err)
	}
}

// breakages are ways to make a map wrong, and what is found then.
var breakages = []struct {
	name      string
	kind      string
	dir, file string
	detail    string
	breakIt   func(t *testing.T, root string)
}{
	{"a new file", KindMissing, "cart", "new.go", "", func(t *testing.T, root string) {
		write(t, root, map[string]string{"cart/new.go": "package cart\n"})
	}},
	{"a new directory", KindMissing, "fresh", "", "", func(t *testing.T, root string) {
		write(t, root, map[string]string{"fresh/a.md": "# Words\n"})
	}},
	{"a deleted file", KindOrphaned, "cart", "cart_test.go", "", func(t *testing.T, root string) { remove(t, root, "cart/cart_test.go") }},
	{"a renamed export", KindSignature, "cart", "cart.go", "no longer: New() *Cart; now: Make() *Cart", func(t *testing.T, root string) {
		edit(t, root, "cart/cart.go", "func New()", "func Make()")
	}},
	{"a changed signature", KindSignature, "cart/price", "price.go", "now: Total(currency string", func(t *testing.T, root string) {
		edit(t, root, "cart/price/price.go", "Total(", "Total(currency string, ")
	}},
	{"a changed import", KindStale, ".", "main.go", "dependencies", func(t *testing.T, root string) {
		edit(t, root, "main.go", "\"fmt\"", "\"log\"")
	}},
	{"a change nobody would describe", KindStale, "tools", "rates.py", "described", func(t *testing.T, root string) {
		edit(t, root, "tools/rates.py", "\n", "\n\n")
	}},
	{"half a pair", KindPair, "web", "", scan.IndexName, func(t *testing.T, root string) { remove(t, root, "web/"+scan.IndexName) }},
	{"the other half", KindPair, "web", "", scan.MapName, func(t *testing.T, root string) { remove(t, root, "web/"+scan.MapName) }},
	{"a pair", KindMissing, "web/src", "", "", func(t *testing.T, root string) {
		remove(t, root, "web/src/"+scan.MapName)
		remove(t, root, "web/src/"+scan.IndexName)
	}},
	{"a link to a child", KindLink, "web", scan.IndexName, "web/source", func(t *testing.T, root string) {
		edit(t, root, "web/"+scan.IndexName, "- web/src -> web/src/", "- web/source -> web/source/")
	}},
	{"a link to itself", KindLink, "web", scan.IndexName, "map:", func(t *testing.T, root string) {
		edit(t, root, "web/"+scan.IndexName, "map: web/", "map: wob/")
	}},
	{"a link to the index", KindLink, "web", scan.MapName, "", func(t *testing.T, root string) {
		edit(t, root, "web/"+scan.MapName, "index: web/", "index: ")
	}},
	{"a document cut in half", KindFormat, "tools", scan.MapName, "missing", func(t *testing.T, root string) {
		text, _ := os.ReadFile(filepath.Join(root, "tools", scan.MapName))
		write(t, root, map[string]string{"tools/" + scan.MapName: string(text[:len(text)/2])})
	}},
	{"a document in another form", KindFormat, "tools", scan.MapName, "form", func(t *testing.T, root string) {
		edit(t, root, "tools/"+scan.MapName, "## role\n", "## role\n\n")
	}},
	{"bytes that are no text", KindFormat, "tools", scan.IndexName, "UTF-8", func(t *testing.T, root string) {
		edit(t, root, "tools/"+scan.IndexName, "## role\n", "## role\n\xff\xfe")
	}},
	{"a role by hand", KindStale, "tools", scan.MapName, "## role", func(t *testing.T, root string) {
		edit(t, root, "tools/"+scan.MapName, "## role\n", "## role\nBest tools ever. ")
	}},
	{"an invented export", KindSignature, "cart", "cart.go", "Ghost", func(t *testing.T, root string) {
		edit(t, root, "cart/"+scan.MapName, "New() *Cart", "New() *Cart, Ghost()")
	}},
	{"an invented file", KindOrphaned, "cart", "ghost.go", "", func(t *testing.T, root string) {
		edit(t, root, "cart/"+scan.MapName, "## files\n", "## files\n- ghost.go | haunts\n")
	}},
	{"a marker", KindDirty, "cart", "", "cart.go modified", func(t *testing.T, root string) {
		if _, err := open(t, root, Options{}).MarkDirty([]string{"cart/cart.go"}, ""); err != nil {
			t.Fatal(err)
		}
	}},
	{"a leftover", KindOrphaned, "tools", "", "", func(t *testing.T, root string) { remove(t, root, "tools/rates.py") }},
}

func TestEveryKindOfFindingIsFoundAndMended(t *testing.T) {
	for _, c := range breakages {
		t.Run(c.name, func(t *testing.T) {
			root := repository(t)
			p, _ := initMap(t, root)
			c.breakIt(t, root)
			v, err := p.Validate(context.Background(), false)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(v.Findings, func(f Finding) bool {
				return f.Kind == c.kind && f.Dir == c.dir && f.File == c.file && strings.Contains(f.Detail, c.detail)
			})
			if at < 0 || v.OK || v.Counts[c.kind] == 0 || v.Recommend == RecommendNone {
				t.Fatalf("not found in %+v (recommend %s)", v.Findings, v.Recommend)
			}
			if v.Findings[at].Fix == "" {
				t.Error("the finding does not say what mends it")
			}
			v, err = p.Validate(context.Background(), true)
			if err != nil || !v.OK {
				t.Fatalf("after the fix: %+v, %v", v, err)
			}
			for _, f := range v.Findings {
				if f.Fix != "done" {
					t.Errorf("left: %+v", f)
				}
			}
			right(t, root)
		})
	}
}

// What Status names, a full check names too.
func TestNothingStaleIsRight(t *testing.T) {
	for _, c := range breakages {
		root := repository(t)
		p, _ := initMap(t, root)
		c.breakIt(t, root)
		s, err := p.Status(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.Validate(context.Background(), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range s.Dirs {
			if !slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Dir == d.Dir }) {
				t.Errorf("%s: %s is %v, but not in %+v", c.name, d.Dir, d.State, v.Findings)
			}
		}
	}
}

// Documents that came with the files, as from another clone, are judged by what
// they say.
func TestDocumentsThatCameWithTheFilesAreRight(t *testing.T) {
	root := repository(t)
	initMap(t, root)
	state, kept := filepath.Join(root, scan.StateDir), t.TempDir()
	if err := os.CopyFS(kept, os.DirFS(state)); err != nil {
		t.Fatal(err)
	}
	edit(t, root, "cart/cart.go", "func New()", "func Make()")
	initMap(t, root)
	remove(t, root, scan.StateDir)
	if err := os.CopyFS(state, os.DirFS(kept)); err != nil {
		t.Fatal(err)
	}
	if s, err := open(t, root, Options{}).Status(context.Background()); err != nil || !s.Clean {
		t.Errorf("%+v, %v", s, err)
	}
	right(t, root)
}

func TestUnreadableThingsAreFindings(t *testing.T) {
	if !unprivileged(t) {
		return
	}
	root := repository(t)
	write(t, root, map[string]string{"locked/a.go": "package a\n", "cart/closed.go": "package cart\n"})
	p, _ := initMap(t, root)
	for name, mode := range map[string]os.FileMode{"locked": 0, "cart/closed.go": 0} {
		full := filepath.Join(root, name)
		if err := os.Chmod(full, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(full, 0o755) })
	}
	v, err := p.Validate(context.Background(), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][2]string{{"locked", ""}, {"cart", "closed.go"}} {
		if !slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Kind == KindUnreadable && f.Dir == want[0] && f.File == want[1] }) {
			t.Errorf("%v is not among %+v", want, v.Findings)
		}
	}
	report, err := p.Init(context.Background(), nil)
	if err != nil || len(report.Skipped) != 3 { // node_modules is the third
		t.Errorf("%+v, %v", report, err)
	}
	if f := fileIn(t, mapOf(t, root, "cart"), "closed.go"); f.Purpose != "unreadable" {
		t.Errorf("%+v", f)
	}
}

func TestManyDirtyDirectoriesCallForANewScan(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	for _, dir := range []string{"cart", "web", "tools", "data"} {
		write(t, root, map[string]string{dir + "/new.md": "# New words\n"})
		v, err := p.Validate(context.Background(), false)
		if err != nil {
			t.Fatal(err)
		}
		want := RecommendPatch
		if dir == "data" {
			want = RecommendReinit
		}
		if v.Recommend != want {
			t.Errorf("after %s: recommend %s, want %s", dir, v.Recommend, want)
		}
	}
}

func TestMarkersAreLeftListedAndCleared(t *testing.T) {
	root := repository(t)
	at := time.Date(2026, 11, 30, 14, 32, 0, 0, time.UTC)
	initMap(t, root)
	p := open(t, root, Options{Now: func() time.Time { return at }})
	left, err := p.MarkDirty([]string{"cart/cart.go", "cart/new.go", "out"}, "")
	if err != nil {
		t.Fatal(err)
	}
	want := []Marker{{"cart", "2026-11-30T14:32:00Z: cart.go modified"}, {"cart", "2026-11-30T14:32:00Z: new.go deleted"}, {".", "2026-11-30T14:32:00Z: out created"}}
	if !slices.Equal(left, want) {
		t.Errorf("left %v", left)
	}
	listed, err := p.Markers(context.Background())
	if err != nil || len(listed) != 3 {
		t.Errorf("listed %v, %v", listed, err)
	}
	docs := documents(t, root)
	for _, name := range []string{scan.MapName, scan.IndexName} {
		if !strings.Contains(docs["cart/"+name], "## dirty\n2026-11-30T14:32:00Z: cart.go modified\n2026-11-30T14:32:00Z: new.go deleted\n") {
			t.Errorf("%s:\n%s", name, docs["cart/"+name])
		}
	}
	s, err := p.Status(context.Background())
	if err != nil || len(s.Dirs) != 2 || !slices.Equal(s.Dirs[1].State, []string{Dirty}) {
		t.Errorf("status %+v, %v", s, err)
	}
	patchOf(t, p, Auto, "cart/cart.go")
	if listed, _ := p.Markers(context.Background()); len(listed) != 1 {
		t.Errorf("after a patch: %v", listed)
	}
	if _, err := p.Init(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if listed, _ := p.Markers(context.Background()); len(listed) != 0 {
		t.Errorf("after a scan: %v", listed)
	}
	right(t, root)
}

func TestStatusTrustsContentNotTimes(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(root, "cart/cart.go"), later, later); err != nil {
		t.Fatal(err)
	}
	if s, err := p.Status(context.Background()); err != nil || !s.Clean {
		t.Errorf("touched only: %+v, %v", s, err)
	}
	// The same size and the same time, other content.
	name := filepath.Join(root, "cart/cart.go")
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	edit(t, root, "cart/cart.go", "Lines []string", "Pages []string")
	if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if s, err := p.Status(context.Background()); err != nil || s.Clean {
		t.Errorf("other content in old clothes: %+v, %v", s, err)
	}
}

func TestStatusWithoutRecordsFindsTheSame(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	remove(t, root, scan.StateDir)
	if s, err := p.Status(context.Background()); err != nil || !s.Clean {
		t.Errorf("%+v, %v", s, err)
	}
	edit(t, root, "cart/cart.go", "func New()", "func Make()")
	s, err := p.Status(context.Background())
	if err != nil || len(s.Dirs) != 1 || s.Dirs[0].Dir != "cart" {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestTreeShowsStates(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	write(t, root, map[string]string{"cart/price/new.go": "package price\n"})
	tree, err := p.Tree(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *TreeNode)
	states := map[string]string{}
	walk = func(n *TreeNode) {
		states[n.Dir] = strings.Join(n.State, ",")
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(tree)
	if states["cart/price"] != Stale || states["."] != "" || len(states) != 10 {
		t.Errorf("states %v", states)
	}
	g, err := p.Graph(context.Background())
	if err != nil || !slices.Contains(g.Edges, Edge{".", "cart", 1}) || len(g.Nodes) != 10 {
		t.Errorf("graph %+v, %v", g, err)
	}
}

func TestSymbolsResolveImports(t *testing.T) {
	root := repository(t)
	list, err := open(t, root, Options{}).Symbols(context.Background(), []string{"main.go", "web/src/guard.ts"})
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	if i := list[0].Imports[1]; !i.Internal || i.Target != "pkg/cart" {
		t.Errorf("%+v", i)
	}
	if imports := list[1].Imports; grammars() && imports[0].Target != "pkg/web/src/base" {
		t.Errorf("%+v", imports)
	}
}
