package main

import (
	"cmp"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"growbench/mapgen/recall"
)

// result is the mean over all questions: the share of a question's files among
// the first ten, and whether one of the first three directories holds any.
type result struct{ recall, hit float64 }

func score(index *recall.Index, questions []question, w recall.Weights) result {
	each := make([]result, len(questions))
	var wg sync.WaitGroup
	for part := range 2 {
		wg.Go(func() {
			for i := part; i < len(questions); i += 2 {
				each[i] = one(index.Search(questions[i].subject, w), questions[i])
			}
		})
	}
	wg.Wait()
	var sum result
	for _, r := range each {
		sum.recall += r.recall / float64(len(questions))
		sum.hit += r.hit / float64(len(questions))
	}
	return sum
}

func one(a recall.Answer, q question) (r result) {
	for _, f := range a.Files[:min(len(a.Files), 10)] {
		if slices.Contains(q.files, f.Path) {
			r.recall += 1 / float64(len(q.files))
		}
	}
	for _, d := range a.Dirs[:min(len(a.Dirs), 3)] {
		if slices.ContainsFunc(q.files, func(f string) bool { return path.Dir(f) == d.Path }) {
			r.hit = 1
		}
	}
	return r
}

// popularity answers every question with the files and directories that were
// changed most often before the snapshot.
func popularity(source recall.Source, questions []question) (mean result) {
	files, dirs := map[string]float64{}, map[string]float64{}
	known := map[string]bool{}
	for _, d := range source.Dirs {
		for _, f := range d.Files {
			known[path.Join(d.Path, f.Name)] = true
		}
	}
	for _, c := range source.Commits {
		for _, f := range c.Files {
			if known[f] {
				files[f]++
				dirs[path.Dir(f)]++
			}
		}
	}
	a := recall.Answer{Files: most(files), Dirs: most(dirs)}
	for _, q := range questions {
		r := one(a, q)
		mean.recall += r.recall / float64(len(questions))
		mean.hit += r.hit / float64(len(questions))
	}
	return mean
}

func most(times map[string]float64) []recall.Hit {
	var hits []recall.Hit
	for p, n := range times {
		hits = append(hits, recall.Hit{Path: p, Score: n})
	}
	slices.SortFunc(hits, func(a, b recall.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path))
	})
	return hits
}

type variant struct {
	label   string
	weights recall.Weights
}

// variants are the words of the map alone, what each part adds to them, and the
// whole without each.
func variants(w recall.Weights) []variant {
	words := w
	parts := []string{"Similar", "Popular", "Boost", "Together", "Pair", "Named"}
	for _, name := range parts {
		set(&words, name, 0)
	}
	paths := words
	fields := []string{"Path", "Name", "Symbols", "Purpose", "Role", "Tags"}
	for _, name := range fields[2:] {
		set(&paths, name, 0)
	}
	out := []variant{{"paths and names alone", paths}}
	for _, name := range fields[2:] {
		v := paths
		set(&v, name, reflect.ValueOf(w).FieldByName(name).Float())
		out = append(out, variant{"  with " + name, v})
	}
	out = append(out, variant{"words of the map alone", words})
	for _, name := range parts {
		v := words
		set(&v, name, reflect.ValueOf(w).FieldByName(name).Float())
		out = append(out, variant{"  with " + name, v})
	}
	for _, name := range append(fields, parts...) {
		v := w
		set(&v, name, 0)
		out = append(out, variant{"all without " + name, v})
	}
	return out
}

func set(w *recall.Weights, name string, value float64) {
	reflect.ValueOf(w).Elem().FieldByName(name).SetFloat(value)
}

// override changes weights by name.
func override(w recall.Weights, set string) (recall.Weights, error) {
	for pair := range strings.SplitSeq(set, ",") {
		if pair == "" {
			continue
		}
		name, text, _ := strings.Cut(pair, "=")
		value, err := strconv.ParseFloat(text, 64)
		f := reflect.ValueOf(&w).Elem().FieldByName(name)
		switch {
		case err != nil || !f.IsValid():
			return w, fmt.Errorf("no weight is set by %q", pair)
		case f.CanFloat():
			f.SetFloat(value)
		default:
			f.SetInt(int64(value))
		}
	}
	return w, nil
}
