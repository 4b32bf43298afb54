package symbols

import (
	"path"
	"strings"
)

// rubyImport finds a required file beside the file, or on the load path a
// project usually has: lib of it and of the gems inside of it.
func (r *Resolver) rubyImport(f *File, i Import) place {
	name := i.Path
	if i.Relative {
		p := path.Join(path.Dir(f.Path), name)
		if found, ok := r.first(p+".rb", p); ok {
			return inside(found)
		}
		return inside(p)
	}
	name = strings.TrimSuffix(name, ".rb")
	for _, dir := range ancestors(f.Path) {
		for _, load := range []string{"lib", "app", "spec", "test"} {
			if p := path.Join(dir, load, name) + ".rb"; r.isFile(p) {
				return inside(p)
			}
		}
	}
	return outside(name)
}
