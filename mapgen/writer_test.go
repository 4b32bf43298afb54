package mapgen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/mapgen/scan"
)

// staging hands one directory to a writer, changed, and returns before its
// documents are in place.
func staging(t *testing.T, root string) *writer {
	t.Helper()
	write(t, root, map[string]string{"cart/cart.go": "package cart\n\n// Total is new.\nfunc Total() int { return 0 }\n"})
	p := open(t, root, Options{})
	r, err := p.newRun(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.out = &writer{p: p, skip: r.unwritable}
	if changed, err := r.renewTask(t.Context(), r.tasks["cart"], false); err != nil || !changed {
		t.Fatalf("changed: %v, %v", changed, err)
	}
	if text := documents(t, root)["cart/"+scan.MapName]; strings.Contains(text, "Total is new") {
		t.Fatal("the document is in place already")
	}
	return r.out
}

func TestAMarkerLeftBeforeDocumentsAreInPlaceStays(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	w := staging(t, root)
	if _, err := p.MarkDirty([]string{"cart/cart.go"}, "meanwhile"); err != nil {
		t.Fatal(err)
	}
	if err := w.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := documents(t, root)["cart/"+scan.MapName]
	if !strings.Contains(text, "meanwhile") || !strings.Contains(text, "Total is new") {
		t.Errorf("marker or text lost:\n%s", text)
	}
}

func TestSweptTemporaryFilesAreWrittenAgain(t *testing.T) {
	root := repository(t)
	initMap(t, root)
	w := staging(t, root)
	temps, err := filepath.Glob(filepath.Join(root, "cart", scan.TempPrefix+"*"))
	if err != nil || len(temps) != 2 {
		t.Fatalf("%v, %v", temps, err)
	}
	for _, name := range temps {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	initMap(t, root)
	right(t, root)
	if text := documents(t, root)["cart/"+scan.MapName]; !strings.Contains(text, "Total is new") {
		t.Errorf("not written:\n%s", text)
	}
}
