package engine

import (
	"fmt"
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// sample is a project of n files of about 250 lines, a Task #0 with something
// to say, and the plan of one task a file.
func sample(n int) (map[string]string, doc.Plan) {
	files := map[string]string{"go.mod": "module example.test/p\n\ngo 1.24\n"}
	var plan doc.Plan
	for k := 1; k <= n; k++ {
		var b strings.Builder
		fmt.Fprintf(&b, "package p%d\n", k)
		for i := range 60 {
			fmt.Fprintf(&b, "\n// F%d is one of many functions of this package.\nfunc F%d(n int) int { return n + %d }\n", i, i, i)
		}
		path := fmt.Sprintf("p%d/p%d.go", k, k)
		files[path] = b.String()
		p := task(fmt.Sprintf("part %d", k), k-1, path)
		p.Goal = fmt.Sprintf("Have F0 of package p%d return its argument and one, as every caller expects by now.", k)
		p.Background = "Decided with the operator: the functions stay where they are, their names stay, and nothing is added beside them."
		if k > 1 {
			p.Signatures = []string{fmt.Sprintf("F0(n int) int — p%d/p%d.go", k-1, k-1)}
		}
		plan.Tasks = append(plan.Tasks, p)
	}
	return files, plan
}

// What crosses each boundary, of all there was: the figures are printed.
func TestIsolationOfASample(t *testing.T) {
	const n = 8
	files, plan := sample(n)
	b := newBench(t, files)
	scripts := map[string]func(question) said{"planner": answers(planOf(t, plan))}
	for k := 1; k <= n; k++ {
		path := fmt.Sprintf("p%d/p%d.go", k, k)
		scripts[fmt.Sprint(k)] = answers(
			callOf("list_files", map[string]any{}), callOf("read_file", map[string]any{"path": path}),
			callOf("search", map[string]any{"pattern": "return n"}),
			callOf("edit_file", map[string]any{"path": path, "old": "{ return n + 0 }", "new": "{ return n + 1 }"}),
			callOf("check", map[string]any{}), resultOf("F0 returns its argument and one.", path))
	}
	s := newModelServer(t, byAgent(scripts))
	st, dirs := b.runNative(s, order{plan: plan, planner: true}, nil)
	if st.Status != event.StatusPassed || st.Plan.N != n {
		t.Fatalf("ended as %s: %s\n%s", st.Status, st.Reason, ownerLog(dirs))
	}
	for k := 1; k <= n; k++ {
		w, pw, wg := st.Worker(k), st.Isolated.PW[k-1], st.Isolated.WG[k-1]
		if pw == nil || wg == nil {
			t.Fatalf("Worker %d was not measured", k)
		}
		t.Logf("Worker %d: Planner → Worker %.1f%%, Worker → on %.1f%%, prompt %d bytes, %d tokens, %.1f tokens a byte, %.0f tokens in a turn",
			k, 100**pw, 100**wg, w.Prompt.Bytes, w.Metrics.Tokens, w.Metrics.PerByte, w.Metrics.PerTurn)
		if *pw < event.LeastPW || *wg < event.LeastWG {
			t.Errorf("Worker %d: %.3f and %.3f", k, *pw, *wg)
		}
		if w.Metrics.Tokens == 0 || w.Metrics.PerByte == 0 || w.Metrics.PerTurn == 0 {
			t.Errorf("Worker %d: %+v", k, w.Metrics)
		}
	}
	report := b.read(dirs, fileReport)
	for _, words := range []string{"| Worker | tokens | tokens per byte | tokens in per turn |", "| Planner → Worker 8 | ", "| Worker 8 → on | "} {
		if !strings.Contains(report, words) {
			t.Errorf("the report lacks %q:\n%s", words, report)
		}
	}
}

// No contract, of whatever role and kind, is longer than it may be.
func TestContractsWithAndWithoutToolsAreShort(t *testing.T) {
	for name, text := range map[string]string{
		"Worker": workerContract, "Worker with tools": workerByTool, "Planner": plannerContract + plannerByText,
		"Planner with tools": plannerContract + plannerByTool, "Scout": scoutContract, "Scout with tools": scoutByTool,
		"Planner again": replanContract + replanByText, "Planner again with tools": replanContract + replanByTool,
	} {
		t.Logf("%s: %d bytes", name, len(text))
		if len(text) > maxContract {
			t.Errorf("%s: %d bytes, %d are the most", name, len(text), maxContract)
		}
	}
}
