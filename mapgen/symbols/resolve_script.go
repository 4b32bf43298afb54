package symbols

import (
	"encoding/json"
	"path"
	"sort"
	"strings"
)

// scriptExts are tried in the order a bundler would.
var scriptExts = []string{".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".json", ".vue", ".svelte"}

// scriptSources maps the extension an import names to those of its source.
var scriptSources = map[string][]string{
	".js": {".ts", ".tsx", ".d.ts"}, ".jsx": {".tsx"}, ".mjs": {".mts", ".d.mts"}, ".cjs": {".cts", ".d.cts"},
}

func (r *Resolver) scriptImport(f *File, imported string) place {
	imported, _, _ = strings.Cut(imported, "?")
	dir := path.Dir(f.Path)
	switch {
	case imported == "." || imported == ".." || strings.HasPrefix(imported, "./") || strings.HasPrefix(imported, "../"):
		p := path.Join(dir, imported)
		if found, ok := r.scriptFile(p); ok {
			return inside(found)
		}
		return inside(p) // generated, or not written yet: inside all the same
	case strings.HasPrefix(imported, "node:"):
		return outside(imported)
	}
	if found, ok := r.tsPath(f, imported); ok {
		return inside(found)
	}
	if strings.HasPrefix(imported, "#") {
		if found, ok := r.packageImport(f, imported); ok {
			return inside(found)
		}
	}
	if found, ok := r.workspacePackage(f, imported); ok {
		return inside(found)
	}
	return outside(packageName(imported))
}

// packageName is the part of a specifier that names a package.
func packageName(imported string) string {
	parts := strings.SplitN(imported, "/", 3)
	if strings.HasPrefix(imported, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// scriptFile finds the file a path without (or with another) extension means.
func (r *Resolver) scriptFile(p string) (string, bool) {
	if r.isFile(p) {
		return p, true
	}
	ext := path.Ext(p)
	for _, source := range scriptSources[ext] {
		if c := strings.TrimSuffix(p, ext) + source; r.isFile(c) {
			return c, true
		}
	}
	for _, ext := range scriptExts {
		if r.isFile(p + ext) {
			return p + ext, true
		}
	}
	if !r.isDir(p) {
		return "", false
	}
	for _, ext := range scriptExts {
		if c := path.Join(p, "index"+ext); r.isFile(c) {
			return c, true
		}
	}
	if r.isFile(path.Join(p, "package.json")) {
		return r.packageEntry(p), true
	}
	return "", false
}

// npmPackage is what resolution needs of a package.json.
type npmPackage struct {
	Name       string          `json:"name"`
	Main       string          `json:"main"`
	Module     string          `json:"module"`
	Source     string          `json:"source"`
	Workspaces json.RawMessage `json:"workspaces"`
	Imports    map[string]any  `json:"imports"`
}

func parseNpm(content []byte) npmPackage {
	var p npmPackage
	json.Unmarshal(content, &p) // what could be read is kept
	return p
}

// packageEntry is the source file a package's name stands for, else its directory.
func (r *Resolver) packageEntry(dir string) string {
	p := parsed(r, path.Join(dir, "package.json"), parseNpm)
	for _, entry := range []string{p.Source, "src/index", "index", "lib/index", p.Module, p.Main} {
		if entry == "" {
			continue
		}
		if target := path.Join(dir, entry); r.isFile(target) {
			return target
		}
		for _, ext := range scriptExts {
			if target := path.Join(dir, entry+ext); r.isFile(target) {
				return target
			}
		}
	}
	return dir
}

// workspacePackage finds a package of the same workspace by its name.
func (r *Resolver) workspacePackage(f *File, imported string) (string, bool) {
	name := packageName(imported)
	for _, dir := range ancestors(f.Path) {
		if !r.isFile(path.Join(dir, "package.json")) {
			continue
		}
		members := r.workspaceMembers(dir)
		home, ok := members[name]
		if !ok {
			continue
		}
		rest := strings.TrimPrefix(strings.TrimPrefix(imported, name), "/")
		if rest == "" {
			return home, true
		}
		for _, base := range []string{home, path.Join(home, "src"), path.Join(home, "lib")} {
			if found, ok := r.scriptFile(path.Join(base, rest)); ok {
				return found, true
			}
		}
		return path.Join(home, rest), true
	}
	return "", false
}

// workspaceMembers maps the names of a package and its workspace's packages to
// their directories.
func (r *Resolver) workspaceMembers(dir string) map[string]string {
	key := "workspace " + dir
	if known, ok := r.cache[key].(map[string]string); ok {
		return known
	}
	own := parsed(r, path.Join(dir, "package.json"), parseNpm)
	members := map[string]string{}
	if own.Name != "" {
		members[own.Name] = dir
	}
	var patterns []string
	if json.Unmarshal(own.Workspaces, &patterns) != nil {
		var long struct {
			Packages []string `json:"packages"`
		}
		if json.Unmarshal(own.Workspaces, &long) == nil {
			patterns = long.Packages
		}
	}
	if pnpm := path.Join(dir, "pnpm-workspace.yaml"); r.isFile(pnpm) {
		patterns = append(patterns, parsed(r, pnpm, parsePnpm)...)
	}
	for _, pattern := range patterns {
		if strings.HasPrefix(pattern, "!") {
			continue
		}
		for _, member := range r.expand(dir, pattern) {
			if manifest := path.Join(member, "package.json"); r.isFile(manifest) {
				if name := parsed(r, manifest, parseNpm).Name; name != "" {
					members[name] = member
				}
			}
		}
	}
	r.cache[key] = members
	return members
}

// parsePnpm reads the packages list of a pnpm-workspace.yaml.
func parsePnpm(content []byte) []string {
	var patterns []string
	in := false
	for _, line := range strings.Split(string(content), "\n") {
		trimmed := strings.TrimSpace(line)
		switch item, ok := strings.CutPrefix(trimmed, "- "); {
		case strings.HasPrefix(trimmed, "packages:"):
			in = true
		case in && ok:
			item, _, _ = strings.Cut(item, " #")
			patterns = append(patterns, strings.Trim(strings.TrimSpace(item), `"'`))
		case trimmed != "" && !strings.HasPrefix(trimmed, "#"):
			in = false
		}
	}
	return patterns
}

// packageImport reads the "imports" map of the nearest package.json.
func (r *Resolver) packageImport(f *File, imported string) (string, bool) {
	dir, name, ok := r.nearest(f.Path, "package.json")
	if !ok {
		return "", false
	}
	imports := parsed(r, path.Join(dir, name), parseNpm).Imports
	keys := make([]string, 0, len(imports))
	for key := range imports {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool {
		if len(keys[i]) != len(keys[j]) {
			return len(keys[i]) > len(keys[j])
		}
		return keys[i] < keys[j]
	})
	for _, key := range keys {
		star, ok := wildcard(key, imported)
		target := condition(imports[key])
		if !ok || !strings.HasPrefix(target, ".") {
			continue
		}
		p := path.Join(dir, strings.ReplaceAll(target, "*", star))
		if found, ok := r.scriptFile(p); ok {
			return found, true
		}
		return p, true
	}
	return "", false
}

// condition picks a path from a conditional export: source before default.
func condition(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case map[string]any:
		for _, key := range []string{"source", "import", "default", "node", "require"} {
			if s := condition(v[key]); s != "" {
				return s
			}
		}
	}
	return ""
}

// wildcard matches a pattern with at most one star and gives what it stands for.
func wildcard(pattern, text string) (string, bool) {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return "", pattern == text
	}
	if len(text) < len(before)+len(after) || !strings.HasPrefix(text, before) || !strings.HasSuffix(text, after) {
		return "", false
	}
	return text[len(before) : len(text)-len(after)], true
}
