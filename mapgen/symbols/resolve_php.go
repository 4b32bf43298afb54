package symbols

import (
	"encoding/json"
	"maps"
	"path"
	"sort"
	"strings"
)

// composer is what resolution needs of a composer.json.
type composer struct {
	Autoload    phpAutoload `json:"autoload"`
	AutoloadDev phpAutoload `json:"autoload-dev"`
}

type phpAutoload struct {
	PSR4 map[string]json.RawMessage `json:"psr-4"`
}

// phpImport maps a class to a file by the autoload rules of the nearest
// composer.json, the longest namespace first.
func (r *Resolver) phpImport(f *File, i Import) place {
	if !strings.Contains(i.Path, "\\") && (i.Relative && strings.Contains(i.Path, ".") || strings.ContainsAny(i.Path, "/")) {
		if p := path.Join(path.Dir(f.Path), i.Path); !path.IsAbs(i.Path) {
			return inside(p)
		}
		return outside(i.Path)
	}
	for _, dir := range ancestors(f.Path) {
		manifest := path.Join(dir, "composer.json")
		if !r.isFile(manifest) {
			continue
		}
		c := parsed(r, manifest, func(content []byte) (c composer) {
			json.Unmarshal(content, &c) // what could be read is kept
			return c
		})
		rules := maps.Clone(c.Autoload.PSR4)
		if rules == nil {
			rules = map[string]json.RawMessage{}
		}
		maps.Copy(rules, c.AutoloadDev.PSR4)
		if p, ok := r.phpClass(dir, rules, i.Path); ok {
			return inside(p)
		}
	}
	parts := strings.Split(i.Path, "\\")
	if len(parts) > 1 {
		parts = parts[:len(parts)-1]
	}
	return outside(strings.Join(parts[:min(2, len(parts))], "/"))
}

func (r *Resolver) phpClass(dir string, rules map[string]json.RawMessage, class string) (string, bool) {
	prefixes := make([]string, 0, len(rules))
	for prefix := range rules {
		prefixes = append(prefixes, prefix)
	}
	sort.Slice(prefixes, func(a, b int) bool { return len(prefixes[a]) > len(prefixes[b]) })
	for _, prefix := range prefixes {
		rest, ok := strings.CutPrefix(class+"\\", prefix)
		if !ok || prefix == "" {
			continue
		}
		rest = strings.ReplaceAll(strings.TrimSuffix(rest, "\\"), "\\", "/")
		bases := stringOrList(rules[prefix])
		for _, base := range bases {
			p := path.Join(dir, base, rest)
			if r.isFile(p + ".php") {
				return p + ".php", true
			}
			if r.isDir(p) {
				return p, true
			}
		}
		if len(bases) > 0 {
			// A function or constant: its namespace is the directory.
			return path.Dir(path.Join(dir, bases[0], rest)), true
		}
	}
	return "", false
}
