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

// inherit is the pair with what no generator may lose of the documents that are
// there: unknown sections, kept blocks, and dirty markers but those in done.
func (c pair) inherit(e existing, done []string) pair {
	m, x := *c.m, *c.x
	if e.m != nil {
		m.Extra = e.m.Extra
		arch := m.ArchText()
		m.Arch = e.m.Arch
		m.SetArch(arch)
	}
	if e.x != nil {
		x.Extra = e.x.Extra
	}
	m.Dirty = slices.Clone(m.Dirty)
	for _, d := range e.dirty() {
		if !slices.Contains(done, d) {
			m.Dirty = append(m.Dirty, d)
		}
	}
	x.Dirty = m.Dirty
	return pair{&m, &x}
}

// edition is a directory's documents as they should be, beside what was there
// when that was decided.
type edition struct {
	rec   *record
	was   existing
	docs  []document
	clean bool // without markers
}

// edition decides what a directory's documents should say. Markers in done
// stood there before the files were looked at, and go.
func (p *Project) edition(r *record, c pair, done []string) (edition, error) {
	e, err := p.readPair(r.Dir)
	if err != nil {
		return edition{}, err
	}
	c = c.inherit(e, done)
	return edition{r, e, []document{
		{artifact.MapPath(r.Dir), e.rawMap, c.m.Format()},
		{artifact.IndexPath(r.Dir), e.rawIndex, c.x.Format()},
	}, len(c.m.Dirty) == 0}, nil
}

func (e edition) changes() bool {
	return slices.ContainsFunc(e.docs, document.changes)
}

// remember keeps the record of a directory whose documents are in place. Its
// lock is held.
func (p *Project) remember(e edition) error {
	for i, state := range []*docRecord{&e.rec.Map, &e.rec.Index} {
		*state = p.docState(e.docs[i].rel, hashOf(e.docs[i].data))
	}
	e.rec.Clean = e.clean
	return p.store.put(e.rec)
}

// commit puts a directory's documents and its record in place.
func (p *Project) commit(ctx context.Context, r *record, c pair, done []string) error {
	unlock, err := p.store.lock(ctx, r.Dir)
	if err != nil {
		return err
	}
	defer unlock()
	e, err := p.edition(r, c, done)
	if err != nil {
		return err
	}
	if stop, err := p.replaces(r.Dir, e.was, e.docs[0].data, e.docs[1].data); stop || err != nil {
		return err
	}
	if err := p.writeDocuments(e.docs...); err != nil {
		return err
	}
	return p.remember(e)
}

// commitIndex puts only the index in place. The map beside it may now say less
// than it could: the record makes the next full scan look.
func (p *Project) commitIndex(ctx context.Context, r *record, c pair) error {
	unlock, err := p.store.lock(ctx, r.Dir)
	if err != nil {
		return err
	}
	defer unlock()
	e, err := p.edition(r, c, nil)
	if err != nil {
		return err
	}
	if stop, err := p.replaces(r.Dir, e.was, e.was.rawMap, e.docs[1].data); stop || err != nil {
		return err
	}
	if err := p.writeDocuments(e.docs[1]); err != nil {
		return err
	}
	if e.docs[0].changes() {
		r.Map = docRecord{}
	}
	r.Index = p.docState(e.docs[1].rel, hashOf(e.docs[1].data))
	r.Clean = e.clean
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
