package recall

import (
	"math"
	"path"
	"strings"
	"sync"
)

// field numbers what is known of a file.
type field int

const (
	inPath field = iota
	inName
	inSymbols
	inPurpose
	inRole
	inTags
	fieldCount
)

// posting says how often a term stands in a field of a file.
type posting struct {
	file  int32
	field field
	times int32
}

// Index is a source made ready for questions.
type Index struct {
	paths    []string // of the files
	dirs     []string // of the directories
	dirOf    []int32
	first    []int32 // of each directory's files
	byPath   map[string]int32
	source   Source
	words    vocabulary
	postings [][]posting         // by term
	length   [][fieldCount]int32 // of each file's fields, in terms
	mean     [fieldCount]float64
	past     past
	stems    func() map[string][]int32 // files by what a test and its source have in common
}

// NewIndex makes a source ready for questions.
func NewIndex(source Source) *Index {
	x := &Index{source: source, words: newVocabulary(), byPath: map[string]int32{}}
	for d, dir := range source.Dirs {
		x.dirs = append(x.dirs, dir.Path)
		x.first = append(x.first, int32(len(x.paths)))
		pathTerms, roleTerms, tagTerms := x.intern(dir.Path), x.intern(dir.Role), x.intern(strings.Join(dir.Tags, " "))
		for _, f := range dir.Files {
			id := int32(len(x.paths))
			full := join(dir.Path, f.Name)
			x.paths = append(x.paths, full)
			x.byPath[full] = id
			x.dirOf = append(x.dirOf, int32(d))
			x.length = append(x.length, [fieldCount]int32{})
			x.post(id, inPath, pathTerms)
			x.post(id, inName, x.intern(f.Name))
			x.post(id, inPurpose, x.intern(f.Purpose))
			x.post(id, inRole, roleTerms)
			x.post(id, inTags, tagTerms)
			for _, s := range f.Symbols {
				x.post(id, inSymbols, x.intern(s))
			}
		}
	}
	for i := range x.length {
		for f := range fieldCount {
			x.mean[f] += float64(x.length[i][f]) / float64(len(x.length))
		}
	}
	x.stems = sync.OnceValue(x.pairStems)
	x.past = newPast(source.Commits, x.byPath, x.words)
	return x
}

func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return path.Join(dir, name)
}

func (x *Index) intern(text string) []int32 {
	out := x.words.numbers(text)
	if n := len(x.words.terms) - len(x.postings); n > 0 {
		x.postings = append(x.postings, make([][]posting, n)...)
	}
	return out
}

// asked are the terms of a question, each once; unknown is how many the source
// does not have.
func (x *Index) asked(question string) (terms []int32, unknown int) {
	for _, t := range unique(Terms(question)) {
		if id, ok := x.words.terms[t]; ok {
			terms = append(terms, id)
		} else {
			unknown++
		}
	}
	return terms, unknown
}

// of are the places where a term stands.
func (x *Index) of(term int32) []posting {
	if int(term) >= len(x.postings) {
		return nil // history alone knows it
	}
	return x.postings[term]
}

// rarity is how much is said by a term that df of n things have.
func rarity(n, df int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

func (x *Index) post(file int32, f field, terms []int32) {
	x.length[file][f] += int32(len(terms))
	for _, t := range terms {
		list := x.postings[t]
		if n := len(list); n > 0 && list[n-1].file == file && list[n-1].field == f {
			list[n-1].times++
			continue
		}
		x.postings[t] = append(list, posting{file, f, 1})
	}
}

// text is the words' score of each file (BM25F), at most 1 each.
func (x *Index) text(question []int32, unknown int, w Weights) []float64 {
	weight := [fieldCount]float64{w.Path, w.Name, w.Symbols, w.Purpose, w.Role, w.Tags}
	score := make([]float64, len(x.paths))
	found := make([]float64, len(x.paths)) // of one term
	total := float64(unknown) * rarity(len(x.paths), 0)
	for _, t := range question {
		var hits []int32
		for _, p := range x.of(t) {
			if found[p.file] == 0 {
				hits = append(hits, p.file)
			}
			long := 1 - w.B + w.B*float64(x.length[p.file][p.field])/x.mean[p.field]
			found[p.file] += weight[p.field] * float64(p.times) / long
			if found[p.file] == 0 {
				found[p.file] = math.SmallestNonzeroFloat64
			}
		}
		idf := rarity(len(x.paths), len(hits))
		total += idf
		for _, f := range hits {
			score[f] += idf * found[f] / (w.K1 + found[f])
			found[f] = 0
		}
	}
	for i := range score {
		score[i] /= max(total, 1e-9)
	}
	return score
}

func (x *Index) pairStems() map[string][]int32 {
	stems := make(map[string][]int32, len(x.paths))
	for i, p := range x.paths {
		s := pairStem(p)
		stems[s] = append(stems[s], int32(i))
	}
	return stems
}
