package engine

import (
	"context"
	"fmt"
	"strings"

	"growbench/engine/ledger"
	"growbench/engine/workspace"
	"growbench/mapgen/symbols"
)

// Bounds of what is read of one Worker's changes.
const (
	maxCompared     = 400
	maxComparedFile = 2 << 20
)

// Extractor reads the exported symbols of a batch of files, in its order.
// *symbols.Pool is one.
type Extractor interface {
	Extract(ctx context.Context, batch []symbols.Source) ([]symbols.File, error)
}

// observe reads what a Worker's files exported before and after it, and
// compares the two.
func (o *owner) observe(ctx context.Context, changes []workspace.FileChange) (seen ledger.Observation) {
	defer func() {
		if r := recover(); r != nil {
			seen = onlyClaims(fmt.Sprintf("the code could not be compared (%v)", r))
		}
	}()
	sides, notes := codeSides(changes)
	var objects []string
	for _, s := range sides {
		objects = append(objects, s.object)
	}
	texts, err := o.tree.Contents(ctx, objects, maxComparedFile)
	if err != nil {
		return onlyClaims(err.Error())
	}
	var batch []symbols.Source
	for i := range sides {
		s := &sides[i]
		content, ok := texts[s.object]
		s.version.Text = string(content)
		if !ok {
			s.version.Code = symbols.File{Path: s.path, Language: symbols.Language(s.path, nil), Note: "too large"}
			continue
		}
		s.at = len(batch) + 1
		batch = append(batch, symbols.Source{Path: s.path, Content: content})
	}
	files, err := o.Symbols.Extract(ctx, batch)
	if err != nil {
		return onlyClaims("exported symbols could not be read (" + err.Error() + ")")
	}
	pairs := map[int]*ledger.FileChange{}
	var order []*ledger.FileChange
	for _, s := range sides {
		if s.at > 0 {
			s.version.Code = files[s.at-1]
		}
		if pairs[s.change] == nil {
			pairs[s.change] = &ledger.FileChange{}
			order = append(order, pairs[s.change])
		}
		if s.after {
			pairs[s.change].After = s.version
		} else {
			pairs[s.change].Before = s.version
		}
	}
	list := make([]ledger.FileChange, len(order))
	for i, p := range order {
		list[i] = *p
	}
	seen = ledger.Compare(list)
	seen.Notes = append(notes, seen.Notes...)
	return seen
}

func onlyClaims(why string) ledger.Observation {
	return ledger.Observation{Notes: []string{why + ": claims are all there is"}}
}

// side is one version of a changed file.
type side struct {
	change  int // which one
	after   bool
	path    string
	object  string
	at      int // in the batch, from 1
	version *ledger.Version
}

// codeSides lists the versions of changed files that hold text.
func codeSides(changes []workspace.FileChange) (sides []side, notes []string) {
	left := 0
	for i, c := range changes {
		if c.Kind == workspace.Mode || c.Kind == workspace.NestedRepository {
			continue
		}
		if len(sides) >= 2*maxCompared {
			left++
			continue
		}
		old := c.OldPath
		if old == "" {
			old = c.Path
		}
		if strings.HasPrefix(c.OldMode, "100") {
			sides = append(sides, side{change: i, path: old, object: c.OldObject, version: &ledger.Version{}})
		}
		if strings.HasPrefix(c.NewMode, "100") {
			sides = append(sides, side{change: i, after: true, path: c.Path, object: c.NewObject, version: &ledger.Version{}})
		}
	}
	if left > 0 {
		notes = append(notes, fmt.Sprintf("%d more changed files were not compared: claims are all there is", left))
	}
	return sides, notes
}
