package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"growbench/engine/event"
	"growbench/engine/workspace"
)

// PruneOptions says which runs of a project may go.
type PruneOptions struct {
	StateRoot string
	Project   string // name of the project's state folder
	Now       time.Time
	OlderThan time.Duration // since the run's last event
	Keep      int           // the newest so many stay
	All       bool          // also those whose work nobody else has
	Named     []string      // run directories: these alone, whatever their age and work
	DryRun    bool
	// AfterStep is told of each thing that is on the disk.
	AfterStep func(step string)
}

// Pruned is what Prune did, or would do.
type Pruned struct {
	Runs  []PrunedRun `json:"pruned"`
	Kept  []KeptRun   `json:"kept"`
	Freed int64       `json:"freed_bytes"` // on the disk
}

// PrunedRun is a run that went.
type PrunedRun struct {
	Run   string `json:"run"`
	Bytes int64  `json:"bytes"`
}

// KeptRun is a run that stays, and why.
type KeptRun struct {
	Run string `json:"run"`
	Why string `json:"why"`
}

// dirPruned holds what is being deleted, beside the runs of a project.
const dirPruned = "pruned"

// Prune deletes runs: directory, clone and refs. Branches stay, and so does a
// run with a living owner. A run leaves in one step, by a new name for its
// directory; what a kill leaves of it after that, the next Prune deletes.
func Prune(ctx context.Context, opt PruneOptions) (Pruned, error) {
	out := Pruned{Runs: []PrunedRun{}, Kept: []KeptRun{}}
	if opt.AfterStep == nil {
		opt.AfterStep = func(string) {}
	}
	if !opt.DryRun {
		freed, err := finishPruned(ctx, filepath.Join(opt.StateRoot, opt.Project))
		out.Freed += freed
		if err != nil {
			return out, err
		}
	}
	dirs := slices.Clone(opt.Named)
	if len(dirs) == 0 {
		var err error
		if dirs, err = Runs(opt.StateRoot, opt.Project); err != nil {
			return out, err
		}
	}
	slices.Reverse(dirs) // the newest first
	for i, dir := range dirs {
		run := filepath.Base(dir)
		why, err := opt.stays(ctx, dir, i)
		if err != nil {
			why = err.Error()
		}
		if why != "" {
			out.Kept = append(out.Kept, KeptRun{run, why})
			continue
		}
		freed, err := opt.remove(ctx, dir)
		if errors.Is(err, ErrOwned) {
			out.Kept = append(out.Kept, KeptRun{run, "it is at work"})
			continue
		}
		if err != nil {
			return out, fmt.Errorf("delete run %s: %w", run, err)
		}
		out.Runs = append(out.Runs, PrunedRun{run, freed})
		out.Freed += freed
	}
	return out, nil
}

// stays says why the run at place i from the newest is not deleted; empty when
// it may go.
func (opt PruneOptions) stays(ctx context.Context, dir string, i int) (string, error) {
	if OwnerAlive(dir) {
		return "it is at work", nil
	}
	if len(opt.Named) > 0 {
		return "", nil
	}
	if i < opt.Keep {
		return fmt.Sprintf("among the newest %d", opt.Keep), nil
	}
	s, _, err := Load(dir, opt.Now)
	if errors.Is(err, fs.ErrNotExist) {
		s, err = event.NewState(), nil // its owner never began
	}
	if err != nil {
		return "", err
	}
	last := s.LastAt
	if last.IsZero() {
		if last, err = time.Parse("20060102-150405", filepath.Base(dir)[:15]); err != nil {
			return "", err
		}
	}
	if opt.Now.Sub(last) < opt.OlderThan {
		return "not old enough", nil
	}
	if opt.All {
		return "", nil
	}
	only, err := onlyHere(ctx, dir, s)
	if err != nil || !only {
		return "", err
	}
	return "nobody else has its work; name it, or use --all", nil
}

// onlyHere tells whether the run holds work that no branch of the user's does
// and that was not merged.
func onlyHere(ctx context.Context, dir string, s *event.State) (bool, error) {
	events, _, err := event.Read(filepath.Join(dir, fileEvents))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var work []string
	if last := lastCommit(s); last != s.Base.Commit {
		work = append(work, last)
	}
	for _, w := range s.Workers {
		if w.Commit == "" && w.Tree != "" {
			return true, nil // accepted, not committed
		}
		if c := partialCommit(events, s, w.K); w.Partial != "" && c != "" {
			work = append(work, c)
		}
		if w.Outside.Commit != "" {
			work = append(work, w.Outside.Commit)
		}
	}
	if len(work) == 0 {
		return false, nil
	}
	spec, err := LoadSpec(dir)
	if err != nil {
		return false, err
	}
	project, found := userProject(spec)
	for _, commit := range work {
		safe, err := wasMerged(dir, commit)
		if err == nil && !safe && found {
			safe, err = project.OnBranch(ctx, commit)
		}
		if err != nil || !safe {
			return true, err
		}
	}
	return false, nil
}

// userProject is the project of a run as it is now, if it still stands.
func userProject(spec Spec) (workspace.Project, bool) {
	p, err := workspace.FindProject(spec.Root)
	return p, err == nil && p.Root == spec.Root
}

// remove deletes one run and returns how many bytes that freed.
func (opt PruneOptions) remove(ctx context.Context, dir string) (int64, error) {
	dirs := dirsOf(dir)
	held, err := takeLock(dir)
	if err != nil {
		return 0, err
	}
	defer held.release()
	if opt.DryRun {
		return usedBytes(dirs.Run) + usedBytes(dirs.Tree), nil
	}
	ended, cancel := context.WithTimeout(ctx, cleanup)
	defer cancel()
	if _, err := workspace.EndMarked(ended, marker(filepath.Base(dir)), time.Second); err != nil {
		return 0, err
	}
	place := filepath.Join(filepath.Dir(filepath.Dir(dir)), dirPruned)
	if err := os.MkdirAll(place, 0o700); err != nil {
		return 0, err
	}
	gone := filepath.Join(place, filepath.Base(dir))
	if err := os.Rename(dir, gone); err != nil {
		return 0, err
	}
	opt.AfterStep("moved away")
	return finishRun(ctx, gone, dirs.Tree, opt.AfterStep)
}

// finishPruned deletes what an earlier Prune died over.
func finishPruned(ctx context.Context, project string) (freed int64, err error) {
	left, err := os.ReadDir(filepath.Join(project, dirPruned))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("list what was being deleted: %w", err)
	}
	for _, entry := range left {
		gone := filepath.Join(project, dirPruned, entry.Name())
		n, err := finishRun(ctx, gone, filepath.Join(project, "trees", entry.Name()), func(string) {})
		freed += n
		if err != nil {
			return freed, fmt.Errorf("finish deleting run %s: %w", entry.Name(), err)
		}
	}
	return freed, nil
}

// finishRun deletes the rest of a run whose directory was moved to gone. What
// tells where the refs are goes last.
func finishRun(ctx context.Context, gone, tree string, step func(string)) (int64, error) {
	run := filepath.Base(gone)
	freed := usedBytes(gone) + usedBytes(tree)
	if spec, err := LoadSpec(gone); err == nil {
		if p, found := userProject(spec); found {
			if err := p.RemoveRefs(ctx, run); err != nil {
				return 0, err
			}
		}
	}
	step("refs")
	if err := workspace.RemoveDir(tree); err != nil {
		return 0, err
	}
	step("clone")
	if socket, err := socketPath(run); err == nil {
		os.Remove(socket) // a killed owner leaves it
	}
	return freed, workspace.RemoveDir(gone)
}

// usedBytes is what a directory takes up on the disk, each file counted once.
func usedBytes(dir string) (n int64) {
	seen := map[uint64]bool{}
	// What cannot be read is not counted; it is only told.
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return nil
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && !seen[stat.Ino] {
			seen[stat.Ino] = true
			n += stat.Blocks * 512
		}
		return nil
	})
	return n
}
