package mapgen

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"

	"growbench/mapgen/scan"
)

// Validation is the answer of a full check.
type Validation struct {
	OK        bool           `json:"ok"` // nothing is wrong, or nothing is left after a fix
	Findings  []Finding      `json:"findings"`
	Counts    map[string]int `json:"counts"` // of every kind
	Recommend string         `json:"recommend"`
}

// What a validation recommends.
const (
	RecommendNone   = "none"
	RecommendPatch  = "patch"
	RecommendReinit = "reinit"
)

// Validate works out what the whole map should say and names each difference.
// With fix it also mends what can be mended; a finding that is left says so.
func (p *Project) Validate(ctx context.Context, fix bool) (Validation, error) {
	if fix {
		defer p.enter("mend")()
	}
	found, err := p.check(ctx)
	if err != nil {
		return Validation{}, err
	}
	v := p.validation(found)
	if !fix || v.OK {
		return v, nil
	}
	if err := p.mend(ctx, found); err != nil || p.dry() {
		return v, err
	}
	left, err := p.check(ctx)
	if err != nil {
		return v, err
	}
	for i, f := range v.Findings {
		if slices.ContainsFunc(left, func(l Finding) bool {
			return l.Kind == f.Kind && l.Dir == f.Dir && l.File == f.File && l.Detail == f.Detail
		}) {
			continue
		}
		v.Findings[i].Fix = "done"
	}
	v.OK = len(left) == 0
	v.Recommend = p.validation(left).Recommend
	return v, nil
}

func (p *Project) validation(found []Finding) Validation {
	v := Validation{OK: len(found) == 0, Findings: found, Counts: map[string]int{}, Recommend: RecommendNone}
	if v.Findings == nil {
		v.Findings = []Finding{}
	}
	for _, k := range Kinds {
		v.Counts[k] = 0
	}
	dirs := map[string]bool{}
	for _, f := range found {
		v.Counts[f.Kind]++
		if f.Kind != KindUnreadable {
			dirs[f.Dir] = true
		}
	}
	v.Recommend = p.Recommend(len(dirs))
	return v
}

// Recommend says what to do about a number of directories that are not clean.
func (p *Project) Recommend(dirs int) string {
	switch {
	case dirs == 0:
		return RecommendNone
	case dirs > p.options.DirtyThreshold:
		return RecommendReinit
	}
	return RecommendPatch
}

// check finds everything that is wrong.
func (p *Project) check(ctx context.Context) ([]Finding, error) {
	r, err := p.newRun(ctx)
	if err != nil {
		return nil, err
	}
	stop := r.report(&r.done)
	expected, err := r.expect(ctx)
	stop()
	if err != nil {
		return nil, err
	}
	per := make([][]Finding, len(r.tree.Dirs))
	parallel(len(r.tree.Dirs), func(i int) {
		d := r.tree.Dirs[i]
		want, ok := expected[d.Path]
		if !ok {
			per[i] = []Finding{{Kind: KindOrphaned, Dir: d.Path, Detail: "nothing is left in the directory but its map", Fix: "growbench map validate --fix"}}
			return
		}
		if per[i] = p.checkDir(d, want); len(per[i]) == 0 {
			per[i] = p.outdated(d, r.res)
		}
	})
	var out []Finding
	for _, f := range per {
		out = append(out, f...)
	}
	for _, s := range p.store.strangers(r.tree.Dirs) {
		if !r.unreadable(s.Dir) && p.anyDocument(s.Dir) {
			out = append(out, Finding{Kind: KindOrphaned, Dir: s.Dir, Detail: "the map does not cover the directory", Fix: "growbench map validate --fix"})
		}
	}
	out = append(out, unreadable(r)...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Dir < out[j].Dir })
	return out, ctx.Err()
}

func (p *Project) checkDir(d *scan.Dir, want expectation) []Finding {
	if want.fresh {
		return nil
	}
	e, err := p.readPair(d.Path)
	if err != nil {
		kind := KindFormat
		if !errors.Is(err, errLeadsOut) && !errors.Is(err, scan.ErrNotRegular) {
			kind = KindUnreadable
		}
		return []Finding{{Kind: kind, Dir: d.Path, Detail: err.Error(), Fix: "remove what stands in the place of the map"}}
	}
	if d.Artifacts == 0 && e.rawMap == nil && e.rawIndex == nil {
		// A broken link is neither counted nor read.
		return []Finding{{Kind: KindMissing, Dir: d.Path, Detail: "the directory has no map", Fix: "growbench map patch " + quote(d.Path)}}
	}
	j := judge{dir: d.Path, e: e, want: want}
	return j.compare()
}

// outdated finds what was described before it changed, even where the same
// would be said of it today: nothing that Status names passes a full check.
func (p *Project) outdated(d *scan.Dir, res *resolver) []Finding {
	rec := p.store.get(d.Path)
	state, _ := p.state(d, rec, res, func(name string) *record { return p.store.get(scan.Join(d.Path, name)) })
	if len(state) == 0 {
		return nil
	}
	var out []Finding
	for _, name := range p.filesChanged(d, rec) {
		if name != "" {
			out = append(out, Finding{Kind: KindStale, Dir: d.Path, File: name, Detail: "was changed since it was described", Fix: "growbench map patch " + quote(scan.Join(d.Path, name))})
		}
	}
	if len(out) == 0 && rec.Above != res.above(d) {
		out = []Finding{{Kind: KindStale, Dir: d.Path, Detail: whyAbove, Fix: "growbench map patch " + quote(d.Path)}}
	}
	if len(out) == 0 {
		out = []Finding{{Kind: state[0], Dir: d.Path, Detail: "was described before what is in it changed", Fix: "growbench map patch " + quote(d.Path)}}
	}
	return out
}

// unreadable are the files and directories nobody could look into.
func unreadable(r *run) []Finding {
	var out []Finding
	for _, s := range append(slices.Clone(r.tree.Skipped), r.count.skipped...) {
		if !strings.HasPrefix(s.Why, "unreadable") {
			continue
		}
		f := Finding{Kind: KindUnreadable, Dir: s.Path, Detail: s.Why, Fix: "make it readable, or ignore it (.gitignore, or \"ignore\" in .pi-project-map.json)"}
		if r.tasks[s.Path] == nil && !isBoundary(r, s.Path) {
			f.Dir, f.File = scan.Parent(s.Path), s.Path[strings.LastIndexByte(s.Path, '/')+1:]
		}
		out = append(out, f)
	}
	return out
}

func isBoundary(r *run, dir string) bool {
	t := r.tasks[scan.Parent(dir)]
	return t != nil && slices.ContainsFunc(t.dir.Boundaries, func(b scan.Boundary) bool { return scan.Join(t.dir.Path, b.Name) == dir })
}

// mend regenerates the directories of findings, and those above them.
func (p *Project) mend(ctx context.Context, found []Finding) error {
	var dirs []string
	for _, f := range found {
		if f.Kind == KindUnreadable {
			continue
		}
		if !slices.Contains(dirs, f.Dir) {
			dirs = append(dirs, f.Dir)
		}
		p.clearWay(ctx, f)
	}
	if len(dirs) == 0 {
		return nil
	}
	for _, d := range dirs {
		if p.dry() {
			break
		}
		// What is remembered of a directory with findings is not trusted to say
		// that nothing changed.
		if rec := p.store.get(d); rec != nil {
			if err := p.distrust(ctx, rec); err != nil {
				return err
			}
		}
	}
	_, err := p.Init(ctx, nil)
	return err
}

// distrust makes the next scan look at a directory's documents.
func (p *Project) distrust(ctx context.Context, r *record) error {
	unlock, err := p.store.lock(ctx, r.Dir)
	if err != nil {
		return err
	}
	defer unlock()
	r.Map, r.Index = docRecord{}, docRecord{}
	return p.store.put(r)
}

// clearWay removes a pair that belongs to nothing: the scan would not come by.
func (p *Project) clearWay(ctx context.Context, f Finding) {
	if f.Kind == KindOrphaned && f.File == "" && p.store.get(f.Dir) == nil {
		p.forget(ctx, f.Dir) // an error shows as a finding that is left
	}
}
