package symbols

import (
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
)

// rustImport follows a use path through the modules of a crate.
func (r *Resolver) rustImport(f *File, imported string) place {
	parts := strings.Split(imported, "::")
	if parts[0] == "" {
		parts = parts[1:]
	}
	if len(parts) == 0 || parts[0] == "" {
		return outside(imported)
	}
	crate, _, hasCrate := r.nearest(f.Path, "Cargo.toml")
	switch first := parts[0]; {
	case first == "crate":
		return inside(r.rustModule(rustRoot(f.Path, crate), parts[1:], f.Path))
	case first == "self":
		return inside(r.rustModule(rustModuleDir(f.Path), parts[1:], f.Path))
	case first == "super":
		dir := rustModuleDir(f.Path)
		for len(parts) > 0 && parts[0] == "super" {
			dir, parts = path.Dir(dir), parts[1:]
		}
		return inside(r.rustModule(dir, parts, f.Path))
	case unicode.IsUpper(rune(first[0])):
		return inside(f.Path) // an item already in scope
	case hasCrate:
		if lib, ok := r.crates(f.Path)[first]; ok {
			return inside(r.rustModule(path.Join(lib, "src"), parts[1:], lib))
		}
	}
	// A module of this file goes before a crate nobody has declared.
	if p := r.rustModule(rustModuleDir(f.Path), parts[:1], ""); p != "" {
		return inside(r.rustModule(rustModuleDir(f.Path), parts, p))
	}
	return outside(parts[0])
}

// rustRoot is the directory of the crate root a file belongs to.
func rustRoot(file, crate string) string {
	if src := path.Join(crate, "src"); strings.HasPrefix(file, src+"/") {
		return src
	}
	return path.Dir(file)
}

// rustModuleDir is where the modules below a file lie.
func rustModuleDir(file string) string {
	dir, name := path.Dir(file), path.Base(file)
	switch name {
	case "mod.rs", "lib.rs", "main.rs", "build.rs":
		return dir
	}
	return path.Join(dir, strings.TrimSuffix(name, ".rs"))
}

// rustModule is the file of the deepest module a path names below a directory;
// what names no module is an item of the directory's own file, or fallback.
func (r *Resolver) rustModule(dir string, parts []string, fallback string) string {
	found := ""
	for _, part := range parts {
		next := path.Join(dir, part)
		p, ok := r.first(next+".rs", next+"/mod.rs")
		if !ok {
			break
		}
		found, dir = p, next
	}
	if found != "" {
		return found
	}
	if fallback == "" {
		return ""
	}
	if own, ok := r.first(path.Join(dir, "lib.rs"), path.Join(dir, "mod.rs"), dir+".rs", path.Join(dir, "main.rs")); ok {
		return own
	}
	return fallback
}

// crates maps the crates a file can name, as code spells them, to directories:
// its own, path dependencies, and those of the workspace.
func (r *Resolver) crates(file string) map[string]string {
	dir, _, _ := r.nearest(file, "Cargo.toml")
	key := "crates " + dir
	if known, ok := r.cache[key].(map[string]string); ok {
		return known
	}
	all := map[string]string{}
	for _, up := range ancestors(file) {
		manifest := path.Join(up, "Cargo.toml")
		if !r.isFile(manifest) {
			continue
		}
		doc := parsed(r, manifest, parseTOML)
		addCrate(all, doc, up)
		for _, key := range slices.Sorted(maps.Keys(doc)) {
			values := doc[key]
			name, ok := strings.CutSuffix(key, ".path")
			at := strings.LastIndex(name, "dependencies.")
			if ok && at >= 0 && len(values) > 0 {
				dep := strings.ReplaceAll(name[at+len("dependencies."):], "-", "_")
				if _, known := all[dep]; !known {
					all[dep] = path.Join(up, values[0])
				}
			}
		}
		for _, pattern := range doc["workspace.members"] {
			for _, member := range r.expand(up, pattern) {
				if manifest := path.Join(member, "Cargo.toml"); r.isFile(manifest) {
					addCrate(all, parsed(r, manifest, parseTOML), member)
				}
			}
		}
	}
	r.cache[key] = all
	return all
}

func addCrate(all map[string]string, doc tomlDoc, dir string) {
	name := doc.text("lib.name")
	if name == "" {
		name = doc.text("package.name")
	}
	if name = strings.ReplaceAll(name, "-", "_"); name != "" && all[name] == "" {
		all[name] = dir
	}
}
