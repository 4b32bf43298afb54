package mapgen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"sort"
	"strings"
	"time"

	"growbench/mapgen/scan"
)

// Mode of a patch: how far up a change is felt.
type Mode string

const (
	Auto       Mode = "auto"
	Small      Mode = "small"      // the directory's pair, and the indexes above
	Structural Mode = "structural" // the directory's pair, and the pairs above
)

// Modes a patch may be asked for.
var Modes = []Mode{Auto, Small, Structural}

// PatchReport is what a patch came to.
type PatchReport struct {
	Dirs    []string `json:"dirs"` // whose documents were regenerated
	Mode    Mode     `json:"mode"` // small or structural
	Seconds float64  `json:"seconds"`
	Model   *Model   `json:"model,omitempty"` // when one was asked
	// Behind is as in Report.
	Behind int `json:"behind,omitempty"`
}

// patch is one patch at work.
type patch struct {
	p       *Project
	mode    Mode
	res     *resolver
	places  *places
	tells   *narrator
	behind  int
	touched map[string]bool
	changed map[string]summary // directories done, and what they now say
	removed map[string]bool
}

// Patch regenerates what changes of these paths (relative to the project)
// touch: each path's directory, and those above it. It reads nothing else.
func (p *Project) Patch(ctx context.Context, paths []string, mode Mode) (PatchReport, error) {
	begin := time.Now()
	if !p.Exists() {
		return PatchReport{}, fmt.Errorf("patch the map of %s: %w", p.root, ErrNoMap)
	}
	defer p.enter("patch", paths...)()
	if err := p.hide(ctx); err != nil && !forgivable(err) {
		return PatchReport{}, err
	}
	dirs := p.dirsOf(paths)
	if slices.ContainsFunc(paths, decidesWhatCounts) {
		return p.patchRules(ctx, dirs, begin)
	}
	t := &places{p: p, dirs: map[string]*scan.Dir{}}
	w := &patch{p: p, mode: mode, res: newResolver(t), places: t, touched: map[string]bool{}, changed: map[string]summary{}, removed: map[string]bool{}}
	w.tells = p.narrator(ctx)
	if mode == Auto || mode == "" {
		w.mode = Small
	}
	if err := w.all(ctx, dirs, mode); err != nil {
		return PatchReport{}, halted(err)
	}
	report := PatchReport{Dirs: []string{}, Mode: w.mode, Model: w.tells.report(), Behind: w.behind}
	for dir := range w.touched {
		report.Dirs = append(report.Dirs, dir)
	}
	sort.Strings(report.Dirs)
	report.Seconds = time.Since(begin).Seconds()
	return report, nil
}

// decidesWhatCounts says that a change of a file may add files to the map and
// take them out of it, anywhere below.
func decidesWhatCounts(file string) bool {
	return path.Base(file) == ".gitignore" || file == ConfigName
}

func (p *Project) patchRules(ctx context.Context, dirs []string, begin time.Time) (PatchReport, error) {
	r, err := p.Init(ctx, dirs)
	if err != nil {
		return PatchReport{}, err
	}
	report := PatchReport{Dirs: withAncestors(dirs), Mode: Structural, Model: r.Model, Behind: r.Behind}
	sort.Strings(report.Dirs)
	report.Seconds = time.Since(begin).Seconds()
	return report, nil
}

// withAncestors are directories and all above them, the deepest first.
func withAncestors(dirs []string) []string {
	var out []string
	for _, dir := range dirs {
		for ; dir != "" && !slices.Contains(out, dir); dir = scan.Parent(dir) {
			out = append(out, dir)
		}
	}
	slices.SortFunc(out, deepestFirst)
	return out
}

// dirsOf are the directories of paths, the deepest first.
func (p *Project) dirsOf(paths []string) []string {
	var dirs []string
	add := func(dir string) {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, name := range paths {
		up := scan.Parent(name)
		if up == "" {
			up = "."
		}
		info, err := os.Lstat(p.path(name))
		isDir := err == nil && info.IsDir()
		if isDir {
			add(name)
		}
		if !isDir || p.knowsFile(up, path.Base(name)) {
			add(up)
		}
	}
	slices.SortFunc(dirs, deepestFirst)
	return dirs
}

// knowsFile says that a directory held a file of this name when it was last
// looked at.
func (p *Project) knowsFile(dir, name string) bool {
	r := p.store.get(dir)
	return r != nil && slices.ContainsFunc(r.Files, func(f fileRecord) bool { return f.Name == name })
}

func deepestFirst(a, b string) int { return cmp.Or(depth(b)-depth(a), strings.Compare(a, b)) }

func depth(dir string) int {
	if dir == "." {
		return 0
	}
	return strings.Count(dir, "/") + 1
}

// look asks what lies in a directory now; nil when the map does not cover it.
func (w *patch) look(ctx context.Context, dir string) (*scan.Dir, error) {
	d := w.again(dir)
	if d == nil {
		tree, err := scan.Look(ctx, w.p.root, []string{dir}, w.known, scan.Options{Ignore: w.p.options.Ignore})
		if err != nil || len(tree.Dirs) == 0 {
			return nil, err
		}
		d = tree.Dirs[0]
	}
	w.places.dirs[dir] = d
	w.res.forgetHome(dir)
	return d, nil
}

// again looks at a directory in which nothing is new; nil when git has to judge.
func (w *patch) again(dir string) *scan.Dir {
	r := w.p.store.get(dir)
	if r == nil || len(r.Files) == 0 {
		return nil
	}
	files := make(map[string]bool, len(r.Files))
	for _, f := range r.Files {
		files[f.Name] = true
	}
	var dirs []string
	var bounds []scan.Boundary
	for _, c := range r.Parts {
		if c.Why == "" {
			dirs = append(dirs, c.Name)
		} else {
			bounds = append(bounds, scan.Boundary{Name: c.Name, Why: c.Why})
		}
	}
	d, ok := scan.Again(w.p.root, dir, files, dirs, bounds)
	if !ok || len(d.Files) == 0 {
		return nil
	}
	return d
}

func (w *patch) known(dir string) []string {
	var names []string
	if r := w.p.store.get(dir); r != nil {
		for _, c := range r.Parts {
			if c.Why == "" {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// all regenerates directories and refreshes those above them. Whatever lies
// below a directory is done before it, so that it tells what they say now.
func (w *patch) all(ctx context.Context, dirs []string, asked Mode) error {
	for _, dir := range withAncestors(dirs) {
		renew := w.refresh
		if slices.Contains(dirs, dir) {
			renew = w.dir
		}
		if w.removed[dir] {
			continue
		}
		if err := renew(ctx, dir, asked); err != nil {
			return err
		}
	}
	return nil
}

// dir regenerates one directory, and those directly below it that are new.
func (w *patch) dir(ctx context.Context, dir string, asked Mode) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.p.trail.begun(dir)
	d, err := w.look(ctx, dir)
	if err != nil {
		return err
	}
	old := w.p.store.get(dir)
	if d == nil {
		return w.gone(ctx, dir, asked)
	}
	w.p.sweep(ctx, d)
	if spokeAnew(d, old) {
		if err := w.mains(ctx, dir, asked); err != nil {
			return err
		}
	}
	parts, err := w.parts(ctx, d, old, asked)
	if err != nil {
		return err
	}
	if w.p.leftover(d, parts, old) {
		return w.gone(ctx, dir, asked)
	}
	e, err := w.p.readPair(dir)
	if err != nil {
		return err
	}
	rec, docs, c, err := w.p.renew(ctx, d, parts, old, w.res, w.tells, func() {})
	if err != nil {
		return err
	}
	if old == nil || structural(old, rec) {
		if asked != Small {
			w.mode = Structural
		}
	} else if !manifestChanged(old, rec) {
		rec.Stamp = old.Stamp // imports lead where they led
	}
	if err := w.p.commit(ctx, rec, docs, e.dirty()); err != nil {
		return fmt.Errorf("patch %s: %w", dir, err)
	}
	w.touched[dir] = true
	w.behind += c.behind
	w.changed[dir] = rec.Summary
	return nil
}

// mains regenerates the directories whose words come from this one, and those
// in between.
func (w *patch) mains(ctx context.Context, dir string, asked Mode) error {
	mains := w.res.mains(dir)
	todo := slices.Clone(mains)
	for _, main := range mains {
		for up := scan.Parent(main); up != dir; up = scan.Parent(up) {
			if !slices.Contains(todo, up) {
				todo = append(todo, up)
			}
		}
	}
	slices.SortFunc(todo, deepestFirst)
	for _, below := range todo {
		renew := w.refresh
		if slices.Contains(mains, below) {
			renew = w.dir
		}
		if err := renew(ctx, below, asked); err != nil {
			return err
		}
	}
	return nil
}

// parts are the directories below; new ones are regenerated first.
func (w *patch) parts(ctx context.Context, d *scan.Dir, old *record, asked Mode) ([]part, error) {
	before := map[string]summary{}
	if old != nil {
		for _, c := range old.Parts {
			if c.Why == "" {
				before[c.Name] = c.Summary
			}
		}
	}
	var out []part
	for _, name := range d.Dirs {
		child := scan.Join(d.Path, name)
		if w.removed[child] {
			continue
		}
		s, done := w.changed[child]
		if !done {
			var known bool
			if s, known = before[name]; !known {
				if old == nil && w.p.hasPairOf(child) {
					s = w.p.summaryOf(child)
				} else {
					if err := w.dir(ctx, child, asked); err != nil {
						return nil, err
					}
					if w.removed[child] {
						continue
					}
					s = w.changed[child]
				}
			}
		}
		out = append(out, part{Name: name, Summary: s})
	}
	for _, b := range d.Boundaries {
		out = append(out, part{Name: b.Name, Why: b.Why})
	}
	sortParts(out)
	return out, nil
}

func (p *Project) hasPair(dir string) bool {
	for _, rel := range []string{mapPath(dir), indexPath(dir)} {
		if _, err := os.Lstat(p.path(rel)); err != nil {
			return false
		}
	}
	return true
}

// hasPairOf says that a directory has a pair that was made for it: one that was
// moved brought along what was made for another.
func (p *Project) hasPairOf(dir string) bool {
	e, err := p.readPair(dir)
	return err == nil && e.m != nil && e.x != nil && e.m.Dir == dir && e.x.Dir == dir
}

// gone takes a directory the map does not cover any more out of it.
func (w *patch) gone(ctx context.Context, dir string, asked Mode) error {
	if err := w.p.forget(ctx, dir); err != nil && !gone(err) {
		return err
	}
	w.removed[dir] = true
	if asked != Small {
		w.mode = Structural
	}
	up := scan.Parent(dir)
	if up == "" {
		return errors.New("the project's own directory cannot be read")
	}
	if _, done := w.changed[up]; done {
		return nil
	}
	if d, err := w.look(ctx, up); err != nil {
		return err
	} else if d == nil {
		return w.gone(ctx, up, asked)
	}
	w.touched[up] = true // handled on the way up
	return nil
}
