package doc

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestLintFindsTheKind(t *testing.T) {
	reply := "Done.\n\nRESULT #1\nFiles: a.go\nSignatures: none\nBreaking: none\nSummary: x\n"
	for name, c := range map[string]struct {
		text, kind string
		ok         bool
	}{
		"task0":         {document(t, "task0.md"), KindTask0, true},
		"bare sections": {strings.Replace(document(t, "task0.md"), "# Task #0 (for Planner)\n", "", 1), KindTask0, true},
		"task":          {strings.Replace(document(t, "task0.md"), "# Task #0 (for Planner)", "# Task #2 (for Worker 2)", 1), KindTask, true},
		"plan":          {document(t, "plan.md"), KindPlan, true},
		"plan headings": {document(t, "plan_headings.md"), KindPlan, true},
		"result":        {reply, KindResult, true},
		"result json":   {`{"status":"done","files":{},"breaking":[],"summary":"x"}`, KindResult, true},
		"results":       {document(t, "results.md"), KindResults, true},
		"map":           {"# src\ndir: src\nindex: src/.pi-map.index.md\n## role\nx\n", KindMap, false},
		"index":         {"# src (index)\ndir: src\n## role\nx\n", KindIndex, false},
		"nothing":       {"hello", "", false},
		"empty":         {"", "", false},
	} {
		r := Lint("", c.text)
		if r.Kind != c.kind || r.OK != c.ok {
			t.Errorf("%s: kind %q ok %v %+v", name, r.Kind, r.OK, r.Problems)
		}
	}
}

func TestLintReportHasNoNullLists(t *testing.T) {
	for kind, text := range map[string]string{
		KindTask0: "# Task #0\n### Goal\nx", KindTask: "# Task #1", KindPlan: `{"tasks":[{"goal":"x"}]}`, KindResult: "RESULT #1\nFiles: none\nBreaking: none", KindResults: "",
	} {
		out, err := json.Marshal(Lint(kind, text))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(out), "null") {
			t.Errorf("%s: %s", kind, out)
		}
	}
	out, _ := json.Marshal(Lint(KindResult, "RESULT #1\nFiles: a.go\nBreaking: A → B — a.go\nSignatures: F() — a.go\nSummary: x"))
	const want = `{"kind":"result","ok":true,"value":{"k":1,"files":{"created":[],"modified":["a.go"],"deleted":[]},"signatures":[{"signature":"F()","path":"a.go"}],"breaking":[{"text":"A → B — a.go","symbol":"A","path":"a.go"}],"summary":"x"},"problems":[]}`
	if string(out) != want {
		t.Errorf("%s", out)
	}
}

func TestLintRefusesTheWrongKind(t *testing.T) {
	for kind, text := range map[string]string{
		KindTask: document(t, "task0.md"), KindTask0: strings.Replace(document(t, "task0.md"), "#0", "#1", 1), KindPlan: "no plan here", KindResult: "no result here", KindResults: "no results here", "poem": "x",
	} {
		if r := Lint(kind, text); r.OK || len(r.Problems) == 0 {
			t.Errorf("%s: %+v", kind, r)
		}
	}
}
