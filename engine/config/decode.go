package config

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// decoder copies a tree onto a Config, key by key: what the tree does not
// mention keeps its value, so layers are decoded one over the other.
type decoder struct {
	place    string         // display name of the file
	lines    map[string]int // key path → line, for every key seen
	problems problemList
}

func (d *decoder) bad(n *node, path, text string) {
	d.problems.add(fmt.Sprintf("%s:%d", d.place, n.line), n.line, path, text)
}

// decodeTree decodes over c and returns the lines of all keys.
func decodeTree(place string, tree *node, c *Config) (map[string]int, problemList) {
	d := &decoder{place: place, lines: map[string]int{}}
	d.value(tree, reflect.ValueOf(c).Elem(), "")
	return d.lines, d.problems
}

func (d *decoder) value(n *node, v reflect.Value, path string) {
	d.lines[path] = n.line
	wrong := func(want string) {
		got := "not " + n.kind.String()
		if n.kind == isNull {
			got = "not null (leave the key out instead)"
		}
		d.bad(n, path, "must be "+want+", "+got)
	}
	if unit, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		_, bytes := unit.(*Bytes)
		switch {
		case n.kind == isString, n.kind == isNumber && bytes:
			if err := unit.UnmarshalText([]byte(n.text)); err != nil {
				d.bad(n, path, err.Error())
			}
		case bytes:
			wrong(`an amount of data such as "64MB"`)
		default:
			wrong(`a time span such as "10m"`)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer: // a value that may be left out; never shared with another layer
		target := reflect.New(v.Type().Elem())
		d.value(n, target.Elem(), path)
		v.Set(target)
	case reflect.Bool:
		if n.kind != isBool {
			wrong("true or false")
			return
		}
		v.SetBool(n.text == "true")
	case reflect.Struct:
		if n.kind != isObject {
			wrong("an object")
			return
		}
		d.object(n, v, path)
	case reflect.Map:
		if n.kind != isObject {
			wrong("an object of named entries")
			return
		}
		d.entries(n, v, path)
	case reflect.Slice:
		if n.kind != isList {
			wrong("a list of strings")
			return
		}
		d.list(n, v, path)
	case reflect.String:
		if n.kind != isString {
			wrong("a string")
			return
		}
		if strings.ContainsRune(n.text, 0) {
			d.bad(n, path, "contains a NUL character")
			return
		}
		v.SetString(n.text)
	case reflect.Float64:
		number, err := strconv.ParseFloat(n.text, 64)
		if n.kind != isNumber {
			wrong("a number")
			return
		}
		if err != nil {
			d.bad(n, path, quoted(n.text)+" is beyond all numbers")
			return
		}
		v.SetFloat(number)
	default:
		number, err := strconv.ParseInt(n.text, 10, 64)
		if n.kind != isNumber {
			wrong("a whole number")
			return
		}
		if err != nil || v.OverflowInt(number) {
			d.bad(n, path, "must be a whole number, not "+quoted(n.text))
			return
		}
		v.SetInt(number)
	}
}

func (d *decoder) object(n *node, v reflect.Value, path string) {
	for _, m := range n.members {
		keyPath := joinKey(path, m.key)
		field := fieldByKey(v, m.key)
		if !field.IsValid() {
			d.bad(m.value, keyPath, "unknown key"+hint(v.Type(), path, m.key))
			continue
		}
		d.value(m.value, field, keyPath)
	}
}

// entries replaces named entries whole: half of one definition and half of
// another would be a third that nobody wrote.
func (d *decoder) entries(n *node, v reflect.Value, path string) {
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	for _, m := range n.members {
		keyPath := joinKey(path, m.key)
		if m.key == "" || visible(m.key) != m.key || strings.TrimSpace(m.key) != m.key {
			d.bad(m.value, keyPath, "is not a usable name: use letters, digits, - and _")
			continue
		}
		entry := reflect.New(v.Type().Elem()).Elem()
		d.value(m.value, entry, keyPath)
		v.SetMapIndex(reflect.ValueOf(m.key), entry)
	}
}

func (d *decoder) list(n *node, v reflect.Value, path string) {
	list := reflect.MakeSlice(v.Type(), 0, len(n.items))
	for i, item := range n.items {
		itemPath := fmt.Sprintf("%s[%d]", path, i)
		element := reflect.New(v.Type().Elem()).Elem()
		d.value(item, element, itemPath)
		if item.kind == isString && strings.TrimSpace(item.text) == "" {
			d.bad(item, itemPath, "is empty")
		}
		list = reflect.Append(list, element)
	}
	v.Set(list)
}

// key is the JSON name of a field, or "" for one that files cannot set.
func key(field reflect.StructField) string {
	if field.Tag.Get("config") == "-" {
		return ""
	}
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

func fieldByKey(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		if k := key(v.Type().Field(i)); k != "" && k == name {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

// setText sets one plain value, named by its path, from text: the way of the
// environment and of flags.
func setText(c *Config, path, text string) error {
	v := reflect.ValueOf(c).Elem()
	for name := range strings.SplitSeq(path, ".") {
		if v.Kind() == reflect.Struct {
			v = fieldByKey(v, name)
		} else {
			v = reflect.Value{}
		}
		if !v.IsValid() {
			return fmt.Errorf("there is no such key")
		}
	}
	if unit, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return unit.UnmarshalText([]byte(text))
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Int, reflect.Int64:
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil || v.OverflowInt(number) {
			return fmt.Errorf("must be a whole number, not %s", quoted(text))
		}
		v.SetInt(number)
	case reflect.Float64:
		number, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("must be a number, not %s", quoted(text))
		}
		v.SetFloat(number)
	default:
		return fmt.Errorf("is set in a configuration file only")
	}
	return nil
}
