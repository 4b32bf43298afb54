package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"growbench/engine/model"
)

// args are the arguments of one call, read and typed.
type args struct {
	text   string // as canonical JSON
	values map[string]any
	whole  json.RawMessage // the object, for tools that read it by themselves
}

func (a args) str(name string) string {
	s, _ := a.values[name].(string)
	return s
}

func (a args) number(name string) int {
	n, _ := a.values[name].(int)
	return n
}

// read reads arguments as models write them: an object, an object in a JSON
// string, one in a fence, one with raw line ends in its strings. What is not
// understood is an error that says how the tool is called.
func (t Tool) read(raw string) (a args, mended string, err error) {
	object, mended, err := readObject(raw)
	if err != nil {
		return args{}, "", errWords("the arguments of %s cannot be read: %v. Call %s with one JSON object", t.Name, err, t.usage())
	}
	if inner, ok := t.unwrap(object); ok {
		object, mended = inner, join(mended, "its arguments stood one level deeper")
	}
	a = args{values: map[string]any{}}
	kept := map[string]json.RawMessage{}
	var names []string
	for _, m := range object {
		if string(m.value) == "null" {
			continue
		}
		p, known := t.param(m.key)
		if !known {
			return args{}, "", errWords("%s has no argument %q. Call %s", t.Name, clip(m.key), t.usage())
		}
		value, ok := typed(p, m.value)
		if !ok {
			return args{}, "", errWords("the argument %s of %s must be %s, not %s. Call %s", p.Name, t.Name, article(p.Type), clip(string(m.value)), t.usage())
		}
		if _, twice := kept[p.Name]; !twice {
			names = append(names, p.Name)
		}
		a.values[p.Name], kept[p.Name] = value, m.value
	}
	for _, p := range t.Params {
		if _, given := kept[p.Name]; !given && !p.Optional {
			return args{}, "", errWords("%s needs the argument %s. Call %s", t.Name, p.Name, t.usage())
		}
	}
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(name))
		b.WriteByte(':')
		b.Write(kept[name])
	}
	a.text = "{" + b.String() + "}"
	a.whole = json.RawMessage(a.text)
	return a, mended, nil
}

type member struct {
	key   string
	value json.RawMessage
}

// unwrap takes {"arguments": {…}} for what is in it, where the tool has no
// argument of that name.
func (t Tool) unwrap(object []member) ([]member, bool) {
	if len(object) != 1 || !slices.Contains([]string{"arguments", "parameters", "args", "input"}, object[0].key) {
		return nil, false
	}
	if _, own := t.param(object[0].key); own {
		return nil, false
	}
	inner, _, err := readObject(string(object[0].value))
	return inner, err == nil
}

var (
	errHalf     = errors.New("the JSON ends too early, as if it was cut")
	errNoObject = errors.New("a JSON object is needed")
	errSeveral  = errors.New("more than one JSON value; make one call for each")
)

// readObject finds the one object in raw, as it stands or mended.
func readObject(raw string) (object []member, mended string, err error) {
	text := strings.TrimSpace(raw)
	if text == "" || text == "null" {
		return nil, "", nil
	}
	object, err = members(text)
	if err == nil {
		return object, "", nil
	}
	whole, cannot := model.ReadArguments(text)
	if cannot != nil {
		return nil, "", err
	}
	object, again := members(string(whole))
	if again != nil {
		return nil, "", err
	}
	return object, "its arguments were no plain JSON object", nil
}

// members decodes one object, its keys in order.
func members(text string) ([]member, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	start, err := dec.Token()
	if err != nil {
		return nil, explain(err)
	}
	if start != json.Delim('{') {
		return nil, errNoObject
	}
	var out []member
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, explain(err)
		}
		name, ok := key.(string)
		if !ok {
			return nil, errNoObject
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, explain(err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, value); err != nil {
			return nil, explain(err)
		}
		out = append(out, member{name, compact.Bytes()})
	}
	if _, err := dec.Token(); err != nil {
		return nil, explain(err)
	}
	// A closing tag, mark or bracket too many says nothing.
	rest := strings.TrimSpace(text[dec.InputOffset():])
	if strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "[") {
		return nil, errSeveral
	}
	if rest != "" && !strings.ContainsRune("<`}", rune(rest[0])) {
		return nil, errWords("there is more behind the JSON: %s", clip(rest))
	}
	return out, nil
}

func explain(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errHalf
	case errors.As(err, &syntax) && strings.Contains(syntax.Error(), "unexpected end"):
		return errHalf
	}
	return err
}

// typed is a value as its argument must be. Numbers in a string count.
func typed(p Param, raw json.RawMessage) (any, bool) {
	switch p.Type {
	case "string":
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err == nil
	case "integer":
		return integer(raw)
	case "strings":
		var list []string
		if json.Unmarshal(raw, &list) == nil {
			return list, true
		}
		var one string
		if json.Unmarshal(raw, &one) == nil {
			return []string{one}, true
		}
		return nil, false
	}
	return raw, true
}

func integer(raw json.RawMessage) (any, bool) {
	text := strings.TrimSpace(string(raw))
	var s string
	if json.Unmarshal(raw, &s) == nil {
		text = strings.TrimSpace(s)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<31 {
		return nil, false
	}
	return int(f), true
}

func article(kind string) string {
	switch kind {
	case "strings":
		return "a list of strings"
	case "integer":
		return "an integer"
	}
	return "a " + kind
}

// clip is a foreign text in an error.
func clip(text string) string {
	const most = 80
	runes := []rune(strings.ToValidUTF8(text, "\uFFFD"))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}

// shown is a call's arguments that could not be read, for a transcript.
func shown(raw string) string {
	const most = 2 << 10
	text := strings.ToValidUTF8(raw, "\uFFFD")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
