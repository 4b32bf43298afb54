package views

import "strings"

// Sifted is what of a map a filter lets through: what matches, with the
// directories above it.
type Sifted struct {
	data    *MapData
	rows    []mapRow
	symbols []MapSymbol // of the rows that are symbols
	hits    int
	best    int // the row that matches best, -1 when none does
}

// MapNames are the exported symbols of files, by directory and file.
type MapNames map[string]map[string][]MapSymbol

// Add puts the symbols of a file among the names.
func (n MapNames) Add(dir, file string, symbols []MapSymbol) {
	if n[dir] == nil {
		n[dir] = map[string][]MapSymbol{}
	}
	for i := range symbols {
		symbols[i].lower = strings.ToLower(symbols[i].Text)
	}
	n[dir][file] = symbols
}

// Sift looks for a query in the paths of a map and in symbols: every word must
// be in the path or in the entry's own name, and one of them in its own name.
// It takes milliseconds for tens of thousands of entries: not in Update. stop
// is asked now and then whether nobody waits for it any more; then the answer
// is nil.
func (d *MapData) Sift(query string, names MapNames, stop func() bool) *Sifted {
	s := &sifter{Sifted: &Sifted{data: d, best: -1}, words: strings.Fields(strings.ToLower(query)), names: names, stop: stop}
	s.node(0)
	if s.stopped {
		return nil
	}
	return s.Sifted
}

type sifter struct {
	*Sifted
	words   []string
	names   MapNames
	stop    func() bool
	seen    int
	stopped bool
	score   int // of the best
}

// node adds a directory if it or something in it matches, and tells whether it
// did.
func (s *sifter) node(i int32) (found bool) {
	if s.seen++; s.seen%256 == 0 && s.stop() {
		s.stopped = true
	}
	if s.stopped {
		return false
	}
	n := &s.data.nodes[i]
	begin := len(s.rows)
	s.rows = append(s.rows, mapRow{i, -1, -1})
	if score, ok := s.match(n.lower, n.lower[len(n.lower)-len(n.name):]); ok {
		s.hit(begin, score+4)
		found = true
	}
	for _, c := range n.below {
		found = s.node(c) || found
	}
	names := s.names[n.Path]
	for _, f := range n.files {
		found = s.file(n, i, f, names[n.Files[f].Name]) || found
	}
	if !found {
		s.rows = s.rows[:begin]
	}
	return found
}

// file adds a file if it or one of its symbols matches.
func (s *sifter) file(n *mapNode, i, f int32, symbols []MapSymbol) (found bool) {
	begin := len(s.rows)
	s.rows = append(s.rows, mapRow{i, f, -1})
	if score, ok := s.match(n.lower, n.lowers[f]); ok {
		s.hit(begin, score+2)
		found = true
	}
	for _, sym := range symbols {
		if score, ok := s.match(n.lower, sym.lower); ok {
			s.hit(len(s.rows), score)
			s.rows = append(s.rows, mapRow{i, f, int32(len(s.symbols))})
			s.symbols = append(s.symbols, sym)
			found = true
		}
	}
	if !found {
		s.rows = s.rows[:begin]
	}
	return found
}

func (s *sifter) hit(row, score int) {
	if s.hits++; s.best < 0 || score > s.score {
		s.best, s.score = row, score
	}
}

// match tells whether an entry matches: own is its own name, dir the directory
// it is or lies in. A word with a slash is looked for in both together.
func (s *sifter) match(dir, own string) (score int, ok bool) {
	if len(s.words) == 0 {
		return 0, true
	}
	for _, w := range s.words {
		n, found := fuzzy(w, own)
		switch {
		case found:
			ok = true
		case strings.Contains(w, "/"):
			if n, found = fuzzy(w, dir+"/"+own); !found {
				return 0, false
			}
			ok = true
		default:
			if n, found = fuzzy(w, dir); !found {
				return 0, false
			}
			n /= 2
		}
		score += n
	}
	// Of two that match alike the shorter one is meant.
	return score - len(own)/16, ok
}

// fuzzy is Match for one word of lower-case bytes: its letters in their order,
// few others between them.
func fuzzy(word, s string) (best int, ok bool) {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], word[0])
		if i < 0 {
			return best, ok
		}
		start := from + i
		from = start + 1
		at, run, score := 0, 0, 0
		end := min(len(s), start+2*len(word)+2)
		for k := start; k < end && at < len(word); k++ {
			if s[k] != word[at] {
				run = 0
				score--
				continue
			}
			at++
			run++
			score += 4 * run
			if k == 0 || !inName(s[k-1]) {
				score += 8
			}
		}
		if at == len(word) && (!ok || score > best) {
			best, ok = score, true
		}
	}
}

func inName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}
