package model

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Spoken are the tool calls that a model wrote into its text, where its server
// did not see them.
type Spoken struct {
	Calls []Call
	Text  string // what it said beside them
	// Torn says that a call was begun and is not certain to its end: to be
	// asked for again, never to be carried out.
	Torn bool
}

// SpokenCalls finds calls in an answer's text. Between tags that are for
// nothing else any name counts (whoever carries calls out refuses unknown
// ones); JSON, in a fence or without, is a call only at the end of the text
// and where find knows the name.
func SpokenCalls(text string, find func(name string) (Tool, bool)) Spoken {
	r := speech{find: find}
	if s, ok := r.tagged(text); ok {
		return s
	}
	s := Spoken{Text: text}
	for {
		calls, before, torn := r.atEnd(s.Text)
		s.Torn = s.Torn || torn
		if len(calls) == 0 {
			if s.Torn && len(s.Calls) > 0 {
				s.Calls = nil
			}
			return s
		}
		s.Calls, s.Text = append(calls, s.Calls...), before
	}
}

type speech struct {
	find func(string) (Tool, bool)
}

// callTag opens a call, or a list of them.
var callTag = regexp.MustCompile(`<tool_call>|<function_call>|<function=([^<>\s]+)\s*>|<invoke name="([^"<>]+)"\s*>|\[TOOL_CALLS\]|<\|python_tag\|>`)

// callEnd are tags that may follow a call and say nothing more.
var callEnd = regexp.MustCompile(`^\s*(?:</tool_call>|</function_call>|</function>|</invoke>|</?function_calls>|<\|eom_id\|>|<\|eot_id\|>|</s>)`)

// tagged reads calls between tags, outside of fences.
func (r speech) tagged(text string) (Spoken, bool) {
	var s Spoken
	var beside strings.Builder
	at, fence := 0, 0
	found := false
	for {
		m := callTag.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		fence += fences(text[at : at+m[0]])
		if fence%2 == 1 || strings.HasSuffix(text[:at+m[0]], "`") {
			beside.WriteString(text[at : at+m[1]])
			at += m[1]
			continue
		}
		found = true
		beside.WriteString(text[at : at+m[0]])
		calls, rest := r.opened(text[at+m[0]:at+m[1]], submatch(text[at:], m), text[at+m[1]:])
		s.Torn = s.Torn || len(calls) == 0
		s.Calls = append(s.Calls, calls...)
		for len(calls) > 0 {
			end := callEnd.FindString(rest)
			if end == "" {
				break
			}
			rest = rest[len(end):]
		}
		if len(calls) == 0 {
			break
		}
		if at = len(text) - len(rest); strings.HasPrefix(strings.TrimSpace(rest), "<tool_response>") {
			at = len(text) // what follows an answer that the model gave itself is no call
			break
		}
	}
	if !found {
		return Spoken{}, false
	}
	if s.Torn {
		return Spoken{Text: text, Torn: true}, true
	}
	s.Text = beside.String() + text[at:]
	return s, true
}

// fences counts the lines that open or close one.
func fences(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			n++
		}
	}
	return n
}

func submatch(text string, m []int) string {
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 {
			return text[m[i]:m[i+1]]
		}
	}
	return ""
}

// opened reads what follows a tag, and gives what follows that.
func (r speech) opened(tag, name, text string) ([]Call, string) {
	body := strings.TrimLeft(text, " \t\r\n")
	if name != "" {
		return r.named(name, body)
	}
	if strings.HasPrefix(body, "```") { // a fence between the tags
		if _, inside, ok := strings.Cut(body, "\n"); ok {
			body = strings.TrimLeft(inside, " \t\r\n")
		}
	}
	if m := callTag.FindStringSubmatchIndex(body); m != nil && m[0] == 0 && m[1] > 0 {
		if inner := submatch(body, m); inner != "" {
			return r.named(inner, body[m[1]:])
		}
	}
	if tag == "[TOOL_CALLS]" && body != "" && body[0] != '{' && body[0] != '[' {
		return mistral(body)
	}
	value, rest, ok := cutValue(body, closingOf(tag))
	if !ok {
		return nil, text
	}
	calls := callsOf(value, func(string) (Tool, bool) { return Tool{}, true }, true)
	rest = strings.TrimPrefix(strings.TrimLeft(rest, " \t\r\n"), "```")
	for len(calls) > 0 { // several objects in one pair of tags
		more := strings.TrimLeft(rest, " \t\r\n,")
		if more == "" || more[0] != '{' {
			break
		}
		value, after, ok := cutValue(more, closingOf(tag))
		next := callsOf(value, func(string) (Tool, bool) { return Tool{}, true }, true)
		if !ok || len(next) == 0 {
			return nil, text
		}
		calls, rest = append(calls, next...), after
	}
	return calls, rest
}

// closingOf is the tag that tells that nothing more belongs to a call.
func closingOf(tag string) string {
	if rest, ok := strings.CutPrefix(tag, "<"); ok && !strings.HasPrefix(rest, "|") {
		return "</" + rest
	}
	return ""
}

// cutValue takes the JSON at the front of text; one that lacks closing
// brackets counts only where a closing tag shows that it is whole.
func cutValue(text, closing string) (value, rest string, ok bool) {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return "", text, false
	}
	if end := valueEnd(text); end > 0 {
		if value, ok = repairJSON(text[:end], false); ok {
			return value, text[end:], true
		}
	}
	if closing != "" {
		if end := strings.Index(text, closing); end > 0 {
			if value, ok = repairJSON(text[:end], true); ok {
				return value, text[end:], true
			}
		}
	}
	return "", text, false
}

// mistral reads name{…} and name[ARGS]{…}, once or more.
var mistralName = regexp.MustCompile(`^([\w.-]+)\s*(?:\[CALL_ID\][\w-]*)?\s*(?:\[ARGS\])?\s*`)

func mistral(text string) ([]Call, string) {
	var calls []Call
	for {
		text = strings.TrimPrefix(strings.TrimLeft(text, " \t\r\n"), "[TOOL_CALLS]")
		m := mistralName.FindStringSubmatch(text)
		if m == nil {
			return calls, text
		}
		value, rest, ok := cutValue(text[len(m[0]):], "")
		if !ok || value[0] != '{' {
			return nil, text
		}
		calls, text = append(calls, Call{Name: m[1], Arguments: value}), rest
	}
}

// parameterTag opens one argument of a named call.
var parameterTag = regexp.MustCompile(`^\s*<parameter(?:=([^<>\s]+)|\s+name="([^"<>]+)")\s*>`)

// afterParameter is what can follow the end of an argument: the same words
// inside its text do not end it.
var afterParameter = regexp.MustCompile(`</parameter>\s*(?:<parameter[=\s]|</function>|</invoke>|</tool_call>|$)`)

// named reads the arguments of a call whose name is known.
func (r speech) named(name, text string) ([]Call, string) {
	body := strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(body, "{") {
		value, rest, ok := cutValue(body, "</function>")
		if !ok {
			return nil, text
		}
		return []Call{{Name: name, Arguments: value}}, rest
	}
	tool, _ := r.find(name)
	fields, order := map[string]json.RawMessage{}, []string{}
	for {
		m := parameterTag.FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		key := submatch(text, m)
		text = text[m[1]:]
		end := afterParameter.FindStringIndex(text)
		if end == nil {
			return nil, text
		}
		value := strings.TrimSuffix(strings.TrimPrefix(text[:end[0]], "\n"), "\n")
		if _, twice := fields[key]; !twice {
			order = append(order, key)
		}
		fields[key] = typed(tool, key, value)
		text = text[end[0]+len("</parameter>"):]
	}
	if callEnd.FindString(text) == "" {
		return nil, text // more may have been to come
	}
	var arguments strings.Builder
	arguments.WriteByte('{')
	for i, key := range order {
		if i > 0 {
			arguments.WriteByte(',')
		}
		arguments.Write(quote(key))
		arguments.WriteByte(':')
		arguments.Write(fields[key])
	}
	arguments.WriteByte('}')
	return []Call{{Name: name, Arguments: arguments.String()}}, text
}

// typed is an argument as its schema wants it: text, unless it wants
// something else and the text is that.
func typed(tool Tool, key, value string) json.RawMessage {
	var schema struct {
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	if json.Unmarshal(tool.Schema, &schema) == nil {
		if kind := schema.Properties[key].Type; kind != nil && kind != "string" && json.Valid([]byte(value)) {
			return json.RawMessage(strings.TrimSpace(value))
		}
	}
	return quote(value)
}

func quote(text string) json.RawMessage {
	b, err := encode(text)
	if err != nil {
		return json.RawMessage(`""`)
	}
	return b
}
