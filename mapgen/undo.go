package mapgen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"time"

	"growbench/mapgen/artifact"
	"growbench/mapgen/scan"
)

// ErrNothingKept: there is no act that could be taken back.
var ErrNothingKept = errors.New("nothing to undo: no change of the map is kept")

// Undone is an act and what became of taking it back.
type Undone struct {
	What string      `json:"what"`
	At   time.Time   `json:"at"`
	Dirs []string    `json:"dirs"` // whose documents say again what they said before
	Left []scan.Skip `json:"left"` // those left as they are, and why
}

// LastKept is the act that Undo would take back.
func (p *Project) LastKept() (what string, at time.Time, ok bool) {
	names := journals(p.store.undoDir())
	for _, name := range slices.Backward(names) {
		if a, err := headOf(name); err == nil {
			return a.What, a.At, true
		}
	}
	return "", time.Time{}, false
}

// Undo brings back the documents that the last kept act replaced, byte for
// byte. A directory whose documents were changed since is left as it is. When
// it is cut off, the next Undo goes on.
func (p *Project) Undo(ctx context.Context) (Undone, error) {
	out := Undone{Dirs: []string{}, Left: []scan.Skip{}}
	names := journals(p.store.undoDir())
	if len(names) == 0 {
		return out, ErrNothingKept
	}
	name := names[len(names)-1]
	act, lines, err := readJournal(name)
	if err != nil {
		return out, fmt.Errorf("undo: %w", err)
	}
	plain := p.trail.act
	plain.Keep = "" // what is taken back is not kept again
	p = p.With(plain)
	defer p.enter("undo " + act.What)()
	out.What, out.At = act.What, act.At
	for _, l := range slices.Backward(lines) {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		dir := string(l.Dir)
		if l.Full {
			out.Left = append(out.Left, scan.Skip{Path: ".", Why: "there was more than is kept; the rest cannot be brought back"})
			continue
		}
		p.trail.begun(dir)
		why, err := p.bringBack(ctx, dir, l)
		switch {
		case err != nil:
			return out, fmt.Errorf("undo %s: %w", dir, err)
		case why != "":
			out.Left = append(out.Left, scan.Skip{Path: dir, Why: why})
		case !slices.Contains(out.Dirs, dir):
			out.Dirs = append(out.Dirs, dir)
		}
	}
	sort.Strings(out.Dirs)
	if p.dry() || len(out.Left) > 0 && len(out.Dirs) == 0 {
		return out, nil
	}
	if err := os.Remove(name); err != nil && !gone(err) {
		return out, fmt.Errorf("undo: %w", err)
	}
	return out, nil
}

// bringBack gives one directory its documents and its record back, or says why
// not.
func (p *Project) bringBack(ctx context.Context, dir string, l keptLine) (why string, err error) {
	unlock, err := p.store.lock(ctx, dir)
	if err != nil {
		return "", err
	}
	defer unlock()
	e, err := p.readPair(dir)
	if err != nil {
		return err.Error(), nil
	}
	for _, d := range []struct {
		now  []byte
		kept keptDoc
	}{{e.rawMap, l.Map}, {e.rawIndex, l.Index}} {
		if sum := sumOf(d.now); sum != d.kept.New && sum != sumOf(d.kept.Old) {
			return "its map was changed since", nil
		}
	}
	if stop, err := p.replaces(dir, e, l.Map.Old, l.Index.Old); stop || err != nil {
		return "", err
	}
	if l.Map.Old != nil || l.Index.Old != nil {
		if err := os.MkdirAll(p.path(dir), 0o755); err != nil {
			return "", err
		}
	}
	var docs []document
	for _, d := range []document{{artifact.MapPath(dir), e.rawMap, l.Map.Old}, {artifact.IndexPath(dir), e.rawIndex, l.Index.Old}} {
		if d.data != nil {
			docs = append(docs, d)
		} else if err := os.Remove(p.path(d.rel)); err != nil && !gone(err) {
			return "", err
		}
	}
	if err := p.writeDocuments(docs...); err != nil {
		return "", err
	}
	return "", p.store.putRaw(dir, l.Record)
}

// raw is a record as it lies on the disk, nil if there is none.
func (s *store) raw(dir string) []byte {
	data, err := scan.ReadFile(s.file(dir), maxRecord)
	if err != nil {
		return nil
	}
	return data
}

// putRaw puts a record back as it lay there; nil removes it.
func (s *store) putRaw(dir string, data []byte) error {
	if data == nil {
		return s.drop(dir)
	}
	name := s.file(dir)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return writeRecord(name, data)
}
