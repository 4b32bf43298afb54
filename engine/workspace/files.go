package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
)

// Largest files that are handled, in bytes.
const (
	MaxEditSize = 4 << 20
	MaxReadSize = 32 << 20
)

// Why a file was refused; the errors of Files wrap these.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrHardLink   = errors.New("the file has further hard links, so a change would reach outside the task")
	ErrTooLarge   = errors.New("file too large")
	ErrChanged    = errors.New("the file changed since it was read; read it again")
)

// Files reads and changes the files of one project. Nothing outside the
// project's directory is reachable through it, whatever links stand there.
// It is safe for use by several goroutines.
type Files struct {
	root     *os.Root
	dir      string // absolute, as given
	realDir  string // absolute, links resolved
	scope    Scope
	readMaps bool

	mu      sync.Mutex
	existed map[string]bool // files that stood under directory targets
}

// Content is a file as it was read.
type Content struct {
	// Path is relative to the project; links are resolved.
	Path string
	Data []byte
	// Stamp identifies this version of the content; see Files.Edit.
	Stamp   string
	Warning string
}

// Change tells what a write did.
type Change struct {
	// Path is the file that changed, relative to the project, links resolved.
	Path    string
	Created bool
	// Before is nil for a created file, After nil for a deleted one.
	Before, After []byte
	// Stamp is that of After.
	Stamp   string
	Warning string
	// Line is the first line an edit touched, from 1.
	Line int
}

// OpenFiles opens the project at root for a Worker that owns scope.
func OpenFiles(root string, scope Scope) (*Files, error) {
	dir, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("open project %s: %w", root, err)
	}
	realDir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("open project %s: %w", root, err)
	}
	opened, err := os.OpenRoot(realDir)
	if err != nil {
		return nil, fmt.Errorf("open project %s: %w", root, err)
	}
	f := &Files{root: opened, dir: dir, realDir: realDir, scope: scope}
	if scope.Existed == nil {
		f.existed = f.listDirectoryTargets()
	}
	return f, nil
}

// OpenReader opens the project at root for an agent that only reads (Giver,
// Scout, Planner). Other than a Worker it may read the map's documents.
func OpenReader(root string) (*Files, error) {
	f, err := OpenFiles(root, Scope{})
	if err == nil {
		f.readMaps = true
	}
	return f, err
}

// Close gives the project's directory back.
func (f *Files) Close() error { return f.root.Close() }

// Stamp is the version stamp of data.
func Stamp(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Read returns the content of a regular file of at most MaxReadSize bytes.
func (f *Files) Read(name string) (Content, error) {
	rel, warning, err := f.locate(name, true)
	if err != nil {
		return Content{}, fmt.Errorf("read: %w", err)
	}
	data, _, err := f.load(rel, MaxReadSize)
	if err != nil {
		return Content{}, fmt.Errorf("read %s: %w", rel, err)
	}
	return Content{Path: rel, Data: data, Stamp: Stamp(data), Warning: warning}, nil
}

// Write creates name with content, or replaces all of it. Missing directories
// are made. An existing file keeps its mode and owner, a link stays a link.
func (f *Files) Write(name string, content []byte) (Change, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rel, warning, err := f.locate(name, true)
	if err != nil {
		return Change{}, fmt.Errorf("write: %w", err)
	}
	if err := f.mayChange(rel); err != nil {
		return Change{}, fmt.Errorf("write: %w", err)
	}
	before, info, err := f.load(rel, MaxReadSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Change{}, fmt.Errorf("write %s: %w", rel, err)
	}
	if err := f.replace(rel, content, info); err != nil {
		return Change{}, err
	}
	return Change{Path: rel, Created: info == nil, Before: before, After: content, Stamp: Stamp(content), Warning: warning}, nil
}

// Delete removes a file. Of a link the link itself is removed.
func (f *Files) Delete(name string) (Change, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rel, warning, err := f.locate(name, false)
	if err != nil {
		return Change{}, fmt.Errorf("delete: %w", err)
	}
	info, err := f.movable(rel)
	if err != nil {
		return Change{}, fmt.Errorf("delete %s: %w", rel, err)
	}
	if err := f.mayChange(rel); err != nil {
		return Change{}, fmt.Errorf("delete: %w", err)
	}
	change := Change{Path: rel, Warning: warning}
	if info.Mode().IsRegular() && info.Size() <= MaxReadSize {
		change.Before, _, _ = f.load(rel, MaxReadSize)
	}
	if err := f.root.Remove(rel); err != nil {
		return Change{}, fmt.Errorf("delete %s: %w", rel, bare(err))
	}
	return change, nil
}

// Rename moves a file to a name that is not taken yet; both names must be in
// scope. Missing directories are made.
func (f *Files) Rename(from, to string) (Change, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	source, _, err := f.locate(from, false)
	if err != nil {
		return Change{}, fmt.Errorf("rename: %w", err)
	}
	target, warning, err := f.locate(to, false)
	if err != nil {
		return Change{}, fmt.Errorf("rename: %w", err)
	}
	if _, err := f.movable(source); err != nil {
		return Change{}, fmt.Errorf("rename %s: %w", source, err)
	}
	if err := f.mayChange(source); err != nil {
		return Change{}, fmt.Errorf("rename: %w", err)
	}
	if err := f.mayChange(target); err != nil {
		return Change{}, fmt.Errorf("rename: %w", err)
	}
	if _, err := f.root.Lstat(target); err == nil {
		return Change{}, fmt.Errorf("rename %s to %s: %w; delete it first or choose another name", source, target, fs.ErrExist)
	}
	if err := f.root.MkdirAll(path.Dir(target), 0o777); err != nil {
		return Change{}, fmt.Errorf("rename %s to %s: %w", source, target, bare(err))
	}
	if err := f.root.Rename(source, target); err != nil {
		return Change{}, fmt.Errorf("rename %s to %s: %w", source, target, bare(err))
	}
	return Change{Path: target, Created: true, Warning: warning}, nil
}

// mayChange asks the scope about rel.
func (f *Files) mayChange(rel string) error {
	if f.owned(rel) {
		return &PathError{Path: rel, Reason: ReasonOwned}
	}
	if f.scope.Names(rel) {
		return nil
	}
	if !f.scope.Allows(rel) {
		return &OutOfScopeError{Path: rel}
	}
	old := f.existed[rel]
	if f.scope.Existed != nil {
		old = f.scope.Existed(rel)
	}
	if old {
		return &OutOfScopeError{Path: rel, Existing: true}
	}
	return nil
}
