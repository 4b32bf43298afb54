package engine

import (
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/config"
	"growbench/engine/event"
	"growbench/testdata/ollama/ollamatest"
)

// A whole run over what a real model server says, on both of its runners:
// recorded, or said anew where there is one.
func TestAChainOverARealServer(t *testing.T) {
	for _, runner := range []string{"llama", "qwen3"} {
		t.Run(runner, func(t *testing.T) {
			var real *ollamatest.Server
			if ollamatest.Real() {
				real = ollamatest.Start(t, runner)
			}
			site := ollamatest.Open(t, filepath.Join("testdata", "traffic", runner, "chain.json"), runner, real)
			b := newBench(t, three)
			o := order{plan: threeTasks(), planner: true, verify: []string{"go test ./..."},
				task0: strings.Replace(task0For(threeTasks()), "decided", "Decided. <|say:plan-three|>", 1)}
			dirs := b.createFor(config.Agent{Kind: "native", Provider: "here", Model: ollamatest.Chat}, o)
			spec, err := LoadSpec(dirs.Run)
			must(t, err)
			spec.Config.Providers = map[string]config.Provider{"here": {Kind: "ollama", URL: site.URL, NumCtx: 16384}}
			must(t, saveSpec(dirs.Run, spec))
			must(t, b.spawn(dirs, nil))
			st := b.finish(dirs)
			if st.Status != event.StatusPassed || st.Verified != event.VerifiedPassed || st.Plan.Source != "planner" || st.Plan.N != 3 {
				t.Fatalf("ended as %s, verified %s, %d tasks by %q: %s\n%s", st.Status, st.Verified, st.Plan.N, st.Plan.Source, st.Reason, ownerLog(dirs))
			}
			for k, turns := range map[int]int{1: 5, 2: 4, 3: 3} {
				w := st.Worker(k)
				if w.State != event.Done || w.ResultFrom != "tool" || w.Standing != event.Accepted || w.Turns != turns || w.Tokens.Estimated || w.Window != 16384 {
					t.Errorf("Worker %d: %+v", k, w)
				}
				if r := readResult(t, dirs, k); !strings.HasSuffix(r.Summary, " returns one.") || len(r.Files.Modified) != 1 {
					t.Errorf("RESULT #%d: %+v", k, r)
				}
			}
		})
	}
}
