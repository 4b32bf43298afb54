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
	maxPlaces   = 20      // an entry lists
)

// unowned fills in who uses what Worker k broke and is owned by no task after
// it. It looks at the commit k left.
func (o *owner) unowned(ctx context.Context, k int, entries []ledger.Entry, touched []string) (notes []string, err error) {
	var broken []*ledger.Entry
	var words, endings []string
	for i := range entries {
		e := &entries[i]
		if e.Seen == nil || len(broken) == maxSearched {
			continue
		}
		word, ok := e.Seen.Broken()
		if !ok {
			continue
		}
		broken = append(broken, e)
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
		for _, ending := range symbols.Endings(e.Seen.Language) {
			if !slices.Contains(endings, ending) {
				endings = append(endings, ending)
			}
		}
	}
	if len(broken) == 0 {
		return nil, nil
	}
	w := o.state.Worker(k)
	treeish := w.Commit
	if w.Outside.Ref == "" {
		treeish = w.Tree // the same files, and perhaps known already
	}
	files, more, err := o.words.Holding(ctx, treeish, o.at == w.Commit, words, endings, maxNaming)
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(path string) bool { return o.ownedLater(k, path) || scan.Ours(filepath.Base(path)) })
	users, skipped, err := o.usersAmong(ctx, w.Commit, files, broken)
	if err != nil {
		return nil, err
	}
	for _, e := range broken {
		fill(e, users, touched)
	}
	if more || skipped > 0 {
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

// usersAmong reads the files that can have to do with what was broken, and
// resolves their imports.
func (o *owner) usersAmong(ctx context.Context, commit string, files []string, broken []*ledger.Entry) (users []ledger.Version, skipped int, err error) {
	texts, err := o.tree.ContentsAt(ctx, commit, files, maxUserFile)
	if err != nil {
		return nil, 0, err
	}
	var batch []symbols.Source
	for _, path := range files {
		content, ok := texts[path]
		text := string(content)
		if !ok || !slices.ContainsFunc(broken, func(e *ledger.Entry) bool { return e.Seen.Near(path, text) }) {
			continue
		}
		if len(batch) == maxUsers {
			skipped++
			continue
		}
		batch = append(batch, symbols.Source{Path: path, Content: content})
	}
	if len(batch) == 0 {
		return nil, skipped, nil
	}
	code, err := o.Symbols.Extract(ctx, batch)
	if err != nil {
		return nil, 0, fmt.Errorf("read what imports what: %w", err)
	}
	root, err := os.OpenRoot(o.tree.Root())
	if err != nil {
		return nil, 0, fmt.Errorf("look at the run's clone: %w", err)
	}
	defer root.Close()
	resolver := symbols.NewResolver(clone{root})
	for i := range code {
		resolver.Resolve(&code[i])
		users = append(users, ledger.Version{Text: string(batch[i].Content), Code: code[i]})
	}
	return users, skipped, nil
}

// fill lists the places of one entry, the certain ones first.
func fill(e *ledger.Entry, users []ledger.Version, touched []string) {
	for _, u := range users {
		path := u.Code.Path
		if e.Seen.Settled() && slices.Contains(touched, path) {
			continue
		}
		for _, use := range e.Seen.Uses(u) {
			list := &e.Possible
			if use.Certain {
				list = &e.Unowned
			}
			*list = append(*list, fmt.Sprintf("%s:%d", path, use.Line))
		}
	}
	certain := min(len(e.Unowned), maxPlaces)
	possible := min(len(e.Possible), maxPlaces-certain)
	e.More = len(e.Unowned) - certain + len(e.Possible) - possible
	e.Unowned, e.Possible = e.Unowned[:certain], e.Possible[:possible]
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
