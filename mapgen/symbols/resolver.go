package symbols

import (
	"path"
	"strings"
	"sync"
)

// Project is what a Resolver asks of the tree it works in. Paths are relative
// to the project's root, with slashes; the root is ".".
type Project interface {
	// List names the entries of a directory, directories with a slash at the
	// end. A directory that does not exist has none.
	List(dir string) []string
	// Read gives a manifest's content.
	Read(path string) ([]byte, error)
}

// Resolver tells which imports stay inside the project and where they lead. It
// looks only at the directories and manifests an import names, so that one
// file's answer costs the same in a project of any size, and is the same
// whichever files were asked about before. It is safe for use by several
// goroutines.
type Resolver struct {
	project Project
	lock    sync.Mutex
	dirs    map[string]map[string]bool
	cache   map[string]any // parsed manifests by kind and path
}

// NewResolver makes a resolver. It remembers what it has seen of the tree: make
// a new one when files came or went.
func NewResolver(project Project) *Resolver {
	return &Resolver{project: project, dirs: map[string]map[string]bool{}, cache: map[string]any{}}
}

// place is where an import leads.
type place struct {
	internal bool
	path     string // inside: the file or directory; outside: the module
}

func inside(p string) place  { return place{true, p} }
func outside(m string) place { return place{false, m} }

// Resolve sets Internal and Target of a file's imports. An import of several
// modules at once (Python's "from . import a, b") becomes one import each.
func (r *Resolver) Resolve(f *File) {
	r.lock.Lock()
	defer r.lock.Unlock()
	imports := f.Imports
	if f.Language == "Python" {
		imports = r.splitPython(f)
	}
	for i := range imports {
		to := r.locate(f, imports[i])
		imports[i].Internal = to.internal
		if to.internal {
			imports[i].Target = "pkg/" + trimSource(to.path)
		} else {
			imports[i].Target = "ext/" + to.path
		}
	}
	f.Imports = orEmpty(imports)
}

// Locate is the file or directory of the project an import of f leads to.
func (r *Resolver) Locate(f *File, imported string) (string, bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	to := r.locate(f, Import{Path: imported, Relative: strings.HasPrefix(imported, ".")})
	return to.path, to.internal
}

func (r *Resolver) locate(f *File, i Import) place {
	switch f.Language {
	case "Go":
		return r.goImport(f, i.Path)
	case "TypeScript", "TSX", "JavaScript", "Vue", "Svelte":
		return r.scriptImport(f, i.Path)
	case "Python":
		return r.pythonImport(f, i)
	case "Rust":
		return r.rustImport(f, i.Path)
	case "Java":
		return r.javaImport(f, i.Path)
	case "C", "C++":
		return r.include(f, i.Path)
	case "C#":
		return r.csharpImport(f, i.Path)
	case "Ruby":
		return r.rubyImport(f, i)
	case "PHP":
		return r.phpImport(f, i)
	case "Bash":
		return r.scriptSource(f, i.Path)
	case "Kotlin":
		return r.dottedImport(f, i.Path, ".kt")
	case "Scala":
		return r.dottedImport(f, i.Path, ".scala")
	case "Lua":
		return r.dottedImport(f, i.Path, ".lua")
	case "Terraform", "Manifest":
		return r.moduleSource(f, i.Path)
	case "Makefile":
		if target, ok := r.first(path.Join(path.Dir(f.Path), i.Path)); ok {
			return inside(target)
		}
	}
	return outside(i.Path)
}

// entries of a directory, read once.
func (r *Resolver) entries(dir string) map[string]bool {
	dir = path.Clean(dir)
	if known, ok := r.dirs[dir]; ok {
		return known
	}
	names := map[string]bool{}
	if dir != ".." && !strings.HasPrefix(dir, "../") && !strings.HasPrefix(dir, "/") {
		for _, name := range r.project.List(dir) {
			names[name] = true
		}
	}
	r.dirs[dir] = names
	return names
}

func (r *Resolver) isFile(p string) bool {
	p = path.Clean(p)
	return r.entries(path.Dir(p))[path.Base(p)]
}

func (r *Resolver) isDir(p string) bool {
	p = path.Clean(p)
	return p == "." || r.entries(path.Dir(p))[path.Base(p)+"/"]
}

// first existing file of some candidates.
func (r *Resolver) first(candidates ...string) (string, bool) {
	for _, c := range candidates {
		if r.isFile(c) {
			return path.Clean(c), true
		}
	}
	return "", false
}

// ancestors of a file, nearest first, ending with the root.
func ancestors(file string) []string {
	var all []string
	for dir := path.Dir(path.Clean(file)); ; dir = path.Dir(dir) {
		all = append(all, dir)
		if dir == "." || dir == "/" || strings.HasPrefix(dir, "..") {
			return all
		}
	}
}

// nearest is the closest directory above a file that holds one of the names.
func (r *Resolver) nearest(file string, names ...string) (dir, name string, ok bool) {
	for _, dir := range ancestors(file) {
		for _, name := range names {
			if r.entries(dir)[name] {
				return dir, name, true
			}
		}
	}
	return "", "", false
}

// parsed reads a manifest once. A manifest that cannot be read is its zero value.
func parsed[T any](r *Resolver, file string, parse func(content []byte) T) T {
	var zero T
	key := "manifest " + file
	if known, ok := r.cache[key].(T); ok {
		return known
	}
	value := zero
	if content, err := r.project.Read(file); err == nil {
		value = parse(content)
	}
	r.cache[key] = value
	return value
}

// expand lists the directories a workspace pattern names: a path whose elements
// may be * (one directory) or ** (any depth, as deep as three).
func (r *Resolver) expand(base, pattern string) []string {
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	dirs := []string{base}
	for _, element := range strings.Split(pattern, "/") {
		var next []string
		for _, dir := range dirs {
			switch {
			case element == "**":
				next = append(next, r.below(dir, 3)...)
			case strings.ContainsAny(element, "*?["):
				for _, sub := range r.subdirs(dir) {
					if ok, err := path.Match(element, path.Base(sub)); ok && err == nil {
						next = append(next, sub)
					}
				}
			default:
				next = append(next, path.Join(dir, element))
			}
		}
		dirs = next
	}
	return dirs
}

func (r *Resolver) subdirs(dir string) []string {
	var all []string
	for _, name := range r.project.List(dir) {
		if sub, ok := strings.CutSuffix(name, "/"); ok && sub != "node_modules" && !strings.HasPrefix(sub, ".") {
			all = append(all, path.Join(dir, sub))
		}
	}
	return all
}

func (r *Resolver) below(dir string, depth int) []string {
	all := []string{dir}
	if depth > 0 {
		for _, sub := range r.subdirs(dir) {
			all = append(all, r.below(sub, depth-1)...)
		}
	}
	return all
}

// trimSource takes the extension from a source file's path, and the name of
// files that stand for their directory.
func trimSource(p string) string {
	p = path.Clean(p)
	name := path.Base(p)
	stem := name
	for _, ext := range []string{".d.ts", ".d.mts", ".d.cts"} {
		stem = strings.TrimSuffix(stem, ext)
	}
	if stem == name {
		if ext := path.Ext(name); byExt[strings.ToLower(ext)] != nil || ext == ".h" {
			stem = strings.TrimSuffix(name, ext)
		}
	}
	switch {
	case stem == name:
		return p
	case stem == "index" || name == "__init__.py" || name == "__init__.pyi" || name == "mod.rs":
		return path.Dir(p)
	}
	return path.Join(path.Dir(p), stem)
}
