package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Reset makes the work tree exactly commit, whatever an agent left: changed,
// deleted and new files, file modes, nested repositories, directories without
// rights, special files. Ignored files and our own artifacts stay. The agent's
// `.git` is brought to the same commit.
func (t *Tree) Reset(ctx context.Context, commit string) error {
	for i, c := range t.checkouts {
		target := commit
		if i > 0 {
			recorded, err := t.recordedCommit(ctx, commit, c)
			if err != nil {
				return err
			}
			if recorded == "" {
				continue // the commit names no submodule here: cleaned away above
			}
			target = recorded
		}
		if err := c.reset(ctx, target, []string{c.Commit}); err != nil {
			return fmt.Errorf("resetting %s to %s: %w", c.Dir, target, err)
		}
	}
	for _, name := range t.filledSubmodules() {
		dir := filepath.Join(t.Dir, name)
		if err := removeAll(dir); err != nil {
			return err
		}
		if err := realDirectory(dir); err != nil {
			return err
		}
	}
	return nil
}

// SyncToy brings the agent's `.git` to commit without touching the work tree:
// the next Worker's status and diff then show its own work alone. What an agent
// committed or staged there is dropped.
func (t *Tree) SyncToy(ctx context.Context, commit string) error {
	return t.top().renewToy(ctx, commit, []string{t.Base, t.Project.Head})
}

// recordedCommit is the commit that the tree of commit names for a submodule;
// empty when there is none that its engine can read.
func (t *Tree) recordedCommit(ctx context.Context, commit string, c checkout) (string, error) {
	entry, found, err := t.top().engine().entryAt(ctx, commit, c.Path)
	if err != nil {
		return "", err
	}
	if !found {
		// In a submodule of a submodule: as it was at first.
		if _, err := os.Lstat(filepath.Dir(c.Dir)); err == nil && t.nestedCheckout(c) {
			return c.Commit, nil
		}
		return "", nil
	}
	if entry.mode != "160000" {
		return "", nil
	}
	held, err := gitDir{dir: c.Engine}.holds(ctx, entry.object+"^{tree}")
	if err != nil || !held {
		return "", err
	}
	return entry.object, nil
}

// nestedCheckout says whether c lies in another submodule.
func (t *Tree) nestedCheckout(c checkout) bool {
	for _, outer := range t.checkouts[1:] {
		if outer.Path != c.Path && within(outer.Dir, c.Dir) {
			return true
		}
	}
	return false
}

func (c checkout) reset(ctx context.Context, commit string, have []string) error {
	if err := realDirectory(c.Dir); err != nil {
		return err
	}
	if err := openUp(c.Dir); err != nil {
		return err
	}
	index := filepath.Join(c.Engine, "index")
	if err := c.engine().unlock(); err != nil {
		return err
	}
	// An index older than every file makes git compare contents where it would
	// otherwise trust times.
	old := time.Unix(1, 0)
	if err := os.Chtimes(index, old, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := c.readTree(ctx, commit); err != nil {
		return err
	}
	clean := []string{"clean", "-ffdq"}
	for _, pattern := range artifacts {
		clean = append(clean, "--exclude="+pattern)
	}
	if _, err := c.engine().run(ctx, clean...); err != nil {
		return fmt.Errorf("removing what is new in %s: %w", c.Dir, err)
	}
	if err := c.removeSpecial(ctx); err != nil {
		return err
	}
	return c.renewToy(ctx, commit, have)
}

// removeSpecial removes pipes, sockets and devices, which git does not see,
// unless they are ignored.
func (c checkout) removeSpecial(ctx context.Context) error {
	var found []string
	err := filepath.WalkDir(c.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.Name() == ".git" {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.Type()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice|fs.ModeIrregular) != 0 {
			rel, err := filepath.Rel(c.Dir, path)
			found = append(found, rel)
			return err
		}
		return nil
	})
	if err != nil || len(found) == 0 {
		return err
	}
	// This command knows no literal names; "./" keeps the first character of
	// one from being read as a sign. Code 1: none of them is ignored.
	engine := c.engine().with("GIT_LITERAL_PATHSPECS=0")
	out, err := engine.feed(ctx, []byte("./"+strings.Join(found, "\x00./")+"\x00"), "check-ignore", "-z", "--stdin")
	var failed *GitError
	if err != nil && !(errors.As(err, &failed) && failed.Code == 1) {
		return fmt.Errorf("looking for special files in %s: %w", c.Dir, err)
	}
	ignored := fields(out)
	for _, name := range found {
		if slices.Contains(ignored, "./"+name) {
			continue
		}
		if err := os.Remove(filepath.Join(c.Dir, name)); err != nil {
			return fmt.Errorf("removing what is new in %s: %w", c.Dir, err)
		}
	}
	return nil
}

// realDirectory puts a directory in the place of whatever else stands at path.
func realDirectory(path string) error {
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return nil
	}
	if err := removeAll(path); err != nil {
		return err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("making %s again: %w", path, err)
	}
	return nil
}
