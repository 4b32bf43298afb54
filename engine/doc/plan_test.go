package doc

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestPlanInManyShapes(t *testing.T) {
	canonical := document(t, "plan.md")
	want, _ := ParsePlan(canonical)
	var bare struct{ Tasks json.RawMessage }
	if err := json.Unmarshal([]byte(canonical), &bare); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"CRLF":           strings.ReplaceAll(canonical, "\n", "\r\n"),
		"fence":          "```json\n" + canonical + "```",
		"preamble":       "Here is the plan { exact }:\n\n```json\n" + canonical + "```\nLet me know!",
		"thinking":       "<think>{\"tasks\": []}</think>\n" + canonical,
		"bare list":      string(bare.Tasks),
		"wrapped":        `{"plan": ` + canonical + `}`,
		"call":           `{"name": "submit_plan", "arguments": ` + canonical + `}`,
		"trailing comma": strings.Replace(canonical, "\"size/size.go\"\n", "\"size/size.go\", // the parser\n", 1),
		"other keys":     strings.NewReplacer("target_files", "targetFiles", "past_failures", "pastFailures").Replace(canonical),
		"objects":        strings.Replace(canonical, `"Parse(text string) (Doc, error) — brief/parse.go"`, `{"signature": "Parse(text string) (Doc, error)", "path": "brief/parse.go"}`, 1),
		"no failures":    strings.Replace(canonical, "None — first attempt", "none", 1),
		"no fence":       "The plan:\n" + canonical + "\nThat is all.",
	} {
		if got, problems := ParsePlan(text); !reflect.DeepEqual(got, want) || len(problems) != 0 {
			t.Errorf("%s: %+v %v", name, got, problems)
		}
	}
}

func TestPlanAsHeadings(t *testing.T) {
	p, problems := ParsePlan(document(t, "plan_headings.md"))
	if len(p.Tasks) != 2 || len(problems) != 0 {
		t.Fatalf("%+v %v", p, problems)
	}
	a, b := p.Tasks[0], p.Tasks[1]
	if a.Title != "parse sizes" || a.Layer != 0 || a.TargetFiles[0] != "size/size.go" || len(a.Signatures) != 0 {
		t.Errorf("%+v", a)
	}
	if b.Title != "use sizes" || b.Layer != 1 || b.Agent != "mine" || b.PastFailures != None || b.Signatures[0] != "Parse(text string) (Size, error) — size/size.go" || len(b.Constraints) != 1 {
		t.Errorf("%+v", b)
	}
	if got := p.Task(2); got.K != 2 || got.Signatures[0] != (Signature{"Parse(text string) (Size, error)", "size/size.go"}) {
		t.Errorf("%+v", got)
	}
	t0 := Task{TargetFiles: []string{"size/", "config/load.go"}}
	if problems := LintPlan(t0, p); len(problems) != 0 {
		t.Errorf("%v", problems)
	}
}

func TestWrongTypesAreNamedByLineAndKey(t *testing.T) {
	_, problems := ParsePlan("{\n \"tasks\": [\n  {\"title\": \"x\",\n   \"layer\": \"one\",\n   \"constraints\": \"keep\",\n   \"target_files\": [1],\n   \"colour\": 2}\n ],\n \"n\": 2\n}")
	for i, want := range []struct {
		line int
		text string
	}{{7, "tasks[0].colour"}, {4, "tasks[0].layer must be"}, {5, "tasks[0].constraints must be"}, {6, "tasks[0].target_files[0] must be"}, {9, "N must be exact"}} {
		if i >= len(problems) || problems[i].Line != want.line || !strings.Contains(problems[i].Text, want.text) {
			t.Errorf("%d: want %+v, got %+v", i, want, problems)
		}
	}
}

func TestNoPlanIsSaidPlainly(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "empty",
		"I would do it in two steps":  "no plan found",
		"{\"tasks\": [{\"goal\": \"x": "ends inside a string",
		"{\"tasks\": []}":             "no tasks",
		"<think>{\"tasks\": []}":      "never closed",
	} {
		_, problems := LintPlanText(text, nil)
		if len(problems) != 1 || problems[0].Level != Error || !strings.Contains(problems[0].Text, want) {
			t.Errorf("%q: %+v", text, problems)
		}
	}
}

func TestLintPlan(t *testing.T) {
	ok := PlanTask{Title: "a", Goal: "Do a, for b.", Background: "Decided.", PastFailures: None, Constraints: []string{"Keep c."}, TargetFiles: []string{"a.go"}}
	t0 := Task{TargetFiles: []string{"a.go"}}
	with := func(change func(*PlanTask)) PlanTask {
		task := ok
		change(&task)
		return task
	}
	for name, c := range map[string]struct {
		tasks []PlanTask
		want  string
	}{
		"fine":          {[]PlanTask{ok}, ""},
		"no task":       {nil, "at least 1"},
		"layers":        {[]PlanTask{with(func(p *PlanTask) { p.Layer = 1 }), ok}, "never decrease"},
		"unassigned":    {[]PlanTask{with(func(p *PlanTask) { p.TargetFiles = []string{"b.go"} })}, `"a.go" of Task #0 is assigned to no task`},
		"unknown":       {[]PlanTask{ok, with(func(p *PlanTask) { p.TargetFiles = []string{"b.go"} })}, `"b.go" is not among`},
		"no path":       {[]PlanTask{with(func(p *PlanTask) { p.Signatures = []string{"Parse()"} })}, "names no file"},
		"empty goal":    {[]PlanTask{with(func(p *PlanTask) { p.Goal = " " })}, "Goal is empty"},
		"own command":   {[]PlanTask{with(func(p *PlanTask) { p.Constraints = []string{"Run go test ./..."} })}, "go test"},
		"no constraint": {[]PlanTask{with(func(p *PlanTask) { p.Constraints = nil })}, ""},
	} {
		problems := LintPlan(t0, Plan{Tasks: c.tasks})
		errors := texts(problems, Error)
		if c.want == "" && len(errors) != 0 || c.want != "" && !strings.Contains(strings.Join(errors, "\n"), c.want) {
			t.Errorf("%s: %+v", name, problems)
		}
		for _, p := range problems {
			if p.Line == 0 {
				t.Errorf("%s: no line in %+v", name, p)
			}
		}
	}
}
