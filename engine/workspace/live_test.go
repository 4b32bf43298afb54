package workspace

import (
	"strings"
	"testing"
)

// A command may print anything, cut anywhere: pieces end between characters.
func TestLiveOutputEndsBetweenCharacters(t *testing.T) {
	var got strings.Builder
	l := Live{Show: func(text string) {
		if strings.ContainsRune(text, '\uFFFD') {
			t.Errorf("a piece is broken: %q", text)
		}
		got.WriteString(text)
	}}
	for _, b := range []byte("a가b€") {
		l.Hear(Progress{Text: []byte{b}})
	}
	if got.String() != "a가b€" {
		t.Errorf("got %q", got.String())
	}
}

func TestLiveOutputIsBounded(t *testing.T) {
	shown := 0
	l := Live{Show: func(text string) { shown += len(text) }}
	for range 3 * maxLive / 1000 {
		l.Hear(Progress{Text: make([]byte, 1000)})
	}
	if shown < maxLive || shown > maxLive+1000 {
		t.Errorf("%d bytes were shown", shown)
	}
}
