package symbols

// maxBarrels bounds how far a chain of "export everything from" is followed.
const maxBarrels = 16

// Expand replaces the "everything from" entries of a file by what the files
// they lead to export, as an importer sees it. Load gives another file of the
// project; entries that lead outside, or to a file it does not have, stay.
func (r *Resolver) Expand(f File, load func(path string) (File, bool)) File {
	c := newCollector(&File{Path: f.Path})
	r.expandInto(c, f, load, map[string]bool{f.Path: true}, 0)
	f.Exports = c.file.Exports
	f.finish()
	return f
}

func (r *Resolver) expandInto(c *collector, f File, load func(string) (File, bool), seen map[string]bool, depth int) {
	// A file's own names hide those it takes over.
	for _, e := range f.Exports {
		if e.Name != "*" && (depth == 0 || !e.Default) {
			c.export(e)
		}
	}
	for _, e := range f.Exports {
		if e.Name != "*" {
			continue
		}
		to, ok := r.Locate(&f, e.From)
		var next File
		if ok && depth < maxBarrels {
			next, ok = load(to)
		}
		if !ok || depth >= maxBarrels {
			c.export(e)
			continue
		}
		if seen[to] {
			continue
		}
		seen[to] = true
		inner := newCollector(&File{Path: to})
		r.expandInto(inner, next, load, seen, depth+1)
		for _, found := range inner.file.Exports {
			if found.Name != "*" && c.has(found.Name) {
				continue
			}
			found.Line = e.Line
			if found.From == "" {
				found.From = e.From
			}
			c.export(found)
		}
	}
}
