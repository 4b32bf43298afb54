package mapgen

import (
	"context"
	"fmt"

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
