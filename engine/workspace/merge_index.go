package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// indexGuard keeps every other git command away from index and branch while a
// merge writes, by git's own lock.
type indexGuard struct {
	dir    *os.File // locked against another merge of ours
	lock   string   // index.lock
	places string   // the workshop
}

// guardIndex takes the lock of a work tree's index. One that a killed merge has
// left is known by being the same file as the one in its workshop, and is
// taken away; any other is somebody's at work.
func guardIndex(ctx context.Context, gitDir string) (_ *indexGuard, err error) {
	dir, err := lockDir(gitDir)
	if err != nil {
		return nil, err
	}
	g := &indexGuard{dir: dir, lock: filepath.Join(gitDir, "index.lock"), places: filepath.Join(gitDir, workshop)}
	defer func() {
		if err != nil {
			dir.Close()
		}
	}()
	ours := filepath.Join(g.places, "lock")
	if same(ours, g.lock) {
		if err := os.Remove(g.lock); err != nil {
			return nil, fmt.Errorf("merging: %w", err)
		}
	}
	if err := removeAll(g.places); err != nil {
		return nil, err
	}
	if err := os.Mkdir(g.places, 0o700); err != nil {
		return nil, fmt.Errorf("merging: %w", err)
	}
	if err := os.WriteFile(ours, nil, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("merging: %w", err), removeAll(g.places))
	}
	if err := waitFor(ctx, func() error { return os.Link(ours, g.lock) }); err != nil {
		err = fmt.Errorf("merging: %w", err)
		if errors.Is(err, fs.ErrExist) {
			err = &MergeRefused{Why: "another git command is at work (" + g.lock + " is there)",
				Advice: "Wait for it. If none runs any more, remove the file, then merge again."}
		}
		return nil, errors.Join(err, removeAll(g.places))
	}
	return g, nil
}

// waitFor tries for a second: an editor's `git status` holds the lock for a
// moment only.
func waitFor(ctx context.Context, try func() error) (err error) {
	for range 20 {
		if err = try(); !errors.Is(err, fs.ErrExist) {
			return err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return err
}

func (g *indexGuard) release() error {
	err := os.Remove(g.lock)
	return errors.Join(err, removeAll(g.places), g.dir.Close())
}

// lockDir holds a directory against other merges of ours until it is closed,
// however its holder ends.
func lockDir(path string) (*os.File, error) {
	dir, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("merging: %w", err)
	}
	if err := unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		dir.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, &MergeRefused{Why: "another merge is writing to this project", Advice: "Wait for it, then try again."}
		}
		return nil, fmt.Errorf("merging: lock %s: %w", path, err)
	}
	return dir, nil
}

func same(one, other string) bool {
	a, err := os.Lstat(one)
	if err != nil {
		return false
	}
	b, err := os.Lstat(other)
	return err == nil && os.SameFile(a, b)
}

// writeIndex puts the new contents of the touched paths into the user's index;
// every other entry stays, staged or not.
func (m *merge) writeIndex(ctx context.Context, touched []touch) error {
	index := filepath.Join(m.git.dir, "index")
	if err := copyIfThere(index, filepath.Join(m.scratch, "index-before")); err != nil {
		return err
	}
	var gone, come strings.Builder
	var sparse []string
	for _, t := range touched {
		if !t.new.there() {
			fmt.Fprintf(&gone, "0 %s\t%s\x00", strings.Repeat("0", len(m.project.Head)), t.path)
			continue
		}
		fmt.Fprintf(&come, "%s %s\t%s\x00", t.new.mode, t.new.object, t.path)
		if t.sparse {
			sparse = append(sparse, t.path)
		}
	}
	if _, err := m.git.feed(ctx, []byte(gone.String()+come.String()), "update-index", "-z", "--index-info"); err != nil {
		return fmt.Errorf("writing the index: %w", err)
	}
	if len(sparse) > 0 {
		if _, err := m.git.feed(ctx, nulEnded(sparse), "update-index", "--skip-worktree", "-z", "--stdin"); err != nil {
			return fmt.Errorf("writing the index: %w", err)
		}
	}
	// Notes sizes and times of the files just written. Code 1: other files are
	// not as the index has them.
	if _, err := m.git.run(ctx, "update-index", "-q", "--ignore-submodules", "--refresh"); err != nil {
		if _, err := answer(err); err != nil {
			return fmt.Errorf("writing the index: %w", err)
		}
	}
	return m.placeIndex(index)
}

// restoreIndex puts the user's index back as it was.
func (m *merge) restoreIndex() error { return m.placeIndex(filepath.Join(m.scratch, "index-before")) }

func (m *merge) placeIndex(from string) error {
	to := filepath.Join(m.project.GitDir, "index")
	fresh := filepath.Join(m.project.GitDir, workshop, "index")
	err := copyIfThere(from, fresh)
	if err == nil {
		// Git compares the index's time with those of the files: it may not be
		// younger than when it was written.
		mode := fs.FileMode(0o644)
		if info, err := os.Lstat(to); err == nil {
			mode = info.Mode().Perm()
		}
		err = os.Chmod(fresh, mode)
	}
	if err == nil {
		err = syncFile(fresh)
	}
	if err == nil {
		err = os.Rename(fresh, to)
	}
	if err != nil {
		return fmt.Errorf("writing the index of %s: %w", m.project.RepoTop, err)
	}
	return nil
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
