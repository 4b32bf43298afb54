package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// node is a JSON value that knows its line.
type node struct {
	kind    nodeKind
	line    int
	text    string // a string's value, or a number, true, false as written
	members []member
	items   []*node
}

type member struct {
	key   string
	value *node
}

type nodeKind int

const (
	isNull nodeKind = iota
	isBool
	isNumber
	isString
	isList
	isObject
)

func (k nodeKind) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "a list", "an object"}[k]
}

// maxDepth is far beyond any real configuration and keeps key paths short.
const maxDepth = 32

var errTooDeep = errors.New("is nested too deeply")

// parseTree reads one JSON document. With problems of syntax the tree is nil;
// duplicate keys are reported and the first one kept.
func parseTree(place string, data []byte) (*node, problemList) {
	var problems problemList
	fail := func(line int, text string) (*node, problemList) {
		problems.add(fmt.Sprintf("%s:%d", place, line), line, "", text)
		return nil, problems
	}
	if bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF}) {
		return fail(1, "is written in UTF-16: save it as UTF-8")
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	at := newLineIndex(data)
	if bad := firstInvalid(data); bad >= 0 {
		return fail(at.line(bad), "is not valid UTF-8: save it as UTF-8")
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return fail(1, "is empty: write {} or delete it")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		offset := len(data)
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			offset = int(syntax.Offset) - 1
		}
		return fail(at.line(offset), "is not valid JSON: "+explainSyntax(err, data, offset))
	}
	reader := &treeReader{place: place, at: at, tokens: json.NewDecoder(bytes.NewReader(data))}
	reader.tokens.UseNumber()
	root, err := reader.value("", 0)
	problems = append(problems, reader.problems...)
	if err != nil {
		return fail(at.line(int(reader.tokens.InputOffset())-1), err.Error())
	}
	if root.kind != isObject {
		return fail(root.line, "must hold an object ({ … }), not "+root.kind.String())
	}
	return root, problems
}

type treeReader struct {
	place    string
	at       lineIndex
	tokens   *json.Decoder
	problems problemList
}

func (r *treeReader) value(path string, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	token, err := r.tokens.Token()
	if err != nil {
		return nil, fmt.Errorf("is not valid JSON: %w", err)
	}
	n := &node{line: r.line()}
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			return n, r.object(n, path, depth)
		}
		n.kind = isList
		for r.tokens.More() {
			item, err := r.value(fmt.Sprintf("%s[%d]", path, len(n.items)), depth+1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
		_, err = r.tokens.Token()
	case string:
		n.kind, n.text = isString, token
	case json.Number:
		n.kind, n.text = isNumber, token.String()
	case bool:
		n.kind, n.text = isBool, fmt.Sprint(token)
	}
	return n, err
}

func (r *treeReader) object(n *node, path string, depth int) error {
	n.kind = isObject
	lines := map[string]int{}
	for r.tokens.More() {
		token, err := r.tokens.Token()
		if err != nil {
			return fmt.Errorf("is not valid JSON: %w", err)
		}
		key, line := token.(string), r.line()
		keyPath := joinKey(path, key)
		value, err := r.value(keyPath, depth+1)
		if err != nil {
			return err
		}
		if first, twice := lines[key]; twice {
			r.problems.add(fmt.Sprintf("%s:%d", r.place, line), line, keyPath,
				fmt.Sprintf("is given twice (first on line %d): keep one", first))
			continue
		}
		lines[key] = line
		n.members = append(n.members, member{key, value})
	}
	_, err := r.tokens.Token()
	return err
}

// line is the line of the token just read: tokens never span lines.
func (r *treeReader) line() int { return r.at.line(int(r.tokens.InputOffset()) - 1) }

// lineIndex holds the offset at which each line begins.
type lineIndex []int

func newLineIndex(data []byte) lineIndex {
	starts := lineIndex{0}
	for i, c := range data {
		if c == '\n' || c == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func (l lineIndex) line(offset int) int {
	return max(1, sort.SearchInts(l, offset+1))
}

func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// explainSyntax puts the usual slips of hand-written JSON into words.
func explainSyntax(err error, data []byte, offset int) string {
	if offset >= len(data) || strings.Contains(err.Error(), "unexpected end") {
		return "it ends too early: a bracket or quote is not closed"
	}
	before := bytes.TrimRight(data[:offset], " \t\r\n")
	switch c := data[offset]; {
	case (c == '}' || c == ']') && bytes.HasSuffix(before, []byte(",")):
		return "there is a comma before the closing bracket"
	case c == '/' || c == '#':
		return "comments are not part of JSON"
	case c == '\'':
		return "text stands in double quotes"
	}
	return err.Error()
}
