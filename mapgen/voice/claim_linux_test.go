package voice

import (
	"fmt"
	"sync"
	"testing"
)

// Voices of their own share nothing but the file, as processes do.
func TestManyWritersLoseNothing(t *testing.T) {
	m := &model{answer: answers}
	first := m.voice(t, func(o *Options) { o.Note = func(s string) { t.Error(s) } })
	const voices, contents = 8, 25
	var wg sync.WaitGroup
	for range voices {
		v := New(first.o)
		for i := range contents {
			wg.Go(func() {
				if _, err := v.File(t.Context(), about(fmt.Sprint(i))); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	if n := len(cacheText(t, first)); n != contents || len(m.prompts) != contents {
		t.Errorf("%d entries, %d calls", n, len(m.prompts))
	}
}
