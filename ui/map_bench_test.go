package ui

import (
	"fmt"
	"runtime"
	"testing"

	tea "charm.land/bubbletea/v2"

	"growbench/mapgen"
	"growbench/theme"
	"growbench/views"
)

// wideMap has 50,000 entries: 5,000 directories with nine files each, three
// symbols in each of those.
func wideMap() (*mapgen.Survey, []mapgen.DirNames) {
	s := &mapgen.Survey{Exists: true, Recommend: mapgen.RecommendReinit}
	var names []mapgen.DirNames
	for i := range 5000 {
		d := mapgen.SurveyDir{Dir: fmt.Sprintf("area%02d/part%02d/unit%d", i/500, i/20%25, i), Role: "Does what units do, and tells others"}
		switch {
		case i == 0:
			d.Dir = "."
		case i <= 10:
			d.Dir = fmt.Sprintf("area%02d", i-1)
		case i <= 260:
			d.Dir = fmt.Sprintf("area%02d/part%02d", (i-11)/25, (i-11)%25)
		}
		if i%50 == 7 {
			d.State, d.Why = []string{mapgen.Stale}, []string{"file3.go changed"}
		}
		n := mapgen.DirNames{Dir: d.Dir}
		for f := range 9 {
			name := fmt.Sprintf("file%d_%d.go", f, i)
			d.Files = append(d.Files, mapgen.SurveyFile{Name: name, Size: int64(f * i)})
			n.Files = append(n.Files, mapgen.FileNames{Name: name, Symbols: []mapgen.Line{
				{Text: fmt.Sprintf("NewUnit%d(name string, options ...Option) (*Unit%d, error)", i, f), At: 10},
				{Text: fmt.Sprintf("(*Unit%d).Measure(ctx context.Context) float64", f), At: 20}, {Text: "ErrNothing", At: 30}}})
		}
		s.Dirs, names = append(s.Dirs, d), append(names, n)
	}
	return s, names
}

func wideScreen(b *testing.B) *model {
	s, _ := wideMap()
	m := chartScreen(b, theme.Dark, size{160, 48}, s, mapgen.Page{Dir: "area03/part02"})
	m.chart.tree.UnfoldAll()
	if n := m.chart.data.Entries(); n != 50_000 {
		b.Fatalf("%d entries", n)
	}
	return m
}

// costs measures what keys cost until their frame is there.
func costs(b *testing.B, m *model, keys ...tea.KeyPressMsg) {
	before := processor()
	for i := range b.N {
		m.update(keys[i%len(keys)])
		_ = m.view()
	}
	b.ReportMetric((processor()-before)/float64(b.N), "cpu-ms/op")
}

func BenchmarkMapKey50k(b *testing.B) {
	m := wideScreen(b)
	b.ResetTimer()
	costs(b, m, press('j', "j"), press('k', "k"), press(tea.KeyPgDown, ""), press('G', "G"), press(tea.KeyPgUp, ""), press('g', "g"))
}

// BenchmarkMapFold50k folds and unfolds directories near the root, and walks
// from one that is not clean to the next.
func BenchmarkMapFold50k(b *testing.B) {
	m := wideScreen(b)
	m.chart.tree.Go(views.Spot{Dir: "area05"})
	b.ResetTimer()
	costs(b, m, press('h', "h"), press('l', "l"), press('n', "n"), press('N', "N"))
}

// BenchmarkMapFilter50k is one letter more in the filter: what the key costs
// until the screen takes the next, and what the search costs beside it.
func BenchmarkMapFilter50k(b *testing.B) {
	m := wideScreen(b)
	_, list := wideMap()
	m.chart.names = namesOf(list)
	m.openFilter()
	queries := []string{"u", "un", "uni", "unit", "unit4", "unit42", "unit42 mea"}
	key, search := 0.0, 0.0
	b.ResetTimer()
	for i := range b.N {
		q := queries[i%len(queries)]
		before := processor()
		m.line.input().SetText(q)
		cmd := m.line.changed(m)
		m.compose()
		key += processor() - before
		before = processor()
		msg := cmd()
		search += processor() - before
		before = processor()
		m.update(msg)
		key += processor() - before
	}
	b.ReportMetric(key/float64(b.N), "key-cpu-ms/op")
	b.ReportMetric(search/float64(b.N), "search-cpu-ms/op")
}

// BenchmarkMapPaint50k draws the screen anew.
func BenchmarkMapPaint50k(b *testing.B) {
	m := wideScreen(b)
	before := processor()
	b.ResetTimer()
	for range b.N {
		m.compose()
	}
	b.ReportMetric((processor()-before)/float64(b.N), "cpu-ms/op")
}

// BenchmarkMapMemory50k is what a map on the screen keeps, its symbols too.
func BenchmarkMapMemory50k(b *testing.B) {
	for range b.N {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		m := wideScreen(b)
		_, list := wideMap()
		m.chart.names = namesOf(list)
		list = nil
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB")
		runtime.KeepAlive(m)
	}
}

// BenchmarkMapOrder50k makes the tree of a survey, in each order.
func BenchmarkMapOrder50k(b *testing.B) {
	s, _ := wideMap()
	dirs := mapDirs(s)
	before := processor()
	b.ResetTimer()
	for i := range b.N {
		views.NewMapData(dirs, views.MapOrder(i%3))
	}
	b.ReportMetric((processor()-before)/float64(b.N), "cpu-ms/op")
}
