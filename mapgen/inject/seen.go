package inject

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"growbench/mapgen/budget"
)

// The marks around a block. They are made of letters and dots only, which no
// serialiser escapes; what re-wraps a text is undone by squeeze.
const (
	beginMark = "gbmap.begin."
	endMark   = "gbmap.end."
)

// tame takes from foreign text what could be read as a mark.
func tame(text string) string { return strings.ReplaceAll(text, "gbmap.", "gbmap") }

// Seen is what the agent's context holds.
type Seen struct {
	messages []string // squeezed texts of messages
	request  string   // the squeezed request as it was serialised
}

// NewSeen takes the texts of messages and, where there is one, the request as
// it goes to the model.
func NewSeen(messages []string, request []byte) Seen {
	var s Seen
	for _, m := range messages {
		if m = squeeze(m); strings.Contains(m, beginMark) {
			s.messages = append(s.messages, m)
		}
	}
	s.request = squeeze(string(request))
	return s
}

// ParseSeen takes a file: a request in JSON, one message in JSON a line, or
// plain text.
func ParseSeen(data []byte) Seen {
	var messages []string
	decoder := json.NewDecoder(bytes.NewReader(data))
	for {
		var v any
		if err := decoder.Decode(&v); err != nil {
			break
		}
		messages = texts(v, false, messages)
	}
	return NewSeen(messages, data)
}

// texts collects what messages say: strings called text or content, at any
// depth.
func texts(v any, said bool, out []string) []string {
	switch v := v.(type) {
	case string:
		if said {
			out = append(out, v)
		}
	case []any:
		for _, item := range v {
			out = texts(item, said, out)
		}
	case map[string]any:
		for key, item := range v {
			out = texts(item, key == "text" || key == "content", out)
		}
	}
	return out
}

// holds says whether the whole block is in the context.
func (s Seen) holds(b block) bool {
	id := b.id()
	want := beginMark + id + squeeze(b.body()) + endMark + id
	for _, m := range s.messages {
		if strings.Contains(m, want) {
			return true
		}
	}
	return strings.Contains(s.request, want)
}

// why says for what reason the root pair is missing.
func (s Seen) why(e Event) string {
	had := strings.Contains(s.request, beginMark) || len(s.messages) > 0
	switch {
	case e == Compaction:
		return "the context was compacted and the root pair is not in it"
	case had:
		return "the context holds another root pair than there is now"
	case e == Start:
		return "the agent starts"
	}
	return "the root pair is not in the context"
}

var region = regexp.MustCompile(`gbmap\.begin\.([0-9a-f]{12})`)

// taken is what blocks in the context have already used of the budget, those
// that are out of date too.
func (s Seen) taken() int {
	text := s.request
	if text == "" {
		text = strings.Join(s.messages, " ")
	}
	sum := 0
	for _, at := range region.FindAllStringSubmatchIndex(text, -1) {
		rest := text[at[1]:]
		if end := strings.Index(rest, endMark+text[at[2]:at[3]]); end >= 0 {
			// Words have grown together, which the estimate takes for dear ones: that
			// makes up for the blanks and marks that are gone.
			sum += budget.Tokens(rest[:end])
		}
	}
	return sum
}

var escapes = regexp.MustCompile(`\\+(?:[nrtbf]|u[0-9a-fA-F]{4})|&(?:lt|gt|amp|quot|#39|#34);`)

// squeeze keeps ASCII letters, digits and dots: what is left is the same
// however lines were wrapped, quoted and escaped on the way.
func squeeze(text string) string {
	text = escapes.ReplaceAllString(text, "")
	return strings.Map(func(r rune) rune {
		if r == '.' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return -1
	}, text)
}
