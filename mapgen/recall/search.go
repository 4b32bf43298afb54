package recall

import (
	"cmp"
	"math"
	"path"
	"slices"
	"sort"
	"strings"
)

// Answer is what a question found, the best first.
type Answer struct {
	Dirs    []Hit
	Files   []Hit
	Symbols []Symbol // of the first files
	Matched int      // how many words of the question the map or the past has
}

// symbolFiles is how many files' symbols are looked at.
const symbolFiles = 20

// Hit is a directory or file with its score.
type Hit struct {
	Path  string
	Score float64
}

// Search answers a question.
func (x *Index) Search(question string, w Weights) Answer {
	if len(x.paths) == 0 {
		return Answer{}
	}
	terms, unknown := x.asked(question)
	score := x.scores(question, terms, unknown, w)
	order := x.order(score)
	var a Answer
	for _, t := range terms {
		if len(x.of(t)) > 0 || len(x.past.terms[t]) > 0 {
			a.Matched++
		}
	}
	for _, f := range order {
		if score[f] <= 0 {
			break
		}
		a.Files = append(a.Files, Hit{x.paths[f], score[f]})
	}
	sum := make([]float64, len(x.dirs))
	for _, f := range order[:min(len(order), w.Sum)] {
		sum[x.dirOf[f]] += math.Pow(max(score[f], 0), w.Sharp)
	}
	for d, s := range sum {
		if s > 0 {
			a.Dirs = append(a.Dirs, Hit{x.dirs[d], s})
		}
	}
	sort.SliceStable(a.Dirs, func(i, j int) bool { return a.Dirs[i].Score > a.Dirs[j].Score })
	a.Symbols = x.symbols(terms, a.Files[:min(len(a.Files), symbolFiles)])
	return a
}

// order is all files by score, equal ones by path.
func (x *Index) order(score []float64) []int32 {
	order := make([]int32, len(score))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), strings.Compare(x.paths[a], x.paths[b]))
	})
	return order
}

func (x *Index) scores(question string, terms []int32, unknown int, w Weights) []float64 {
	score := x.text(terms, unknown, w)
	for i := range score {
		score[i] *= w.Text
	}
	if w.Similar > 0 {
		for i, s := range x.past.similar(terms, unknown, len(x.paths), w) {
			score[i] += w.Similar * s
		}
	}
	if w.Popular > 0 || w.Boost > 0 {
		for i, s := range x.past.popular(len(x.paths), w) {
			score[i] += (w.Popular + w.Boost*score[i]) * math.Log1p(s)
		}
	}
	if w.Named > 0 {
		x.named(question, score, w)
	}
	lead := x.order(score)[:min(len(score), 30)]
	if w.Together > 0 {
		x.past.together(score, lead, w)
	}
	if w.Pair > 0 {
		x.pair(score, lead, w)
	}
	return score
}

// named adds to files whose path or name the question says, and by half to all
// of a package it says the name of.
func (x *Index) named(question string, score []float64, w Weights) {
	packages := map[string]string{} // by the last name of their directories
	for _, d := range x.source.Dirs {
		if d.Package != "" && d.Package != "." {
			packages[path.Base(d.Package)] = d.Package
		}
	}
	for word := range strings.FieldsFuncSeq(question, func(r rune) bool { return strings.ContainsRune(" \t\n,;:()[]{}<>`'\"", r) }) {
		word = strings.Trim(word, "./")
		if home, ok := packages[path.Base(word)]; ok {
			for i := range score {
				if x.source.Dirs[x.dirOf[i]].Package == home {
					score[i] *= 1 + w.Named/2
				}
			}
		}
		if len(word) < 3 || !strings.ContainsAny(word, "./_-") {
			continue
		}
		for i, p := range x.paths {
			if says(word, p) {
				score[i] += w.Named
			}
		}
	}
}

// says: the word is the path, its end (with or without what follows the dot),
// or a directory above it.
func says(word, p string) bool {
	deep := strings.Contains(word, "/")
	return p == word || strings.HasSuffix(p, "/"+word) ||
		deep && (strings.HasPrefix(p, word+"/") || strings.HasSuffix("/"+strings.TrimSuffix(p, path.Ext(p)), "/"+word))
}

// pair gives a test and what it tests a share of each other's score.
func (x *Index) pair(score []float64, lead []int32, w Weights) {
	stems := x.stems()
	gain := map[int32]float64{}
	for _, f := range lead {
		test := isTest(x.paths[f])
		group := stems[pairStem(x.paths[f])]
		if len(group) > 6 {
			continue
		}
		for _, g := range group {
			if g != f && isTest(x.paths[g]) != test {
				gain[g] = max(gain[g], w.Pair*score[f])
			}
		}
	}
	for g, n := range gain {
		score[g] += n
	}
}

// pairStem is what a test and its source have in common in their names.
func pairStem(p string) string {
	name := strings.ToLower(path.Base(p))
	name = strings.TrimSuffix(name, path.Ext(name))
	for _, end := range []string{".spec", ".test", "_test", "_spec", "-test", "tests", "test"} {
		name = strings.TrimSuffix(name, end)
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, "test_"), "test-")
}

func isTest(p string) bool {
	low := strings.ToLower(p)
	name := path.Base(low)
	return strings.Contains(name, "test") || strings.Contains(name, "spec") || strings.Contains(low, "/tests/") || strings.HasPrefix(low, "tests/") || strings.HasPrefix(low, "test/") || strings.Contains(low, "/test/")
}
