package config

import (
	"reflect"
	"slices"
	"strings"
)

// hint follows "unknown key": a likely spelling, or the place where the key
// belongs. Keys that look like a secret's get the way secrets are given.
func hint(parent reflect.Type, path, name string) string {
	if parent == reflect.TypeFor[Provider]() || parent == reflect.TypeFor[Agent]() {
		switch strings.ToLower(name) {
		case "key", "api_key", "apikey", "token", "secret", "password":
			return " (keys come from the environment: name the variable in a provider's key_env)"
		}
	}
	here := keysOf(parent)
	if near := nearest(name, here); near != "" {
		return ` (did you mean "` + near + `"?)`
	}
	for _, full := range allKeys() {
		if last := full[strings.LastIndex(full, ".")+1:]; last == name && full != joinKey(path, name) {
			return ` (did you mean "` + full + `"?)`
		}
	}
	return " (known here: " + strings.Join(here, ", ") + ")"
}

func keysOf(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		if k := key(t.Field(i)); k != "" {
			keys = append(keys, k)
		}
	}
	return keys
}

// allKeys lists the paths of all keys outside named entries.
func allKeys() []string {
	var paths []string
	top := reflect.TypeFor[Config]()
	for i := range top.NumField() {
		field := top.Field(i)
		paths = append(paths, key(field))
		if field.Type.Kind() == reflect.Struct {
			for _, k := range keysOf(field.Type) {
				paths = append(paths, key(field)+"."+k)
			}
		}
	}
	return paths
}

// nearest is the candidate at most two slips away (one for short names), or "".
func nearest(name string, candidates []string) string {
	best, bestDistance := "", 3
	for _, candidate := range candidates {
		allowed := 2
		if len(candidate) <= 4 {
			allowed = 1
		}
		if len(name) > len(candidate)+allowed || len(candidate) > len(name)+allowed {
			continue
		}
		if d := editDistance(strings.ToLower(name), candidate); d <= allowed && d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// editDistance counts inserted, removed, replaced and swapped letters.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	var older, last []int
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(x); i++ {
		older, last, row = last, row, make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			replace := last[j-1]
			if x[i-1] != y[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return row[len(y)]
}

// oneOf says what a value may be, with a likely spelling first.
func oneOf(value string, allowed []string) string {
	// The empty word stands for a key that is not set; nobody types it.
	shown := slices.DeleteFunc(slices.Clone(allowed), func(choice string) bool { return choice == "" })
	text := quoted(value) + " is none of " + strings.Join(shown, ", ")
	if near := nearest(value, allowed); near != "" {
		text += ` (did you mean "` + near + `"?)`
	}
	return text
}
