package symbols

import (
	"encoding/json"
	"path"
	"sort"
	"strings"
)

// tsConfig is what resolution needs of a tsconfig.json, with what it extends
// folded in. Paths are relative to the project's root.
type tsConfig struct {
	baseURL string // "" when none is set
	from    string // directory the paths are relative to
	paths   map[string][]string
}

// tsPath resolves an import by the nearest tsconfig's paths and baseUrl.
func (r *Resolver) tsPath(f *File, imported string) (string, bool) {
	dir, name, ok := r.nearest(f.Path, "tsconfig.json", "jsconfig.json")
	if !ok {
		return "", false
	}
	config := r.tsConfig(path.Join(dir, name), 0)
	patterns := make([]string, 0, len(config.paths))
	for pattern := range config.paths {
		patterns = append(patterns, pattern)
	}
	// The longest text before the star wins.
	sort.Slice(patterns, func(i, j int) bool {
		a, _, _ := strings.Cut(patterns[i], "*")
		b, _, _ := strings.Cut(patterns[j], "*")
		if len(a) != len(b) {
			return len(a) > len(b)
		}
		return patterns[i] < patterns[j]
	})
	for _, pattern := range patterns {
		star, ok := wildcard(pattern, imported)
		if !ok {
			continue
		}
		for _, target := range config.paths[pattern] {
			p := path.Join(config.from, strings.Replace(target, "*", star, 1))
			if found, ok := r.scriptFile(p); ok {
				return found, true
			}
			if r.isDir(p) {
				return p, true
			}
		}
	}
	if config.baseURL != "" {
		if found, ok := r.scriptFile(path.Join(config.baseURL, imported)); ok {
			return found, true
		}
	}
	return "", false
}

// tsConfig reads a configuration and those it extends; the nearer one wins.
func (r *Resolver) tsConfig(file string, depth int) tsConfig {
	key := "tsconfig " + file
	if known, ok := r.cache[key].(tsConfig); ok {
		return known
	}
	var raw struct {
		Extends         json.RawMessage `json:"extends"`
		CompilerOptions struct {
			BaseURL string              `json:"baseUrl"`
			Paths   map[string][]string `json:"paths"`
		} `json:"compilerOptions"`
	}
	if content, err := r.project.Read(file); err == nil {
		json.Unmarshal(plainJSON(content), &raw) // what could be read is kept
	}
	dir := path.Dir(file)
	var config tsConfig
	if depth < 8 {
		for _, parent := range stringOrList(raw.Extends) {
			if p, ok := r.tsParent(dir, parent); ok {
				above := r.tsConfig(p, depth+1)
				if above.baseURL != "" {
					config.baseURL = above.baseURL
				}
				if above.paths != nil {
					config.paths, config.from = above.paths, above.from
				}
			}
		}
	}
	if raw.CompilerOptions.BaseURL != "" {
		config.baseURL = path.Join(dir, raw.CompilerOptions.BaseURL)
	}
	if raw.CompilerOptions.Paths != nil {
		config.paths, config.from = raw.CompilerOptions.Paths, dir
		if config.baseURL != "" {
			config.from = config.baseURL
		}
	}
	r.cache[key] = config
	return config
}

func stringOrList(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil && one != "" {
		return []string{one}
	}
	var list []string
	json.Unmarshal(raw, &list)
	return list
}

// tsParent finds a configuration named by extends; those of installed packages
// are outside the project.
func (r *Resolver) tsParent(dir, name string) (string, bool) {
	if !strings.HasPrefix(name, ".") {
		return "", false
	}
	p := path.Join(dir, name)
	return r.first(p, p+".json", path.Join(p, "tsconfig.json"))
}

// plainJSON takes comments and trailing commas out of JSON.
func plainJSON(text []byte) []byte {
	text = []byte(strings.TrimPrefix(string(text), "\ufeff"))
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch rest := string(text[i:min(i+2, len(text))]); {
		case text[i] == '"':
			end := i + quoted(text[i:])
			out = append(out, text[i:end]...)
			i = end - 1
		case rest == "//":
			for i < len(text) && text[i] != '\n' {
				i++
			}
			i--
		case rest == "/*":
			end := strings.Index(string(text[i+2:]), "*/")
			if end < 0 {
				return out
			}
			i += end + 3
		case text[i] == '}' || text[i] == ']':
			trimmed := strings.TrimRight(string(out), " \t\r\n")
			if strings.HasSuffix(trimmed, ",") {
				out = out[:len(trimmed)-1]
			}
			out = append(out, text[i])
		default:
			out = append(out, text[i])
		}
	}
	return out
}
