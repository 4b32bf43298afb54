package mapgen

import (
	"errors"
	"fmt"

	"growbench/mapgen/artifact"
	"growbench/mapgen/scan"
)

// Page is what the map says of one directory, and how to get on from there.
type Page struct {
	Dir        string
	Map, Index []byte // as they stand on the disk; nil where there is none
	Problems   []string
	Role       string
	Markers    []string
	Files      []PageFile
	Children   []artifact.Link
}

// PageFile is a file as the map lists it.
type PageFile struct {
	artifact.File
	Symbols []Line // Exports, with their lines where they are known
}

// Page reads what the map says of a directory. One without a map is an empty
// page.
func (p *Project) Page(dir string) (Page, error) {
	e, err := p.readPair(dir)
	if err != nil {
		return Page{Dir: dir}, fmt.Errorf("read the map of %s: %w", dir, err)
	}
	page := Page{Dir: dir, Map: e.rawMap, Index: e.rawIndex, Markers: e.dirty()}
	for _, d := range []struct {
		name string
		list []artifact.Problem
	}{{artifact.IndexName, e.idxProb}, {artifact.MapName, e.mapProb}} {
		for _, pr := range d.list {
			page.Problems = append(page.Problems, fmt.Sprintf("%s, line %d: %s", d.name, pr.Line, pr.Text))
		}
	}
	if e.x != nil {
		page.Role, page.Children = e.x.Role, e.x.Children
	}
	if e.m == nil {
		return page, nil
	}
	page.Role = e.m.Role
	known := p.linesOf(dir)
	for _, f := range e.m.Files {
		file := PageFile{File: f}
		for _, x := range f.Exports {
			file.Symbols = append(file.Symbols, Line{x, known[f.Name][x]})
		}
		page.Files = append(page.Files, file)
	}
	return page, nil
}

// linesOf are the lines of a directory's symbols, by file and signature.
func (p *Project) linesOf(dir string) map[string]map[string]int {
	r := p.store.get(dir)
	if r == nil || r.load() != nil {
		return nil
	}
	out := map[string]map[string]int{}
	for i := range r.Known {
		at := map[string]int{}
		for _, l := range lines(&r.Known[i]) {
			at[l.Text] = l.At
		}
		out[r.Files[i].Name] = at
	}
	return out
}

// maxSource bounds a source that is read to be shown.
const maxSource = 4 << 20

// Source reads a file of the project to be shown, at most 4 MiB of it. Text in
// another encoding is decoded; ErrNoText is for what is none.
func (p *Project) Source(name string) (string, error) {
	raw, err := scan.ReadFile(p.path(name), maxSource)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	text := textOf(raw)
	if text == nil {
		return "", fmt.Errorf("show %s: %w", name, ErrNoText)
	}
	return string(text), nil
}

// ErrNoText: a file's bytes are no text in an encoding that is known.
var ErrNoText = errors.New("no text")

// LastDiff is what the last kept act changed in a directory's documents, as a
// unified diff of what they said and what they say now, and what the act was
// called; "" when none is kept.
func (p *Project) LastDiff(dir string) (diff, what string, err error) {
	names := journals(p.store.undoDir())
	for i := len(names) - 1; i >= 0; i-- {
		act, lines, err := readJournal(names[i])
		if err != nil {
			continue
		}
		for _, l := range lines {
			if string(l.Dir) != dir {
				continue
			}
			e, err := p.readPair(dir)
			if err != nil {
				return "", "", err
			}
			c := Change{dir, Rewrite{mapPath(dir), l.Map.Old, e.rawMap}, Rewrite{indexPath(dir), l.Index.Old, e.rawIndex}}
			return c.Diff(), act.What, nil
		}
	}
	return "", "", nil
}
