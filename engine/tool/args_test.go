package tool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"growbench/engine/model"
)

func TestArgumentsAsModelsWriteThem(t *testing.T) {
	dir := project(t, map[string]string{"a.go": "one\ntwo\nthree\n"})
	s := worker(t, Kit{Dir: dir}, "a.go")
	for name, raw := range map[string]string{
		"object":              `{"path":"a.go","from":2,"to":2}`,
		"string":              `"{\"path\":\"a.go\",\"from\":2,\"to\":2}"`,
		"string in a string":  `"\"{\\\"path\\\":\\\"a.go\\\",\\\"from\\\":2,\\\"to\\\":2}\""`,
		"fence":               "```json\n{\"path\":\"a.go\",\"from\":2,\"to\":2}\n```",
		"one level too deep":  `{"arguments":{"path":"a.go","from":2,"to":2}}`,
		"a string that deep":  `{"parameters":"{\"path\":\"a.go\",\"from\":2,\"to\":2}"}`,
		"numbers in quotes":   `{"path":"a.go","from":"2","to":" 2 "}`,
		"numbers with a dot":  `{"path":"a.go","from":2.0,"to":2}`,
		"null for what it is": `{"path":"a.go","from":2,"to":2,"dir":null}`,
		"a tag behind":        `{"path":"a.go","from":2,"to":2}</tool_call>`,
		"a bracket too many":  `{"path":"a.go","from":2,"to":2}}`,
	} {
		r := s.Do(context.Background(), model.Call{Name: "read_file", Arguments: raw}, room)
		if r.Error != "" || !strings.HasSuffix(r.Text, ":\ntwo\n") {
			t.Errorf("%s: %q, %s", name, r.Text, r.Error)
		}
		if !json.Valid([]byte(r.Args)) {
			t.Errorf("%s: told as %s", name, r.Args)
		}
	}
}

func TestRawLineEndsInStrings(t *testing.T) {
	dir := project(t, nil)
	s := worker(t, Kit{Dir: dir}, "a.go")
	r := s.Do(context.Background(), model.Call{Name: "write_file", Arguments: "{\"path\":\"a.go\",\"content\":\"say(\\\"hi\\\")\n\tend\r\n\"}"}, room)
	ok(t, r, "created a.go")
	if got := content(t, dir, "a.go"); got != "say(\"hi\")\n\tend\r\n" {
		t.Errorf("a.go is %q", got)
	}
	if r.Mended == "" {
		t.Error("that its arguments were mended is told nowhere")
	}
}

func TestArgumentsThatAreRefused(t *testing.T) {
	dir := project(t, map[string]string{"a.go": "one\n"})
	s := worker(t, Kit{Dir: dir}, "a.go")
	for raw, words := range map[string][]string{
		`{"path":"a.go"`:                      {"cut", "read_file(path: string, from?: integer, to?: integer)"},
		`{"path":"a`:                          {"cut", "read_file(path"},
		`"{\"path\":\"a`:                      {"cut"},
		`{"file":"a.go"}`:                     {`no argument "file"`, "read_file(path"},
		`{}`:                                  {"needs the argument path", "read_file(path"},
		``:                                    {"needs the argument path"},
		`null`:                                {"needs the argument path"},
		`{"path":7}`:                          {"must be a string", "7"},
		`{"path":["a.go"]}`:                   {"must be a string"},
		`{"path":"a.go","from":"two"}`:        {"must be an integer"},
		`{"path":"a.go","from":1.5}`:          {"must be an integer"},
		`{"path":"a.go","from":true}`:         {"must be an integer"},
		`["a.go"]`:                            {"object"},
		`a.go`:                                {"cannot be read"},
		`{"path":"a.go"}{"path":"b.go"}`:      {"one call for each"},
		`{"path":"a.go"} and then some words`: {"more behind"},
		"{\"path\":\"" + strings.Repeat("x", 1<<20) + `","zz":1}`: {`no argument "zz"`},
	} {
		r := s.Do(context.Background(), model.Call{Name: "read_file", Arguments: raw}, room)
		refused(t, r, words...)
		if len(r.Text) > 1<<10 || len(r.Args) > 4<<10 {
			t.Errorf("the refusal of %.40q has %d bytes", raw, len(r.Text))
		}
	}
}

func TestNamesAsModelsWriteThem(t *testing.T) {
	dir := project(t, map[string]string{"a.go": "one\n"})
	s := worker(t, Kit{Dir: dir}, "a.go")
	for _, name := range []string{
		"read_file", "functions.read_file", "Read-File", "read_file<|x|>", "ReadFile", "readFile", "READ_FILE", "default_api:read_file",
		"mcp__growbench__read_file", " read_file ", "read_file()", "tools/read_file", "read file", "read_file<|channel|>commentary",
	} {
		r := do(t, s, name, "path", "a.go")
		if r.Error != "" || r.Name != "read_file" {
			t.Errorf("%q: %s, %s", name, r.Name, r.Error)
		}
		if (r.Mended == "") != (name == "read_file") {
			t.Errorf("%q: told as %q", name, r.Mended)
		}
	}
	for name, meant := range map[string]string{
		"read_fil": "read_file", "bash": "run_command", "str_replace": "edit_file", "grep": "search", "done": "submit_result", "chek": "check",
	} {
		refused(t, do(t, s, name, "path", "a.go"), "did you mean "+meant+"?", "submit_result")
	}
	r := do(t, s, "deploy_to_production\x1b[31m"+strings.Repeat("x", 1000))
	refused(t, r, "no tool", "read_file, list_files")
	if strings.Contains(r.Text, "did you mean") || strings.Contains(r.Text, "\x1b") || len(r.Text) > 500 {
		t.Errorf("%q", r.Text)
	}
}

// The schema a model is shown is JSON, and names what the reader demands.
func TestSchemasAreWhatIsRead(t *testing.T) {
	k := Kit{Dir: project(t, map[string]string{"big.go": strings.Repeat("x\n", 600)})}
	p, err := Planner(k, []string{"big.go"})
	if err != nil {
		t.Fatal(err)
	}
	sc, err := Scout(k)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Set{worker(t, k, "a.go"), p, sc} {
		for i, d := range s.Definitions() {
			var schema struct {
				Type       string                     `json:"type"`
				Properties map[string]json.RawMessage `json:"properties"`
				Required   []string                   `json:"required"`
			}
			if err := json.Unmarshal(d.Schema, &schema); err != nil || schema.Type != "object" || d.Description == "" {
				t.Errorf("%s: %v in %s", d.Name, err, d.Schema)
			}
			if len(schema.Properties) != len(s.tools[i].Params) {
				t.Errorf("%s shows %d arguments", d.Name, len(schema.Properties))
			}
		}
	}
}

func FuzzArguments(f *testing.F) {
	for _, raw := range []string{`{"path":"a"}`, `"{\"path\":\"a\"}"`, "```\n{}\n```", `{"a":{"path":"b"}}`, "{\"path\":\"a\nb\"}", `{"path":"a"`, `{"from":"1e3"}`, `"`, `{"\ud800":1}`} {
		f.Add(raw)
	}
	tools := []Tool{{Name: ReadFile, Params: []Param{{Name: "path", Type: "string"}, {Name: "from", Type: "integer", Optional: true}, {Name: "list", Type: "strings", Optional: true}}}, {Name: SubmitResult, Params: resultParams}}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, tool := range tools {
			a, _, err := tool.read(raw)
			if err != nil {
				continue
			}
			if !json.Valid(a.whole) {
				t.Fatalf("%q is read as %s", raw, a.whole)
			}
			again, _, err := tool.read(a.text)
			if err != nil || again.text != a.text {
				t.Fatalf("%q is read as %s, that as %s (%v)", raw, a.text, again.text, err)
			}
		}
	})
}

func FuzzNames(f *testing.F) {
	f.Add("functions.read_file<|x|>")
	s := &Set{tools: []Tool{{Name: ReadFile}, {Name: CheckTool}}}
	f.Fuzz(func(t *testing.T, name string) {
		if found, _, err := s.find(name); err == nil && found.Name == "" {
			t.Fatal("neither a tool nor an error")
		}
	})
}
