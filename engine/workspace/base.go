package workspace

import (
	"context"
	"fmt"
)

// makeBase finds or makes the commit that the run starts from.
func (t *Tree) makeBase(ctx context.Context, engine gitDir, opt CreateOptions) (report Report, err error) {
	settings, err := t.Project.source().settings(ctx)
	if err != nil {
		return report, err
	}
	if opt.Base == BaseRun {
		report, err = t.standOn(ctx, engine, opt)
		report.LocalFilters = settings.filters
		return report, err
	}
	report.LocalFilters = settings.filters
	defer func() { t.Lineage = []Ancestor{{Commit: t.Base, Snapshot: report.Snapshot}} }()
	if opt.Base == BaseHead && t.Project.HasCommit {
		t.Base = t.Project.Head
		report.Base = t.Base
		report.Uncommitted, err = t.Project.uncommitted(ctx, engine)
		return report, err
	}
	report.Snapshot = true
	tree, nested, err := t.Project.snapshot(ctx, engine)
	report.Nested = nested
	if err != nil {
		return report, fmt.Errorf("taking a snapshot of %s: %w", t.Project.RepoTop, err)
	}
	t.Base, err = engine.commitTree(ctx, tree, t.Project.Head, "Snapshot of the work tree", opt.At)
	report.Base = t.Base
	return report, err
}

// snapshot records the user's files as they stand: tracked ones and those that
// are neither tracked nor ignored. It works on a copy of the index, so that
// what was staged in spite of an ignore rule is there too.
func (p Project) snapshot(ctx context.Context, engine gitDir) (tree string, nested []string, err error) {
	if err := p.source().copyIndex(engine.dir); err != nil {
		return "", nil, err
	}
	engine.tree = p.RepoTop
	if nested, err = engine.stage(ctx, usersTree); err != nil {
		return "", nil, err
	}
	tree, err = engine.writeTree(ctx)
	return tree, nested, err
}
