package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// node is a directory on its way through the walk.
type node struct {
	path   string
	known  []string // children taken for covered
	inJunk bool     // below a junk name: only what is tracked counts
	dir    *Dir
	asks   []question
	skips  []Skip
	gone   bool
}

// question is an entry git has to judge.
type question struct {
	name string
	file *File // nil: a directory
	stop string
}

type walker struct {
	ctx    context.Context
	root   string
	repo   repo
	judge  *judge
	extra  *judge // judges by Options.Ignore alone
	full   bool   // every level is walked
	dirs   []*Dir
	skips  []Skip
	files  map[string]bool // tracked files
	above  map[string]bool // directories with tracked files somewhere below
	module map[string]bool // submodules
	spare  repo
}

func newWalker(ctx context.Context, root string, o Options) (*walker, error) {
	info, err := os.Stat(root)
	if err != nil {
		return nil, fmt.Errorf("scan %s: %w", root, bare(err))
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("scan %s: not a directory", root)
	}
	r, err := openRepo(root)
	if err != nil {
		return nil, err
	}
	w := &walker{ctx: ctx, root: root, repo: r, judge: newJudge(ctx, r),
		files: map[string]bool{}, above: map[string]bool{}, module: map[string]bool{}}
	if len(o.Ignore) > 0 {
		if err := w.addIgnore(o.Ignore); err != nil {
			w.close()
			return nil, err
		}
	}
	return w, nil
}

// addIgnore starts a second judge that knows the project's extra patterns.
func (w *walker) addIgnore(patterns []string) error {
	w.spare = repo{root: w.root}
	if err := w.spare.makeEmpty(); err != nil {
		return err
	}
	file := filepath.Join(w.spare.empty, "info", "exclude")
	if err := os.WriteFile(file, []byte(strings.Join(patterns, "\n")+"\n"), 0o600); err != nil {
		return fmt.Errorf("write ignore patterns: %w", err)
	}
	w.extra = newJudge(w.ctx, w.spare)
	w.extra.source = file
	return nil
}

func (w *walker) close() {
	w.judge.close()
	if w.extra != nil {
		w.extra.close()
	}
	w.repo.close()
	w.spare.close()
}

// loadIndex reads what git tracks. A directory called .git that git does not
// take for a repository makes the project one without.
func (w *walker) loadIndex(specs []string) error {
	entries, err := w.repo.index(w.ctx, specs)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.submodule {
			w.module[e.path] = true
		} else {
			w.files[e.path] = true
		}
		for dir := e.path; ; {
			at := strings.LastIndexByte(dir, '/')
			if at < 0 || w.above[dir[:at]] {
				break
			}
			dir = dir[:at]
			w.above[dir] = true
		}
	}
	return nil
}

// walk reads directories level by level, so that git is asked in batches.
func (w *walker) walk(level []*node, descend bool) error {
	w.full = descend
	for len(level) > 0 {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		w.readAll(level)
		next, err := w.decide(level)
		if err != nil {
			return err
		}
		if !descend {
			return nil
		}
		level = next
	}
	return nil
}

func (w *walker) readAll(level []*node) {
	var wg sync.WaitGroup
	work := make(chan *node)
	for range min(runtime.GOMAXPROCS(0)*2, len(level)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := range work {
				w.read(n)
			}
		}()
	}
	for _, n := range level {
		work <- n
	}
	close(work)
	wg.Wait()
}

// read sorts a directory's entries into what is certain and what git must say.
func (w *walker) read(n *node) {
	full := filepath.Join(w.root, filepath.FromSlash(n.path))
	n.dir = &Dir{Path: n.path}
	entries, err := readDir(full)
	if err != nil {
		n.gone = true
		if !errors.Is(err, fs.ErrNotExist) {
			n.skips = append(n.skips, Skip{n.path, "unreadable: " + bare(err).Error()})
		}
		if len(entries) == 0 {
			return
		}
	}
	for _, e := range entries {
		w.sort(n, full, e)
	}
}

func readDir(full string) ([]fs.DirEntry, error) {
	f, err := os.OpenFile(full, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

func (w *walker) sort(n *node, full string, e fs.DirEntry) {
	name := e.Name()
	path := Join(n.path, name)
	switch {
	case name == ".git":
		return
	case Ours(name):
		if name == MapName || name == IndexName {
			n.dir.Artifacts++
		} else if strings.HasPrefix(name, TempPrefix) {
			n.dir.Leftovers = append(n.dir.Leftovers, name)
		}
		return
	case e.IsDir():
		w.sortDir(n, full, path, name)
		return
	case !e.Type().IsRegular() && e.Type()&fs.ModeSymlink == 0:
		n.skips = append(n.skips, Skip{path, "not a regular file: " + kindOf(e.Type())})
		if name == ".gitignore" && e.Type()&fs.ModeNamedPipe != 0 {
			w.judge.namedPipe(filepath.Join(full, name))
			if w.extra != nil {
				w.extra.namedPipe(filepath.Join(full, name))
			}
		}
		return
	}
	tracked := w.files[path]
	if !tracked && n.inJunk {
		return
	}
	info, err := e.Info()
	if err != nil {
		return // it vanished
	}
	f := File{Name: name, Size: info.Size(), ModTime: info.ModTime().UnixNano(), Change: ChangeTime(info),
		Link: info.Mode()&fs.ModeSymlink != 0, Tracked: tracked}
	if tracked && w.extra == nil {
		n.dir.Files = append(n.dir.Files, f)
		return
	}
	q := question{name: name, file: &f}
	if !tracked && junk[name] {
		q.stop = "junk list"
	}
	n.asks = append(n.asks, q)
}

func (w *walker) sortDir(n *node, full, path, name string) {
	switch {
	case w.module[path]:
		n.dir.Boundaries = append(n.dir.Boundaries, Boundary{name, "submodule"})
		return
	case w.above[path] && w.extra == nil, contains(n.known, name):
		n.dir.Dirs = append(n.dir.Dirs, name)
		return
	case n.inJunk && !w.above[path]:
		return
	}
	q := question{name: name}
	if !w.above[path] {
		if junk[name] {
			q.stop = "junk list"
		} else if isRepository(filepath.Join(full, name, ".git")) {
			q.stop = "nested repository"
		}
	}
	n.asks = append(n.asks, q)
}

// decide asks git about a level and returns the directories of the next one.
func (w *walker) decide(level []*node) ([]*node, error) {
	var paths []string
	for _, n := range level {
		for _, q := range n.asks {
			paths = append(paths, Join(n.path, q.name))
		}
	}
	hidden, err := w.hidden(paths)
	if err != nil {
		return nil, err
	}
	var next []*node
	at := 0
	for _, n := range level {
		for _, q := range n.asks {
			if !hidden[at] {
				w.keep(n, q, paths[at])
			}
			at++
		}
		w.skips = append(w.skips, n.skips...)
		if n.gone && len(n.dir.Files)+len(n.dir.Dirs) == 0 {
			continue
		}
		w.dirs = append(w.dirs, n.dir)
		for _, name := range n.dir.Dirs {
			child := Join(n.path, name)
			next = append(next, &node{path: child, inJunk: n.inJunk || junk[name]})
		}
	}
	return next, nil
}

func (w *walker) keep(n *node, q question, path string) {
	switch {
	case q.stop == "nested repository":
		n.dir.Boundaries = append(n.dir.Boundaries, Boundary{q.name, q.stop})
	case q.stop != "":
		n.skips = append(n.skips, Skip{path, q.stop})
	case q.file != nil:
		n.dir.Files = append(n.dir.Files, *q.file)
	default:
		n.dir.Dirs = append(n.dir.Dirs, q.name)
	}
}

// hidden says of each path whether git's rules (unless it is tracked) or the
// project's extra patterns hide it.
func (w *walker) hidden(paths []string) ([]bool, error) {
	verdicts := make([]bool, len(paths))
	var ask []string
	var at []int
	for i, p := range paths {
		if !w.files[p] && !w.above[p] {
			ask, at = append(ask, p), append(at, i)
		}
	}
	answers, err := w.judge.ignored(ask)
	if err != nil {
		return nil, err
	}
	for i, ignored := range answers {
		verdicts[at[i]] = ignored
	}
	if w.extra == nil {
		return verdicts, nil
	}
	answers, err = w.extra.ignored(paths)
	for i, ignored := range answers {
		verdicts[i] = verdicts[i] || ignored
	}
	return verdicts, err
}

// tree puts the result in order. A directory that could not be entered is a
// boundary of the one above.
func (w *walker) tree() *Tree {
	t := &Tree{Root: w.root, Repo: w.repo.own, Dirs: w.dirs, Skipped: w.skips}
	here := make(map[string]*Dir, len(w.dirs))
	for _, d := range w.dirs {
		here[d.Path] = d
	}
	unreadable := map[string]bool{}
	for _, s := range w.skips {
		if strings.HasPrefix(s.Why, "unreadable") {
			unreadable[s.Path] = true
		}
	}
	for _, d := range w.dirs {
		kept := d.Dirs[:0]
		for _, name := range d.Dirs {
			child := Join(d.Path, name)
			switch {
			case unreadable[child] && here[child] == nil:
				d.Boundaries = append(d.Boundaries, Boundary{name, "unreadable"})
			case w.full && here[child] == nil: // it vanished
			default:
				kept = append(kept, name)
			}
		}
		d.Dirs = kept
	}
	t.sort()
	return t
}

func contains(list []string, name string) bool {
	for _, s := range list {
		if s == name {
			return true
		}
	}
	return false
}

func kindOf(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

// bare is an error of the file system without the path, which the caller names.
func bare(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
