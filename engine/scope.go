package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/mapgen/scan"
)

// The scope policy: what becomes of changes outside a Worker's targets. What
// native tools write is refused before it happens; this is for what commands
// and programs did, as git saw it.
const (
	scopeAsk        = "ask"
	scopeQuarantine = "quarantine"
)

// What an operator may do with changes that another task owns.
const (
	choiceKeep = "keep"
	choiceUndo = "undo"
	choiceFail = "fail"
)

// outsideChanges lists the changes that are not among Worker k's targets.
// Files that tools write by themselves are legitimate, unless another task
// owns them.
func outsideChanges(k int, changes []workspace.FileChange, tasks []doc.PlanTask) []event.ScopeFlagged {
	own := workspace.Scope{Targets: tasks[k-1].TargetFiles}
	var out []event.ScopeFlagged
	for _, c := range changes {
		for _, p := range changedPaths(c) {
			if own.Allows(p) && c.Kind != workspace.NestedRepository {
				continue
			}
			owner := ownerOf(p, k, tasks)
			if owner == 0 && legitimate(c) {
				continue
			}
			out = append(out, event.ScopeFlagged{K: k, Path: p, Kind: string(c.Kind), Owner: owner})
		}
	}
	return out
}

// changedPaths are the paths a change touched: a rename touches two.
func changedPaths(c workspace.FileChange) []string {
	if c.OldPath != "" {
		return []string{c.OldPath, c.Path}
	}
	return []string{c.Path}
}

// ownerOf is another task that has path among its targets, or 0.
func ownerOf(path string, k int, tasks []doc.PlanTask) int {
	for i, t := range tasks {
		if i+1 != k && (workspace.Scope{Targets: t.TargetFiles}).Allows(path) {
			return i + 1
		}
	}
	return 0
}

// legitimate tells whether a change is a lock file with other content, and
// still a plain file: one that is gone or leads elsewhere is no package
// manager's work.
func legitimate(c workspace.FileChange) bool {
	const plain = "100644"
	return (c.Kind == workspace.Created || c.Kind == workspace.Modified) && c.NewMode == plain &&
		scan.LockFile(c.Path)
}

// holdScope carries the scope policy out once RESULT #k is accepted. What it
// decides is in the log, so that a run taken over neither asks again nor runs
// the Worker again. An error ends the Worker.
func (o *owner) holdScope(ctx context.Context, k int) error {
	w := o.state.Worker(k)
	if !w.Result || w.Outside.Ref != "" || w.Intended.Tree != "" {
		return nil
	}
	switch o.spec.Config.Scope {
	case scopeQuarantine:
		return o.setAside(ctx, k, pathsOf(w.Flagged), "policy")
	case scopeAsk:
		owned := slices.DeleteFunc(slices.Clone(w.Flagged), func(f event.ScopeFlagged) bool { return f.Owner == 0 })
		if len(owned) == 0 {
			return nil
		}
		choice, err := o.askScope(ctx, k, owned)
		if err != nil || choice == choiceKeep {
			return err
		}
		return o.setAside(ctx, k, pathsOf(owned), "operator")
	}
	return nil
}

// askScope is what the operator wants of changes that other tasks own: keep or
// undo; everything else is an error.
func (o *owner) askScope(ctx context.Context, k int, owned []event.ScopeFlagged) (string, error) {
	var files []string
	for _, f := range owned {
		files = append(files, fmt.Sprintf("%s (%s; task %d)", f.Path, f.Kind, f.Owner))
	}
	what := "it changed what other tasks own: " + strings.Join(files, ", ")
	choice := o.state.Worker(k).ScopeChoice
	if choice == "" {
		if !o.spec.Attended {
			return "", fmt.Errorf("%s; nobody is there to say what becomes of it. "+
				"Run it again, or set scope to quarantine, which sets such changes aside", what)
		}
		var err error
		choice, err = o.ask(ctx, event.Waiting{
			ID: fmt.Sprintf("scope-%d-%d", k, o.state.LastSeq), Kind: "scope", K: k,
			Text:    fmt.Sprintf("Worker %d: %s.", k, what),
			Choices: []string{choiceKeep, choiceUndo, choiceFail},
			Meanings: []string{
				"the changes stay in its commit, and the tasks that own the files start from them",
				fmt.Sprintf("they are taken out of its commit and kept in %s", o.outsideRef(k)),
				"it fails and its work is kept unfinished; retry runs it again",
			},
		})
		if err != nil {
			return "", err
		}
	}
	if choice == choiceFail {
		return "", fmt.Errorf("%s; the operator let it fail", what)
	}
	return choice, nil
}

func (o *owner) outsideRef(k int) string {
	return fmt.Sprintf("refs/growbench/%s/%d-outside", o.spec.Run, k)
}

func pathsOf(flagged []event.ScopeFlagged) []string {
	var paths []string
	for _, f := range flagged {
		if !slices.Contains(paths, f.Path) {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// setAside takes changes of Worker k out of what will be committed. The commit
// that keeps them has the date of its RESULT, so that making it again, after
// its owner died, gives the same one.
func (o *owner) setAside(ctx context.Context, k int, paths []string, by string) error {
	if len(paths) == 0 {
		return nil
	}
	w := o.state.Worker(k)
	start := o.before(k)
	inside, outside, err := o.tree.SetAside(ctx, start, w.Tree, paths)
	if err != nil {
		return err
	}
	message := fmt.Sprintf("Changes of Worker %d outside its task\n\nrun %s\n", k, o.spec.Run)
	commit, err := o.tree.CommitTree(ctx, outside, start, message, w.AcceptedAt)
	if err != nil {
		return err
	}
	ref, err := o.tree.KeepOutside(ctx, k, commit)
	if err != nil {
		return err
	}
	if err := o.append(true, event.ScopeQuarantined{
		K: k, Ref: ref, Commit: commit, Paths: paths, By: by, Tree: inside, Result: resultWithout(o.result(k), paths),
	}); err != nil {
		return err
	}
	return o.writeResults()
}

// resultWithout is a RESULT as those who come after may rely on it: nothing of
// the given paths, and a word on why.
func resultWithout(r doc.Result, paths []string) doc.Result {
	gone := func(p string) bool { return slices.Contains(paths, p) }
	r.Files.Created = slices.DeleteFunc(slices.Clone(r.Files.Created), gone)
	r.Files.Modified = slices.DeleteFunc(slices.Clone(r.Files.Modified), gone)
	r.Files.Deleted = slices.DeleteFunc(slices.Clone(r.Files.Deleted), gone)
	r.Signatures = slices.DeleteFunc(slices.Clone(r.Signatures), func(s doc.Signature) bool { return gone(s.Path) })
	r.Breaking = slices.DeleteFunc(slices.Clone(r.Breaking), func(b doc.Breaking) bool { return gone(b.Path) })
	const shown = 5
	list := strings.Join(paths[:min(shown, len(paths))], ", ")
	if more := len(paths) - shown; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	r.Summary = strings.TrimSpace(r.Summary + " (observed) Not in its commit, as outside its task: changes to " + list + ".")
	r, _ = doc.Bound(r)
	return r
}

// whatBecame says in the report what became of a change outside a task.
func whatBecame(w event.Worker, p string) string {
	switch {
	case slices.Contains(w.Outside.Paths, p):
		return fmt.Sprintf("It is not in its commit, but kept in `%s`.", w.Outside.Ref)
	case w.Commit == "":
		return "It is in no commit yet."
	}
	return "It was kept."
}
