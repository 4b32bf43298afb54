// Package scan decides which files and directories a project map covers.
//
// Git is the only judge of ignore rules: the index says what is tracked, and a
// `git check-ignore` process is asked about everything else, in a repository
// and (through an empty git directory) outside of one. On top of that lie a
// short list of junk names, which never hides a tracked file, and the map's
// own files. Nothing of the repository's configuration is run: hooks and the
// file system monitor are off, and no GIT_ variable reaches git.
//
// Symbolic links are listed and never followed. Nested repositories and
// submodules are boundaries: named, not entered. What is no regular file, or
// cannot be read, is named in Tree.Skipped; what vanishes is dropped.
package scan

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// Names of the map's own files. They are never part of a map.
const (
	MapName   = ".pi-map.md"
	IndexName = ".pi-map.index.md"
	StateDir  = ".growbench"
	// TempPrefix begins the name of a file that is about to become one of the
	// two documents.
	TempPrefix = ".pi-map.tmp-"
)

var (
	// ErrNoGit: there is no git program.
	ErrNoGit = errors.New("git is not installed, and it decides what is ignored")
	// ErrForeignOwner: git refuses a repository of another user.
	ErrForeignOwner = errors.New("the repository belongs to another user")
	// ErrOutside: a path that does not lie in the project.
	ErrOutside = errors.New("outside the project")
)

// File is one file of a directory, as lstat sees it.
type File struct {
	Name    string // raw bytes, no slash
	Size    int64
	ModTime int64 // nanoseconds since 1970
	Change  int64 // inode change time, nanoseconds
	Link    bool  // a symbolic link
	Tracked bool
}

// Boundary is a directory that is named but not entered.
type Boundary struct {
	Name string
	Why  string // "submodule", "nested repository", "unreadable"
}

// Dir is one directory of the map. Every list is sorted by name.
type Dir struct {
	Path       string // "." for the root, else relative with slashes
	Files      []File
	Dirs       []string // names of the directories below that the map covers
	Boundaries []Boundary
	Leftovers  []string // names of our own temporary files
	Artifacts  int      // how many of the two documents are there
}

// Contentless says that nothing but the map's own files is here.
func (d *Dir) Contentless() bool {
	return len(d.Files) == 0 && len(d.Dirs) == 0 && len(d.Boundaries) == 0
}

// Skip is something the map leaves out, and why.
type Skip struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Tree is the answer of a scan.
type Tree struct {
	Root    string
	Repo    bool
	Dirs    []*Dir // by path, the root first
	Skipped []Skip // by path
}

// Options of a scan.
type Options struct {
	// Ignore holds patterns in git's syntax that hide files on top of git's own
	// rules, tracked ones too.
	Ignore []string
}

// Scan lists the whole project. Root must be an existing directory.
func Scan(ctx context.Context, root string, o Options) (*Tree, error) {
	w, err := newWalker(ctx, root, o)
	if err != nil {
		return nil, err
	}
	defer w.close()
	if err := w.loadIndex(nil); err != nil {
		return nil, err
	}
	if err := w.walk([]*node{{path: "."}}, true); err != nil {
		return nil, err
	}
	return w.tree(), nil
}

// Look lists single directories, without those below. Known are names of
// directories the caller takes for covered without asking again. The answer
// holds no entry for a directory that is gone or not covered by the map.
func Look(ctx context.Context, root string, dirs []string, known func(dir string) []string, o Options) (*Tree, error) {
	w, err := newWalker(ctx, root, o)
	if err != nil {
		return nil, err
	}
	defer w.close()
	var start []*node
	var specs []string
	for _, dir := range dirs {
		n := &node{path: dir, known: known(dir)}
		start = append(start, n)
		specs = append(specs, w.pathspecs(n)...)
	}
	if err := w.loadIndex(specs); err != nil {
		return nil, err
	}
	if start, err = w.covered(start); err != nil {
		return nil, err
	}
	if err := w.walk(start, false); err != nil {
		return nil, err
	}
	return w.tree(), nil
}

// Rel turns a path as a user types it (relative to base, or absolute) into one
// relative to the project: "." or slash-separated without "..".
func Rel(root, base, name string) (string, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(base, name)
	}
	// The root has its links resolved; the deepest existing parent must too.
	dir, rest := filepath.Clean(name), ""
	for {
		parent, last := filepath.Dir(dir), filepath.Base(dir)
		if real, err := filepath.EvalSymlinks(parent); err == nil {
			name = filepath.Join(real, last, rest)
			break
		}
		if parent == dir {
			break
		}
		dir, rest = parent, filepath.Join(last, rest)
	}
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, ErrOutside)
	}
	rel = filepath.ToSlash(rel)
	if rel == ".." || strings.HasPrefix(rel, "../") {
		return "", fmt.Errorf("%s: %w %s", name, ErrOutside, root)
	}
	return rel, nil
}

// Join is path.Join for a directory of a Tree and a name in it.
func Join(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// Parent is the directory above, "" for the root.
func Parent(dir string) string {
	if dir == "." {
		return ""
	}
	return path.Dir(dir)
}

// Ours says whether a name belongs to the map itself.
func Ours(name string) bool {
	return name == MapName || name == IndexName || name == StateDir || strings.HasPrefix(name, TempPrefix)
}

func (t *Tree) sort() {
	for _, d := range t.Dirs {
		slices.SortFunc(d.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
		slices.Sort(d.Dirs)
		slices.SortFunc(d.Boundaries, func(a, b Boundary) int { return strings.Compare(a.Name, b.Name) })
		slices.Sort(d.Leftovers)
	}
	sort.Slice(t.Dirs, func(i, j int) bool { return less(t.Dirs[i].Path, t.Dirs[j].Path) })
	sort.Slice(t.Skipped, func(i, j int) bool { return t.Skipped[i].Path < t.Skipped[j].Path })
}

func less(a, b string) bool {
	if a == "." || b == "." {
		return a == "." && b != "."
	}
	return a < b
}
