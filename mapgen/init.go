package mapgen

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync/atomic"
	"time"

	"growbench/mapgen/scan"
)

// Report is what a scan came to.
type Report struct {
	Dirs     int         `json:"dirs"`
	Files    int         `json:"files"`
	Analysed int         `json:"analysed"` // files that were read
	Cached   int         `json:"cached"`   // files known from before
	Changed  int         `json:"changed"`  // directories whose documents changed
	Skipped  []scan.Skip `json:"skipped"`
	Seconds  float64     `json:"seconds"`
	Model    *Model      `json:"model,omitempty"` // when one was asked
	// Behind are files in directories that a model described which it has not
	// described as they are now.
	Behind int `json:"behind,omitempty"`
}

// Init makes the map, or brings all of it up to date. With dirs only those,
// what is below and what is above them. When it is interrupted, the
// directories that were done stay done, and the next Init goes on from there.
func (p *Project) Init(ctx context.Context, dirs []string) (Report, error) {
	return p.full(ctx, dirs, false)
}

// Reinit is Init that trusts nothing it remembers, of the directory and below.
func (p *Project) Reinit(ctx context.Context, dir string) (Report, error) {
	return p.full(ctx, []string{dir}, true)
}

func (p *Project) full(ctx context.Context, dirs []string, again bool) (Report, error) {
	begin := time.Now()
	if err := p.refuseHome(); err != nil {
		return Report{}, err
	}
	defer p.enter("scan", dirs...)()
	if err := p.hide(ctx); err != nil && !forgivable(err) {
		return Report{}, err
	}
	r, err := p.newRun(ctx)
	if err != nil {
		return Report{}, err
	}
	if len(r.tree.Dirs) == 0 {
		return Report{}, fmt.Errorf("map %s: the directory cannot be read", p.root)
	}
	r.out, r.tells = &writer{p: p, skip: r.unwritable}, p.narrator(ctx)
	var changed, written atomic.Int64
	stop := r.report(&written)
	err = r.each(ctx, func(ctx context.Context, t *task) error {
		defer written.Add(1)
		within, above := place(t.dir.Path, dirs)
		if !within && !above {
			t.summary = p.summaryOf(t.dir.Path)
			return nil
		}
		did, err := r.renewTask(ctx, t, again && within)
		if did {
			changed.Add(1)
		}
		return err
	})
	if failed := r.out.flush(ctx); err == nil {
		err = failed
	}
	stop()
	if err == nil {
		err = r.prune(ctx, dirs)
	}
	if err == nil && !p.dry() && (len(dirs) == 0 || len(dirs) == 1 && dirs[0] == ".") {
		err = p.store.scanned(ctx, p.options.Now())
	}
	skipped := append(r.tree.Skipped, r.count.skipped...)
	if r.tells != nil {
		skipped = append(skipped, r.tells.mute...)
	}
	if skipped == nil {
		skipped = []scan.Skip{}
	}
	sort.Slice(skipped, func(i, j int) bool { return skipped[i].Path < skipped[j].Path })
	return Report{Dirs: len(r.tree.Dirs), Files: r.total, Analysed: r.count.analysed, Cached: r.count.cached,
		Changed: int(changed.Load()), Skipped: skipped, Seconds: time.Since(begin).Seconds(), Model: r.tells.report(), Behind: r.count.behind}, halted(err)
}

// place says whether a directory lies in one of those asked for, or above one.
// None asked for are all.
func place(dir string, asked []string) (within, above bool) {
	if len(asked) == 0 {
		return true, false
	}
	for _, a := range asked {
		if a == "." || dir == a || strings.HasPrefix(dir, a+"/") {
			return true, false
		}
		above = above || dir == "." || strings.HasPrefix(a, dir+"/")
	}
	return false, above
}

// renewTask brings one directory up to date.
func (r *run) renewTask(ctx context.Context, t *task, again bool) (changed bool, err error) {
	p, d := r.p, t.dir
	step := func() { r.done.Add(1) }
	p.sweep(ctx, d)
	d.Leftovers = nil
	parts := t.parts()
	old := p.store.get(d.Path)
	if p.leftover(d, parts, old) {
		t.removed = true
		return true, p.forget(ctx, d.Path)
	}
	if !again && p.fresh(d, parts, old, r.res, r.stamp, r.tells) {
		t.summary = old.Summary
		r.add(count{cached: len(d.Files)})
		r.done.Add(int64(len(d.Files)))
		return false, nil
	}
	p.trail.begun(d.Path)
	if again && old != nil {
		old.Version = "" // of what it says only a model's words are taken over
	}
	var marked []string
	if d.Artifacts > 0 {
		if e, err := p.readPair(d.Path); err == nil {
			marked = e.dirty()
		}
	}
	rec, docs, c, err := p.renew(ctx, d, parts, old, r.res, r.tells, step)
	if err != nil {
		return false, err
	}
	rec.Stamp = r.stamp
	t.summary = rec.Summary
	r.add(c)
	changed, err = r.out.add(ctx, rec, docs, marked)
	switch {
	case err == nil:
	case p.vanished(d.Path, err):
		t.removed = true
		return true, nil
	case forgivable(err):
		r.unwritable(d.Path, err)
		err = nil
	}
	return changed, err
}

// vanished says that an error came of a directory that is not there any more.
func (p *Project) vanished(dir string, err error) bool {
	if !gone(err) {
		return false
	}
	_, err = os.Lstat(p.path(dir))
	return gone(err)
}

func (r *run) unwritable(dir string, err error) {
	r.skip(dir, "cannot be written: "+why(err))
}

// prune removes what belongs to directories the map no longer covers.
func (r *run) prune(ctx context.Context, dirs []string) error {
	for _, s := range r.p.store.strangers(r.tree.Dirs) {
		if within, _ := place(s.Dir, dirs); !within || r.unreadable(s.Dir) {
			continue
		}
		if err := r.p.forget(ctx, s.Dir); err != nil && !forgivable(err) {
			return err
		}
	}
	return nil
}

// unreadable says that nobody can tell whether a directory is still there.
func (r *run) unreadable(dir string) bool {
	for _, s := range r.tree.Skipped {
		if strings.HasPrefix(s.Why, "unreadable") && (s.Path == dir || strings.HasPrefix(dir, s.Path+"/")) {
			return true
		}
	}
	return false
}

// report tells Progress about the run until stop is called.
func (r *run) report(written *atomic.Int64) (stop func()) {
	tell := r.p.options.Progress
	if tell == nil {
		return func() {}
	}
	begin := time.Now()
	now := func() {
		done := int(r.done.Load())
		pr := Progress{Done: done, Total: r.total, Dirs: int(written.Load())}
		if took := time.Since(begin).Seconds(); took > 0 && done > 0 {
			pr.Rate = float64(done) / took
			pr.Left = time.Duration(float64(r.total-done) / pr.Rate * float64(time.Second))
		}
		tell(pr)
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				now()
			case <-quit:
				now()
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}

// scanned remembers when the last full scan ended.
func (s *store) scanned(ctx context.Context, at time.Time) error {
	unlock, err := s.lock(ctx, ".")
	if err != nil {
		return err
	}
	defer unlock()
	name := filepath.Join(s.dir, "scanned")
	if err := os.WriteFile(name+".tmp", []byte(at.UTC().Format(time.RFC3339)+"\n"), 0o644); err != nil {
		return fmt.Errorf("remember the scan: %w", err)
	}
	return os.Rename(name+".tmp", name)
}

// LastScan is when the last full scan ended; zero when that is not known.
func (p *Project) LastScan() time.Time {
	text, err := scan.ReadFile(filepath.Join(p.store.dir, "scanned"), 64)
	if err != nil {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
	if err != nil {
		return time.Time{}
	}
	return at
}
