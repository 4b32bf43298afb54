package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"growbench/engine/event"
	"growbench/engine/workspace"
)

// ErrNoWorker means that a run has no Worker of that number.
var ErrNoWorker = errors.New("no Worker")

// Difference is what a run, or one Worker of it, changed.
type Difference struct {
	Run string `json:"run"`
	K   int    `json:"k"` // 0: the whole run
	// From and To are commits; the same when nothing was kept.
	From string `json:"from"`
	To   string `json:"to"`
	// Unfinished is true of the work of a Worker that did not come to its end.
	Unfinished bool          `json:"unfinished"`
	Files      []ChangedFile `json:"files"`
	Patch      string        `json:"patch"` // as `git apply` reads it
}

// ChangedFile is one file of a Difference. Added and Deleted count lines and
// are -1 of a binary file.
type ChangedFile struct {
	Path    string `json:"path"`
	OldPath string `json:"old_path"` // of a renamed file
	Kind    string `json:"kind"`
	Added   int    `json:"added"`
	Deleted int    `json:"deleted"`
}

// Diff returns what the run in runDir changed so far (k = 0), or what Worker k
// did. The run may be at work meanwhile.
func Diff(ctx context.Context, runDir string, k int) (Difference, error) {
	d := Difference{Run: filepath.Base(runDir), K: k, Files: []ChangedFile{}}
	events, _, err := event.Read(filepath.Join(runDir, fileEvents))
	if err != nil {
		return d, fmt.Errorf("compare the work of run %s: %w", d.Run, err)
	}
	s := event.Fold(events)
	s.Look(OwnerAlive(runDir), time.Now())
	switch {
	case s.Base.Commit == "":
		return d, fmt.Errorf("compare the work of run %s: its clone does not stand yet", d.Run)
	case k < 0 || k > s.Plan.N:
		return d, fmt.Errorf("compare the work of run %s: %w", d.Run, noWorker(k, s))
	case k == 0:
		d.From, d.To = s.Base.Commit, lastCommit(s)
	default:
		if d.From = commitBefore(s, k); d.From == "" {
			return d, fmt.Errorf("compare the work of Worker %d: it has not begun", k)
		}
		d.To = s.Worker(k).Commit
		if d.To == "" {
			d.To, d.Unfinished = partialCommit(events, s, k), true
		}
		if d.To == "" {
			return d, fmt.Errorf("compare the work of Worker %d: it is %s and nothing of it is kept", k, s.Worker(k).State)
		}
	}
	dirs := dirsOf(runDir)
	tree, err := workspace.LookAtTree(ctx, dirs.Run, dirs.Tree)
	if err != nil {
		return d, err
	}
	stats, err := tree.Stats(ctx, d.From, d.To)
	if err != nil {
		return d, err
	}
	for _, f := range stats {
		d.Files = append(d.Files, ChangedFile{f.Path, f.OldPath, string(f.Kind), f.Added, f.Deleted})
	}
	patch, err := tree.Diff(ctx, d.From, d.To)
	d.Patch = string(patch)
	return d, err
}

// FileAfter is the content of a file of the project, its path relative to it,
// as Worker k of the run in runDir left it, finished or not. A file that is not
// there then is fs.ErrNotExist.
func FileAfter(ctx context.Context, runDir string, k int, path string) ([]byte, error) {
	events, _, err := event.Read(filepath.Join(runDir, fileEvents))
	if err != nil {
		return nil, fmt.Errorf("read a file of run %s: %w", filepath.Base(runDir), err)
	}
	s := event.Fold(events)
	w := s.Worker(k)
	if w == nil {
		return nil, fmt.Errorf("read a file of run %s: %w", filepath.Base(runDir), noWorker(k, s))
	}
	commit := w.Commit
	if commit == "" {
		commit = partialCommit(events, s, k)
	}
	if commit == "" {
		return nil, fmt.Errorf("read %s as Worker %d left it: it is %s and nothing of it is kept", path, k, w.State)
	}
	dirs := dirsOf(runDir)
	tree, err := workspace.LookAtTree(ctx, dirs.Run, dirs.Tree)
	if err != nil {
		return nil, err
	}
	return tree.FileAt(ctx, commit, path)
}

// noWorker words a Worker's number that is out of range.
func noWorker(k int, s *event.State) error {
	if s.Plan.N == 0 {
		return fmt.Errorf("%w %d: it has no plan yet", ErrNoWorker, k)
	}
	return fmt.Errorf("%w %d: the chain has Workers 1 to %d", ErrNoWorker, k, s.Plan.N)
}

// commitBefore is the commit Worker k starts from; empty when that is not made.
func commitBefore(s *event.State, k int) string {
	if w := s.Worker(k - 1); w != nil {
		return w.Commit
	}
	return s.Base.Commit
}

// lastCommit is the last one of the chain so far, or the base.
func lastCommit(s *event.State) string {
	last := s.Base.Commit
	for _, w := range s.Workers {
		if w.Commit == "" {
			break
		}
		last = w.Commit
	}
	return last
}

// partialCommit is the commit that keeps the unfinished work of Worker k.
func partialCommit(events []event.Event, s *event.State, k int) (commit string) {
	for _, e := range events {
		if p, ok := e.Body.(event.PartialKept); ok && p.K == k && p.Ref == s.Worker(k).Partial {
			commit = p.Commit
		}
	}
	return commit
}
