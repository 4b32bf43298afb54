package mapgen

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"growbench/mapgen/artifact"
	"growbench/mapgen/scan"
)

// existing is what lies in a directory before it is renewed.
type existing struct {
	m        *artifact.Map   // nil: not there, or not to be read
	x        *artifact.Index // as above
	rawMap   []byte
	rawIndex []byte
	mapProb  []artifact.Problem
	idxProb  []artifact.Problem
}

func (p *Project) readPair(dir string) (existing, error) {
	var e existing
	var err error
	if e.rawMap, err = p.readDocument(artifact.MapPath(dir)); err != nil {
		return e, err
	}
	if e.rawIndex, err = p.readDocument(artifact.IndexPath(dir)); err != nil {
		return e, err
	}
	if e.rawMap != nil {
		e.m, e.mapProb = artifact.ParseMap(e.rawMap)
	}
	if e.rawIndex != nil {
		e.x, e.idxProb = artifact.ParseIndex(e.rawIndex)
	}
	return e, nil
}

// dirty are the markers in either document.
func (e existing) dirty() []string {
	var out []string
	if e.m != nil {
		out = append(out, e.m.Dirty...)
	}
	if e.x != nil {
		for _, d := range e.x.Dirty {
			if !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// inherit takes over from the documents that are there what no generator may
// lose: unknown sections, kept blocks, and dirty markers but those in done.
func (c pair) inherit(e existing, done []string) {
	if e.m != nil {
		c.m.Extra = e.m.Extra
		arch := c.m.ArchText()
		c.m.Arch = e.m.Arch
		c.m.SetArch(arch)
	}
	if e.x != nil {
		c.x.Extra = e.x.Extra
	}
	for _, d := range e.dirty() {
		if !slices.Contains(done, d) {
			c.m.Dirty = append(c.m.Dirty, d)
		}
	}
	c.x.Dirty = c.m.Dirty
}

// commit puts a directory's documents and its record in place. Markers in done
// stood there before the files were looked at, and go.
func (p *Project) commit(ctx context.Context, r *record, c pair, done []string) (changed bool, err error) {
	unlock, err := p.store.lock(ctx, r.Dir)
	if err != nil {
		return false, err
	}
	defer unlock()
	e, err := p.readPair(r.Dir)
	if err != nil {
		return false, err
	}
	c.inherit(e, done)
	m, x := c.m.Format(), c.x.Format()
	if stop, err := p.replaces(r.Dir, e, m, x); stop || err != nil {
		return false, err
	}
	changed = string(m) != string(e.rawMap) || string(x) != string(e.rawIndex)
	err = p.writeDocuments(document{artifact.MapPath(r.Dir), e.rawMap, m}, document{artifact.IndexPath(r.Dir), e.rawIndex, x})
	if err != nil {
		return false, err
	}
	r.Map = p.docState(artifact.MapPath(r.Dir), hashOf(m))
	r.Index = p.docState(artifact.IndexPath(r.Dir), hashOf(x))
	r.Clean = len(c.m.Dirty) == 0
	return changed, p.store.put(r)
}

// commitIndex puts only the index in place. The map beside it may now say less
// than it could: the record makes the next full scan look.
func (p *Project) commitIndex(ctx context.Context, r *record, c pair) error {
	unlock, err := p.store.lock(ctx, r.Dir)
	if err != nil {
		return err
	}
	defer unlock()
	e, err := p.readPair(r.Dir)
	if err != nil {
		return err
	}
	c.inherit(e, nil)
	x := c.x.Format()
	if stop, err := p.replaces(r.Dir, e, e.rawMap, x); stop || err != nil {
		return err
	}
	if err := p.writeDocuments(document{artifact.IndexPath(r.Dir), e.rawIndex, x}); err != nil {
		return err
	}
	if m := c.m.Format(); string(m) != string(e.rawMap) {
		r.Map = docRecord{}
	}
	r.Index = p.docState(artifact.IndexPath(r.Dir), hashOf(x))
	r.Clean = len(c.m.Dirty) == 0
	return p.store.put(r)
}

// sweep removes temporary files a killed process left in a directory.
func (p *Project) sweep(ctx context.Context, d *scan.Dir) {
	if len(d.Leftovers) == 0 || p.dry() {
		return
	}
	unlock, err := p.store.lock(ctx, d.Path)
	if err != nil {
		return
	}
	defer unlock()
	for _, name := range d.Leftovers {
		os.Remove(filepath.Join(p.path(d.Path), name)) // gone already: somebody finished it
	}
}

// forget removes the documents and the record of a directory the map no longer
// covers, and the directory when nothing else is in it.
func (p *Project) forget(ctx context.Context, dir string) error {
	unlock, err := p.store.lock(ctx, dir)
	if err != nil {
		return err
	}
	defer unlock()
	// What cannot be read is not kept, and goes all the same.
	e, _ := p.readPair(dir)
	if stop, err := p.replaces(dir, e, nil, nil); stop || err != nil {
		return err
	}
	for _, rel := range []string{artifact.MapPath(dir), artifact.IndexPath(dir)} {
		if err := os.Remove(p.path(rel)); err != nil && !gone(err) {
			return err
		}
	}
	if dir != "." {
		os.Remove(p.path(dir)) // fails when something is in it: then it stays
	}
	return p.store.drop(dir)
}
