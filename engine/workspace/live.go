package workspace

import (
	"bytes"
	"unicode/utf8"
)

// maxLive bounds what one command shows of itself while it runs, in bytes; all
// of it is in its output file.
const maxLive = 256 << 10

// Live passes on what a command prints, in pieces that end between characters.
// Its Hear is for Command.OnOutput.
type Live struct {
	Show  func(text string)
	held  []byte
	shown int
}

// Hear takes the next piece.
func (l *Live) Hear(p Progress) {
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
		l.Show(string(text[:cut]))
	}
}
