package mapgen

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"growbench/mapgen/scan"
)

func patchOf(t testing.TB, p *Project, mode Mode, paths ...string) PatchReport {
	t.Helper()
	r, err := p.Patch(context.Background(), paths, mode)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pairs are both documents of directories.
func pairs(dirs ...string) []string {
	var out []string
	for _, d := range dirs {
		out = append(out, mapPath(d), indexPath(d))
	}
	slices.Sort(out)
	return out
}

func TestAPatchMendsItsSetAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		mode             Mode
		dirs             []string
		changed          []string
	}{
		{"a body", "cart/price/price.go", mixed["cart/price/price.go"] + "\nfunc inner() {}\n", Small, []string{".", "cart", "cart/price"}, []string{}},
		{"words about a file", "cart/price/price.go", strings.Replace(mixed["cart/price/price.go"], "adds up and rounds", "sums up", 1), Small,
			[]string{".", "cart", "cart/price"}, append(pairs("cart/price"), "cart/"+scan.IndexName)},
		{"a renamed export", "cart/price/price.go", strings.ReplaceAll(mixed["cart/price/price.go"], "Total", "Sum"), Structural,
			[]string{".", "cart", "cart/price"}, []string{"cart/price/" + scan.MapName, "cart/price/" + scan.IndexName}},
		{"a new import", "cart/cart.go", strings.Replace(mixed["cart/cart.go"], "package cart\n", "package cart\n\nimport _ \"embed\"\n", 1), Structural,
			[]string{".", "cart"}, nil},
		{"a new file", "cart/price/tax.go", "package price\n\n// Tax is what the state gets.\nfunc Tax(cents int) int { return 0 }\n", Structural,
			[]string{".", "cart", "cart/price"}, pairs("cart/price")},
		{"a new directory", "cart/stock/in/stock.go", "// Package in counts what is there.\npackage in\n\nfunc Count() int { return 0 }\n", Structural,
			[]string{".", "cart", "cart/stock", "cart/stock/in"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := repository(t)
			p, _ := initMap(t, root)
			before := documents(t, root)
			write(t, root, map[string]string{c.file: c.text})
			dir := filepath.Dir(c.file)
			s, err := p.Status(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if s.Clean || !slices.ContainsFunc(s.Dirs, func(d DirState) bool { return d.Dir == dir || strings.HasPrefix(dir, d.Dir+"/") }) {
				t.Errorf("status does not name %s: %+v", dir, s.Dirs)
			}
			report := patchOf(t, open(t, root, Options{}), Auto, c.file)
			if report.Mode != c.mode {
				t.Errorf("mode %s, want %s", report.Mode, c.mode)
			}
			same(t, "dirs", report.Dirs, c.dirs)
			touched := changed(before, documents(t, root))
			if c.changed != nil {
				slices.Sort(c.changed)
				same(t, "changed documents", touched, c.changed)
			}
			for _, name := range touched {
				if d := filepath.Dir(name); !slices.Contains(c.dirs, d) {
					t.Errorf("%s was changed", name)
				}
			}
			after := documents(t, root)
			initMap(t, root)
			same(t, "what a full scan still changes", changed(after, documents(t, root)), []string{})
			right(t, root)
		})
	}
}

func TestAPatchTakesOutWhatIsGone(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	if err := os.Remove(filepath.Join(root, "cart/cart_test.go")); err != nil {
		t.Fatal(err)
	}
	if r := patchOf(t, p, Auto, "cart/cart_test.go"); r.Mode != Structural {
		t.Errorf("mode %s", r.Mode)
	}
	if strings.Contains(documents(t, root)["cart/"+scan.MapName], "cart_test.go") {
		t.Error("a deleted file is still listed")
	}
	if err := os.RemoveAll(filepath.Join(root, "web")); err != nil {
		t.Fatal(err)
	}
	same(t, "dirs", patchOf(t, p, Auto, "web/src/guard.ts", "web/src/base.ts").Dirs, []string{"."})
	// The files of a directory go, its documents keep it alive.
	if err := os.Remove(filepath.Join(root, "tools/rates.py")); err != nil {
		t.Fatal(err)
	}
	patchOf(t, p, Auto, "tools/rates.py")
	if _, err := os.Stat(filepath.Join(root, "tools")); err == nil {
		t.Error("an emptied directory is still there")
	}
	right(t, root)
}

func TestAPatchAsSmallLeavesMapsAboveAlone(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	before := documents(t, root)
	write(t, root, map[string]string{"web/src/new.ts": "export const a = 1\n"})
	r := patchOf(t, p, Small, "web/src/new.ts")
	if r.Mode != Small {
		t.Errorf("mode %s", r.Mode)
	}
	for _, name := range changed(before, documents(t, root)) {
		if filepath.Dir(name) != "web/src" && filepath.Base(name) != scan.IndexName {
			t.Errorf("%s was changed", name)
		}
	}
	initMap(t, root)
	right(t, root)
}

func TestAPatchOfIgnoreRulesLooksBelow(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	write(t, root, map[string]string{"web/src/dropped.ts": "export const a = 1\n"})
	patchOf(t, p, Auto, "web/src/dropped.ts")
	write(t, root, map[string]string{"web/.gitignore": "dropped.ts\n"})
	patchOf(t, p, Auto, "web/.gitignore")
	if strings.Contains(documents(t, root)["web/src/"+scan.MapName], "dropped.ts") {
		t.Error("an ignored file is still listed")
	}
	right(t, root)
}

func TestAPatchWithoutRecordsSaysTheSame(t *testing.T) {
	root := repository(t)
	initMap(t, root)
	if err := os.RemoveAll(filepath.Join(root, scan.StateDir)); err != nil {
		t.Fatal(err)
	}
	write(t, root, map[string]string{"cart/price/tax.go": "package price\n\nfunc Tax() {}\n"})
	patchOf(t, open(t, root, Options{}), Auto, "cart/price/tax.go")
	right(t, root)
}

func TestAPatchNeedsAMap(t *testing.T) {
	root := repository(t)
	if _, err := open(t, root, Options{}).Patch(context.Background(), []string{"main.go"}, Auto); err == nil {
		t.Error("a project without a map was patched")
	}
	if len(documents(t, root)) > 0 {
		t.Error("something was written")
	}
}

// Random edits, each followed by a patch, end where a full scan ends.
func TestPatchesAddUpToAScan(t *testing.T) {
	for seed := range int64(6) {
		r := rand.New(rand.NewSource(seed))
		root := repository(t)
		p, _ := initMap(t, root)
		files := []string{}
		for step := range 30 {
			var name string
			switch n := r.Intn(10); {
			case n < 5 || len(files) == 0:
				name = fmt.Sprintf("%s/f%d.py", []string{"cart", "new", "new/deep/er", "tools", "web/src", "data"}[r.Intn(6)], r.Intn(20))
				files = append(files, name)
				write(t, root, map[string]string{name: fmt.Sprintf("\"\"\"Does the work of step %d here.\"\"\"\n\ndef run_%d(): pass\n", step, step)})
			case n == 5:
				name = []string{"web/README.md", "README.md", "web/package.json"}[r.Intn(3)]
				write(t, root, map[string]string{name: fmt.Sprintf("{\"description\": \"Stands for the state of step %d here\"}", step)})
			case n < 8:
				name = files[r.Intn(len(files))]
				write(t, root, map[string]string{name: fmt.Sprintf("\"\"\"Now does another thing, %d.\"\"\"\n", step)})
			default:
				at := r.Intn(len(files))
				name = files[at]
				files = slices.Delete(files, at, at+1)
				os.Remove(filepath.Join(root, name)) // may be gone: named twice
			}
			patchOf(t, p, Auto, name)
		}
		before := documents(t, root)
		initMap(t, root)
		same(t, fmt.Sprintf("seed %d: what a full scan still changes", seed), changed(before, documents(t, root)), []string{})
		right(t, root)
		if t.Failed() {
			return
		}
	}
}
