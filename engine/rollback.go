package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// RolledBack is what Rollback did.
type RolledBack struct {
	Run     string    `json:"run"`
	K       int       `json:"k"`       // the first Worker that was dropped
	Commit  string    `json:"commit"`  // the clone is at
	Dropped []Dropped `json:"dropped"` // where the work is kept
	Branch  string    `json:"branch"`  // made before, left where it is; or empty
}

// Dropped is the work of one Worker that left the run. Ref is in the user's
// repository too, when there is one.
type Dropped struct {
	K      int    `json:"k"`
	Commit string `json:"commit"`
	Ref    string `json:"ref"`
}

// Rollback drops Worker k and those after it, as if they had never run: their
// RESULTs, commits and the ledger's entries leave the run, the clone goes back
// to the commit before. Their work is kept under refs of its own. The run must
// have no owner; `resume` goes on from Worker k.
//
// The refs that keep the work come first, then the log, then what follows from
// the log; a run that was killed in between is rolled back by the same command
// again, or by its next owner.
func Rollback(ctx context.Context, runDir string, k int, now func() time.Time) (RolledBack, error) {
	held, s, err := holdIdle(runDir, "roll back")
	if err != nil {
		return RolledBack{}, err
	}
	defer held.release()
	// A rollback that was killed after its log is finished by the same again.
	logged := s.Status == event.StatusStopped && s.Reason == rollbackReason(k)
	if err := canRollBack(s, k); err != nil && !logged {
		return RolledBack{}, fmt.Errorf("roll back run %s: %w", s.Run, err)
	}
	dirs := dirsOf(runDir)
	if _, err := workspace.EndMarked(ctx, marker(s.Run), time.Second); err != nil {
		return RolledBack{}, fmt.Errorf("end what run %s left behind: %w", s.Run, err)
	}
	tree, err := workspace.OpenTree(ctx, dirs.Run, dirs.Tree)
	if err != nil {
		return RolledBack{}, err
	}
	out := RolledBack{Run: s.Run, K: k, Commit: commitBefore(s, k)}
	if out.Dropped, err = keepDropped(ctx, tree, s, k, now()); err != nil {
		return out, err
	}
	if !logged {
		if s, err = logRollback(runDir, s, k, now); err != nil {
			return out, err
		}
	}
	out.Branch = s.Branch
	if s.Tip == "" {
		out.Branch = "" // asked for, not made
	}
	if err := tree.Reset(ctx, out.Commit); err != nil {
		return out, err
	}
	if err := tree.Forget(ctx, k, s.Plan.N); err != nil {
		return out, err
	}
	return out, projectRollback(runDir, s, out, now())
}

func canRollBack(s *event.State, k int) error {
	if k < 1 || k > s.Plan.N {
		return noWorker(k, s)
	}
	if commitBefore(s, k) == "" {
		return fmt.Errorf("roll back to Worker %d, which has not run, so there is nothing after it to drop: %w", k-1, ErrNothingToDo)
	}
	for i := k; i <= s.Plan.N; i++ {
		if s.Worker(i).State != event.Pending {
			return nil
		}
	}
	return fmt.Errorf("no Worker from %d on has run: %w", k, ErrNothingToDo)
}

// keepDropped keeps what Workers k and later committed, what one of them left
// without a commit, and what the clone holds of one that was cut short.
func keepDropped(ctx context.Context, tree *workspace.Tree, s *event.State, k int, at time.Time) ([]Dropped, error) {
	dropped := []Dropped{}
	keep := func(i int, commit string) error {
		ref, err := tree.KeepDropped(ctx, i, commit)
		dropped = append(dropped, Dropped{K: i, Commit: commit, Ref: ref})
		return err
	}
	for i := k; i <= s.Plan.N; i++ {
		w := s.Worker(i)
		if w.Commit != "" {
			if err := keep(i, w.Commit); err != nil {
				return dropped, err
			}
			continue
		}
		if w.State == event.Pending || w.Partial != "" {
			return dropped, nil
		}
		left := w.Tree
		if left == "" {
			var err error
			if left, err = tree.WriteTree(ctx); err != nil {
				return dropped, err
			}
		}
		start := commitBefore(s, i)
		changes, err := tree.Changes(ctx, start, left)
		if err != nil || len(changes) == 0 {
			return dropped, err
		}
		if !w.IntendedAt.IsZero() {
			at = w.IntendedAt
		}
		commit, err := tree.CommitTree(ctx, left, start, fmt.Sprintf("Dropped work of Worker %d\n", i), at)
		if err != nil {
			return dropped, err
		}
		return dropped, keep(i, commit)
	}
	return dropped, nil
}

// logRollback writes the two events as one and returns the state after them.
func logRollback(runDir string, s *event.State, k int, now func() time.Time) (*event.State, error) {
	log, events, _, err := event.OpenLog(filepath.Join(runDir, fileEvents), now)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	var bodies []event.Body
	if !s.IsEnded() {
		bodies = append(bodies, event.RunOrphaned{PID: lastPID(runDir)})
	}
	bodies = append(bodies,
		event.RunResumed{From: k, Reason: "rollback"},
		event.RunEnded{Run: s.Run, Status: event.StatusStopped, Verified: event.VerifiedNone, Reason: rollbackReason(k)})
	added, err := log.Append(true, bodies...)
	if err != nil {
		return nil, err
	}
	return event.Fold(append(events, added...)), nil
}

func rollbackReason(k int) string {
	if k > 1 {
		return fmt.Sprintf("rolled back to Worker %d", k-1)
	}
	return "rolled back to the base"
}

// projectRollback writes anew what is a projection of the log.
func projectRollback(runDir string, s *event.State, out RolledBack, now time.Time) error {
	if err := writeFile(filepath.Join(runDir, fileResults), []byte(doc.FormatResults(s.Results))); err != nil {
		return err
	}
	var notes []string
	for _, d := range out.Dropped {
		notes = append(notes, fmt.Sprintf("the dropped work of Worker %d is kept in `%s`.", d.K, d.Ref))
	}
	if out.Branch != "" {
		notes = append(notes, fmt.Sprintf("branch `%s` was made before and is left where it is; it still holds the dropped work.", out.Branch))
	}
	return writeFile(filepath.Join(runDir, fileReport), []byte(Report(s, now.UTC(), notes)))
}
