package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
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

// locate resolves name and the links on its way, the last one only if asked,
// and refuses what the engine owns under both spellings.
func (f *Files) locate(name string, followLast bool) (rel, warning string, err error) {
	rel, warning, err = f.Resolve(name)
	if err != nil {
		return "", "", err
	}
	real, err := f.followLinks(rel, followLast)
	if err != nil {
		return "", "", err
	}
	if real != rel && f.owned(real) {
		return "", "", &PathError{Path: name, Reason: ReasonOwned}
	}
	return real, warning, nil
}

// followLinks replaces every link in rel by what it points at. os.Root does
// that too, but refuses absolute links into the project and does not tell
// where the path ended, which the scope must be asked about.
func (f *Files) followLinks(rel string, followLast bool) (string, error) {
	parts := strings.Split(rel, "/")
	done := "."
	for links := 0; len(parts) > 0; {
		part, rest := parts[0], parts[1:]
		switch part {
		case "", ".":
			parts = rest
			continue
		case "..": // only out of a link; the path itself is clean
			if done == "." {
				return "", &PathError{Path: rel, Reason: ReasonEscapes}
			}
			done, parts = path.Dir(done), rest
			continue
		}
		next := path.Join(done, part)
		info, err := f.root.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) && !slices.Contains(rest, "..") {
			return path.Join(next, path.Join(rest...)), nil
		}
		if err != nil {
			return "", fmt.Errorf("look at %s: %w", next, bare(err))
		}
		if info.Mode()&fs.ModeSymlink == 0 || (len(rest) == 0 && !followLast) {
			done, parts = next, rest
			continue
		}
		if links++; links > 40 {
			return "", fmt.Errorf("look at %s: %w", rel, syscall.ELOOP)
		}
		target, err := f.root.Readlink(next)
		if err != nil {
			return "", fmt.Errorf("read link %s: %w", next, bare(err))
		}
		if path.IsAbs(target) {
			inside, ok := f.insideRoot(target)
			if !ok {
				return "", &PathError{Path: rel, Reason: ReasonEscapes}
			}
			done, target = ".", inside
		}
		parts = append(strings.Split(target, "/"), rest...)
	}
	return done, nil
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

// movable returns what stands at rel if it is a regular file or a link.
func (f *Files) movable(rel string) (fs.FileInfo, error) {
	info, err := f.root.Lstat(rel)
	if err != nil {
		return nil, bare(err)
	}
	if !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
		return nil, fmt.Errorf("%w (%s)", ErrNotRegular, kindOf(info.Mode()))
	}
	return info, nil
}

// load reads the regular file at rel. The file is looked at before and after
// it is opened, so that neither a FIFO nor one swapped in between can block.
func (f *Files) load(rel string, limit int64) ([]byte, fs.FileInfo, error) {
	before, err := f.root.Lstat(rel)
	if err != nil {
		return nil, nil, bare(err)
	}
	if !before.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%w (%s)", ErrNotRegular, kindOf(before.Mode()))
	}
	if before.Size() > limit {
		return nil, nil, fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, before.Size(), limit)
	}
	file, err := f.root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, nil, bare(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, bare(err)
	}
	if !info.Mode().IsRegular() || !os.SameFile(before, info) {
		return nil, nil, ErrChanged
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, nil, bare(err)
	}
	if int64(len(data)) > limit {
		return nil, nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	}
	return data, info, nil
}

// replace writes rel atomically; info is the file that stands there, or nil.
func (f *Files) replace(rel string, data []byte, info fs.FileInfo) error {
	if info != nil && linkCount(info) > 1 {
		return fmt.Errorf("write %s: %w", rel, ErrHardLink)
	}
	if err := f.root.MkdirAll(path.Dir(rel), 0o777); err != nil {
		return writeFailure(rel, bare(err))
	}
	dir, err := f.root.OpenRoot(path.Dir(rel))
	if err != nil {
		return writeFailure(rel, bare(err))
	}
	defer dir.Close()
	if err := replaceIn(dir, path.Base(rel), data, 0o666, info); err != nil {
		return writeFailure(rel, bare(err))
	}
	return nil
}

func (f *Files) listDirectoryTargets() map[string]bool {
	found := map[string]bool{}
	for _, target := range f.scope.Targets {
		if !strings.HasSuffix(target, "/") {
			continue
		}
		// What cannot be read cannot be listed either; it is refused on use.
		_ = fs.WalkDir(f.root.FS(), path.Clean(target), func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if entry.IsDir() {
				if entry.Name() == ".git" {
					return fs.SkipDir
				}
				return nil
			}
			found[name] = true
			return nil
		})
	}
	return found
}

func linkCount(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	}
	return "of another kind"
}

// bare drops the operation and path that os adds, since ours name both.
func bare(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	var linkError *os.LinkError
	if errors.As(err, &linkError) {
		return linkError.Err
	}
	return err
}
