package doc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"unicode/utf8"
)

// seeds adds every reply of the test data and a few sharp edges.
func seeds(f *testing.F) {
	f.Helper()
	files, err := filepath.Glob("testdata/*/*.md")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, text := range []string{
		"", "\ufeff# RESULT #1\r\n", "```\n# RESULT #1\nFiles: a\n```", "<think>", "`</think>`", "{\"tasks\":[{}]}",
		"# RESULT #1\n## Files\n- created: `a, b`\n## Breaking\n- \\## Files\n## Summary\n~~~\n",
		"# Task #0\n### Goal\nx\n### Constraints\n- a\n  ```\n  b\n### Target Files\n`a b`\n### Signatures\n- - x — a.go\n",
	} {
		f.Add(text)
	}
}

func FuzzTask(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		first, problems := LintTaskText(text, LintOptions{})
		checkProblems(t, problems)
		canonical := FormatTask(first)
		again, _ := ParseTask(canonical)
		if !reflect.DeepEqual(first, again) {
			t.Fatalf("parse, format, parse differ\n%#v\n%#v\n%s", first, again, canonical)
		}
		if twice := FormatTask(again); twice != canonical {
			t.Fatalf("canonical text changed\n%s\n---\n%s", canonical, twice)
		}
	})
}

func FuzzResult(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		ParseBlocked(text)
		first, problems, err := ParseResult(text, 2)
		checkProblems(t, problems)
		if err != nil {
			return
		}
		canonical := FormatResult(first)
		if len(canonical) > MaxResult {
			t.Fatalf("%d bytes", len(canonical))
		}
		again, problems, err := ParseResult(canonical, 2)
		if err != nil || HasErrors(problems) {
			t.Fatalf("canonical text is refused: %v %v\n%s", err, problems, canonical)
		}
		if !reflect.DeepEqual(first, again) {
			t.Fatalf("parse, format, parse differ\n%#v\n%#v\n%s", first, again, canonical)
		}
		if twice := FormatResult(again); twice != canonical {
			t.Fatalf("canonical text changed\n%s\n---\n%s", canonical, twice)
		}
	})
}

func FuzzResults(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		first, problems := ParseResults(text)
		checkProblems(t, problems)
		canonical := FormatResults(first)
		again, _ := ParseResults(canonical)
		if !reflect.DeepEqual(first, again) {
			t.Fatalf("parse, format, parse differ\n%#v\n%#v\n%s", first, again, canonical)
		}
	})
}

func FuzzPlan(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		first, problems := LintPlanText(text, &Task{TargetFiles: []string{"a.go"}})
		checkProblems(t, problems)
		canonical := FormatPlan(first)
		again, _ := ParsePlan(canonical)
		if !reflect.DeepEqual(first, again) {
			t.Fatalf("parse, format, parse differ\n%#v\n%#v\n%s", first, again, canonical)
		}
		for k := range first.Tasks {
			task := first.Task(k + 1)
			written := FormatTask(task)
			read, _ := ParseTask(written)
			if twice := FormatTask(read); twice != written {
				t.Fatalf("task %d changed\n%s\n---\n%s", k+1, written, twice)
			}
		}
	})
}

func FuzzSubmitted(f *testing.F) {
	for _, text := range []string{
		`{"status":"done","files":{"created":["a.go"],"modified":[],"deleted":[]},"signatures":["F() — a.go"],"breaking":["A → B — a.go"],"summary":"x","needs":[]}`,
		`{"status":"blocked","needs":["b.go"]}`, `{"files":[{"path":"a","action":"new"}],}`, `[]`, `{"files":"a, b","breaking":null,"k":2}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, problems, err := ParseSubmitted([]byte(text), 2)
		checkProblems(t, problems)
		if err != nil {
			return
		}
		canonical := FormatResult(s.Result)
		if len(canonical) > MaxResult {
			t.Fatalf("%d bytes", len(canonical))
		}
		again, _, err := ParseResult(canonical, 2)
		if err != nil {
			t.Fatal(err)
		}
		if twice := FormatResult(again); twice != canonical {
			t.Fatalf("canonical text changed\n%s\n---\n%s", canonical, twice)
		}
	})
}

func FuzzThinking(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		answer, ok := StripThinking(text)
		if !ok && answer != "" {
			t.Fatalf("no answer, yet %q", answer)
		}
		if len(answer) > len(text) {
			t.Fatal("the answer grew")
		}
	})
}

func FuzzLint(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		r := Lint("", text)
		checkProblems(t, r.Problems)
		out, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(out) || r.OK == HasErrors(r.Problems) {
			t.Fatalf("%s", out)
		}
	})
}

func checkProblems(t *testing.T, problems []Problem) {
	t.Helper()
	for _, p := range problems {
		if p.Text == "" || p.Level != Error && p.Level != Warning || p.Line < 0 {
			t.Fatalf("a problem says too little: %+v", p)
		}
		if !utf8.ValidString(p.Text) {
			t.Fatalf("a problem is not valid UTF-8: %q", p.Text)
		}
	}
}
