package workspace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// BaseRun lets a run begin where an earlier one ended.
const BaseRun = "run"

// Ancestor is a commit that a run rests on.
type Ancestor struct {
	Run      string `json:"run,omitempty"` // that ended there; empty: it is the user's own
	Commit   string `json:"commit"`
	Snapshot bool   `json:"snapshot,omitempty"` // it holds what the user had not committed
}

// first is the user's own commit that the run and those before it rest on.
func (t *Tree) first() Ancestor { return t.Lineage[0] }

// First is the commit of the user's that the run and those before it rest on.
func (t *Tree) First() string { return t.first().Commit }

// snapshot is the commit below the run that holds work the user had not
// committed; empty without one.
func (t *Tree) snapshot() string {
	if t.first().Snapshot {
		return t.first().Commit
	}
	return ""
}

// standOn makes the end of the lineage the base. Its commits are the user's
// repository's already, or are taken from the lender.
func (t *Tree) standOn(ctx context.Context, engine gitDir, opt CreateOptions) (report Report, err error) {
	t.Lineage = slices.Clone(opt.Lineage)
	last := t.Lineage[len(t.Lineage)-1]
	held, err := engine.holds(ctx, last.Commit+"^{tree}")
	if err == nil && !held && opt.Lender != "" {
		err = sendCommit(ctx, gitDir{dir: opt.Lender}, engine, last.Commit, nil)
		held = err == nil
	}
	if err != nil || !held {
		return report, errors.Join(err, fmt.Errorf("starting where run %s ended: commit %s is gone from %s; start a new run at your own commit", last.Run, last.Commit, t.Project.RepoTop))
	}
	t.Base, report.Base = last.Commit, last.Commit
	if t.Project.HasCommit {
		if report.Behind, err = t.Project.count(ctx, engine, last.Commit+".."+t.Project.Head); err != nil {
			return report, err
		}
	}
	snapshot := t.snapshot()
	if snapshot == "" {
		report.Uncommitted, err = t.Project.uncommitted(ctx, engine)
		return report, err
	}
	// What the user has changed since the first of these runs took it along.
	was, err := engine.line(ctx, "rev-parse", "--verify", snapshot+"^{tree}")
	if err != nil {
		return report, fmt.Errorf("reading the snapshot that run %s rests on: %w", last.Run, err)
	}
	now, nested, err := t.Project.snapshot(ctx, engine)
	report.Nested, report.Uncommitted = nested, now != was
	return report, err
}

func (p Project) count(ctx context.Context, git gitDir, commits string) (int, error) {
	out, err := git.line(ctx, "rev-list", "--count", commits)
	if err != nil {
		return 0, fmt.Errorf("counting the commits %s: %w", commits, err)
	}
	return strconv.Atoi(out)
}

// Related tells whether commit shares a history with what the user stands on;
// whoever has no commit yet shares everything.
func (p Project) Related(ctx context.Context, commit string) (bool, error) {
	if !p.HasCommit {
		return true, nil
	}
	_, err := p.repo().run(ctx, "merge-base", p.Head, commit)
	return answer(err)
}

// Contains tells whether commit is part of what the user stands on.
func (p Project) Contains(ctx context.Context, commit string) (bool, error) {
	if !p.HasCommit {
		return false, nil
	}
	if held, err := p.repo().holds(ctx, commit+"^{commit}"); err != nil || !held {
		return false, err
	}
	_, err := p.repo().run(ctx, "merge-base", "--is-ancestor", commit, p.Head)
	return answer(err)
}

// brings are the earlier runs whose work comes along with this one's.
func (m *merge) brings(ctx context.Context) ([]string, error) {
	var runs []string
	for _, a := range m.tree.Lineage {
		if a.Run == "" {
			continue
		}
		if m.out.How != MergeFiles {
			if there, err := m.isAncestor(ctx, a.Commit, m.project.Head); err != nil || there {
				if err != nil {
					return nil, err
				}
				continue
			}
		}
		runs = append(runs, a.Run)
	}
	return runs, nil
}
