package engine

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"growbench/engine/ledger"
	"growbench/engine/workspace"
	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
	"growbench/mapgen/tokens"
)

// Bounds of the search for users of what one Worker broke.
const (
	maxSearched = 40      // entries
	maxNaming   = 2000    // files that hold one of the names
	maxUsers    = 150     // files that are read closely
	maxUserFile = 1 << 20 // bytes
	maxPlaces   = 20      // an entry lists, and files that pass a symbol on
)

// unowned fills in who uses what Worker k broke and is owned by no task after
// it, and which tasks rely on it through a file that passes it on. It looks at
// the commit k left.
func (o *owner) unowned(ctx context.Context, k int, entries []ledger.Entry, touched []string) (notes []string, err error) {
	var broken []*ledger.Entry
	var changes []*ledger.Change
	for i := range entries {
		e := &entries[i]
		if e.Seen == nil || len(broken) == maxSearched {
			continue
		}
		if _, ok := e.Seen.Broken(); ok {
			broken, changes = append(broken, e), append(changes, e.Seen)
		}
	}
	if len(broken) == 0 {
		return nil, nil
	}
	s := search{owner: o, k: k}
	trails, err := ledger.Trace(changes, func(words, endings []string, closer func(path, text string) bool) ([]ledger.Version, error) {
		return s.read(ctx, words, endings, closer)
	})
	if err != nil {
		return nil, err
	}
	for i, e := range broken {
		o.fill(e, k, trails[i], touched)
	}
	if s.short {
		notes = append(notes, "too many files hold a name that was broken: not all of them were searched for users")
	}
	return notes, nil
}

// codeWords is the vocabulary of a clone's code, of which nothing is read yet.
func codeWords(tree *workspace.Tree) *workspace.Vocabulary {
	var endings []string
	all, _ := symbols.Languages()
	for _, language := range all {
		if tokens.Known(language) {
			endings = append(endings, symbols.Endings(language)...)
		}
	}
	slices.Sort(endings)
	return workspace.NewVocabulary(tree, slices.Compact(endings), maxUserFile)
}

// ownedLater tells whether a task after k has path among its targets.
func (o *owner) ownedLater(k int, path string) bool {
	for _, t := range o.state.Plan.Tasks.Tasks[min(k, o.state.Plan.N):] {
		if (workspace.Scope{Targets: t.TargetFiles}).Allows(path) {
			return true
		}
	}
	return false
}

// search reads files of the commit that Worker k left.
type search struct {
	owner *owner
	k     int
	short bool // not all that should have been was read
}

// read is a ledger.Reader.
func (s *search) read(ctx context.Context, words, endings []string, closer func(path, text string) bool) ([]ledger.Version, error) {
	o, w := s.owner, s.owner.state.Worker(s.k)
	treeish := w.Commit
	if w.Outside.Ref == "" {
		treeish = w.Tree // the same files, and perhaps known already
	}
	files, more, err := o.words.Holding(ctx, treeish, o.at == w.Commit, words, endings, maxNaming)
	if err != nil {
		return nil, err
	}
	s.short = s.short || more
	files = slices.DeleteFunc(files, func(name string) bool { return scan.Ours(filepath.Base(name)) })
	texts, err := o.tree.ContentsAt(ctx, w.Commit, files, maxUserFile)
	if err != nil {
		return nil, err
	}
	var batch []symbols.Source
	for _, path := range files {
		content, ok := texts[path]
		text := string(content)
		if !ok || !closer(path, text) || o.ownedLater(s.k, path) && !ledger.MayPassOn(path, text) {
			continue
		}
		if len(batch) == maxUsers {
			s.short = true
			break
		}
		batch = append(batch, symbols.Source{Path: path, Content: content})
	}
	if len(batch) == 0 {
		return nil, nil
	}
	code, err := o.Symbols.Extract(ctx, batch)
	if err != nil {
		return nil, fmt.Errorf("read what imports what: %w", err)
	}
	root, err := os.OpenRoot(o.tree.Root())
	if err != nil {
		return nil, fmt.Errorf("look at the run's clone: %w", err)
	}
	defer root.Close()
	resolver := symbols.NewResolver(clone{root})
	users := make([]ledger.Version, len(code))
	for i := range code {
		resolver.Resolve(&code[i])
		users[i] = ledger.Version{Text: string(batch[i].Content), Code: code[i]}
	}
	return users, nil
}

// fill lists the places of one entry, the certain ones first, and the tasks
// that rely on it.
func (o *owner) fill(e *ledger.Entry, k int, trail ledger.Trail, touched []string) {
	for _, p := range trail.Places {
		if o.ownedLater(k, p.Path) || e.Seen.Settled() && slices.Contains(touched, p.Path) {
			continue
		}
		list := &e.Possible
		if p.Certain {
			list = &e.Unowned
		}
		*list = append(*list, fmt.Sprintf("%s:%d", p.Path, p.Line))
	}
	certain := min(len(e.Unowned), maxPlaces)
	possible := min(len(e.Possible), maxPlaces-certain)
	e.More = len(e.Unowned) - certain + len(e.Possible) - possible
	e.Unowned, e.Possible = e.Unowned[:certain], e.Possible[:possible]
	if len(trail.Through) > 0 {
		e.Through = trail.Through[:min(len(trail.Through), maxPlaces)]
		e.Affect(o.state.Plan.Tasks)
	}
}

// clone answers the resolver of imports. Whatever an agent left in the clone's
// place, nothing outside it is read, and nothing is waited for.
type clone struct{ root *os.Root }

func (c clone) open(name string) (*os.File, error) {
	return c.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

func (c clone) List(dir string) []string {
	f, err := c.open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(-1)
	var names []string
	for _, e := range entries {
		switch {
		case e.Name() == ".git" || scan.Ours(e.Name()):
		case e.IsDir():
			names = append(names, e.Name()+"/")
		default:
			names = append(names, e.Name())
		}
	}
	return names
}

const maxManifest = 1 << 20

func (c clone) Read(path string) ([]byte, error) {
	f, err := c.open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxManifest {
		return nil, fmt.Errorf("read %s: not a manifest", path)
	}
	return io.ReadAll(io.LimitReader(f, maxManifest))
}
