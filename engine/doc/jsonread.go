package doc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// node is a JSON value that remembers its line. The reader forgives what
// models do: comments, trailing commas, line breaks inside strings.
type node struct {
	kind kind
	line int
	text string  // of a string, or the digits of a number
	list []*node // of a list, or the values of an object
	keys []string
}

type kind string

const (
	isNull   kind = "null"
	isBool   kind = "boolean"
	isNumber kind = "number"
	isString kind = "string"
	isList   kind = "list"
	isObject kind = "object"
)

// deepest bounds nesting: no document of ours needs more.
const deepest = 32

var errNotJSON = errors.New("not JSON")

type jsonReader struct {
	s    string
	i    int
	line int
}

// readJSON reads one value at the start of s, whose first line has the number
// line, and returns the bytes used.
func readJSON(s string, line int) (*node, int, error) {
	r := &jsonReader{s: s, line: line}
	n, err := r.value(0)
	if err != nil {
		return nil, 0, fmt.Errorf("line %d: %w", r.line, err)
	}
	return n, r.i, nil
}

func (r *jsonReader) space() {
	for r.i < len(r.s) {
		switch c := r.s[r.i]; {
		case c == '\n':
			r.line++
			r.i++
		case c == ' ' || c == '\t' || c == '\r':
			r.i++
		case strings.HasPrefix(r.s[r.i:], "//"):
			end := strings.IndexByte(r.s[r.i:], '\n')
			if end < 0 {
				end = len(r.s) - r.i
			}
			r.i += end
		case strings.HasPrefix(r.s[r.i:], "/*"):
			end := strings.Index(r.s[r.i+2:], "*/")
			if end < 0 {
				r.i = len(r.s)
				return
			}
			r.line += strings.Count(r.s[r.i:r.i+2+end], "\n")
			r.i += end + 4
		default:
			return
		}
	}
}

func (r *jsonReader) value(depth int) (*node, error) {
	r.space()
	if r.i >= len(r.s) {
		return nil, fmt.Errorf("%w: it ends in the middle", errNotJSON)
	}
	if depth > deepest {
		return nil, fmt.Errorf("%w: nested deeper than %d levels", errNotJSON, deepest)
	}
	n := &node{line: r.line}
	switch c := r.s[r.i]; {
	case c == '{':
		n.kind = isObject
		return n, r.members(n, '}', depth)
	case c == '[':
		n.kind = isList
		return n, r.members(n, ']', depth)
	case c == '"':
		n.kind = isString
		var err error
		n.text, err = r.str()
		return n, err
	}
	end := r.i
	for end < len(r.s) && (r.s[end] >= 'a' && r.s[end] <= 'z' || r.s[end] >= 'A' && r.s[end] <= 'Z' || r.s[end] >= '0' && r.s[end] <= '9' || strings.IndexByte("+-._", r.s[end]) >= 0) {
		end++
	}
	n.text = r.s[r.i:end]
	switch n.text {
	case "null", "None":
		n.kind, n.text = isNull, ""
	case "true", "false", "True", "False":
		n.kind = isBool
	default:
		if _, err := strconv.ParseFloat(n.text, 64); err != nil {
			return nil, fmt.Errorf("%w: a value was expected", errNotJSON)
		}
		n.kind = isNumber
	}
	r.i = end
	return n, nil
}

// members reads the inside of an object or a list up to its closing mark.
func (r *jsonReader) members(n *node, closing byte, depth int) error {
	r.i++
	for {
		r.space()
		if r.i >= len(r.s) {
			return fmt.Errorf("%w: it ends in the middle", errNotJSON)
		}
		switch {
		case r.s[r.i] == closing:
			r.i++
			return nil
		case r.s[r.i] == ',' && len(n.list) > 0:
			r.i++
			continue
		}
		if closing == '}' {
			if r.s[r.i] != '"' {
				return fmt.Errorf("%w: a key in double quotes was expected", errNotJSON)
			}
			key, err := r.str()
			if err != nil {
				return err
			}
			if r.space(); r.i >= len(r.s) || r.s[r.i] != ':' {
				return fmt.Errorf("%w: a colon was expected after the key %q", errNotJSON, visible(key))
			}
			r.i++
			n.keys = append(n.keys, key)
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.list = append(n.list, v)
		if r.space(); r.i < len(r.s) && r.s[r.i] != ',' && r.s[r.i] != closing {
			return fmt.Errorf("%w: a comma was expected", errNotJSON)
		}
	}
}

func (r *jsonReader) str() (string, error) {
	var b strings.Builder
	for r.i++; r.i < len(r.s); r.i++ {
		switch c := r.s[r.i]; c {
		case '"':
			r.i++
			return strings.ToValidUTF8(b.String(), "\uFFFD"), nil
		case '\n':
			r.line++
			b.WriteByte(c)
		case '\\':
			r.i++
			if r.i < len(r.s) {
				r.escape(&b)
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", fmt.Errorf("%w: it ends inside a string", errNotJSON)
}

func (r *jsonReader) escape(b *strings.Builder) {
	switch c := r.s[r.i]; c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case '"', '\\', '/':
		b.WriteByte(c)
	case 'u':
		v, ok := r.hex(r.i + 1)
		if !ok {
			b.WriteString(`\u`)
			return
		}
		r.i += 4
		if utf16.IsSurrogate(v) && strings.HasPrefix(r.s[r.i+1:], `\u`) {
			if low, ok := r.hex(r.i + 3); ok {
				v = utf16.DecodeRune(v, low)
				r.i += 6
			}
		}
		if !utf8.ValidRune(v) {
			v = utf8.RuneError
		}
		b.WriteRune(v)
	default: // \d, \( and the like: a model forgot to double the backslash
		if c == '\n' {
			r.line++
		}
		b.WriteByte('\\')
		b.WriteByte(c)
	}
}

func (r *jsonReader) hex(i int) (rune, bool) {
	if i+4 > len(r.s) {
		return 0, false
	}
	v, err := strconv.ParseUint(r.s[i:i+4], 16, 32)
	return rune(v), err == nil
}

// plainKey folds a key, so that targetFiles and target-files find their place.
func plainKey(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, fold(s))
}

// get returns the value of the first of the given keys.
func (n *node) get(keys ...string) *node {
	for _, want := range keys {
		for i, k := range n.keys {
			if plainKey(k) == plainKey(want) {
				return n.list[i]
			}
		}
	}
	return nil
}

// fields reads typed values out of an object and collects what has the wrong
// type, each with its line and key.
type fields struct {
	where    string // "tasks[0]." in front of every key
	section  string
	problems []Problem
}

func (f *fields) wrong(n *node, key string, want string) {
	f.problems = append(f.problems, Problem{Error, f.section, n.line, fmt.Sprintf("%s%s must be %s, not a %s", f.where, key, want, n.kind)})
}

func (f *fields) str(n *node, key string) string {
	switch {
	case n == nil || n.kind == isNull:
		return ""
	case n.kind == isString:
		return strings.TrimSpace(clean(n.text))
	}
	f.wrong(n, key, "a string")
	return ""
}

func (f *fields) number(n *node, key string) int {
	if n == nil || n.kind == isNull {
		return 0
	}
	if n.kind == isNumber {
		if v, err := strconv.ParseFloat(n.text, 64); err == nil && v == float64(int32(v)) {
			return int(v)
		}
	}
	f.wrong(n, key, "a whole number")
	return 0
}

// strs reads a list of strings with their lines. A single string is named as
// an error and read as a list of one, so that the rest can be judged.
func (f *fields) strs(n *node, key string) (out []string, at []int) {
	out = []string{}
	if n == nil || n.kind == isNull {
		return out, nil
	}
	list := n.list
	if n.kind != isList {
		f.wrong(n, key, "a list of strings")
		if n.kind != isString || isNone(n.text) {
			return out, nil
		}
		list = []*node{n}
	}
	for i, v := range list {
		if v.kind == isObject {
			if s := v.signature(); s != "" {
				out, at = append(out, s), append(at, v.line)
				continue
			}
		}
		if v.kind != isString {
			f.wrong(v, fmt.Sprintf("%s[%d]", key, i), "a string")
			continue
		}
		if s := strings.TrimSpace(clean(v.text)); s != "" {
			out, at = append(out, s), append(at, v.line)
		}
	}
	return out, at
}

// signature reads an entry that was given as an object.
func (n *node) signature() string {
	sig, path := n.get("signature", "text", "name"), n.get("path", "file")
	if sig == nil || sig.kind != isString {
		return ""
	}
	s := Signature{Signature: strings.TrimSpace(sig.text)}
	if path != nil && path.kind == isString {
		s.Path = path.text
	}
	return s.String()
}
