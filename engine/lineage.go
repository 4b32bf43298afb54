package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"growbench/engine/event"
	"growbench/engine/workspace"
)

// NoBaseError says why no run can begin where another one ended.
type NoBaseError struct {
	Run, Why, Advice string
}

func (e *NoBaseError) Error() string {
	return fmt.Sprintf("start where run %s ended: %s. %s", e.Run, e.Why, e.Advice)
}

// After is what a run of the project rests on that begins where the run in
// runDir ended: with what the user has put on top of its branch. A *NoBaseError
// says why there is nothing to begin from.
func After(ctx context.Context, project workspace.Project, runDir string) ([]workspace.Ancestor, error) {
	run := filepath.Base(runDir)
	no := func(why, advice string) error { return &NoBaseError{run, why, advice} }
	spec, err := LoadSpec(runDir)
	if err != nil {
		return nil, err
	}
	if spec.Root != project.Root {
		return nil, no("it is a run of another project, "+spec.Root, "`growbench runs` lists those of this one.")
	}
	s, _, err := Load(runDir, time.Now())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, no("it has not begun", "To begin it: growbench resume "+run+".")
	}
	if err != nil {
		return nil, err
	}
	if s.Owner == "alive" {
		return nil, no("it is at work", fmt.Sprintf("Wait for its end (`growbench attach %s`), or stop it (`growbench stop %s`).", run, run))
	}
	var refused *workspace.MergeRefused
	if err := mergeable(s); errors.As(err, &refused) {
		return nil, no(refused.Why, strings.ReplaceAll(refused.Advice, "\n", ". ")+".")
	}
	commit, why, advice, err := branchEnd(ctx, project, s)
	switch {
	case err != nil:
		return nil, fmt.Errorf("look for the work of run %s: %w", run, err)
	case why != "":
		return nil, no(why, advice)
	}
	return append(below(s), workspace.Ancestor{Run: run, Commit: commit}), nil
}

// branchEnd is the commit at which a finished run's work ends. A branch that
// the user has removed without merging it is taken for work that was thrown
// away, though git may have it still.
func branchEnd(ctx context.Context, project workspace.Project, s *event.State) (commit, why, advice string, err error) {
	commit = lastCommit(s)
	if !project.HasRepo() {
		return commit, "", "", nil
	}
	kept, err := project.OnBranch(ctx, commit)
	if err != nil {
		return "", "", "", err
	}
	if !kept {
		name := cmp.Or(s.Branch, "giver/task/"+s.Run)
		return "", fmt.Sprintf("its branch %s is gone, and no other one holds its work", name),
			fmt.Sprintf("Bring it back with `git branch %s %s`, or start at your own commit.", name, commit), nil
	}
	if commit, err = project.BranchTip(ctx, s.Branch, commit); err != nil {
		return "", "", "", err
	}
	related, err := project.Related(ctx, commit)
	if err == nil && !related {
		why, advice = "what you stand on shares no history with it", "Switch to the branch that it began from, or start at your own commit."
	}
	return commit, why, advice, err
}

// below is what a run itself rests on.
func below(s *event.State) []workspace.Ancestor {
	if len(s.Base.Lineage) == 0 {
		return []workspace.Ancestor{{Commit: s.Base.Commit, Snapshot: s.Base.Kind == workspace.BaseSnapshot}}
	}
	var all []workspace.Ancestor
	for _, a := range s.Base.Lineage {
		all = append(all, workspace.Ancestor(a))
	}
	return all
}

// RestOn lets the run begin where a lineage ends.
func (s *Spec) RestOn(lineage []workspace.Ancestor) {
	s.Base, s.Lineage = workspace.BaseRun, lineage
}

func (s Spec) lineage() []event.Ancestor {
	var all []event.Ancestor
	for _, a := range s.Lineage {
		all = append(all, event.Ancestor(a))
	}
	return all
}

// lender is the git directory of the run at the end of a lineage, where the runs
// lie in dir: without a repository its work is nowhere else.
func lender(dir string, lineage []workspace.Ancestor) string {
	if len(lineage) == 0 {
		return ""
	}
	return filepath.Join(dir, lineage[len(lineage)-1].Run, "git")
}

// FilesAfter reads files of the project, by their paths relative to it, as they
// are where a lineage ends, each up to limit bytes; one that is not there, or
// longer, is left out. stateRoot and project tell where the runs lie.
func FilesAfter(ctx context.Context, stateRoot, project string, lineage []workspace.Ancestor, paths []string, limit int64) (map[string][]byte, error) {
	last := lineage[len(lineage)-1]
	dirs := RunDirs(stateRoot, project, last.Run)
	tree, err := workspace.LookAtTree(ctx, dirs.Run, dirs.Tree)
	if err != nil {
		return nil, err
	}
	return tree.ContentsAt(ctx, last.Commit, paths, limit)
}

// BaseWords say where a run began, where that is another run's end; empty
// otherwise.
func BaseWords(b event.Base) string {
	runs := b.Runs()
	if len(runs) == 0 {
		return ""
	}
	words := fmt.Sprintf("begins where run %s ended (%s)", b.Run(), short(b.Commit))
	if len(runs) > 1 {
		words += ", which rests on " + strings.Join(runs[:len(runs)-1], ", ")
	}
	if b.Behind > 0 {
		words += fmt.Sprintf("; %s of yours since are not in it, merging joins them", commits(b.Behind))
	}
	return words
}

func commits(n int) string {
	if n == 1 {
		return "1 commit"
	}
	return fmt.Sprintf("%d commits", n)
}
