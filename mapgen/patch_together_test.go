package mapgen

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// clean fails unless nothing of the map is stale.
func clean(t testing.TB, root string) {
	t.Helper()
	s, err := open(t, root, Options{}).Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !s.Clean {
		t.Errorf("not clean: %+v", s.Dirs)
	}
}

// A patch of exactly the files that were touched leaves nothing for a full scan.
func TestOnePatchOfAllThatWasTouched(t *testing.T) {
	move := func(t *testing.T, root, from, to string) {
		t.Helper()
		to = filepath.Join(root, to)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(root, from), to); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name    string
		touch   func(t *testing.T, root string)
		touched []string
	}{
		{"a new README and its main source", func(t *testing.T, root string) {
			write(t, root, map[string]string{
				"pkg/ledger/README.rst":   "Ledger\n======\n\nCounts every cent twice a day, at noon and at night.\n",
				"pkg/ledger/lib/count.go": "package lib\n\nfunc Count() {}\n",
			})
		}, []string{"pkg/ledger/README.rst", "pkg/ledger/lib/count.go"}},
		{"a package's words moved three directories up", func(t *testing.T, root string) {
			write(t, root, map[string]string{"pkg/ledger/old/deep/package.json": `{"name": "deep", "description": "Remembers every debt"}`})
			initMap(t, root)
			move(t, root, "pkg/ledger/old/deep/package.json", "pkg/package.json")
		}, []string{"pkg/ledger/old/deep/package.json", "pkg/package.json"}},
		{"rules of git and a file elsewhere", func(t *testing.T, root string) {
			write(t, root, map[string]string{"pkg/ledger/docs/.gitignore": "*.tmp\n", "tools/new/round.py": "def up():\n    pass\n"})
		}, []string{"pkg/ledger/docs/.gitignore", "tools/new/round.py"}},
		{"a directory moved with its documents", func(t *testing.T, root string) {
			move(t, root, "pkg/ledger", "shelf/books")
		}, []string{"pkg/ledger", "shelf/books"}},
		{"all files below moved, their directories left", func(t *testing.T, root string) {
			move(t, root, "cart/cart.go", "trolley/cart.go")
			move(t, root, "cart/cart_test.go", "trolley/cart_test.go")
			move(t, root, "cart/price/price.go", "trolley/price/price.go")
		}, []string{"cart/cart.go", "cart/cart_test.go", "cart/price/price.go", "trolley/cart.go", "trolley/cart_test.go", "trolley/price/price.go", "main.go"}},
		{"a README that became a directory", func(t *testing.T, root string) {
			remove(t, root, "pkg/ledger/README.md")
			write(t, root, map[string]string{"pkg/ledger/README.md/part.go": "package part\n"})
		}, []string{"pkg/ledger/README.md", "pkg/ledger/README.md/part.go"}},
		{"all but what git ignores removed", func(t *testing.T, root string) {
			write(t, root, map[string]string{"tools/rates.log": "x"})
			remove(t, root, "tools/rates.py")
		}, []string{"tools/rates.py"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := packaged(t)
			initMap(t, root)
			c.touch(t, root)
			patchOf(t, open(t, root, Options{}), Auto, c.touched...)
			clean(t, root)
			after := documents(t, root)
			initMap(t, root)
			same(t, "what a full scan still changes", changed(after, documents(t, root)), []string{})
			clean(t, root)
			right(t, root)
		})
	}
}

func TestAFullScanKeepsADirectoryOfWhatGitIgnores(t *testing.T) {
	root := repository(t)
	write(t, root, map[string]string{"tools/deep/rates.log": "x"})
	initMap(t, root)
	remove(t, root, "tools/rates.py")
	initMap(t, root)
	clean(t, root)
	before := documents(t, root)
	initMap(t, root)
	same(t, "what a second scan changes", changed(before, documents(t, root)), []string{})
	right(t, root)
}
