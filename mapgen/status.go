package mapgen

import (
	"context"
	"runtime"
	"slices"
	"sort"
	"sync"

	"growbench/mapgen/artifact"
	"growbench/mapgen/scan"
)

// States a directory of the map can be in.
const (
	Stale    = "stale"    // the files differ from what the map says
	Dirty    = "dirty"    // somebody left a marker
	Missing  = "missing"  // one or both documents are not there
	Orphaned = "orphaned" // documents of a directory the map does not cover
)

// DirState is a directory that is not clean.
type DirState struct {
	Dir   string   `json:"dir"`
	State []string `json:"state"`
}

// Status is the answer to whether the map can be trusted.
type Status struct {
	Clean bool       `json:"clean"`
	Dirs  []DirState `json:"dirs"`
}

// Status compares the map with the files by size, times and, where those
// differ, by hash. Nothing is written.
func (p *Project) Status(ctx context.Context) (Status, error) {
	r, err := p.newRun(ctx)
	if err != nil {
		return Status{}, err
	}
	states, err := r.states(ctx)
	if err != nil {
		return Status{}, err
	}
	s := Status{Dirs: []DirState{}}
	for dir, state := range states {
		s.Dirs = append(s.Dirs, DirState{dir, state})
	}
	sort.Slice(s.Dirs, func(i, j int) bool { return s.Dirs[i].Dir < s.Dirs[j].Dir })
	s.Clean = len(s.Dirs) == 0
	return s, nil
}

// states finds every directory that is not clean.
func (r *run) states(ctx context.Context) (map[string][]string, error) {
	_, states, err := r.judge(ctx)
	return states, err
}

// judge finds every directory that is not clean, and gives the records of all
// directories there are, in their order.
func (r *run) judge(ctx context.Context) ([]*record, map[string][]string, error) {
	p := r.p
	records := make([]*record, len(r.tree.Dirs))
	index := make(map[string]int, len(r.tree.Dirs))
	parallel(len(r.tree.Dirs), func(i int) { records[i] = p.store.get(r.tree.Dirs[i].Path) })
	for i, d := range r.tree.Dirs {
		index[d.Path] = i
	}
	found := make([][]string, len(r.tree.Dirs))
	unsure := make([]bool, len(r.tree.Dirs))
	parallel(len(r.tree.Dirs), func(i int) {
		found[i], unsure[i] = p.state(r.tree.Dirs[i], records[i], r.res, func(name string) *record {
			if at, ok := index[scan.Join(r.tree.Dirs[i].Path, name)]; ok {
				return records[at]
			}
			return nil
		})
	})
	if slices.Contains(unsure, true) {
		if err := r.recompute(ctx, unsure, found); err != nil {
			return nil, nil, err
		}
	}
	states := map[string][]string{}
	for i, state := range found {
		if len(state) > 0 {
			states[r.tree.Dirs[i].Path] = state
		}
	}
	for _, s := range p.store.strangers(r.tree.Dirs) {
		if !r.unreadable(s.Dir) && p.anyDocument(s.Dir) {
			states[s.Dir] = []string{Orphaned}
		}
	}
	return records, states, ctx.Err()
}

// state judges one directory by its record. Where both documents are there and
// are not those the record is of, it takes working out what they should say.
func (p *Project) state(d *scan.Dir, old *record, res *resolver, below func(name string) *record) (state []string, unsure bool) {
	if old != nil && len(d.Files) == 0 && len(d.Dirs) == 0 && p.leftover(d, nil, old) {
		return []string{Orphaned}, false
	}
	if d.Artifacts < 2 {
		return []string{Missing}, false
	}
	if old == nil || old.Version != p.version() {
		return nil, true
	}
	dirty, edited := p.documentsChanged(old)
	if edited {
		return nil, true
	}
	if len(p.filesChanged(d, old)) > 0 || partsChanged(d, old, below) || old.Above != res.above(d) {
		state = append(state, Stale)
	}
	if dirty {
		state = append(state, Dirty)
	}
	return state, false
}

// filesChanged names the files that are not what the record was made of, by
// stat, and by hash where the stat differs; "" is a file that came or went.
func (p *Project) filesChanged(d *scan.Dir, old *record) []string {
	if len(d.Files) != len(old.Files) {
		return []string{""}
	}
	for i, f := range d.Files {
		if old.Files[i].Name != f.Name || old.Files[i].Link != f.Link {
			return []string{""}
		}
	}
	var changed []string
	for i, f := range d.Files {
		if p.fileChanged(d.Path, f, &old.Files[i], old.At) {
			changed = append(changed, f.Name)
		}
	}
	return changed
}

// fileChanged compares by stat, and by hash where that differs. Where a link
// leads is looked at by a full check.
func (p *Project) fileChanged(dir string, f scan.File, was *fileRecord, at int64) bool {
	switch {
	case was.unchanged(f, at) || was.Closed || f.Link && was.Link:
		return false
	case was.Link != f.Link || was.Size != f.Size:
		return true
	case scan.SecretName(f.Name) != "": // never read
		return was.ModTime != f.ModTime
	}
	_, hash, err := load(p.path(scan.Join(dir, f.Name)), 0)
	return err != nil && !gone(err) || err == nil && hash != was.Hash
}

func partsChanged(d *scan.Dir, old *record, below func(string) *record) bool {
	var names []string
	for _, c := range old.Parts {
		names = append(names, c.Name)
		if c.Why != "" {
			continue
		}
		if r := below(c.Name); r != nil && !r.Summary.same(c.Summary) {
			return true
		}
	}
	now := slices.Clone(d.Dirs)
	for _, b := range d.Boundaries {
		now = append(now, b.Name)
	}
	slices.Sort(now)
	return !slices.Equal(now, names)
}

// documentsChanged says whether markers were left in the documents, and whether
// anything else in them was edited.
func (p *Project) documentsChanged(old *record) (dirty, edited bool) {
	if p.documentsUntouched(old) {
		return !old.Clean, false
	}
	e, err := p.readPair(old.Dir)
	if err != nil || e.m == nil || e.x == nil {
		return false, true
	}
	dirty = len(e.dirty()) > 0
	if hashOf(e.rawMap) == old.Map.Hash && hashOf(e.rawIndex) == old.Index.Hash {
		return dirty, false
	}
	m, x := *e.m, *e.x
	m.Dirty, x.Dirty = nil, nil
	return dirty, hashOf(m.Format()) != old.Map.Hash || hashOf(x.Format()) != old.Index.Hash
}

// recompute judges directories by working out what their documents should be.
func (r *run) recompute(ctx context.Context, which []bool, found [][]string) error {
	expected, err := r.expect(ctx)
	if err != nil {
		return err
	}
	for i, d := range r.tree.Dirs {
		if !which[i] {
			continue
		}
		e, err := r.p.readPair(d.Path)
		if err != nil {
			found[i] = []string{Stale}
			continue
		}
		if want, ok := expected[d.Path]; ok && !want.fresh {
			if len(e.dirty()) > 0 {
				found[i] = append(found[i], Dirty)
			}
			docs := want.docs.inherit(e, nil)
			if string(docs.m.Format()) != string(e.rawMap) || string(docs.x.Format()) != string(e.rawIndex) {
				found[i] = append([]string{Stale}, found[i]...)
			}
		}
	}
	return nil
}

// expectation is what a directory's record and documents should be.
type expectation struct {
	fresh bool // nothing changed since both were written; they are not worked out
	rec   *record
	docs  pair
}

// expect works out the whole map without writing any of it.
func (r *run) expect(ctx context.Context) (map[string]expectation, error) {
	out := make(map[string]expectation, len(r.tree.Dirs))
	var mu sync.Mutex
	err := r.each(ctx, func(ctx context.Context, t *task) error {
		parts := t.parts()
		old := r.p.store.get(t.dir.Path)
		if r.p.leftover(t.dir, parts, old) {
			t.removed = true
			return nil
		}
		want := expectation{fresh: r.p.fresh(t.dir, parts, old, r.res, r.stamp, nil)}
		if want.fresh {
			t.summary = old.Summary
			r.done.Add(int64(len(t.dir.Files)))
		} else {
			var c count
			var err error
			if want.rec, want.docs, c, err = r.p.renew(ctx, t.dir, parts, old, r.res, nil, func() { r.done.Add(1) }); err != nil {
				return err
			}
			r.add(c)
			t.summary = want.rec.Summary
		}
		mu.Lock()
		defer mu.Unlock()
		out[t.dir.Path] = want
		return nil
	})
	return out, err
}

func (p *Project) anyDocument(dir string) bool {
	for _, rel := range []string{artifact.MapPath(dir), artifact.IndexPath(dir)} {
		if p.docState(rel, [32]byte{}).Size > 0 {
			return true
		}
	}
	return false
}

// parallel calls do for 0 … n-1 on all processors.
func parallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	for range min(n, 2*runtime.GOMAXPROCS(0)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				do(i)
			}
		}()
	}
	wg.Wait()
}

// TreeNode is a directory with its state and what is below.
type TreeNode struct {
	Dir      string      `json:"dir"`
	State    []string    `json:"state"`
	Role     string      `json:"role"`
	Children []*TreeNode `json:"children"`
}

// Tree is the map as a tree, each directory with its state.
func (p *Project) Tree(ctx context.Context) (*TreeNode, error) {
	r, err := p.newRun(ctx)
	if err != nil {
		return nil, err
	}
	states, err := r.states(ctx)
	if err != nil {
		return nil, err
	}
	nodes := map[string]*TreeNode{}
	dirs := make([]string, 0, len(r.tree.Dirs))
	for _, d := range r.tree.Dirs {
		dirs = append(dirs, d.Path)
	}
	for dir, state := range states {
		if len(state) == 1 && state[0] == Orphaned && r.tasks[dir] == nil {
			dirs = append(dirs, dir)
		}
	}
	sort.Slice(dirs, func(i, j int) bool {
		return depth(dirs[i]) < depth(dirs[j]) || depth(dirs[i]) == depth(dirs[j]) && dirs[i] < dirs[j]
	})
	for _, dir := range dirs {
		n := &TreeNode{Dir: dir, State: states[dir], Children: []*TreeNode{}}
		if n.State == nil {
			n.State = []string{}
		}
		if rec := p.store.get(dir); rec != nil {
			n.Role = rec.Summary.Role
		}
		nodes[dir] = n
		for up := scan.Parent(dir); up != ""; up = scan.Parent(up) {
			if over := nodes[up]; over != nil {
				over.Children = append(over.Children, n)
				break
			}
		}
	}
	return nodes["."], nil
}
