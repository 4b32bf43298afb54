package mapgen

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"growbench/mapgen/artifact"
	"growbench/mapgen/scan"
)

// Marker is one dirty line of a directory.
type Marker struct {
	Dir  string `json:"dir"`
	Line string `json:"line"`
}

// MarkDirty leaves a line in both documents of each path's directory: that the
// path was modified, created or deleted, or the note.
func (p *Project) MarkDirty(paths []string, note string) ([]Marker, error) {
	defer p.enter("mark dirty")()
	out := []Marker{}
	for _, file := range paths {
		dir := p.mappedDir(file)
		if dir == "" {
			return out, fmt.Errorf("mark %s dirty: %w", file, ErrNoMap)
		}
		line, err := p.mark(dir, file, note)
		if err != nil {
			return out, err
		}
		out = append(out, Marker{dir, line})
	}
	return out, nil
}

// mappedDir is the nearest directory with documents that a path lies in.
func (p *Project) mappedDir(file string) string {
	dir := file
	if info, err := os.Lstat(p.path(file)); err != nil || !info.IsDir() {
		dir = scan.Parent(file)
	}
	for ; dir != ""; dir = scan.Parent(dir) {
		if p.anyDocument(dir) {
			return dir
		}
	}
	return ""
}

func (p *Project) mark(dir, file, note string) (string, error) {
	unlock, err := p.store.lock(context.Background(), dir)
	if err != nil {
		return "", err
	}
	defer unlock()
	e, err := p.readPair(dir)
	if err != nil {
		return "", fmt.Errorf("mark %s dirty: %w", file, err)
	}
	if note == "" {
		note = p.happened(dir, file, e)
	}
	note = strings.Join(strings.FieldsFunc(note, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	line := p.options.Now().UTC().Format(time.RFC3339) + ": " + note
	var docs []document
	m, x := e.rawMap, e.rawIndex
	if e.m != nil && !slices.Contains(e.m.Dirty, line) {
		e.m.Dirty = append(e.m.Dirty, line)
		m = e.m.Format()
		docs = append(docs, document{artifact.MapPath(dir), e.rawMap, m})
	}
	if e.x != nil && !slices.Contains(e.x.Dirty, line) {
		e.x.Dirty = append(e.x.Dirty, line)
		x = e.x.Format()
		docs = append(docs, document{artifact.IndexPath(dir), e.rawIndex, x})
	}
	if stop, err := p.replaces(dir, e, m, x); stop || err != nil {
		return line, err
	}
	if err := p.writeDocuments(docs...); err != nil {
		return "", err
	}
	return line, nil
}

// happened says in words what became of a path.
func (p *Project) happened(dir, file string, e existing) string {
	name := strings.TrimPrefix(file, dir+"/")
	if file == dir {
		return path.Base(p.path(dir)) + " modified"
	}
	if _, err := os.Lstat(p.path(file)); gone(err) {
		return name + " deleted"
	}
	if e.m != nil && !slices.ContainsFunc(e.m.Files, func(f artifact.File) bool { return f.Name == name }) {
		return name + " created"
	}
	return name + " modified"
}

// Markers lists every dirty line of the map.
func (p *Project) Markers(ctx context.Context) ([]Marker, error) {
	tree, err := p.scan(ctx)
	if err != nil {
		return nil, err
	}
	found := make([][]string, len(tree.Dirs))
	parallel(len(tree.Dirs), func(i int) {
		d := tree.Dirs[i]
		if d.Artifacts == 0 {
			return
		}
		// A document that was not touched since it was written clean has none.
		if r := p.store.get(d.Path); r != nil && r.Clean && p.documentsUntouched(r) {
			return
		}
		if e, err := p.readPair(d.Path); err == nil {
			found[i] = e.dirty()
		}
	})
	out := []Marker{}
	for i, lines := range found {
		for _, l := range lines {
			out = append(out, Marker{tree.Dirs[i].Path, l})
		}
	}
	return out, ctx.Err()
}
