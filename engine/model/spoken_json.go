package model

import (
	"encoding/json"
	"regexp"
	"strings"
)

var beginsCall = regexp.MustCompile(`^\[?\s*\{\s*"(?:name|tool|tool_name|function)"\s*:\s*"([^"]+)"`)

// atEnd reads calls written as JSON at the end of text, and gives what stands
// before them.
func (r speech) atEnd(text string) (calls []Call, before string, torn bool) {
	trimmed := strings.TrimRight(text, " \t\r\n")
	if inside, start := lastFence(trimmed); start >= 0 {
		body := strings.TrimSpace(inside)
		if s, ok := r.tagged(body); ok && len(s.Calls) > 0 && strings.TrimSpace(s.Text) == "" && r.known(s.Calls) {
			return s.Calls, text[:start], false
		}
		value, ok := repairJSON(body, true)
		if !ok {
			return nil, text, r.begins(body)
		}
		return callsOf(value, r.find, false), text[:start], false
	}
	// The first line from which the rest is one value.
	at, tries := 0, 0
	for line := range strings.Lines(trimmed) {
		head := strings.TrimLeft(line, " \t")
		if head != "" && (head[0] == '{' || head[0] == '[') && tries < 20 {
			tries++
			rest := strings.TrimLeft(trimmed[at:], " \t")
			if end := valueEnd(rest); end == len(rest) {
				if value, ok := repairJSON(rest, false); ok {
					if calls := callsOf(value, r.find, false); len(calls) > 0 {
						return calls, text[:at], false
					}
				}
			} else if end < 0 && r.begins(rest) {
				return nil, text, true
			}
		}
		at += len(line)
	}
	if i := strings.LastIndex(trimmed, "```"); i >= 0 && fences(trimmed)%2 == 1 {
		_, body, _ := strings.Cut(trimmed[i:], "\n")
		torn = r.begins(strings.TrimSpace(body))
	}
	return nil, text, torn
}

// begins tells whether text is the beginning of a call of a known tool.
func (r speech) begins(text string) bool {
	m := beginsCall.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	_, ok := r.find(m[1])
	return ok
}

func (r speech) known(calls []Call) bool {
	for _, c := range calls {
		if _, ok := r.find(c.Name); !ok {
			return false
		}
	}
	return true
}

// lastFence is the inside of the fence that ends text, and where it begins;
// -1 when none does.
func lastFence(text string) (string, int) {
	if !strings.HasSuffix(text, "```") {
		return "", -1
	}
	at, start, inside := 0, -1, 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			switch {
			case start < 0:
				start, inside = at, at+len(line)
			case at+len(line) == len(text):
				return text[inside:at], start
			default:
				start = -1
			}
		}
		at += len(line)
	}
	return "", -1
}

// The keys that models give the parts of a call.
var (
	nameKeys     = []string{"name", "tool", "tool_name", "function", "action"}
	argumentKeys = []string{"arguments", "parameters", "args", "input", "tool_input", "action_input", "params"}
	listKeys     = []string{"tool_calls", "calls", "function_call", "tool_call"}
)

// callsOf reads calls from a JSON value: one, a list, or one wrapped in an
// object. All of them or none. certain says that it stood between tags that
// hold nothing but calls, so that a call may lack arguments.
func callsOf(value string, find func(string) (Tool, bool), certain bool) []Call {
	return callsIn(json.RawMessage(value), find, certain, 5)
}

func callsIn(value json.RawMessage, find func(string) (Tool, bool), certain bool, depth int) []Call {
	if depth == 0 {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil {
		var calls []Call
		for _, item := range list {
			more := callsIn(item, find, certain, depth-1)
			if len(more) == 0 {
				return nil
			}
			calls = append(calls, more...)
		}
		return calls
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(value, &object) != nil {
		return nil
	}
	for _, key := range listKeys {
		if inner, ok := object[key]; ok {
			return callsIn(inner, find, certain, depth-1)
		}
	}
	if inner, ok := object["function"]; ok && len(inner) > 0 && inner[0] == '{' {
		calls := callsIn(inner, find, certain, depth-1)
		var id string
		if len(calls) == 1 && json.Unmarshal(object["id"], &id) == nil {
			calls[0].ID = id
		}
		return calls
	}
	var name string
	for _, key := range nameKeys {
		if json.Unmarshal(object[key], &name) == nil && name != "" {
			break
		}
	}
	if name == "" {
		return nil
	}
	if _, ok := find(name); !ok {
		return nil
	}
	for _, key := range argumentKeys {
		if given, ok := object[key]; ok {
			return []Call{{Name: name, Arguments: arguments(given)}}
		}
	}
	if certain {
		return []Call{{Name: name, Arguments: "{}"}}
	}
	return nil
}
