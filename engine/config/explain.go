package config

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"
)

// Row is one value in force.
type Row struct {
	Key    string
	Value  string // for people, control characters visible
	Source string
}

// Explanation is what the command "config" shows. As JSON it has the keys
// values, sources and notes.
type Explanation struct {
	Values  Config            `json:"values"`
	Sources map[string]string `json:"sources"`
	Notes   []string          `json:"notes"`
}

// Explain tells which values are in force and where each comes from.
func Explain(l Loaded) Explanation {
	return Explanation{Values: l.Config, Sources: l.Sources, Notes: append([]string{}, l.Notes...)}
}

// ExplainDefaults is the same for a machine without any configuration.
func ExplainDefaults() Explanation {
	e := Explanation{Values: Defaults(), Sources: map[string]string{}, Notes: []string{}}
	for _, row := range flatten(e.Values) {
		e.Sources[row.Key] = "default"
	}
	return e
}

// Rows lists all values in a fixed order: keys as in the documentation, named
// entries by name.
func (e Explanation) Rows() []Row {
	rows := flatten(e.Values)
	for i, row := range rows {
		rows[i].Source = e.Sources[row.Key]
		if row.Value == "" {
			rows[i].Value = e.Values.unset(row.Key)
		}
	}
	return rows
}

// unset says in words what is in force where a value is left open.
func (c Config) unset(key string) string {
	switch key {
	case "affected":
		return "ask; continue where nobody can"
	case "map.run":
		return "patch"
	case "map.llm":
		return "none"
	}
	if role, ok := strings.CutPrefix(key, "roles."); ok {
		if name, _, ok := c.AgentFor(role); ok {
			return visible(name)
		}
		return "none: name one"
	}
	return ""
}

func flatten(c Config) []Row {
	var rows []Row
	flattenValue(reflect.ValueOf(c), "", &rows)
	return rows
}

// flattenValue goes down to plain values and lists. Inside named entries,
// fields that are not set are left out.
func flattenValue(v reflect.Value, path string, rows *[]Row) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			name := key(field)
			optional := field.Tag.Get("json") != name
			if name == "" || optional && v.Field(i).IsZero() {
				continue
			}
			flattenValue(v.Field(i), joinKey(path, name), rows)
		}
	case reflect.Map:
		names := map[string]bool{}
		for _, name := range v.MapKeys() {
			names[name.String()] = true
		}
		for _, name := range sortedKeys(names) {
			flattenValue(v.MapIndex(reflect.ValueOf(name)), joinKey(path, name), rows)
		}
	case reflect.Pointer:
		flattenValue(v.Elem(), path, rows)
	default:
		*rows = append(*rows, Row{Key: path, Value: show(v)})
	}
}

func show(v reflect.Value) string {
	if unit, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, _ := unit.MarshalText() // durations and sizes: cannot fail
		return string(text)
	}
	switch v.Kind() {
	case reflect.Slice:
		return visible(compact(v.Interface()))
	case reflect.String:
		return visible(v.String())
	}
	return fmt.Sprint(v.Interface())
}
