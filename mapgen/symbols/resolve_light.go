package symbols

import (
	"path"
	"strings"
)

// dottedImport finds a.b.C as a file or directory below one of the directories
// above the file: a.b/C, or a.b when C is something inside it.
func (r *Resolver) dottedImport(f *File, imported, ext string) place {
	parts := strings.FieldsFunc(imported, func(c rune) bool {
		return c == '.' || c == '/' || c == '*' || c == '{' || c == '_' && strings.HasSuffix(imported, "._")
	})
	for n := len(parts); n > 0 && n >= len(parts)-1; n-- {
		rest := path.Join(parts[:n]...)
		for _, dir := range ancestors(f.Path) {
			for _, file := range []string{rest + ext, rest + "/init" + ext} {
				if target := path.Join(dir, file); r.isFile(target) {
					return inside(target)
				}
			}
			if target := path.Join(dir, rest); n > 1 && r.entries(path.Dir(target))[path.Base(target)+"/"] {
				return inside(target)
			}
		}
	}
	return outside(imported)
}

// moduleSource is a directory beside the file, or a module from elsewhere.
func (r *Resolver) moduleSource(f *File, source string) place {
	if !strings.HasPrefix(source, "./") && !strings.HasPrefix(source, "../") {
		return outside(source)
	}
	target := path.Join(path.Dir(f.Path), source)
	if target == ".." || strings.HasPrefix(target, "../") {
		return outside(source)
	}
	return inside(target)
}
