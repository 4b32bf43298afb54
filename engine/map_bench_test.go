package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"growbench/mapgen"
)

// BenchmarkMapOfAWorker is what marking one Worker's changes costs: three files
// in two directories of a small project, and of one of 10,000 files.
func BenchmarkMapOfAWorker(b *testing.B) {
	for _, files := range []int{30, 10_000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			content := map[string]string{}
			for i := range files {
				content[filepath.Join(fmt.Sprintf("d%d", i/20), fmt.Sprintf("f%d.txt", i))] = "text\n"
			}
			place := newBench(b, content)
			p, err := mapgen.Open(place.project.Root, mapgen.Options{})
			must(b, err)
			_, err = p.Init(context.Background(), nil)
			must(b, err)
			for b.Loop() {
				must(b, markPaths(place.project.Root, []string{"d0/f1.txt", "d0/f2.txt", "d1/f21.txt"}))
			}
			begin := time.Now()
			must(b, patchPaths(context.Background(), place.project.Root, []string{"d0/f1.txt", "d0/f2.txt", "d1/f21.txt"}, mapgen.Options{}))
			b.ReportMetric(float64(time.Since(begin).Milliseconds()), "ms/patch")
		})
	}
}
