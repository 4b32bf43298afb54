package recall

import (
	"math"
	"sort"
)

// past is the history of the files there are now.
type past struct {
	when   []int64
	files  [][]int32         // of each commit
	wide   []int             // how many files each commit changed
	terms  map[int32][]int32 // commits whose subject has a term
	length []int
	mean   float64
	of     map[int32][]int32 // commits of a file, the newest first
	newest int64
}

func newPast(commits []Commit, byPath map[string]int32, words vocabulary) past {
	p := past{terms: map[int32][]int32{}, of: map[int32][]int32{}}
	for _, c := range commits {
		id := int32(len(p.when))
		var files []int32
		for _, f := range c.Files {
			if at, ok := byPath[f]; ok {
				files = append(files, at)
				p.of[at] = append(p.of[at], id)
			}
		}
		p.when = append(p.when, c.When)
		p.files = append(p.files, files)
		p.wide = append(p.wide, len(c.Files))
		p.newest = max(p.newest, c.When)
		n := 0
		for _, t := range unique(words.numbers(c.Subject)) {
			p.terms[t] = append(p.terms[t], id)
			n++
		}
		p.length = append(p.length, n)
		p.mean += float64(n) / float64(len(commits))
	}
	return p
}

// decay is how much a commit counts for its age.
func (p *past) decay(commit int32, w Weights) float64 {
	days := float64(p.newest-p.when[commit]) / 86400
	return math.Exp2(-days / w.HalfLife)
}

// popular is how often each file was changed, lately more than long ago.
func (p *past) popular(files int, w Weights) []float64 {
	score := make([]float64, files)
	for c, list := range p.files {
		each := p.decay(int32(c), w) / math.Pow(float64(max(p.wide[c], 1)), w.Spread)
		for _, f := range list {
			score[f] += each
		}
	}
	return score
}

// similar is how much earlier commits with a like subject speak for each file.
func (p *past) similar(question []int32, unknown, files int, w Weights) []float64 {
	score := make([]float64, files)
	like := map[int32]float64{}
	total := float64(unknown) * rarity(len(p.when), 0)
	for _, t := range question {
		list := p.terms[t]
		idf := rarity(len(p.when), len(list))
		total += idf
		for _, c := range list {
			like[c] += idf * (1 + w.K1) / (1 + w.K1*(1-w.B+w.B*float64(p.length[c])/p.mean))
		}
	}
	type neighbour struct {
		commit int32
		like   float64
	}
	near := make([]neighbour, 0, len(like))
	for c, l := range like {
		if len(p.files[c]) > 0 {
			near = append(near, neighbour{c, l / total * math.Sqrt(p.decay(c, w))})
		}
	}
	sort.Slice(near, func(i, j int) bool {
		return near[i].like > near[j].like || near[i].like == near[j].like && near[i].commit < near[j].commit
	})
	for _, c := range near[:min(len(near), w.Neighbours)] {
		each := c.like * c.like / math.Pow(float64(max(p.wide[c.commit], 1)), w.Spread)
		for _, f := range p.files[c.commit] {
			score[f] += each
		}
	}
	return score
}

// together adds to each file a share of the scores of those it was changed with.
func (p *past) together(score []float64, lead []int32, w Weights) {
	gain := map[int32]float64{}
	for _, f := range lead {
		sum := 0.0
		with := map[int32]float64{}
		for _, c := range p.of[f] {
			d := p.decay(c, w)
			sum += d
			if p.wide[c] > 30 {
				continue
			}
			for _, g := range p.files[c] {
				if g != f {
					with[g] += d
				}
			}
		}
		for g, n := range with {
			gain[g] = max(gain[g], score[f]*n/(sum+1))
		}
	}
	for g, n := range gain {
		score[g] += w.Together * n
	}
}

func unique[T comparable](terms []T) []T {
	seen := make(map[T]bool, len(terms))
	out := terms[:0]
	for _, t := range terms {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}
