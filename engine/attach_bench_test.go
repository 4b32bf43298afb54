package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"growbench/engine/event"
)

// BenchmarkAttach is how long it takes from the start of a watcher until it
// has the whole state of a living run: of one with an owner of its own and a
// Worker at work, and of ones whose logs are long. worst-ms is the slowest.
func BenchmarkAttach(b *testing.B) {
	b.Run("owner", func(b *testing.B) {
		bench := newBench(b, twoFiles)
		dirs := bench.create(order{plan: twoTasks(), script: steps([]step{edit("a.txt", "one", "ONE"), {"run": "sleep 600"}, result(nil)}, nil)})
		must(b, bench.spawn(dirs, nil))
		at := bench.until(dirs, func(s *event.State, _ bool) bool {
			w := s.Worker(1)
			return w != nil && w.Tool == "run_command"
		})
		attach(b, dirs.Run, at.LastSeq)
		bench.endAll(dirs)
	})
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			dir, seq := living(b, n)
			attach(b, dir, seq)
		})
	}
}

func attach(b *testing.B, dir string, seq uint64) {
	var worst time.Duration
	for b.Loop() {
		began := time.Now()
		w, s := Watch(dir), event.NewState()
		for s.LastSeq < seq {
			u, err := w.Next(b.Context())
			must(b, err)
			if !u.OwnerAlive {
				b.Fatal("nobody runs it")
			}
			for _, e := range u.Events {
				s.Apply(e)
			}
		}
		worst = max(worst, time.Since(began))
		must(b, w.Close())
	}
	b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
}

// living is a run with n events whose owner lives and can be listened to.
func living(b *testing.B, n int) (dir string, seq uint64) {
	dir = b.TempDir()
	owned, err := takeLock(dir)
	must(b, err)
	b.Cleanup(func() { owned.release() })
	srv, err := listen(filepath.Join(dir, "s"), newHub(), func(Command) error { return errors.New("nothing is asked here") })
	must(b, err)
	b.Cleanup(func() { srv.close() })
	go srv.serve()
	data, err := json.Marshal(Owner{Socket: srv.path})
	must(b, err)
	must(b, writeFile(filepath.Join(dir, fileOwner), data))

	log, _, _, err := event.OpenLog(filepath.Join(dir, fileEvents), time.Now)
	must(b, err)
	bodies := []event.Body{event.RunStarted{Format: event.Version, Run: "r"}, event.WorkerStarted{K: 1, Attempt: 1}}
	for i := len(bodies); i < n; i++ {
		bodies = append(bodies, event.WorkerTool{K: 1, Name: "run_command", ArgsPreview: `{"command":"go test ./..."}`, ResultBytes: 1200, MS: 300})
	}
	events, err := log.Append(false, bodies...)
	must(b, err)
	must(b, log.Close())
	return dir, events[len(events)-1].Seq
}
