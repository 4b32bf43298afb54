package tool

import (
	"bytes"
	"unicode/utf8"

	"growbench/engine/workspace"
)

// live passes on what a command prints, in pieces that end between characters.
type live struct {
	show  func(string)
	held  []byte
	shown int
}

func (l *live) more(p workspace.Progress) {
	if l.shown >= maxLive {
		return
	}
	text := append(l.held, p.Text...)
	cut := len(text)
	for i := 1; i <= min(utf8.UTFMax, len(text)); i++ {
		if utf8.RuneStart(text[len(text)-i]) {
			if !utf8.FullRune(text[len(text)-i:]) {
				cut -= i
			}
			break
		}
	}
	l.held = bytes.Clone(text[cut:])
	l.shown += cut
	if cut > 0 {
		l.show(string(text[:cut]))
	}
}
