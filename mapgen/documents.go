package mapgen

import (
	"context"
	"os"

	"growbench/mapgen/artifact"
	"growbench/mapgen/scan"
)

// StateDir is where a project's records lie, relative to it.
const StateDir = scan.StateDir

// HiddenPatterns are the map's documents and records, in git's syntax.
func HiddenPatterns() []string {
	return append(append([]string{}, artifactPatterns...), statePatterns...)
}

// Documents lists the map's documents that are there, relative to the project.
func (p *Project) Documents(ctx context.Context) ([]string, error) {
	tree, err := p.scan(ctx)
	if err != nil {
		return nil, err
	}
	var docs []string
	for _, d := range tree.Dirs {
		if d.Artifacts == 0 {
			continue
		}
		for _, doc := range []string{artifact.MapPath(d.Path), artifact.IndexPath(d.Path)} {
			if _, err := os.Lstat(p.path(doc)); err == nil {
				docs = append(docs, doc)
			}
		}
	}
	return docs, nil
}

// DocumentsOf are the two documents of the directory that path, a file, is
// listed in.
func DocumentsOf(file string) []string {
	dir := scan.Parent(file)
	if dir == "" {
		dir = "."
	}
	return []string{artifact.MapPath(dir), artifact.IndexPath(dir)}
}
