package ui

import (
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"growbench/mapgen"
	"growbench/mapgen/artifact"
	"growbench/mapgen/symbols"
	"growbench/testdata/fixture"
)

// shop is a small project, by file.
var shop = map[string]string{
	"README.md":           "# Shop\n\nSells nothing.\n",
	"go.mod":              "module example.com/shop\n\ngo 1.24\n",
	"main.go":             "// Command shop serves the shop.\npackage main\n\nimport \"example.com/shop/cart\"\n\nfunc main() { cart.New() }\n",
	"cart/cart.go":        "// Package cart holds what a customer wants.\npackage cart\n\nimport \"example.com/shop/cart/price\"\n\n// New makes an empty cart.\nfunc New() int { return price.Total() }\n",
	"cart/price/price.go": "// Package price adds up.\npackage price\n\n// Total is the sum.\nfunc Total(cents ...int) int { return 0 }\n",
	"store/store.go":      "// Package store keeps things.\npackage store\n\nfunc Keep() {}\n",
	"tools/rates.go":      "// Package tools fetches rates.\npackage tools\n\nfunc Fetch() {}\n",
}

var put = fixture.PutAll

// mappedShop is the shop with a map of it.
func mappedShop(t testing.TB) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	put(t, root, shop)
	if _, err := mapAt(t, root).Init(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return root
}

func mapAt(t testing.TB, root string) *mapgen.Project {
	t.Helper()
	p, err := mapgen.Open(root, mapgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// documentsIn are the map's documents below root, by path.
func documentsIn(t testing.TB, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(full string, e fs.DirEntry, err error) error {
		if err == nil && (e.Name() == artifact.MapName || e.Name() == artifact.IndexName) && e.Type().IsRegular() {
			var body []byte
			body, err = os.ReadFile(full)
			rel, _ := filepath.Rel(root, full)
			out[rel] = string(body)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// mapScreen is a workbench on the map of the project at root.
func mapScreen(t testing.TB, root string, extractor mapgen.Extractor) (*glass, *hand) {
	t.Helper()
	clock := &hand{}
	p := projectOf(make(rolls))
	p.Map = func() (*mapgen.Project, func(), error) {
		m, err := mapgen.Open(root, mapgen.Options{Extractor: extractor})
		return m, func() {}, err
	}
	return open(t, 120, 40, Options{Project: p, OnMap: true, Theme: "none", Clock: clock.now}), clock
}

// agree says yes to what came up, once it counts.
func (g *glass) agree(clock *hand, title string) {
	g.t.Helper()
	g.until(title, "a moment, then the keys count")
	clock.forward(time.Second)
	g.press("y")
}

// outside is what somebody does to the shop beside the map: three files
// changed, one deleted, one added, and a marker.
func outside(t testing.TB, root string) {
	t.Helper()
	put(t, root, map[string]string{
		"cart/cart.go":        shop["cart/cart.go"] + "\nfunc More() {}\n",
		"cart/price/price.go": strings.ReplaceAll(shop["cart/price/price.go"], "Total", "Sum"),
		"store/store.go":      shop["store/store.go"] + "\nfunc Lose() {}\n",
		"fresh/fresh.go":      "// Package fresh is new.\npackage fresh\n\nfunc New() {}\n",
	})
	if err := os.Remove(filepath.Join(root, "tools/rates.go")); err != nil {
		t.Fatal(err)
	}
}

func TestTheMapShowsWhatChangedMendsItAndTakesItBack(t *testing.T) {
	root := mappedShop(t)
	g, clock := mapScreen(t, root, nil)
	g.until("5 map clean", "every directory is described as it is")
	outside(t, root)
	before := documentsIn(t, root)
	// A map tells the name of its directory.
	copied := filepath.Join(t.TempDir(), filepath.Base(root))
	if out, err := exec.Command("cp", "-a", root, copied).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	g.press("\x1b[I") // the terminal got the focus
	g.until("1 missing", "1 orphaned", "stale", "re-init recommended")
	g.press("=")
	g.until("~ price.go changed", "tools/ orphaned", "fresh/ missing")

	g.press("gR")
	g.agree(clock, "reconcile all below .?")
	g.until("u brings back what was there before", "+- Sum(cents")
	g.press("\x1b[27u")
	g.until("5 map clean")
	p := mapAt(t, copied)
	s, err := p.Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, d := range s.Dirs {
		dirs = append(dirs, d.Dir)
	}
	if _, err := p.Patch(context.Background(), dirs, mapgen.Auto); err != nil {
		t.Fatal(err)
	}
	if got, want := documentsIn(t, root), documentsIn(t, copied); !maps.Equal(got, want) {
		t.Errorf("R writes\n%v\na patch\n%v", got, want)
	}

	g.press("u")
	g.agree(clock, "undo: reconcile all below .?")
	g.until("directories changed")
	g.press("\x1b[27u")
	g.until("1 missing", "1 orphaned")
	if got := documentsIn(t, root); !maps.Equal(got, before) {
		t.Errorf("undo brings\n%v\nit was\n%v", got, before)
	}
	g.press("q")
	g.end()
}

func TestTheMapIsWalkedBySymbolsAndDependencies(t *testing.T) {
	root := mappedShop(t)
	g, _ := mapScreen(t, root, nil)
	g.until("5 map clean")
	g.press("/total")
	g.until("Total(cents ...int) int :5", "of 12  enter keep")
	g.press("\r\x1b[B\x1b[B\x1b[B\r")
	g.until("› 6 preview of cart/price/price.go", "func Total")
	g.press("\x1b[27u\x1b[27u") // to the tree, then the filter goes
	g.until("store/")
	g.press("5/cart.go\r")
	g.until("cart.go", "of 12")
	g.press("[")
	g.until("preview of cart/cart.go", "uses pkg/cart/price")
	g.press("6")
	g.press("jjj") // the path, the file, what it exports, what it uses
	g.press("\r")
	g.until("preview of cart/price ")
	g.press("b")
	g.until("preview of cart/cart.go")
	g.press("w")
	g.until("preview of cart/price ")
	g.press("5]")
	g.until("# cart/price")
	g.press("z")
	g.until("map raw", "dir: cart/price")
	g.press("q")
	g.end()
}

func TestEveryKindOfFindingIsWalkedToUnderstoodAndMended(t *testing.T) {
	replace := func(name, from, to string) func(t *testing.T, root string) {
		return func(t *testing.T, root string) {
			t.Helper()
			body, err := os.ReadFile(filepath.Join(root, name))
			if err != nil || !strings.Contains(string(body), from) {
				t.Fatalf("%s has no %q: %v", name, from, err)
			}
			put(t, root, map[string]string{name: strings.Replace(string(body), from, to, 1)})
		}
	}
	for _, c := range []struct {
		kind, at string
		spoil    func(t *testing.T, root string)
	}{
		{mapgen.KindMissing, "cart/new.go", func(t *testing.T, root string) { put(t, root, map[string]string{"cart/new.go": "package cart\n"}) }},
		{mapgen.KindOrphaned, "tools", func(t *testing.T, root string) { os.Remove(filepath.Join(root, "tools/rates.go")) }},
		{mapgen.KindSignature, "store/store.go", replace("store/store.go", "Keep()", "Hold()")},
		{mapgen.KindPair, "store", func(t *testing.T, root string) { os.Remove(filepath.Join(root, "store", artifact.IndexName)) }},
		{mapgen.KindLink, "store", replace("store/"+artifact.IndexName, "map: store/", "map: nowhere/")},
		{mapgen.KindStale, "store", replace("store/"+artifact.MapName, "## role\n", "## role\nThe best. ")},
		{mapgen.KindDirty, "store", func(t *testing.T, root string) {
			if _, err := mapAt(t, root).MarkDirty([]string{"store"}, "somebody said so"); err != nil {
				t.Fatal(err)
			}
		}},
		{mapgen.KindFormat, "store", replace("store/"+artifact.MapName, "## role\n", "## role\n\n")},
		{mapgen.KindUnreadable, "store/store.go", func(t *testing.T, root string) {
			if err := os.Chmod(filepath.Join(root, "store/store.go"), 0); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			if c.kind == mapgen.KindUnreadable && !unprivileged(t) {
				return
			}
			root := mappedShop(t)
			c.spoil(t, root)
			g, clock := mapScreen(t, root, nil)
			g.until("5 map ")
			g.when("a look at the map", func(s string) bool { return !strings.Contains(s, "Looking at the map") })
			meaning, _, _ := strings.Cut(kindWords[c.kind], ",")
			check := func() {
				g.press("v")
				g.until("found in the map", "a moment, then the keys count")
				clock.forward(time.Second)
			}
			check()
			g.press("g") // painted anew, without the moment
			screen := g.when("the first finding", func(s string) bool { return !strings.Contains(s, "a moment") })
			for !strings.Contains(screen, meaning) {
				before := screen
				g.press("j")
				screen = g.when(meaning, func(s string) bool { return s != before })
			}
			g.press("\r")
			g.when("walked to", func(s string) bool {
				return !strings.Contains(s, "found in the map") && strings.Contains(s, "preview of "+c.at)
			})
			check()
			g.until(meaning)
			g.press("r")
			g.agree(clock, "─ mend ")
			g.until("the map is right: nothing was found")
			v, err := mapAt(t, root).Validate(context.Background(), false)
			if err != nil || !v.OK {
				t.Errorf("left: %+v, %v", v.Findings, err)
			}
			g.press("q")
			g.end()
		})
	}
}

// slow is an extractor that gets nowhere.
type slow struct{ waits, ended chan struct{} }

func (s slow) Extract(ctx context.Context, _ []symbols.Source) ([]symbols.File, error) {
	s.waits <- struct{}{}
	<-ctx.Done()
	s.ended <- struct{}{}
	return nil, ctx.Err()
}

func TestWorkOnTheMapBlocksNoKeyAndIsCancelled(t *testing.T) {
	root := mappedShop(t)
	outside(t, root)
	before := documentsIn(t, root)
	s := slow{make(chan struct{}, 64), make(chan struct{}, 64)}
	g, _ := mapScreen(t, root, s)
	g.until("1 missing", "preview of")
	g.press("gR")
	<-s.waits
	g.until("c cancels")
	g.press("=G")
	g.until("› ", "main.go")
	g.press("r")
	g.until("wait: reconciling")
	g.press("c")
	<-s.ended
	g.until("cancelled; nothing was written")
	g.press("gR")
	<-s.waits
	g.press("q")
	if out := g.end(); out.err != nil {
		t.Error(out.err)
	}
	<-s.ended
	if got := documentsIn(t, root); !maps.Equal(got, before) {
		t.Error("documents changed")
	}
}

func TestWhoElseWorksOnTheMapIsShown(t *testing.T) {
	root := mappedShop(t)
	dir := filepath.Join(root, mapgen.StateDir, "map", "work")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(mapgen.Working{PID: 99999, What: "patch cart \x1b[31m", Since: noon.Add(-time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "99999-1"))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(body); err != nil {
		t.Fatal(err)
	}
	g, _ := mapScreen(t, root, nil)
	g.until("process 99999 works on the map for 1m00s: patch cart ")
	outside(t, root)
	f.Close()
	// What it did is looked at when it has gone.
	g.until("1 missing", "re-init recommended")
	g.press("q")
	g.end()
}

func TestADirtyMarkIsLeftWithANote(t *testing.T) {
	root := mappedShop(t)
	g, clock := mapScreen(t, root, nil)
	g.until("5 map clean")
	g.press("jd")
	g.until("mark cart dirty: ")
	g.press("look again\r")
	g.agree(clock, "mark cart dirty?")
	g.until("look again")
	g.press("\x1b[27u")
	g.until("1 dirty")
	g.press("q")
	g.end()
	if body := documentsIn(t, root)["cart/"+artifact.MapName]; !strings.Contains(body, ": look again\n") {
		t.Errorf("the map of cart:\n%s", body)
	}
}

var unprivileged = fixture.Unprivileged
