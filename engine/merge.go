package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/mapgen"
)

// fileMerged remembers that a run's work is the user's.
const fileMerged = "merged.json"

// merged is what fileMerged holds.
type merged struct {
	Commit string    `json:"commit"` // what was brought in
	Branch string    `json:"branch,omitempty"`
	At     time.Time `json:"at"`
}

// MergeOptions says how to merge.
type MergeOptions struct {
	DryRun bool
	// Extractor reads source files for the map; nil reads them in this process.
	Extractor mapgen.Extractor
	Now       time.Time
	// AfterStep is told of each thing that is on the disk.
	AfterStep func(step string)
}

// Merge brings the work of the run in runDir into the user's work tree and
// current branch; see workspace.Tree.Merge. The run must be at its end, with
// every Worker done, and have no owner. What cannot be clean is a
// *workspace.MergeRefused.
func Merge(ctx context.Context, runDir string, opt MergeOptions) (workspace.Merged, error) {
	held, s, err := holdIdle(runDir, "merge")
	if err != nil {
		return workspace.Merged{}, err
	}
	defer held.release()
	if err := mergeable(s); err != nil {
		return workspace.Merged{}, err
	}
	dirs := dirsOf(runDir)
	tree, err := workspace.OpenTree(ctx, dirs.Run, dirs.Tree)
	if err != nil {
		return workspace.Merged{}, err
	}
	// What the user has put on top of the branch belongs to it.
	commit, err := tree.Project.BranchTip(ctx, s.Branch, lastCommit(s))
	if err != nil {
		return workspace.Merged{}, err
	}
	out, err := tree.Merge(ctx, workspace.MergeOptions{
		Commit: commit, Message: mergeMessage(s), DryRun: opt.DryRun, AfterStep: opt.AfterStep,
	})
	if err != nil {
		return out, err
	}
	if s.Verified != event.VerifiedPassed {
		out.Notes = append(out.Notes, "the run: "+verifiedText(s))
	}
	if opt.DryRun || len(out.Left) > 0 {
		return out, nil
	}
	if err := bringMapHome(ctx, tree, runDir, s, opt.Extractor); err != nil {
		out.Notes = append(out.Notes, "the map was not brought along: "+err.Error())
	}
	data, err := json.Marshal(merged{Commit: commit, Branch: out.Branch, At: opt.Now.UTC()})
	if err == nil {
		err = writeFile(filepath.Join(runDir, fileMerged), append(data, '\n'))
	}
	return out, err
}

// holdIdle takes the run in runDir from everybody else for a moment. It must
// have no owner.
func holdIdle(runDir, doing string) (*lock, *event.State, error) {
	run := filepath.Base(runDir)
	held, err := takeLock(runDir)
	if errors.Is(err, ErrOwned) {
		return nil, nil, fmt.Errorf("%s run %s: %w; wait for its end, or `growbench stop %s`", doing, run, ErrOwned, run)
	}
	if err != nil {
		return nil, nil, err
	}
	s, _, err := Load(runDir, time.Now())
	if err != nil {
		held.release()
		return nil, nil, err
	}
	s.Owner = "gone" // the lock is ours
	return held, s, nil
}

func mergeable(s *event.State) error {
	done := s.DoneWorkers()
	switch {
	case s.Plan.N == 0:
		return &workspace.MergeRefused{Why: "the run has no plan, so no work", Advice: "To go on: growbench resume " + s.Run}
	case done < s.Plan.N:
		refused := &workspace.MergeRefused{
			Why:    fmt.Sprintf("only %d of the run's %d Workers are done", done, s.Plan.N),
			Advice: "To go on: growbench resume " + s.Run,
		}
		if done > 0 {
			refused.Advice += fmt.Sprintf("\nTo take what there is: git merge refs/growbench/%s/%d", s.Run, done)
		}
		return refused
	case !s.IsEnded():
		return &workspace.MergeRefused{Why: "the run has not come to its end", Advice: "To go on: growbench resume " + s.Run}
	}
	return nil
}

func mergeMessage(s *event.State) string {
	subject := strings.Join(strings.Fields(s.Task0.Goal), " ")
	text := fmt.Sprintf("Merge run %s: %s\n\n", s.Run, subject)
	if s.Branch != "" {
		text += "Branch: " + s.Branch + "\n"
	}
	return text + fmt.Sprintf("Workers: %d\nVerified: %s\n", s.Plan.N, s.Verified)
}

// wasMerged tells whether commit is what was brought to the user.
func wasMerged(runDir, commit string) (bool, error) {
	data, err := os.ReadFile(filepath.Join(runDir, fileMerged))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	var m merged
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		return false, fmt.Errorf("read whether run %s was merged: %w", filepath.Base(runDir), err)
	}
	return m.Commit == commit, nil
}
