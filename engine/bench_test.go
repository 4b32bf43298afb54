package engine

import (
	"fmt"
	"testing"
	"time"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// BenchmarkWorkerOverhead is what a Worker costs beyond its agent: a chain of
// ten Workers whose agents do next to nothing. ms/worker is from one Worker's
// start to the next one's.
func BenchmarkWorkerOverhead(b *testing.B) {
	for _, files := range []int{30, 10_000} {
		b.Run(fmt.Sprintf("files=%d", files), func(b *testing.B) { benchmarkChain(b, files, 10) })
	}
}

func benchmarkChain(b *testing.B, files, workers int) {
	contents := map[string]string{}
	for i := range files {
		contents[fmt.Sprintf("dir%d/file%d.txt", i%100, i)] = fmt.Sprintf("content %d\n", i)
	}
	plan := doc.Plan{}
	var parts [][]map[string]any
	for k := range workers {
		path := fmt.Sprintf("dir%d/file%d.txt", k, k)
		plan.Tasks = append(plan.Tasks, task(fmt.Sprint(k), k, path))
		parts = append(parts, []step{edit(path, "content", "changed"), result([]string{path})})
	}
	bench := newBench(b, contents)
	var total time.Duration
	for b.Loop() {
		dirs := bench.create(order{plan: plan, script: steps(parts...)})
		if err := bench.spawn(dirs, nil); err != nil {
			b.Fatal(err)
		}
		s := bench.finish(dirs)
		if s.Status != event.StatusPassed {
			b.Fatalf("%s: %s", s.Status, s.Reason)
		}
		total += s.Worker(workers).Ended.Sub(s.Worker(1).Started)
	}
	b.ReportMetric(float64(total.Milliseconds())/float64(b.N*workers), "ms/worker")
}
