//go:build !cgo

package symbols

import (
	"slices"
	"testing"
)

func TestWithoutCParsersOnlyGoIsRead(t *testing.T) {
	f := Extract("a.go", []byte("package a\nfunc Seen() {}\n"), Limits{})
	if len(f.Exports) != 1 || f.Note != "" {
		t.Errorf("Go without cgo: %+v", f)
	}
	f = Extract("a.py", []byte("def seen(): pass\n"), Limits{})
	if f.Language != "Python" || f.Note != "left out: built without a C compiler" || len(f.Exports) != 0 {
		t.Errorf("Python without cgo: %+v", f)
	}
	all, leftOut := Languages()
	if len(leftOut) != len(all)-1 || slices.Contains(leftOut, "Go") {
		t.Errorf("left out: %q of %q", leftOut, all)
	}
}
