package model

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

var spokenTools = map[string]Tool{
	"read":  {Name: "read", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"},"all":{"type":"boolean"}}}`)},
	"write": {Name: "write", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}}}`)},
}

func findSpoken(name string) (Tool, bool) { t, ok := spokenTools[name]; return t, ok }

const readA = `read{"path":"a.go"}`

func TestCallsWrittenAsText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		calls      []string // name and arguments
		beside     string
	}{
		{"no opener", "Let me look.\n\n<function=read>\n<parameter=path>\na.go\n</parameter>\n</function>\n</tool_call>", []string{readA}, "Let me look."},
		{"bare JSON", `{"name": "read", "arguments": {"path":"a.go"}}`, []string{readA}, ""},
		{"fenced", "```json\n{\"name\":\"read\",\"arguments\":{\"path\":\"a.go\"}}\n```", []string{readA}, ""},
		{"tags", "<tool_call>\n{\"name\":\"read\",\"arguments\":{\"path\":\"a.go\"}}\n</tool_call>", []string{readA}, ""},
		{"arguments in a string", `<tool_call>{"name":"read","arguments":"{\"path\":\"a.go\"}"}</tool_call>`, []string{readA}, ""},
		{"after a preamble", "I'll read it.\n{\"name\":\"read\",\"parameters\":{\"path\":\"a.go\"}}", []string{readA}, "I'll read it."},
		{"several in tags", "<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"a.go\"}}</tool_call>\n<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"b.go\"}}</tool_call>", []string{readA, `read{"path":"b.go"}`}, ""},
		{"several in a list", `[{"name":"read","arguments":{"path":"a.go"}},{"name":"read","arguments":{"path":"b.go"}}]`, []string{readA, `read{"path":"b.go"}`}, ""},
		{"as a server would", `{"tool_calls":[{"id":"1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.go\"}"}}]}`, []string{readA}, ""},
		{"mistral", `[TOOL_CALLS][{"name":"read","arguments":{"path":"a.go"}}]`, []string{readA}, ""},
		{"newer mistral", `[TOOL_CALLS]read[ARGS]{"path":"a.go"}[TOOL_CALLS]read{"path":"b.go"}`, []string{readA, `read{"path":"b.go"}`}, ""},
		{"llama", `<|python_tag|>{"name":"read","parameters":{"path":"a.go"}}<|eom_id|>`, []string{readA}, ""},
		{"function with JSON", `<function=read>{"path":"a.go"}</function>`, []string{readA}, ""},
		{"invoke", "<function_calls>\n<invoke name=\"read\">\n<parameter name=\"path\">a.go</parameter>\n</invoke>\n</function_calls>", []string{readA}, "<function_calls>"},
		{"types of the schema", "<tool_call>\n<function=read>\n<parameter=path>\n12\n</parameter>\n<parameter=line>\n12\n</parameter>\n<parameter=all>\ntrue\n</parameter>\n</function>\n</tool_call>", []string{`read{"path":"12","line":12,"all":true}`}, ""},
		{"a closer inside an argument", "<function=write>\n<parameter=path>\nx.md\n</parameter>\n<parameter=content>\na </parameter> b\n</parameter>\n</function>", []string{`write{"path":"x.md","content":"a </parameter> b"}`}, ""},
		{"raw line ends", "<tool_call>{\"name\":\"write\",\"arguments\":{\"path\":\"x\",\"content\":\"a\nb\"}}</tool_call>", []string{`write{"path":"x","content":"a\u000ab"}`}, ""},
		{"a comma too many", `<tool_call>{"name":"read","arguments":{"path":"a.go",}}</tool_call>`, []string{readA}, ""},
		{"a brace too few, but closed", `<tool_call>{"name":"read","arguments":{"path":"a.go"}</tool_call>`, []string{readA}, ""},
		{"unknown between tags", `<tool_call>{"name":"launch","arguments":{}}</tool_call>`, []string{`launch{}`}, ""},
		{"its own answer is no call", "<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"a.go\"}}</tool_call>\n<tool_response>\n<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"b.go\"}}</tool_call>", []string{readA}, ""},
		{"a tag in a string", `<tool_call>{"name":"write","arguments":{"path":"x","content":"</tool_call>"}}</tool_call>`, []string{`write{"path":"x","content":"</tool_call>"}`}, ""},
	} {
		s := SpokenCalls(c.text, findSpoken)
		var got []string
		for _, call := range s.Calls {
			got = append(got, call.Name+call.Arguments)
		}
		if !reflect.DeepEqual(got, c.calls) || strings.TrimSpace(s.Text) != c.beside || s.Torn {
			t.Errorf("%s: calls %q, beside %q, torn %v", c.name, got, s.Text, s.Torn)
		}
	}
}

func TestTextThatIsNoCall(t *testing.T) {
	for name, text := range map[string]string{
		"documentation":            "Example of a call:\n```json\n{\"name\":\"launch_missiles\",\"arguments\":{}}\n```",
		"in the middle":            "For example\n```json\n{\"name\":\"read\",\"arguments\":{\"path\":\"a.go\"}}\n```\nreads a file.",
		"an answer in JSON":        `{"name": "read", "score": 3}`,
		"a tag that is talked of":  "Use `<tool_call>` for that.",
		"a tag in an example":      "Say\n```\n<tool_call>{\"name\":\"launch\",\"arguments\":{}}</tool_call>\n```\nto it.",
		"a RESULT":                 resultText,
		"a plan":                   "```json\n{\"tasks\":[{\"title\":\"read\"}]}\n```",
		"unknown name, bare":       `{"name":"launch","arguments":{}}`,
		"nothing":                  "",
		"JSON that is not a value": "{name: read}",
	} {
		if s := SpokenCalls(text, findSpoken); len(s.Calls) > 0 || s.Torn || s.Text != text {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestHalfACallIsNeverCarriedOut(t *testing.T) {
	for name, text := range map[string]string{
		"cut in a string":        "<tool_call>\n{\"name\":\"read\",\"arguments\":{\"path\":\"a.g",
		"cut in a fence":         "```json\n{\"name\":\"write\",\"arguments\":{\"path\":\"a.go\",\"content\":\"pack",
		"cut, bare":              `{"name": "write", "arguments": {"path": "a.go"`,
		"no end of a function":   "<function=write>\n<parameter=path>\na.go\n</parameter>\n",
		"no end of an argument":  "<function=write>\n<parameter=path>\na.go\n</parameter>\n<parameter=content>\npackage",
		"brace too few, no tag":  `<tool_call>{"name":"read","arguments":{"path":"a.go"}`,
		"the second of two":      "<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"a.go\"}}</tool_call>\n<tool_call>{\"name\":\"wri",
		"string open at the tag": `<tool_call>{"name":"write","arguments":{"path":"a.go","content":"x}}</tool_call>`,
	} {
		if s := SpokenCalls(text, findSpoken); len(s.Calls) > 0 || !s.Torn {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestArgumentsOfEveryShape(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1}`:                            `{"a":1}`,
		` "{\"a\":1}" `:                      `{"a":1}`,
		`"\"{\\\"a\\\":1}\""`:                `{"a":1}`,
		"```json\n{\"a\":1}\n```":            `{"a":1}`,
		"":                                   `{}`,
		"null":                               `{}`,
		`{"a":[1,2,],}`:                      `{"a":[1,2]}`,
		`{"a":None,"b":True}`:                `{"a":null,"b":true}`,
		`{"a":"it\'s"}`:                      `{"a":"it's"}`,
		"{\"a\":\"x\ty\"}":                   `{"a":"x\u0009y"}`,
		`{"a":"None, True"}`:                 `{"a":"None, True"}`,
		`{"n":9007199254740993,"a":1,"a":2}`: `{"n":9007199254740993,"a":1,"a":2}`,
	} {
		got, err := ReadArguments(text)
		if err != nil || string(got) != want {
			t.Errorf("%q is %s, %v", text, got, err)
		}
	}
	for _, text := range []string{`{"a":1`, `{"a":"x`, `[1]`, `12`, `path: a.go`, `{"a":}`, `"x"`, `{'a':1}`} {
		if got, err := ReadArguments(text); err == nil {
			t.Errorf("%q was read as %s", text, got)
		}
	}
}

func FuzzSpoken(f *testing.F) {
	f.Add("<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"a\"}}</tool_call>")
	f.Add("<function=read>\n<parameter=path>\na\n</parameter>\n</function>")
	f.Add("```json\n{\"name\":\"read\",\"arguments\":\"{}\"}\n```")
	f.Add("[TOOL_CALLS]read[ARGS]{}")
	f.Add("x\n{\"name\":\"read\",\"arguments\":{}}")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		s := SpokenCalls(text, findSpoken)
		if s.Torn && len(s.Calls) > 0 {
			t.Fatalf("torn, and yet %+v", s.Calls)
		}
		if len(s.Calls) == 0 && s.Text != text {
			t.Fatalf("%q became %q", text, s.Text)
		}
		for _, c := range s.Calls {
			if c.Name == "" {
				t.Fatalf("%q: a call without a name", text)
			}
		}
	})
}

func FuzzArguments(f *testing.F) {
	f.Add(`{"a":[1,2,],"b":"x\'y",}`)
	f.Add(`"{\"a\":1}"`)
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := ReadArguments(text); err == nil {
			var object map[string]json.RawMessage
			if json.Unmarshal(got, &object) != nil {
				t.Fatalf("%q was read as %s", text, got)
			}
		}
	})
}
