package mapgen

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
)

// task is one directory in a piece of work on the whole tree. A directory is
// handled after those below it, since it tells what they are for.
type task struct {
	dir     *scan.Dir
	up      *task
	below   []*task
	waiting atomic.Int32

	summary summary
	removed bool // what was left of it is gone
}

// run is a piece of work on the whole tree.
type run struct {
	p     *Project
	tree  *scan.Tree
	tasks map[string]*task
	res   *resolver
	stamp string
	out   *writer   // of a run that writes
	tells *narrator // of one that asks a model
	total int
	done  atomic.Int64
	mu    sync.Mutex
	count count
}

func (p *Project) newRun(ctx context.Context) (*run, error) {
	tree, err := p.scan(ctx)
	if err != nil {
		return nil, err
	}
	r := &run{p: p, tree: tree, tasks: make(map[string]*task, len(tree.Dirs))}
	dirs := make(map[string]*scan.Dir, len(tree.Dirs))
	for _, d := range tree.Dirs {
		dirs[d.Path] = d
		r.tasks[d.Path] = &task{dir: d}
		r.total += len(d.Files)
	}
	for _, t := range r.tasks {
		for _, name := range t.dir.Dirs {
			if below := r.tasks[scan.Join(t.dir.Path, name)]; below != nil {
				below.up = t
				t.below = append(t.below, below)
			}
		}
		t.waiting.Store(int32(len(t.below)))
	}
	r.res = newResolver(&places{p: p, dirs: inhabited(tree, dirs), all: true})
	r.stamp = stampOf(tree)
	return r, nil
}

// inhabited leaves out directories without a file anywhere below: no import
// leads there, and they may be leftovers that are about to go.
func inhabited(tree *scan.Tree, dirs map[string]*scan.Dir) map[string]*scan.Dir {
	full := make(map[string]bool, len(dirs))
	for _, d := range tree.Dirs {
		if len(d.Files) == 0 {
			continue
		}
		for dir := d.Path; dir != "" && !full[dir]; dir = scan.Parent(dir) {
			full[dir] = true
		}
	}
	out := make(map[string]*scan.Dir, len(full))
	for path, d := range dirs {
		if !full[path] {
			continue
		}
		kept := *d
		kept.Dirs = nil
		for _, name := range d.Dirs {
			if full[scan.Join(path, name)] {
				kept.Dirs = append(kept.Dirs, name)
			}
		}
		out[path] = &kept
	}
	return out
}

// stampOf is a hash of what decides where imports lead: which sources there
// are, and the manifests.
func stampOf(tree *scan.Tree) string {
	h := sha256.New()
	var b []byte
	for _, d := range tree.Dirs {
		for _, f := range d.Files {
			m := manifest(f.Name)
			if !m && symbols.Language(f.Name, nil) == "" {
				continue
			}
			b = append(append(append(b[:0], d.Path...), '/'), f.Name...)
			if m {
				b = binary.AppendVarint(append(b, 0), f.Size)
				b = binary.AppendVarint(b, f.ModTime)
				b = binary.AppendVarint(b, f.Change)
			}
			h.Write(append(b, 0))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

func manifest(name string) bool {
	switch name {
	case "go.mod", "go.work", "package.json", "jsconfig.json", "Cargo.toml", "pyproject.toml", "setup.cfg", "setup.py",
		"composer.json", "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "Gemfile":
		return true
	}
	ext := path.Ext(name)
	return ext == ".csproj" || ext == ".sln" || ext == ".gemspec" || ext == ".json" && strings.HasPrefix(name, "tsconfig")
}

// workers handle directories side by side; many more than processors, because
// most of them wait for the disk, which serves many at once as fast as one.
// What they hold in memory is bounded by the gate.
const workers = 16

// each handles every directory, those below first. The first error ends it;
// directories at work are finished.
func (r *run) each(ctx context.Context, do func(context.Context, *task) error) error {
	ready := make(chan *task, len(r.tasks))
	var left atomic.Int64
	left.Store(int64(len(r.tasks)))
	for _, d := range r.tree.Dirs {
		if t := r.tasks[d.Path]; t.waiting.Load() == 0 {
			ready <- t
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for range min(r.tells.workers(), len(r.tasks)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				select {
				case <-ctx.Done():
					return
				case t, more := <-ready:
					if !more || ctx.Err() != nil {
						return
					}
					if err := do(ctx, t); err != nil {
						cancel(err)
						return
					}
					if t.up != nil && t.up.waiting.Add(-1) == 0 {
						ready <- t.up
					}
					if left.Add(-1) == 0 {
						close(ready)
					}
				}
			}
		}()
	}
	wg.Wait()
	if left.Load() == 0 {
		return nil
	}
	return context.Cause(ctx)
}

// parts are the directories below a task, as its record lists them.
func (t *task) parts() []part {
	removed := map[string]bool{}
	sums := map[string]summary{}
	for _, b := range t.below {
		removed[path.Base(b.dir.Path)] = b.removed
		sums[path.Base(b.dir.Path)] = b.summary
	}
	var out []part
	for _, name := range t.dir.Dirs {
		if !removed[name] {
			out = append(out, part{Name: name, Summary: sums[name]})
		}
	}
	for _, b := range t.dir.Boundaries {
		out = append(out, part{Name: b.Name, Why: b.Why})
	}
	sortParts(out)
	return out
}

// leftover says that a directory is only still there because our documents
// are: what they list is gone.
func (p *Project) leftover(d *scan.Dir, parts []part, old *record) bool {
	if d.Path == "." || len(d.Files) > 0 || len(parts) > 0 || d.Artifacts == 0 || !p.holdsOnlyOurs(d) {
		return false
	}
	if old != nil {
		return len(old.Files)+len(old.Parts) > 0
	}
	e, err := p.readPair(d.Path)
	if err != nil {
		return false
	}
	return e.m != nil && len(e.m.Files) > 0 || e.x != nil && len(e.x.Children) > 0
}

// holdsOnlyOurs says that nothing but our documents and the directories that
// the map covers lies in a directory: what git ignores keeps it where it is.
func (p *Project) holdsOnlyOurs(d *scan.Dir) bool {
	entries, err := os.ReadDir(p.path(d.Path))
	return err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return !scan.Ours(e.Name()) && !slices.Contains(d.Dirs, e.Name())
	})
}

// fresh says that nothing about a directory changed since its record was made.
func (p *Project) fresh(d *scan.Dir, parts []part, old *record, res *resolver, stamp string, n *narrator) bool {
	if old == nil || !n.settled(old) || p.options.Offline && old.Spoken || old.Version != p.version() || old.Stamp != stamp || len(old.Files) != len(d.Files) || len(d.Leftovers) > 0 {
		return false
	}
	for i, f := range d.Files {
		if old.Files[i].Name != f.Name || !old.Files[i].unchanged(f, old.At) {
			return false
		}
	}
	return old.Clean && sameParts(old.Parts, parts) && old.Above == res.above(d) && p.documentsUntouched(old)
}

func (p *Project) documentsUntouched(old *record) bool {
	return old.Map.same(p.docState(mapPath(old.Dir), [32]byte{})) && old.Index.same(p.docState(indexPath(old.Dir), [32]byte{}))
}

// renew works out what a directory's record and documents should be.
func (p *Project) renew(ctx context.Context, d *scan.Dir, parts []part, old *record, res *resolver, n *narrator, step func()) (*record, pair, count, error) {
	at := time.Now().UnixNano()
	read := step
	if n != nil {
		read = func() {} // a file is done when it is described
	}
	a, err := p.analyse(ctx, d, old, read)
	if err != nil {
		return nil, pair{}, count{}, err
	}
	r := &record{Version: p.version(), Dir: d.Path, At: at, Files: a.files, Known: a.known, Parts: parts, Above: res.above(d)}
	for i := range r.Known {
		res.resolve(scan.Join(d.Path, d.Files[i].Name), &r.Known[i])
	}
	p.remind(r, old, d.Artifacts == 2)
	if err := n.describe(ctx, r, step); err != nil {
		return nil, pair{}, count{}, err
	}
	for i := range r.Known {
		r.Known[i].Inferred = res.infer(scan.Join(d.Path, d.Files[i].Name), &r.Known[i])
	}
	a.count.behind = behind(r)
	return r, p.compose(r), a.count, nil
}

// forgivable are errors that cost one directory, not the run.
func forgivable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, errLeadsOut) || errors.Is(err, scan.ErrNotRegular) || errors.Is(err, syscall.EROFS)
}

func (r *run) skip(path, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count.skipped = append(r.count.skipped, scan.Skip{Path: path, Why: why})
}

func (r *run) add(c count) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count.analysed += c.analysed
	r.count.cached += c.cached
	r.count.behind += c.behind
	r.count.skipped = append(r.count.skipped, c.skipped...)
}
