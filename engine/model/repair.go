package model

import (
	"encoding/json"
	"fmt"
	"strings"
)

// ReadArguments makes a JSON object of a call's arguments as models write
// them: an object, an object in a string, in a fence, with commas too many or
// with raw line ends in its strings. What would have to be guessed (an
// unfinished string, a missing brace) is an error.
func ReadArguments(text string) (json.RawMessage, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	for range 3 {
		if text == "" || text == "null" {
			return json.RawMessage("{}"), nil
		}
		fixed, ok := repairJSON(unfenced(text), false)
		var inner string
		switch {
		case !ok:
			return nil, fmt.Errorf("the arguments are no JSON object: %.80q", text)
		case fixed[0] == '{':
			return json.RawMessage(fixed), nil
		case json.Unmarshal([]byte(fixed), &inner) != nil:
			return nil, fmt.Errorf("the arguments are not a JSON object: %.80q", text)
		}
		text = strings.TrimSpace(inner)
	}
	return nil, fmt.Errorf("the arguments are no JSON object: %.80q", text)
}

// unfenced is the inside of a text that is one fence.
func unfenced(text string) string {
	if !strings.HasPrefix(text, "```") || !strings.HasSuffix(text, "```") {
		return text
	}
	_, inside, ok := strings.Cut(text, "\n")
	if !ok || len(inside) < 3 {
		return text
	}
	return strings.TrimSpace(inside[:len(inside)-3])
}

// repairJSON mends what has one meaning only: a comma before a closing
// bracket, raw control characters in strings, an escaped apostrophe, Python's
// words; and, where the text is known to be whole (closed), closing brackets
// that are missing at its end.
func repairJSON(text string, closed bool) (string, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", false
	}
	if json.Valid([]byte(text)) {
		return text, true
	}
	var out strings.Builder
	var open []byte
	inString := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString && c == '\\' && i+1 < len(text):
			i++
			if text[i] != '\'' {
				out.WriteByte('\\')
			}
			out.WriteByte(text[i])
		case inString && c < ' ':
			fmt.Fprintf(&out, `\u%04x`, c)
		case inString:
			out.WriteByte(c)
			inString = c != '"'
		case c == '"':
			inString = true
			out.WriteByte(c)
		case c == '{' || c == '[':
			open = append(open, c+2) // the closing one, in ASCII
			out.WriteByte(c)
		case c == '}' || c == ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return "", false
			}
			open = open[:len(open)-1]
			out.WriteByte(c)
		case c == ',' && strings.IndexAny(strings.TrimLeft(text[i+1:], " \t\r\n"), "}]") == 0:
		case startsWord(text, i, "None"), startsWord(text, i, "True"), startsWord(text, i, "False"):
			word := map[byte]string{'N': "null", 'T': "true", 'F': "false"}[c]
			out.WriteString(word)
			i += len(word) - 1
		default:
			out.WriteByte(c)
		}
	}
	if inString || len(open) > 0 && !closed {
		return "", false
	}
	fixed := out.String()
	for i := len(open) - 1; i >= 0; i-- {
		fixed += string(open[i])
	}
	return fixed, json.Valid([]byte(fixed))
}

func startsWord(text string, at int, word string) bool {
	return strings.HasPrefix(text[at:], word) && (at == 0 || strings.IndexByte(" \t\r\n:[,", text[at-1]) >= 0)
}

// valueEnd is where the JSON object or list at the front of text ends, -1 when
// it does not. Raw line ends in strings do not end them.
func valueEnd(text string) int {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
