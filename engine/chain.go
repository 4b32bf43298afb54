package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// The chain is driven by the state alone: each step looks at what the log
// already holds and does the rest, so a run taken over after a crash goes on
// exactly where its log ends.

// open begins the run or takes it up again, up to a tree that is set up.
func (o *owner) open(ctx context.Context) error {
	if o.Resume != nil && o.state.Run != "" {
		if err := o.reopen(ctx); err != nil {
			return err
		}
	}
	if o.state.Run == "" {
		if err := o.begin(); err != nil {
			return err
		}
	}
	if err := o.openTree(ctx); err != nil {
		return err
	}
	return o.setup(ctx)
}

// begin logs what the run is.
func (o *owner) begin() error {
	text, err := os.ReadFile(filepath.Join(o.dirs.Run, fileTask0))
	if err != nil {
		return fmt.Errorf("read Task #0: %w", err)
	}
	task0, problems := doc.LintTaskText(string(text), doc.LintOptions{})
	return o.append(true, event.RunStarted{
		Format: event.Version, Run: o.spec.Run, Project: o.spec.Root, Base: o.spec.Base,
		Branch: o.spec.Branch, Task0: task0, Task0SHA256: hash(string(text)), Task0Bytes: len(text), Conversation: o.spec.Conversation,
		Planner: o.plannerName(), Worker: o.spec.Worker,
		Scripted: o.scripted(), Single: o.spec.Single, Attended: o.spec.Attended,
		Limits: limitsOf(o.spec.Config.Limits),
	}, event.T0Linted{Problems: append([]doc.Problem{}, problems...)})
}

// limitsOf are the limits as every screen shows them.
func limitsOf(l config.Limits) event.Limits {
	return event.Limits{
		Turns: l.Turns, Tokens: l.Tokens, Cost: l.Cost, Output: int64(l.Output),
		WallS: int64(time.Duration(l.Wall).Seconds()), SilenceS: int64(time.Duration(l.Silence).Seconds()),
	}
}

func (o *owner) plannerName() string {
	if o.spec.Plan != "" {
		return ""
	}
	return o.spec.Planner
}

// scripted tells whether every agent the run may use replays recorded steps.
func (o *owner) scripted() bool {
	names := []string{o.spec.Worker}
	if o.spec.Plan == "" {
		names = append(names, o.spec.Planner)
	}
	for _, n := range names {
		if o.spec.Config.Agents[n].Kind != "script" {
			return false
		}
	}
	return true
}

// reopen continues a log: an owner that died is noted, then why the run goes
// on and from which Worker.
func (o *owner) reopen(ctx context.Context) error {
	resumed := *o.Resume
	resumed.Attended = o.spec.Attended
	var bodies []event.Body
	if !o.state.IsEnded() {
		bodies = append(bodies, event.RunOrphaned{PID: lastPID(o.dirs.Run)})
	}
	if resumed.From == 0 && o.state.Plan.N > 0 {
		resumed.From = firstUnfinished(o.state)
	}
	return o.append(true, append(bodies, resumed)...)
}

// firstUnfinished is the first Worker with work left; one whose RESULT is
// accepted only has the engine's part left and is not run again, so the state
// it has must stay.
func firstUnfinished(s *event.State) int {
	for i := range s.Workers {
		w := &s.Workers[i]
		if w.State == event.Done || w.Result {
			continue
		}
		return w.K
	}
	return len(s.Workers) + 1
}

func lastPID(runDir string) int {
	o, err := readOwner(runDir)
	if err != nil {
		return 0
	}
	return o.PID
}

// openTree makes the run's clone, or takes up the one the log says stands.
func (o *owner) openTree(ctx context.Context) (err error) {
	if o.state.Base.Commit != "" {
		o.tree, err = workspace.OpenTree(ctx, o.dirs.Run, o.dirs.Tree)
		if err == nil {
			o.words = codeWords(o.tree)
			o.startPublishing()
		}
		return err
	}
	if err := o.removeHalfTree(); err != nil {
		return err
	}
	project, err := workspace.FindProject(o.spec.Root)
	if err != nil {
		return err
	}
	tree, report, err := workspace.Create(ctx, workspace.CreateOptions{
		Project: project, RunID: o.spec.Run, RunDir: o.dirs.Run, TreeDir: o.dirs.Tree,
		Base: o.spec.Base, At: o.state.Started, Copy: o.spec.Config.Workspace.Copy,
		Lineage: o.spec.Lineage, Lender: lender(filepath.Dir(o.dirs.Run), o.spec.Lineage),
	})
	if err != nil {
		return err
	}
	o.tree = tree
	o.words = codeWords(tree)
	o.words.ReadAhead(report.Base)
	o.startPublishing()
	if err := o.bringMap(ctx); err != nil {
		return err
	}
	return o.append(true, event.TreeReady{
		Base: baseKind(o.spec, report), Commit: report.Base, Uncommitted: report.Uncommitted,
		Notes: treeNotes(report), Lineage: o.spec.lineage(), Behind: report.Behind, Chosen: o.spec.Chosen,
	})
}

// removeHalfTree clears away a clone that an owner died over while making it:
// the log does not say that it stands.
func (o *owner) removeHalfTree() error {
	for _, dir := range []string{filepath.Join(o.dirs.Run, "git"), o.dirs.Tree} {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("clear away an unfinished clone: %w", err)
		}
	}
	return nil
}

func baseKind(s Spec, r workspace.Report) string {
	if s.Base == workspace.BaseRun {
		return workspace.BaseRun
	}
	if r.Snapshot {
		return workspace.BaseSnapshot
	}
	return workspace.BaseHead
}

// treeNotes is what the operator should know of how the clone came out.
func treeNotes(r workspace.Report) []string {
	var notes []string
	note := func(format string, paths []string) {
		if len(paths) > 0 {
			notes = append(notes, fmt.Sprintf(format, strings.Join(paths, ", ")))
		}
	}
	note("not in the clone, as they are repositories of their own: %s", r.Nested)
	note("filters only this repository defines were not run: %s", r.LocalFilters)
	note("workspace.copy: copied %s", r.Copied)
	note("workspace.copy: not there: %s", r.Missing)
	for _, refused := range r.Refused {
		notes = append(notes, fmt.Sprintf("workspace.copy: left out %s: %s", refused.Path, refused.Why))
	}
	for _, s := range r.Submodules {
		if text := submoduleNote(s); text != "" {
			notes = append(notes, text)
		}
	}
	return notes
}

// chain plans where no plan stands, then runs every Worker that is not done.
func (o *owner) chain(ctx context.Context) error {
	if err := o.settlePlan(ctx); err != nil {
		return err
	}
	if err := o.project(); err != nil {
		return err
	}
	for k := 1; k <= o.state.Plan.N; k++ {
		if o.state.Worker(k).State == event.Done {
			continue
		}
		if err := o.heed(ctx, k); err != nil {
			return err
		}
		if err := o.worker(ctx, k); err != nil {
			return err
		}
	}
	return nil
}

// project writes the documents that are projections of the log, which an owner
// may have died before writing.
func (o *owner) project() error {
	if len(o.state.Results) > 0 {
		if err := o.writeResults(); err != nil {
			return err
		}
	}
	return o.writeTasks()
}

// before is the commit Worker k starts from.
func (o *owner) before(k int) string {
	if w := o.state.Worker(k - 1); w != nil {
		return w.Commit
	}
	return o.state.Base.Commit
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func submoduleNote(s workspace.Submodule) string {
	if s.Missing == "" {
		return "submodule " + s.Path + " cloned; what a Worker changes inside it is not part of its commit"
	}
	return "submodule " + s.Path + " is empty: " + s.Missing
}
