package symbols

import (
	"bytes"
	"slices"
)

// Most of a source file is the inside of functions, which the map does not
// list. A skimmer finds function bodies by tokens alone, many times faster than
// a parser reads them; the parser then gets the text without their insides.
//
// A skimmer may be wrong about what is a body, never about where text ends: the
// parser's tree must show every body that was left out as one, and no error,
// or the file is read in full. And it gives up (finds nothing) where tokens
// stand beside each other as they do in no program, so that what is wrong
// inside a body still reaches the parser and marks the file; an error that
// leaves brackets and neighbours in order does not.

// skimmer finds the insides of function bodies, in source order and disjoint.
// None contains a late word: something that is listed can stand there.
type skimmer func(text []byte, late [][]byte) []span

// skimmed is the least number of bytes worth leaving out.
const skimmed = 24

// excerpt is a text without the insides of its function bodies.
type excerpt struct {
	text []byte
	cuts []cut
}

// cut is a place where text was left out.
type cut struct {
	at   int // in the excerpt
	gone int // bytes left out up to and with this place
}

func without(text []byte, bodies []span) excerpt {
	size := len(text)
	for _, b := range bodies {
		size -= int(b.end - b.start)
	}
	e := excerpt{text: make([]byte, 0, size), cuts: make([]cut, 0, len(bodies))}
	from := 0
	for _, b := range bodies {
		e.text = append(e.text, text[from:b.start]...)
		from = int(b.end)
		e.cuts = append(e.cuts, cut{at: len(e.text), gone: from - len(e.text)})
	}
	e.text = append(e.text, text[from:]...)
	return e
}

// original are a node's bounds in the whole text.
func (e excerpt) original(start, end int) (int, int) {
	if len(e.cuts) == 0 {
		return start, end
	}
	return start + e.gone(start+1), end + e.gone(end)
}

// gone is how much was left out before a place, not at it.
func (e excerpt) gone(at int) int {
	i, _ := slices.BinarySearchFunc(e.cuts, at, func(c cut, at int) int { return c.at - at })
	if i == 0 {
		return 0
	}
	return e.cuts[i-1].gone
}

var newline = []byte("\n")

// bodies gathers the spans a skimmer finds while it goes through a text.
type bodies struct {
	found []span
	late  []int // where late words stand
}

// look finds the late words wherever they stand, in comments and strings too.
func (b *bodies) look(text []byte, late [][]byte) {
	for _, word := range late {
		for at := 0; ; at++ {
			i := bytes.Index(text[at:], word)
			if i < 0 {
				break
			}
			at += i
			b.late = append(b.late, at)
		}
	}
	slices.Sort(b.late)
}

// close takes the inside of a body, in place of those found in it since there
// were `before` of them.
func (b *bodies) close(start, end, before int) {
	if end-start < skimmed {
		return
	}
	if i, _ := slices.BinarySearch(b.late, start); i < len(b.late) && b.late[i] < end {
		return
	}
	b.found = append(b.found[:before], span{uint32(start), uint32(end)})
}
