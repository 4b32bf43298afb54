package giver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// maxLoopRuns are kept of a loop, the newest.
const maxLoopRuns = 200

// base is where a run of a loop begins. Without a lineage that is where any run
// does: at the operator's commit, or their files.
type base struct {
	lineage []workspace.Ancestor
	chosen  []string // how it came to that, where it is not what one would expect
}

// ofLoop tells a pass whose runs are its loop's: they build on each other.
func (p *pass) ofLoop() bool { return p.loops() || p != nil && p.grew }

// loopBase is where the next run of the pass at hand begins.
func (s *Session) loopBase(ctx context.Context) base {
	s.mu.Lock()
	var runs []string
	if s.grow.pass.ofLoop() && s.grow.lock != nil {
		runs = slices.Clone(s.grow.lock.Runs)
	}
	s.mu.Unlock()
	return s.baseAfter(ctx, runs)
}

// baseAfter is where a run begins that goes on from the last of a loop's runs
// that passed. What the later ones left is not built upon, and neither is a
// branch that the operator has thrown away; what the operator has merged is in
// their own commit, with all that came after.
func (s *Session) baseAfter(ctx context.Context, runs []string) (b base) {
	if len(runs) == 0 {
		return b
	}
	project, err := workspace.FindProject(s.Project.Root)
	if err != nil {
		return base{chosen: []string{"not built upon what the loop has done: " + err.Error()}}
	}
	for _, run := range slices.Backward(runs) {
		lineage, why := s.buildOn(ctx, project, run)
		if why != "" {
			b.chosen = append(b.chosen, why)
			continue
		}
		merged, err := project.Contains(ctx, lineage[len(lineage)-1].Commit)
		switch {
		case err != nil:
			b.chosen = append(b.chosen, fmt.Sprintf("run %s is not built upon: %v", run, err))
			continue
		case merged:
			b.chosen = append(b.chosen, fmt.Sprintf("the work of run %s is merged: it begins at your own commit", run))
		default:
			b.lineage = lineage
		}
		return b
	}
	b.chosen = append(b.chosen, "so it begins at your own commit")
	return b
}

// buildOn is what a run rests on that goes on from the given one, or why none
// can.
func (s *Session) buildOn(ctx context.Context, project workspace.Project, run string) (lineage []workspace.Ancestor, why string) {
	dir := s.runDirs(run).Run
	state, _, err := engine.Load(dir, s.Now())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Sprintf("of run %s nothing is left to build upon", run)
	case err != nil:
		return nil, fmt.Sprintf("run %s is not built upon: %v", run, err)
	case state.Status != event.StatusPassed:
		return nil, fmt.Sprintf("what run %s left (%s) is not built upon", run, state.Status)
	}
	lineage, err = engine.After(ctx, project, dir)
	var none *engine.NoBaseError
	switch {
	case errors.As(err, &none):
		return nil, fmt.Sprintf("run %s is not built upon: %s", run, none.Why)
	case err != nil:
		return nil, fmt.Sprintf("run %s is not built upon: %v", run, err)
	}
	return lineage, ""
}

// words say where a run begins, for whoever is told that it has.
func (b base) words() string {
	words := ""
	if n := len(b.lineage); n > 0 {
		words = " It begins where run " + b.lineage[n-1].Run + " ended."
	}
	if len(b.chosen) > 0 {
		words += " Of its base: " + strings.Join(clipList(b.chosen, 4), "; ") + "."
	}
	return words
}

// keepRun makes a run the loop's, before it is made. The caller holds mu.
func (s *Session) keepRun(run string) {
	p, lock := s.grow.pass, s.grow.lock
	if p == nil {
		return
	}
	p.started = append(p.started, run)
	if p.ofLoop() && lock != nil {
		lock.Runs = append(lock.Runs, run)
		lock.Runs = lock.Runs[max(0, len(lock.Runs)-maxLoopRuns):]
		s.writeLock()
	}
}

// holds notes what a run of the loop that has passed holds: all that the next
// pass builds upon, and that one merge brings. The caller holds mu.
func (s *Session) holds(run *event.State) {
	if lock := s.grow.lock; lock != nil && run.Status == event.StatusPassed && slices.Contains(lock.Runs, run.Run) {
		lock.Holds = append(run.Base.Runs(), run.Run)
		s.writeLock()
	}
}

// readBase is a file of the project as it is where a run with a lineage begins.
func (s *Session) readBase(ctx context.Context, b base, path string) (text string, there bool, err error) {
	found, err := engine.FilesAfter(ctx, s.StateRoot, s.Project.Name, b.lineage, []string{path}, maxBaseFile)
	data, there := found[path]
	return string(data), there, err
}

// maxBaseFile bounds what is read of one file where a run begins.
const maxBaseFile = 16 << 20
