package workspace

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
)

// ontoFiles brings the run's work to a user who has no commit to build on: each
// file whose content is still that of the run's base gets the new one, the
// others are named. Neither index nor branch is touched.
func (m *merge) ontoFiles(ctx context.Context) (err error) {
	m.out.How, m.out.From, m.out.To = MergeFiles, m.tree.First(), m.Commit
	place, held := m.scratch, m.project.RepoTop
	if m.project.HasRepo() {
		place, held = filepath.Join(m.project.GitDir, workshop), m.project.GitDir
	}
	if !m.DryRun {
		dir, locked := lockDir(held)
		if locked != nil {
			return locked
		}
		defer func() { err = errors.Join(err, dir.Close()) }()
		if place != m.scratch {
			if err := removeAll(place); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, removeAll(place)) }()
		}
	}
	touched, err := m.sinceFirst(ctx)
	if err != nil {
		return err
	}
	if m.out.Runs, err = m.brings(ctx); err != nil {
		return err
	}
	if err := m.look(ctx, touched, nil); err != nil {
		return err
	}
	if err := m.checkFilters(ctx, touched); err != nil {
		return err
	}
	ready := m.sortOut(touched)
	if len(ready) == 0 && len(m.out.Left) == 0 {
		m.out.How = MergeNothing
		return nil
	}
	m.out.Files = m.changes(ready)
	if err := m.writable(ready); err != nil || m.DryRun {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	writing, err := m.stageFiles(ctx, m.Commit, ready, place)
	if err != nil {
		return err
	}
	return writing.write(m.AfterStep)
}

// sinceFirst lists what the run and those it rests on have changed. Where one of
// them was merged by itself, its work stands in the user's files.
func (m *merge) sinceFirst(ctx context.Context) ([]touch, error) {
	touched, err := m.raw(ctx, m.tree.First(), m.Commit)
	at := map[string]int{}
	for i, t := range touched {
		at[t.path] = i
	}
	for _, a := range m.tree.Lineage[1:] {
		if err != nil {
			break
		}
		var since []touch
		since, err = m.raw(ctx, a.Commit, m.Commit)
		for _, t := range since {
			if i, known := at[t.path]; known {
				touched[i].bases = append(touched[i].bases, t.old)
				continue
			}
			at[t.path] = len(touched)
			touched = append(touched, t)
		}
	}
	slices.SortFunc(touched, func(a, b touch) int { return strings.Compare(a.path, b.path) })
	return touched, err
}

// sortOut returns what can be written and notes what is left and why. A file
// that has to be left may keep others from their places, so it looks again
// until nothing changes.
func (m *merge) sortOut(touched []touch) []touch {
	left := map[string]bool{}
	for again := true; again; {
		again = false
		var rest []touch
		for _, t := range touched {
			if !left[t.path] {
				rest = append(rest, t)
			}
		}
		plan := m.planOf(rest)
		for _, t := range rest {
			why := plan.blocked(t)
			switch {
			case t.isLink():
				why = "a repository of its own"
			case why != "":
				why = blockedWords(why, t)
			default:
				continue
			}
			left[t.path], again = true, true
			m.out.Left = append(m.out.Left, Refusal{Path: m.tree.projectPath(t.path), Why: why})
		}
	}
	var ready []touch
	for _, t := range touched {
		if !left[t.path] && !(t.found.version == t.new && t.found.parent == "" && !(t.found.inside && t.new.there())) {
			ready = append(ready, t)
		}
	}
	return ready
}

// blockedWords speaks of the run's base: there is no commit to speak of.
func blockedWords(why string, t touch) string {
	switch {
	case t.found.info != nil && !t.found.inside && t.found.version.there() && t.old.there():
		return "changed since the run began"
	case t.found.info != nil && !t.found.inside && t.found.version.there():
		return "made since the run began, with another content"
	case why == "removed, not committed":
		return "removed since the run began"
	}
	return why
}
