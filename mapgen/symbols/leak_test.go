//go:build cgo && linux

package symbols

import (
	"bytes"
	"sync"
	"testing"
)

// TestParsersGiveTheirMemoryBack reads as much as would fill hundreds of
// megabytes if trees were left open, with several goroutines at once.
func TestParsersGiveTheirMemoryBack(t *testing.T) {
	source := bytes.Repeat([]byte("export function f(a,b){ return a ? b : {k:[1,2,3]} }\n"), 600)
	read := func(files int) {
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				for range files {
					if f := Extract("a.js", source, Limits{}); len(f.Exports) != 1 || f.Errors {
						t.Errorf("read as %+v", f)
					}
				}
			})
		}
		wait.Wait()
	}
	read(2)
	before := resident()
	read(25)
	// A tree left open costs about 70 bytes for each of its source.
	leaked := int64(4 * 25 * len(source) * 70)
	if grown := resident() - before; grown > leaked/5 {
		t.Errorf("grew by %d MB; with every tree left open it would be %d MB", grown>>20, leaked>>20)
	}
}
