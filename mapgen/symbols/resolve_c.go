package symbols

import "path"

// include looks beside the file, then, as a compiler's search path usually is
// set, under it and its ancestors and their include and src directories. A
// project also names its own headers in angle brackets.
func (r *Resolver) include(f *File, imported string) place {
	for _, dir := range ancestors(f.Path) {
		if p, ok := r.first(path.Join(dir, imported), path.Join(dir, "include", imported), path.Join(dir, "src", imported)); ok {
			return inside(p)
		}
	}
	return outside(imported)
}

// scriptSource finds a sourced shell script beside the file or from the root
// scripts are started in.
func (r *Resolver) scriptSource(f *File, imported string) place {
	if path.IsAbs(imported) {
		return outside(imported)
	}
	for _, dir := range ancestors(f.Path) {
		if p := path.Join(dir, imported); r.isFile(p) {
			return inside(p)
		}
	}
	return inside(path.Join(path.Dir(f.Path), imported))
}
