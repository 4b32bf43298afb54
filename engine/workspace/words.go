package workspace

import (
	"bytes"
	"slices"
)

// wordSet collects the words of one file after the other, each as a hash. A
// word is a run of letters, digits and underscores, or of bytes that are not
// ASCII: what a language makes of those does not matter as long as both the
// file and what is sought are cut alike.
type wordSet struct {
	slots [1 << 13]uint32 // a hash table of what is in list
	list  []uint32
}

const (
	// maxWords bounds what is kept of one file.
	maxWords = 6000
	// anyWord stands for the words of a file that has more: it is held to have
	// every one.
	anyWord = 0
)

// classes are what may stand together in a word; 0 parts words.
var classes = func() (of [256]byte) {
	for c := range of {
		switch {
		case c >= 0x80:
			of[c] = 2
		case c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			of[c] = 1
		}
	}
	return of
}()

// of returns the words of a text in any order. It is never nil, and empty for
// what is no text.
func (s *wordSet) of(text []byte) []uint32 {
	if bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		return []uint32{}
	}
	const start, prime = 2166136261, 16777619
	hash, class := uint32(start), byte(0)
	for _, c := range text {
		if next := classes[c]; next != class {
			if class != 0 {
				s.add(hash)
			}
			hash, class = start, next
		}
		hash = (hash ^ uint32(c)) * prime
	}
	if class != 0 {
		s.add(hash)
	}
	words := append(make([]uint32, 0, len(s.list)), s.list...)
	if len(words) == maxWords {
		words = []uint32{anyWord}
	}
	s.clear()
	return words
}

const lastSlot = uint32(len(wordSet{}.slots) - 1)

func slotOf(hash uint32) uint32 { return (hash >> 8) & lastSlot }

// clear empties the slots that are taken, mostly a few of all.
func (s *wordSet) clear() {
	for _, hash := range s.list {
		for at := slotOf(hash); s.slots[at] != 0; at = (at + 1) & lastSlot {
			s.slots[at] = 0
		}
	}
	s.list = s.list[:0]
}

func (s *wordSet) add(hash uint32) {
	if hash == anyWord {
		hash = 1
	}
	at := slotOf(hash)
	for s.slots[at] != 0 {
		if s.slots[at] == hash {
			return
		}
		at = (at + 1) & lastSlot
	}
	if len(s.list) < maxWords {
		s.slots[at] = hash
		s.list = append(s.list, hash)
	}
}

// holdsAll tells whether a file with the known words has those that are wanted.
func holdsAll(known, wanted []uint32) bool {
	if len(known) == 1 && known[0] == anyWord {
		return true
	}
	return len(known) > 0 && !slices.ContainsFunc(wanted, func(w uint32) bool { return !slices.Contains(known, w) })
}
