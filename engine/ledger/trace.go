package ledger

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"growbench/mapgen/symbols"
)

// Trail is where a broken symbol is used, and from where else it can be had.
type Trail struct {
	Places  []Place   // by path and line
	Through []Through // certain ones, the nearest first
}

// Place is a use in a file.
type Place struct {
	Path string
	Use
}

// Through is a file that passes a symbol of another on, and the name it has
// there.
type Through struct{ Symbol, File string }

// maxHops bounds how often a symbol is followed from one file that passes it
// on to the next.
const maxHops = 4

// Reader returns, with their imports resolved, those files that hold one of
// the words, whose names end in one of the endings, and of which closer says
// that they are worth it. Of a word with blanks in it each part must stand in
// the file.
type Reader func(words, endings []string, closer func(path, text string) bool) ([]Version, error)

// Trace finds who uses symbols that changed: those that have them from their
// own files, then those that have them from files that pass them on.
func Trace(changes []*Change, read Reader) ([]Trail, error) {
	trails := make([]Trail, len(changes))
	seen := map[hop]bool{}
	var front []hop
	for i, c := range changes {
		if _, ok := c.Broken(); ok {
			front = append(front, hop{passage{*c, true}, i})
		}
	}
	for n := 0; len(front) > 0; n++ {
		files, rivals, err := readFor(front, read)
		if err != nil {
			return nil, err
		}
		var next []hop
		for _, h := range front {
			for _, file := range files {
				name := file.Code.Path
				if n > 0 && name == h.File {
					continue // its own lines were found on the way to it
				}
				for _, use := range h.Uses(file) {
					use.Certain = use.Certain && h.certain
					trails[h.of].add(Place{name, use})
				}
				for _, p := range h.passages(file, rivals) {
					p.certain = p.certain && h.certain
					further := hop{p, h.of}
					if n == maxHops || p.File == changes[h.of].File || seen[further] {
						continue
					}
					seen[further] = true
					next = append(next, further)
					if p.certain {
						trails[h.of].Through = append(trails[h.of].Through, Through{p.Symbol, p.File})
					}
				}
			}
		}
		front = next
	}
	for _, t := range trails {
		slices.SortFunc(t.Places, func(a, b Place) int { return cmp.Or(strings.Compare(a.Path, b.Path), a.Line-b.Line) })
	}
	return trails, nil
}

// hop is one of the changes, as it is seen behind a file that passes it on.
type hop struct {
	passage
	of int
}

func (t *Trail) add(p Place) {
	for i := range t.Places {
		if q := &t.Places[i]; q.Path == p.Path && q.Line == p.Line {
			q.Certain = q.Certain || p.Certain
			return
		}
	}
	t.Places = append(t.Places, p)
}

// readFor reads the files that may use or pass on what stands in front.
// rivals are files that declare something of the same name, by that name.
func readFor(front []hop, read Reader) (files []Version, rivals map[string][]string, err error) {
	var words, everything, endings []string
	declared := map[string]*regexp.Regexp{}
	for _, h := range front {
		words = append(words, last(h.Symbol))
		endings = append(endings, symbols.Endings(h.Language)...)
		rule, ok := passing[h.Language]
		if !ok {
			continue
		}
		root, _, _ := strings.Cut(h.Symbol, ".")
		words = append(words, root)
		declared[root] = regexp.MustCompile(`(?:` + strings.Join(declaringWords, "|") + `)\s+` + regexp.QuoteMeta(root) + `\b`)
		for _, module := range modules(h.File) {
			everything = append(everything, module+" "+rule.words)
		}
	}
	rivals = map[string][]string{}
	near := func(name, text string) bool {
		for root, declares := range declared {
			if declares.MatchString(text) && !slices.Contains(rivals[root], name) {
				rivals[root] = append(rivals[root], name)
			}
		}
		return slices.ContainsFunc(front, func(h hop) bool { return h.Near(name, text) })
	}
	endings = unique(endings)
	if files, err = read(unique(words), endings, near); err != nil || len(everything) == 0 {
		return files, rivals, err
	}
	more, err := read(unique(everything), endings, func(name, text string) bool {
		return slices.ContainsFunc(front, func(h hop) bool {
			rule, ok := passing[h.Language]
			return ok && rule.everything.MatchString(text) && h.Near(name, text)
		})
	})
	files = append(files, more...)
	slices.SortFunc(files, func(a, b Version) int { return strings.Compare(a.Code.Path, b.Code.Path) })
	files = slices.CompactFunc(files, func(a, b Version) bool { return a.Code.Path == b.Code.Path })
	return files, rivals, err
}

func unique(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}
