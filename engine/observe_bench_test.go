package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// BenchmarkObserve is what holding a Worker's work against its RESULT costs in
// a project of 10,000 Go files, 40 MB: from its commit to the verdict. A quiet
// Worker changes a body; a breaking one renames an export, so that its users
// are looked for as well. The first of a run has the words of all files to
// read (that grows with files and bytes, and begins while git commits); those
// after it only what changed. commit-ms/worker, from the RESULT to the commit,
// is what the reading ahead would slow down.
func BenchmarkObserve(b *testing.B) {
	for _, kind := range []string{"quiet", "breaking"} {
		b.Run(kind, func(b *testing.B) { benchmarkObserve(b, 10_000, 10, kind == "breaking") })
	}
}

func benchmarkObserve(b *testing.B, files, workers int, breaks bool) {
	contents := map[string]string{"go.mod": "module example.com/big\n\ngo 1.26\n"}
	for i := range files {
		var text strings.Builder
		fmt.Fprintf(&text, "package p%d\n\nimport \"example.com/big/p%d\"\n\n", i%100, (i+1)%100)
		for j := range 38 {
			fmt.Fprintf(&text, "// F%dx%d counts.\nfunc F%dx%d(text string, n int) (int, error) {\n\treturn p%d.F%dx%d(text, n+%d)\n}\n\n", i, j, i, j, (i+1)%100, (i+1)%files, j, j)
		}
		contents[fmt.Sprintf("p%d/f%d.go", i%100, i)] = text.String()
	}
	plan := doc.Plan{}
	var parts [][]map[string]any
	for k := range workers {
		path := fmt.Sprintf("p%d/f%d.go", k, k)
		plan.Tasks = append(plan.Tasks, task(fmt.Sprint(k), k, path))
		change := edit(path, "n+3)", "n+4)")
		if breaks {
			change = edit(path, fmt.Sprintf("func F%dx3(", k), fmt.Sprintf("func G%dx3(", k))
		}
		parts = append(parts, []step{change, result([]string{path})})
	}
	bench := newBench(b, contents)
	var total, first, most, commits time.Duration
	n, runs := 0, 0
	for b.Loop() {
		dirs := bench.create(order{plan: plan, script: steps(parts...)})
		if err := bench.spawn(dirs, nil); err != nil {
			b.Fatal(err)
		}
		s := bench.finish(dirs)
		if s.Status != event.StatusPassed || breaks != (len(s.Ledger) == workers) {
			b.Fatalf("%s: %s, %d entries", s.Status, s.Reason, len(s.Ledger))
		}
		if breaks && len(s.Ledger[1].Unowned) != 1 {
			b.Fatalf("users: %+v", s.Ledger[1])
		}
		events, _, err := event.Read(dirs.Run + "/" + fileEvents)
		if err != nil {
			b.Fatal(err)
		}
		runs++
		var accepted, committed time.Time
		for _, e := range events {
			switch body := e.Body.(type) {
			case event.ResultAccepted:
				accepted = e.At
			case event.CommitDone:
				committed = e.At
				commits += committed.Sub(accepted)
			case event.ResultCompared:
				took := e.At.Sub(committed)
				if body.K == 1 {
					first += took
				}
				total, most = total+took, max(most, took)
				n++
			}
		}
	}
	b.ReportMetric(milliseconds(total, n), "ms/worker")
	b.ReportMetric(milliseconds(first, runs), "ms/first-worker")
	b.ReportMetric(milliseconds(most, 1), "ms/worst")
	b.ReportMetric(milliseconds(commits, n), "commit-ms/worker")
}

func milliseconds(d time.Duration, n int) float64 {
	return float64(d.Microseconds()) / float64(n) / 1000
}
