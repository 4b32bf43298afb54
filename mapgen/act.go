package mapgen

import (
	"bytes"
	"fmt"
	"sync"

	"growbench/mapgen/voice"
)

// Act says how a piece of work on the map is done and who is told of it. The
// zero value just does it.
type Act struct {
	// Dry writes nothing: Changed is told of exactly what would be written.
	Dry bool
	// Keep is what the work is called among those Undo can take back; "" keeps
	// nothing of what it replaces.
	Keep string
	// Begun is told of each directory that is about to be described, Changed of
	// each whose documents are about to be written, Progress of how far a scan
	// is. Each is called by one goroutine at a time.
	Begun    func(dir string)
	Changed  func(Change)
	Progress func(Progress)
}

// Change is what becomes of the two documents of a directory.
type Change struct {
	Dir        string
	Map, Index Rewrite
}

// Rewrite is a document before and after; nil where there is none.
type Rewrite struct {
	Path     string
	Old, New []byte
}

// Same tells whether the document stays as it is.
func (r Rewrite) Same() bool {
	return (r.Old == nil) == (r.New == nil) && bytes.Equal(r.Old, r.New)
}

// Diff is the change as a unified diff of those documents that change.
func (c Change) Diff() string {
	out := ""
	for _, r := range []Rewrite{c.Index, c.Map} {
		if !r.Same() {
			out += Diff(r.Path, r.Old, r.New)
		}
	}
	return out
}

// With is the project with its work done as an act says.
func (p *Project) With(a Act) *Project {
	with := *p
	with.trail = &trail{act: a}
	if a.Progress != nil {
		with.options.Progress = a.Progress
	}
	return &with
}

// DescribedBy is the project with its descriptions made by a model, or, when
// offline is set, without any that one has made.
func (p *Project) DescribedBy(v *voice.Voice, offline bool) *Project {
	with := *p
	with.options.Voice, with.options.Offline = v, offline
	return &with
}

// trail follows an act.
type trail struct {
	act Act

	mu    sync.Mutex
	depth int // pieces of work under way: one may be part of another
	leave func()
	kept  *journal
}

// dry tells whether nothing may be written.
func (p *Project) dry() bool { return p.trail.act.Dry }

// enter begins a piece of work; others see it until leave is called.
func (p *Project) enter(what string, names ...string) (leave func()) {
	const few = 3
	t := p.trail
	for i, name := range names[:min(len(names), few)] {
		what += map[bool]string{true: " ", false: ", "}[i == 0] + name
	}
	if n := len(names) - few; n > 0 {
		what += fmt.Sprintf(" and %d more", n)
	}
	if t.act.Dry {
		return func() {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.depth++; t.depth == 1 {
		t.leave = p.store.announce(what, p.options.Now())
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.depth--; t.depth == 0 {
			t.leave()
			t.kept.close()
			t.kept = nil
		}
	}
}

func (t *trail) begun(dir string) {
	if t.act.Begun == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.act.Begun(dir)
}

// replaces is called under the directory's lock, before documents change: m and
// x are what they will say, nil if they go. It tells whether to stop there.
func (p *Project) replaces(dir string, e existing, m, x []byte) (stop bool, err error) {
	t := p.trail
	if t.act.Changed == nil && t.act.Keep == "" {
		return t.act.Dry, nil
	}
	c := Change{dir, Rewrite{mapPath(dir), e.rawMap, m}, Rewrite{indexPath(dir), e.rawIndex, x}}
	if c.Map.Same() && c.Index.Same() {
		return t.act.Dry, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.act.Keep != "" && !t.act.Dry {
		if t.kept == nil {
			if t.kept, err = p.openJournal(t.act.Keep); err != nil {
				return true, err
			}
		}
		if err := t.kept.add(c, p.store.raw(dir)); err != nil {
			return true, err
		}
	}
	if t.act.Changed != nil {
		t.act.Changed(c)
	}
	return t.act.Dry, nil
}
