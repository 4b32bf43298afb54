package mapgen

import (
	"context"
	"fmt"
	"path"
	"sort"
	"strings"
	"sync"

	"growbench/mapgen/artifact"
	"growbench/mapgen/recall"
	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
)

// Recall reads what a question is answered from: the documents of every
// directory the map's own links lead to, and the project's past.
func (p *Project) Recall(ctx context.Context) (recall.Source, error) {
	if !p.Exists() {
		return recall.Source{}, fmt.Errorf("search the map of %s: %w", p.root, ErrNoMap)
	}
	var past []recall.Commit
	var wg sync.WaitGroup
	wg.Go(func() { past = p.history(ctx) })
	pairs, err := p.pairs(ctx)
	wg.Wait()
	if err != nil {
		return recall.Source{}, err
	}
	s := recall.Source{Commits: past}
	manifests := map[string]bool{}
	for _, e := range pairs {
		for _, item := range packagesOf(e.arch()) {
			dir, _, _ := strings.Cut(item, " (")
			manifests[dir] = true
		}
	}
	for _, e := range pairs {
		if e.m == nil {
			continue
		}
		d := recall.Dir{Path: e.dir, Index: artifact.IndexPath(e.dir), Map: artifact.MapPath(e.dir), Role: e.m.Role, Arch: e.m.ArchText(), Tags: e.m.Tags,
			Package: packageOf(e.dir, func(dir string) bool { return manifests[dir] })}
		for _, f := range e.m.Files {
			file := recall.File{Name: f.Name, Purpose: f.Purpose}
			if !symbols.Outlined(f.Name) { // headings and scripts find fewer files than they hide
				file.Symbols, file.Deps = f.Exports, f.Deps
			}
			d.Files = append(d.Files, file)
		}
		s.Dirs = append(s.Dirs, d)
	}
	return s, ctx.Err()
}

// Context finds what a question is about, and puts it into one compact text.
func (p *Project) Context(ctx context.Context, question string, want recall.Want) (recall.Bundle, error) {
	source, err := p.Recall(ctx)
	if err != nil {
		return recall.Bundle{}, err
	}
	return recall.NewIndex(source).Bundle(question, want, recall.DefaultWeights()), nil
}

// mapped is a directory of the map with its documents.
type mapped struct {
	dir string
	existing
}

func (m mapped) arch() string {
	if m.m == nil {
		return ""
	}
	return m.m.ArchText()
}

// pairs are the documents of all directories, by path, found from the root's
// index along the links to children.
func (p *Project) pairs(ctx context.Context) ([]mapped, error) {
	var all []mapped
	level := []string{"."}
	for len(level) > 0 && ctx.Err() == nil {
		found := make([]mapped, len(level))
		parallel(len(level), func(i int) {
			// A pair that cannot be read costs its directory, not the answer.
			e, _ := p.readPair(level[i])
			found[i] = mapped{level[i], e}
		})
		level = nil
		for _, m := range found {
			all = append(all, m)
			level = append(level, m.below()...)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].dir < all[j].dir })
	return all, ctx.Err()
}

// below are the directories an index links to, as far as they lie directly
// below its own: a link that leads elsewhere is nobody's child.
func (m mapped) below() []string {
	if m.x == nil {
		return nil
	}
	var dirs []string
	seen := map[string]bool{}
	for _, c := range m.x.Children {
		name := path.Base(c.Dir)
		if c.Target == "" || name == ".." || name == "." || seen[name] || scan.Join(m.dir, name) != c.Dir || strings.Contains(name, "/") {
			continue
		}
		seen[name] = true
		dirs = append(dirs, c.Dir)
	}
	return dirs
}
