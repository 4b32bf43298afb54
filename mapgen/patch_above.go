package mapgen

import (
	"context"
	"fmt"
	"path"
	"slices"

	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
)

// refresh gives a directory above a change what the ones below now say. Its own
// files are not read again.
func (w *patch) refresh(ctx context.Context, dir string, asked Mode) error {
	old := w.p.store.get(dir)
	if old == nil || old.Version != w.p.version() || old.load() != nil {
		return w.dir(ctx, dir, asked)
	}
	w.touched[dir] = true
	parts := w.newParts(old)
	if len(old.Files) == 0 && len(parts) == 0 {
		return w.dir(ctx, dir, asked) // it may have to go
	}
	if sameParts(parts, old.Parts) && w.p.documentsUntouched(old) {
		w.changed[dir] = old.Summary
		return nil
	}
	rec := *old
	rec.Parts = parts
	if w.tells != nil && old.Spoken {
		if err := w.tells.dir(ctx, &rec); err != nil {
			return err
		}
	}
	docs := w.p.compose(&rec)
	if asked == Small {
		if err := w.p.commitIndex(ctx, &rec, docs); err != nil {
			return fmt.Errorf("patch %s: %w", dir, err)
		}
	} else if err := w.p.commit(ctx, &rec, docs, nil); err != nil {
		return fmt.Errorf("patch %s: %w", dir, err)
	}
	w.changed[dir] = rec.Summary
	return nil
}

// newParts are a directory's parts with what this patch changed.
func (w *patch) newParts(old *record) []part {
	var parts []part
	here := map[string]bool{}
	for _, c := range old.Parts {
		child := scan.Join(old.Dir, c.Name)
		if w.removed[child] {
			continue
		}
		if s, done := w.changed[child]; done {
			c = part{Name: c.Name, Summary: s}
		}
		here[c.Name] = true
		parts = append(parts, c)
	}
	for child, s := range w.changed {
		if scan.Parent(child) == old.Dir && !here[path.Base(child)] {
			parts = append(parts, part{Name: path.Base(child), Summary: s})
		}
	}
	sortParts(parts)
	return parts
}

// structural says that a directory differs in more than the text of its files.
func structural(old, now *record) bool {
	if len(old.Files) != len(now.Files) || len(old.Parts) != len(now.Parts) || old.load() != nil {
		return true
	}
	for i := range old.Parts {
		if old.Parts[i].Name != now.Parts[i].Name || old.Parts[i].Why != now.Parts[i].Why {
			return true
		}
	}
	for i := range old.Files {
		a, b := &old.Known[i], &now.Known[i]
		if old.Files[i].Name != now.Files[i].Name || old.Files[i].Link != now.Files[i].Link || a.InPlace != b.InPlace ||
			!slices.EqualFunc(a.Exports, b.Exports, sameExport) || !slices.Equal(imports(a), imports(b)) {
			return true
		}
	}
	return false
}

func manifestChanged(old, now *record) bool {
	for i, f := range now.Files {
		if manifest(f.Name) && f.Hash != old.Files[i].Hash {
			return true
		}
	}
	return false
}

func sameExport(a, b symbols.Export) bool {
	return a.Name == b.Name && a.Kind == b.Kind && a.Signature == b.Signature && a.Default == b.Default &&
		slices.Equal(a.Extends, b.Extends) && slices.Equal(a.Implements, b.Implements)
}

func imports(k *known) []string {
	out := make([]string, len(k.Imports))
	for i, im := range k.Imports {
		out[i] = im.Path
	}
	return out
}
