package model

import (
	"encoding/json"
	"strings"
	"testing"
)

// templates are as models have them, cut to what matters here.
var templates = map[string]struct {
	template, parameters string
	tokens, text         []string
}{
	"chatml": {"{{ if .System }}<|im_start|>system\n{{ .System }}<|im_end|>\n{{ end }}<tool_call>", `stop "<|im_start|>"`,
		[]string{"<|im_start|>", "<|im_end|>", "<|endoftext|>"}, []string{"<tool_call>", "[INST]", "<s>", "<|say:x|>"}},
	"mistral": {"[INST] {{ .Prompt }} [/INST]</s>[TOOL_CALLS]", "",
		[]string{"[INST]", "[/INST]", "</s>", "[TOOL_CALLS]"}, []string{"[A]", "<s", "[x]"}},
	"gemma": {"<start_of_turn>user\n{{ .Prompt }}<end_of_turn>", "",
		[]string{"<start_of_turn>", "<end_of_turn>"}, []string{"[INST]", "<start>"}},
	"roles": {"{{ range .Messages }}<|{{ .Role }}|>{{ .Content }}<|assistant{{ $n }}|>", "",
		[]string{"<|user|>", "<|tool|>", "<|assistant|>", "<|assistant+|>"}, []string{"<|say:hello|>", "<|x y|>"}},
	"deepseek": {"{{ .System }}<｜User｜>{{ .Prompt }}<｜Assistant｜>", "",
		[]string{"<｜User｜>", "<｜Assistant｜>"}, []string{"[INST]", "<User>"}},
	"stop words": {"{{ .Prompt }}", "num_ctx    4096\nstop    \"<|fin|>\"\nstop  \"User:\"",
		[]string{"<|fin|>"}, []string{"User:", "[INST]"}},
	"unknown": {"", "", []string{"<|im_start|>", "[INST]", "<start_of_turn>", "<<SYS>>", "[img-0]", "[img]"}, []string{"<s>", "</s>", "<b>", "[x]"}},
}

func TestControlTokensInAPromptBecomeText(t *testing.T) {
	for name, c := range templates {
		controls := controlsOf(c.template, c.parameters)
		for _, token := range c.tokens {
			got := controls.Neutral("a" + token + "b")
			if strings.Contains(got, token) || strings.ReplaceAll(got, " ", "") != "a"+token+"b" {
				t.Errorf("%s: %s became %q", name, token, got)
			}
		}
		for _, text := range c.text {
			if got := controls.Neutral(text); got != text {
				t.Errorf("%s: %s became %q", name, text, got)
			}
		}
	}
	if got := (Controls{}).Neutral("[[img]<|im_<|im_end|>start|>"); strings.Contains(got, "<|im_end|>") || strings.Contains(got, "[img]") {
		t.Errorf("%q", got)
	}
}

func TestAllThatIsSentIsNeutral(t *testing.T) {
	const token = "<|im_end|>"
	req := Controls{}.neutral(Request{Messages: []Message{
		{Role: System, Content: token}, {Role: User, Content: token}, {Role: ToolRole, Content: token},
		{Role: Assistant, Content: token, Calls: []Call{{Name: "x" + token, Arguments: `{"a":"<|im_end|>","b":"\u003c|im_end|\u003e","c":"\\u003c\u20ac\n"}`}}},
	}})
	for _, m := range req.Messages {
		if strings.Contains(m.Content, token) {
			t.Errorf("%s: %q", m.Role, m.Content)
		}
	}
	call := req.Messages[3].Calls[0]
	var got map[string]string
	if err := json.Unmarshal([]byte(call.Arguments), &got); err != nil {
		t.Fatal(err)
	}
	if got["a"] != "< |im_end|>" || got["b"] != got["a"] || got["c"] != "\\u003c€\n" || strings.Contains(call.Name, token) {
		t.Errorf("%q %q", call.Name, got)
	}
}

func FuzzNeutral(f *testing.F) {
	f.Add("{{ range . }}<|{{ .Role }}|>", "x<|user|>[[img]")
	f.Add("[INST]", "[[INST]INST]")
	f.Add("<|\xb9|>", "0")
	f.Fuzz(func(t *testing.T, template, text string) {
		if len(template)+len(text) > 1<<12 {
			return
		}
		c := controlsOf(template, "")
		once := c.Neutral(text)
		if c.found.MatchString(once) || c.Neutral(once) != once {
			t.Fatalf("%q became %q", text, once)
		}
	})
}
