package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// Vocabulary knows which words stand in which files of a tree. It reads each
// file once: from one tree to the next only what git says has changed is
// read again. Its methods are for one goroutine.
type Vocabulary struct {
	tree    *Tree
	endings []string
	limit   int64               // bytes of a file
	at      string              // the tree or commit it describes
	words   map[string][]uint32 // by file; nil: not read yet
	held    int                 // words in all files
	ahead   *readingAhead
}

// maxHeld bounds the words that are kept, four bytes each. Files beyond it are
// read at every search.
const maxHeld = 16 << 20

// NewVocabulary is one of the tree's files whose names end in one of the
// endings and that have at most limit bytes.
func NewVocabulary(tree *Tree, endings []string, limit int64) *Vocabulary {
	return &Vocabulary{tree: tree, endings: endings, limit: limit}
}

// readingAhead is reading that nobody waits for yet.
type readingAhead struct {
	stop context.CancelFunc
	done chan struct{}
}

// ReadAhead begins to read, while others work, what a search will need. The
// work tree must equal treeish, and stay so until Rest.
func (v *Vocabulary) ReadAhead(treeish string) {
	v.Rest()
	ctx, cancel := context.WithCancel(context.Background())
	v.ahead = &readingAhead{stop: cancel, done: make(chan struct{})}
	go func(done chan struct{}) {
		defer close(done)
		if v.follow(ctx, treeish) == nil {
			v.readFiles(ctx, v.unread(), 1)
		}
	}(v.ahead.done)
}

// Rest ends reading ahead; what was read by then is known.
func (v *Vocabulary) Rest() {
	if v == nil || v.ahead == nil {
		return
	}
	v.ahead.stop()
	<-v.ahead.done
	v.ahead = nil
}

// Holding lists, in order, the files of a tree or commit that hold one of the
// words, whole, among those whose names end in one of the endings; the first
// limit of them. same says that the work tree is known to equal it, which is
// faster to read than git's objects.
func (v *Vocabulary) Holding(ctx context.Context, treeish string, same bool, words, endings []string, limit int) (files []string, more bool, err error) {
	v.Rest()
	if err := v.follow(ctx, treeish); err != nil {
		return nil, false, fmt.Errorf("searching the run's files: %w", err)
	}
	unread := v.unread()
	var extra map[string][]uint32 // those there was no room to keep
	if same {
		extra = v.readFiles(ctx, unread, runtime.GOMAXPROCS(0))
	} else if extra, err = v.readObjects(ctx, treeish, unread); err != nil {
		return nil, false, err
	}
	if err := ctx.Err(); err != nil {
		return nil, false, fmt.Errorf("searching the run's files: %w", context.Cause(ctx))
	}
	wanted := make([][]uint32, len(words))
	var set wordSet
	for i, word := range words {
		wanted[i] = set.of([]byte(word))
	}
	for name, known := range v.words {
		if known == nil {
			known = extra[name]
		}
		if hasEnding(name, endings) && slices.ContainsFunc(wanted, func(all []uint32) bool { return holdsAll(known, all) }) {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	if len(files) > limit {
		return files[:limit], true, nil
	}
	return files, false, nil
}

func hasEnding(name string, endings []string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) })
}

// follow makes v describe another tree.
func (v *Vocabulary) follow(ctx context.Context, treeish string) error {
	switch v.at {
	case treeish:
		return nil
	case "":
		return v.list(ctx, treeish)
	}
	changes, err := v.tree.Changes(ctx, v.at, treeish)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if c.Kind == Mode {
			continue
		}
		if c.OldPath != "" {
			v.forget(c.OldPath)
		}
		v.forget(c.Path)
		if strings.HasPrefix(c.NewMode, regularMode) && hasEnding(c.Path, v.endings) {
			v.words[c.Path] = nil
		}
	}
	v.at = treeish
	return nil
}

// regularMode begins the mode git gives to a plain file.
const regularMode = "100"

func (v *Vocabulary) list(ctx context.Context, treeish string) error {
	out, err := v.tree.top().engine().run(ctx, "ls-tree", "-r", "-z", "--full-tree", treeish)
	if err != nil {
		return fmt.Errorf("listing the files of %s: %w", treeish, err)
	}
	v.words = map[string][]uint32{}
	for _, entry := range fields(out) {
		meta, name, _ := strings.Cut(entry, "\t")
		if strings.HasPrefix(meta, regularMode) && hasEnding(name, v.endings) {
			v.words[v.tree.projectPath(name)] = nil
		}
	}
	v.at = treeish
	return nil
}

func (v *Vocabulary) forget(name string) {
	v.held -= len(v.words[name])
	delete(v.words, name)
}

func (v *Vocabulary) unread() []string {
	var names []string
	for name, known := range v.words {
		if known == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names) // neighbours on disk one after the other
	return names
}

// keep takes in what was read of files, and returns what there is no room for.
func (v *Vocabulary) keep(read map[string][]uint32) (extra map[string][]uint32) {
	extra = map[string][]uint32{}
	for name, words := range read {
		if v.held+len(words) > maxHeld {
			extra[name] = words
			continue
		}
		v.words[name] = words
		v.held += len(words)
	}
	return extra
}

// readFiles reads files of the work tree, several at a time. One that cannot
// be read has no words.
func (v *Vocabulary) readFiles(ctx context.Context, names []string, readers int) (extra map[string][]uint32) {
	const batch = 64
	read := make([][]uint32, len(names))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(readers, (len(names)+batch-1)/batch) {
		all.Go(func() {
			var words wordSet
			buffer := make([]byte, 64<<10)
			for ctx.Err() == nil {
				from := int(next.Add(batch)) - batch
				for i := from; i < min(from+batch, len(names)); i++ {
					full, err := v.tree.treePath(names[i])
					if err == nil {
						buffer = readPlain(filepath.Join(v.tree.Dir, filepath.FromSlash(full)), buffer, v.limit)
						read[i] = words.of(buffer)
					}
				}
				if from >= len(names) {
					return
				}
			}
		})
	}
	all.Wait()
	found := make(map[string][]uint32, len(names))
	for i, words := range read {
		if words != nil {
			found[names[i]] = words
		}
	}
	return v.keep(found)
}

// readPlain reads a regular file of at most limit bytes into buffer's place;
// of anything else it reads nothing. A file of thousands costs a few system
// calls here, which is what a search consists of.
func readPlain(name string, buffer []byte, limit int64) []byte {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return buffer[:0]
	}
	defer syscall.Close(fd)
	var stat syscall.Stat_t
	if syscall.Fstat(fd, &stat) != nil || stat.Mode&syscall.S_IFMT != syscall.S_IFREG || stat.Size > limit {
		return buffer[:0]
	}
	buffer = slices.Grow(buffer[:0], int(stat.Size))[:stat.Size]
	n := 0
	for n < len(buffer) {
		m, err := syscall.Read(fd, buffer[n:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || m <= 0 {
			break
		}
		n += m
	}
	return buffer[:n]
}

// readObjects is readFiles for a tree that does not lie in the work tree.
func (v *Vocabulary) readObjects(ctx context.Context, treeish string, names []string) (extra map[string][]uint32, err error) {
	extra = map[string][]uint32{}
	var words wordSet
	for batch := range slices.Chunk(names, 500) {
		texts, err := v.tree.ContentsAt(ctx, treeish, batch, v.limit)
		if err != nil {
			return nil, err
		}
		read := make(map[string][]uint32, len(batch))
		for _, name := range batch {
			read[name] = words.of(texts[name])
		}
		for name, words := range v.keep(read) {
			extra[name] = words
		}
	}
	return extra, nil
}
