package recall

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Symbol is a signature that fits the question.
type Symbol struct {
	Name      string
	Signature string
	Path      string // of the file
	Score     float64
}

// symbols are those signatures of the best files that hold words of the
// question, the best first.
func (x *Index) symbols(question []int32, files []Hit) []Symbol {
	rare := make(map[int32]float64, len(question))
	for _, t := range question {
		rare[t] = math.Log(1 + float64(len(x.paths))/float64(1+len(x.of(t))))
	}
	var out []Symbol
	for _, hit := range files {
		for _, signature := range x.file(hit.Path).Symbols {
			name := SymbolName(signature)
			fit := 2*x.overlap(name, rare) + x.overlap(signature, rare)
			if fit > 0 {
				out = append(out, Symbol{name, signature, hit.Path, fit * (1 + hit.Score)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path), strings.Compare(a.Signature, b.Signature))
	})
	return out
}

// overlap weighs the words of the question a text holds, the less the more it
// holds beside them.
func (x *Index) overlap(text string, rare map[int32]float64) float64 {
	terms := x.words.known(text)
	sum := 0.0
	for _, t := range unique(slices.Clone(terms)) {
		sum += rare[t]
	}
	return sum / math.Sqrt(float64(max(len(terms), 1)))
}

// SymbolName is the name a signature declares: the word before its parameters
// or type, behind the words that say what kind of thing it is.
func SymbolName(signature string) string {
	text := strings.TrimLeft(signature, "~ ")
	for {
		end := strings.IndexFunc(text, func(r rune) bool { return !wordRune(r) && r != '_' && r != '$' && r != '.' })
		if end < 0 {
			return text
		}
		word := text[:end]
		rest := strings.TrimLeft(text[end:], " *&")
		if !kindWords[word] || rest == "" || !wordRune([]rune(rest)[0]) && rest[0] != '_' && rest[0] != '$' {
			if word == "" {
				return signature
			}
			return word
		}
		text = rest
	}
}

var kindWords = setOf("func function class interface struct enum type const var let def fn trait impl module namespace record object union abstract final static async export default public protected macro typedef mod extern unsafe template inline virtual void int bool char long double float unsigned")

// file finds a file of the source.
func (x *Index) file(path string) File {
	at := x.byPath[path]
	d := x.dirOf[at]
	return x.source.Dirs[d].Files[at-x.first[d]]
}
