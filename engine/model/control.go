package model

import (
	"regexp"
	"slices"
	"strings"
)

// Controls are the tokens that a model's template steers it with. In what a
// user, a file or a tool says they must be text.
type Controls struct{ found *regexp.Regexp }

// commonControls are those of widely used templates, for a model whose own is
// not known. Those that may well be meant as text ("<s>") are not among them.
var commonControls = append(slices.Clone(unmistakable),
	"[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]",
	"[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]", "<<SYS>>", "<</SYS>>",
	"<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "[gMASK]", "<sop>")

// unmistakable are neutralised for every model: nobody writes them for
// anything else, and vocabularies hold them beside what the template uses.
var unmistakable = []string{
	"<|im_start|>", "<|im_end|>", "<|im_sep|>", "<|endoftext|>", "<|begin_of_text|>", "<|end_of_text|>",
	"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|eom_id|>", "<|python_tag|>",
	"<|system|>", "<|user|>", "<|assistant|>", "<|tool|>", "<|end|>", "<|observation|>",
	"<|start|>", "<|message|>", "<|channel|>", "<|call|>", "<|return|>", "<|constrain|>",
	"<|start_of_role|>", "<|end_of_role|>", "<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>",
	"<|USER_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|SYSTEM_TOKEN|>",
	"<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>",
	"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>",
	"<｜tool▁outputs▁begin｜>", "<｜tool▁outputs▁end｜>", "<｜tool▁sep｜>",
}

// controlShape is what a control token looks like in a template. An action of
// the template inside one (<|{{ .Role }}|>) stands for what it may become.
var (
	controlShape = regexp.MustCompile(`<\|(?:[^|<>\s{}]|\{\{[^{}]*\}\})+\|>|<｜[^｜<>\s]+｜>|</?(?:start|end)_of_[a-z_]+>|</?(?:bos|eos|pad|unk|s|sop|eop|tool_response)>|<</?SYS>>|\[/?[A-Z][A-Z_]{2,30}\]|\[gMASK\]`)
	action       = regexp.MustCompile(`\{\{[^{}]*\}\}`)
	stopLine     = regexp.MustCompile(`(?m)^stop\s+"?([^"\n]+?)"?\s*$`)
)

// controlsOf reads a template, and the stop words among a model's parameters.
func controlsOf(template, parameters string) Controls {
	template, parameters = strings.ToValidUTF8(template, ""), strings.ToValidUTF8(parameters, "")
	tokens := controlShape.FindAllString(template, -1)
	for _, m := range stopLine.FindAllStringSubmatch(parameters, -1) {
		if controlShape.MatchString(m[1]) {
			tokens = append(tokens, m[1])
		}
	}
	if len(tokens) == 0 {
		tokens = commonControls
	} else {
		tokens = append(tokens, unmistakable...)
	}
	// The server puts pictures in the place of these, and there are none.
	patterns := []string{`\[img(?:-\d+)?\]`}
	for _, token := range tokens {
		patterns = append(patterns, tokenPattern(token))
	}
	slices.Sort(patterns)
	return Controls{regexp.MustCompile(strings.Join(slices.Compact(patterns), "|"))}
}

// tokenPattern matches a token and all that its actions may make of it.
func tokenPattern(token string) string {
	var p strings.Builder
	at := 0
	for _, m := range action.FindAllStringIndex(token, -1) {
		p.WriteString(regexp.QuoteMeta(token[at:m[0]]))
		if strings.Contains(token[m[0]:m[1]], "Role") || strings.Contains(token[m[0]:m[1]], "role") {
			p.WriteString(`(?:system|user|assistant|tool|developer|ipython)`)
		} else {
			p.WriteString(`[A-Za-z0-9_+.-]{0,32}`)
		}
		at = m[1]
	}
	p.WriteString(regexp.QuoteMeta(token[at:]))
	return p.String()
}

// Neutral is text as it is sent: a space after the first character of each
// control token makes it text for the model and leaves it readable. Neutral
// text stays as it is.
func (c Controls) Neutral(text string) string {
	if c.found == nil {
		c = anyModel
	}
	// What a cut leaves may itself be a token ("[[img]"), so until none is left.
	for c.found.MatchString(text) {
		text = c.found.ReplaceAllStringFunc(text, func(token string) string {
			r := []rune(token)
			return string(r[:1]) + " " + string(r[1:])
		})
	}
	return text
}

var anyModel = controlsOf("", "")
