package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A git that is killed while it writes a ref leaves the ref's lock, and no
// later git gets past it.

// unlockRun removes the locks of a run's own refs in the user's repository. It
// is for the run's one owner, before any git of its own is at work.
func (p Project) unlockRun(run string) error {
	if !p.HasRepo() {
		return nil
	}
	dir := filepath.Join(p.CommonDir, filepath.FromSlash(runRefs(run)))
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && strings.HasSuffix(path, ".lock") {
			err = os.Remove(path)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("removing what a dead git left among the refs of run %s: %w", run, err)
	}
	return nil
}

// unlockBranch removes the lock of a branch that was about to be made at
// commit, when it is one a git of ours died over. Nobody else knows the commit,
// and a git that lives holds an empty lock for no longer than git itself waits
// for one.
func (p Project) unlockBranch(name, commit string) bool {
	lock := filepath.Join(p.CommonDir, "refs", "heads", filepath.FromSlash(name)+".lock")
	info, err := os.Lstat(lock)
	if err != nil || !info.Mode().IsRegular() || info.Size() > int64(len(commit))+1 {
		return false
	}
	content, err := os.ReadFile(lock)
	if err != nil || !strings.HasPrefix(commit+"\n", string(content)) {
		return false
	}
	return os.Remove(lock) == nil
}
