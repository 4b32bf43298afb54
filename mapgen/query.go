package mapgen

import (
	"context"
	"fmt"
	"sort"

	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
)

// Symbols is what the extractor sees in files of the project, imports resolved.
// Paths are relative to the project.
func (p *Project) Symbols(ctx context.Context, files []string) ([]symbols.File, error) {
	res := newResolver(&places{p: p, dirs: map[string]*scan.Dir{}})
	out := make([]symbols.File, 0, len(files))
	for _, f := range files {
		content, err := scan.ReadFile(p.path(f), max(p.options.FileBytes+1, 1<<20))
		if err != nil {
			return nil, fmt.Errorf("read symbols: %w", err)
		}
		got, err := p.options.Extractor.Extract(ctx, []symbols.Source{{Path: f, Content: content}})
		if err != nil {
			return nil, fmt.Errorf("read symbols of %s: %w", f, err)
		}
		res.imports.Resolve(&got[0])
		out = append(out, got[0])
	}
	return out, nil
}

// Edge says that files of one directory use another.
type Edge struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Files int    `json:"files"` // how many files do
}

// Graph is who uses whom, by directory.
type Graph struct {
	Nodes []string `json:"nodes"`
	Edges []Edge   `json:"edges"`
}

// Graph reads the cross-references of the map as they were when each directory
// was last regenerated.
func (p *Project) Graph(ctx context.Context) (Graph, error) {
	g := Graph{Nodes: []string{}, Edges: []Edge{}}
	p.store.each(func(_ string, r *record) {
		if r == nil || ctx.Err() != nil || r.load() != nil {
			return
		}
		g.Nodes = append(g.Nodes, r.Dir)
		uses := map[string]int{}
		for i := range r.Known {
			for _, d := range r.Known[i].DepDirs {
				uses[d[len("pkg/"):]]++
			}
		}
		for to, n := range uses {
			if to != r.Dir {
				g.Edges = append(g.Edges, Edge{r.Dir, to, n})
			}
		}
	})
	sort.Strings(g.Nodes)
	sort.Slice(g.Edges, func(i, j int) bool {
		a, b := g.Edges[i], g.Edges[j]
		return a.From < b.From || a.From == b.From && a.To < b.To
	})
	return g, ctx.Err()
}
