package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// writing brings staged files into the user's work tree, one rename a file.
// What stood there is kept beside, so that a failure half-way is undone.
type writing struct {
	top   string // the user's work tree
	fresh string // what shall be there, laid out the same
	old   string // what was there, by number
	temp  string // name for a copy where files cannot be moved over
	todo  []touch
	steps []written
}

// written is one step that was done: at path stood old (empty: nothing).
type written struct{ path, old string }

// stageFiles writes the new contents of the touched paths below place, the way
// a checkout would: with line ends, large files and links as the user's own
// configuration has them. Nothing of the user's is changed yet.
func (m *merge) stageFiles(ctx context.Context, result string, touched []touch, place string) (*writing, error) {
	w := &writing{
		top: m.project.RepoTop, fresh: filepath.Join(place, "new"), old: filepath.Join(place, "old"),
		temp: ".growbench-" + m.tree.RunID + ".new",
	}
	for _, dir := range []string{w.fresh, w.old} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("merging: %w", err)
		}
	}
	var info strings.Builder
	wanted := map[string]bool{}
	for _, t := range touched {
		if !t.writes() {
			continue
		}
		w.todo = append(w.todo, t)
		if t.new.there() {
			fmt.Fprintf(&info, "%s %s\t%s\x00", t.new.mode, t.new.object, t.path)
			wanted[t.path] = true
		}
	}
	if len(wanted) == 0 {
		return w, nil
	}
	attributes, err := m.attributes(ctx, result, wanted)
	if err != nil {
		return nil, err
	}
	part := gitDir{dir: m.git.dir, tree: w.fresh}.with("GIT_INDEX_FILE=" + filepath.Join(m.git.dir, "index-new"))
	_, err = part.feed(ctx, []byte(attributes+info.String()), "update-index", "-z", "--index-info")
	var tree string
	if err == nil {
		tree, err = part.line(ctx, "write-tree", "--missing-ok")
	}
	if err == nil {
		// From an empty index: every file is written.
		err = os.Remove(filepath.Join(m.git.dir, "index-new"))
	}
	if err == nil {
		_, err = part.run(ctx, "read-tree", "--reset", "-u", "--no-sparse-checkout", "--no-recurse-submodules", tree)
	}
	if err != nil {
		return nil, fmt.Errorf("preparing the files of %s: %w", result, err)
	}
	return w, nil
}

// attributes are the files of result that decide how others are written.
func (m *merge) attributes(ctx context.Context, result string, but map[string]bool) (string, error) {
	out, err := m.git.run(ctx, "ls-tree", "-r", "-z", "--full-tree", result)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", result, err)
	}
	var info strings.Builder
	for _, line := range fields(out) {
		meta, name, _ := strings.Cut(line, "\t")
		parts := strings.Fields(meta)
		if len(parts) == 3 && filepath.Base(name) == ".gitattributes" && !but[name] && !under(name, but) {
			fmt.Fprintf(&info, "%s %s\t%s\x00", parts[0], parts[2], name)
		}
	}
	return info.String(), nil
}

// under tells whether a directory of name is itself among names.
func under(name string, names map[string]bool) bool {
	for i, char := range name {
		if char == '/' && names[name[:i]] {
			return true
		}
	}
	return false
}

// writes tells whether a file is touched: what is there already needs no
// writing.
func (t touch) writes() bool {
	return !t.sparse && (t.found.version != t.new || t.found.parent != "")
}

// writable refuses directories that cannot be written to before anything is.
func (m *merge) writable(touched []touch) error {
	var locked []Refusal
	seen := map[string]bool{}
	top := m.project.RepoTop
	for _, t := range touched {
		if !t.writes() {
			continue
		}
		dir := filepath.Dir(filepath.Join(top, t.path))
		for !seen[dir] && dir != filepath.Dir(top) {
			seen[dir] = true
			info, err := os.Lstat(dir)
			if err != nil || !info.IsDir() {
				dir = filepath.Dir(dir)
				continue
			}
			if unix.Access(dir, unix.W_OK|unix.X_OK) != nil {
				name, err := filepath.Rel(top, dir)
				if err != nil {
					return err
				}
				locked = append(locked, Refusal{Path: m.tree.projectPath(name)})
			}
			break
		}
	}
	if len(locked) > 0 {
		return &MergeRefused{Why: "these directories cannot be written to", Paths: locked, Advice: "Make them writable, then merge again."}
	}
	return nil
}

// write does all of it or nothing: removals first, since a file may make room
// for a directory of its name.
func (w *writing) write(step func(string)) error {
	slices.SortStableFunc(w.todo, func(a, b touch) int {
		switch {
		case a.new.there() == b.new.there():
			return strings.Compare(a.path, b.path)
		case b.new.there():
			return -1
		}
		return 1
	})
	for _, t := range w.todo {
		err := w.one(t)
		if err != nil {
			err = fmt.Errorf("merging %s: %w", t.path, err)
			if undone := w.undo(); undone != nil {
				return errors.Join(err, undone)
			}
			return fmt.Errorf("%w; all files are as they were", err)
		}
		step("file " + t.path)
	}
	return nil
}

func (w *writing) one(t touch) error {
	target := filepath.Join(w.top, t.path)
	now, err := lookAt(w.top, t.path)
	if err != nil {
		return err
	}
	if !t.new.there() {
		if now.info == nil || now.inside {
			return nil
		}
		if !unchanged(now.info, t.found.info) {
			return ErrChanged
		}
		if err := w.keep(target); err != nil {
			return err
		}
		if err := os.Remove(target); err != nil {
			return err
		}
		w.dropEmpty(filepath.Dir(target))
		return nil
	}
	if now.inside {
		if err := removeEmpty(target); err != nil {
			return err
		}
		now.info = nil
	}
	if now.parent != "" || now.info != nil && !unchanged(now.info, t.found.info) || now.info == nil && t.found.info != nil && !t.found.inside {
		return ErrChanged
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return err
	}
	fresh := filepath.Join(w.fresh, t.path)
	if now.info == nil {
		return w.placeNew(fresh, target)
	}
	if err := w.keep(target); err != nil {
		return err
	}
	return w.place(fresh, target)
}

// unchanged tells whether a file is the one that was looked at, untouched since.
func unchanged(now, then fs.FileInfo) bool {
	return then != nil && os.SameFile(now, then) && now.Size() == then.Size() &&
		now.ModTime().Equal(then.ModTime()) && now.Mode() == then.Mode()
}

// keep holds on to what stands at target under another name.
func (w *writing) keep(target string) error {
	old := filepath.Join(w.old, strconv.Itoa(len(w.steps)))
	err := os.Link(target, old)
	if err != nil {
		// Another file system, or one without links.
		err = copyAny(target, old)
	}
	if err == nil {
		w.steps = append(w.steps, written{path: target, old: old})
	}
	return err
}

// placeNew is place for a path where nothing stands: whatever came there
// meanwhile is not replaced.
func (w *writing) placeNew(from, to string) error {
	if err := syncStaged(from); err != nil {
		return err
	}
	err := os.Link(from, to)
	if errors.Is(err, fs.ErrExist) {
		return ErrChanged
	}
	if err == nil {
		w.steps = append(w.steps, written{path: to})
		return os.Remove(from)
	}
	// Another file system, or one without links.
	if err := w.place(from, to); err != nil {
		return err
	}
	w.steps = append(w.steps, written{path: to})
	return nil
}

// syncStaged puts a staged file on the disk before its name is given to it.
func syncStaged(path string) error {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	return syncFile(path)
}

// place puts a staged file where it belongs, as a whole.
func (w *writing) place(from, to string) error {
	if err := syncStaged(from); err != nil {
		return err
	}
	err := os.Rename(from, to)
	if !errors.Is(err, syscall.EXDEV) {
		return err
	}
	beside := filepath.Join(filepath.Dir(to), w.temp)
	if err := copyAny(from, beside); err != nil {
		return errors.Join(err, os.Remove(beside))
	}
	return os.Rename(beside, to)
}

// copyAny copies a file or a symbolic link with its mode over what is at to.
func copyAny(from, to string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Chmod(info.Mode().Perm()), out.Sync(), out.Close())
}

// undo takes every step back, the last one first.
func (w *writing) undo() error {
	var failed error
	for _, s := range slices.Backward(w.steps) {
		var err error
		if s.old == "" {
			if err = ignoreGone(os.Remove(s.path)); err == nil {
				w.dropEmpty(filepath.Dir(s.path))
			}
		} else if err = os.MkdirAll(filepath.Dir(s.path), 0o777); err == nil && !same(s.old, s.path) {
			if err = os.Rename(s.old, s.path); errors.Is(err, syscall.EXDEV) {
				err = copyAny(s.old, s.path)
			}
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("putting %s back: %w; it is kept in %s", s.path, err, s.old))
		}
	}
	w.steps = nil
	return failed
}

// dropEmpty removes dir and those above it while they are empty.
func (w *writing) dropEmpty(dir string) {
	for dir != w.top && within(w.top, dir) && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}

// removeEmpty removes a directory that holds nothing but directories.
func removeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := removeEmpty(filepath.Join(dir, entry.Name())); err != nil {
			return err
		}
	}
	return os.Remove(dir)
}
