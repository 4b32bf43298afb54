package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// cleanup bounds what must still be done after a run was told to stop.
const cleanup = time.Minute

// settle is the engine's part after RESULT #k is handed in: commit, the
// comparison with what it says, ledger, checks, the Worker's end. Each step is
// skipped when the log already has it. A stop does not cut it short: the
// Worker's work is done, only its record is missing. It does end the checks, which are a signal and may take long.
func (o *owner) settle(ctx context.Context, k int) error {
	record, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanup)
	defer cancel()
	o.readAhead(k)
	defer o.words.Rest()
	if err := o.commit(record, k); err != nil {
		return err
	}
	if err := o.compare(record, k); err != nil {
		return err
	}
	if err := o.markMap(record, k); err != nil {
		return err
	}
	if err := o.checkEach(ctx, k); err != nil && context.Cause(ctx) == nil {
		return err
	}
	w := o.state.Worker(k)
	return o.append(true, event.WorkerEnded{
		K: k, State: event.Done,
		TranscriptBytes: o.transcriptBytes(k),
		ResultBytes:     int64(len(doc.FormatResult(o.result(w.K)))),
	})
}

// readAhead begins to read the words of the clone's code while git commits: if
// Worker k broke something, its users have to be found.
func (o *owner) readAhead(k int) {
	if w := o.state.Worker(k); o.whole && w.Commit == "" && w.Outside.Ref == "" {
		o.words.ReadAhead(w.Tree)
	}
}

func (o *owner) result(k int) doc.Result {
	for _, r := range o.state.Results {
		if r.K == k {
			return r
		}
	}
	return doc.Result{K: k}
}

// commit makes Worker k's one commit. The tree, parent, words and date are in
// the log first, so that doing it again gives the same hash.
func (o *owner) commit(ctx context.Context, k int) error {
	w := o.state.Worker(k)
	if w.Commit == "" && w.Intended.Tree == "" {
		intended := event.CommitIntended{K: k, Tree: w.Tree, Parent: o.before(k), Message: o.message(k)}
		if err := o.append(true, intended); err != nil {
			return err
		}
	}
	w = o.state.Worker(k)
	if w.Commit == "" {
		i := w.Intended
		commit, err := o.tree.CommitTree(ctx, i.Tree, i.Parent, i.Message, w.IntendedAt)
		if err != nil {
			return err
		}
		if err := o.tree.SetHead(ctx, k, commit); err != nil {
			return err
		}
		if err := o.append(true, event.CommitDone{K: k, Commit: commit}); err != nil {
			return err
		}
		if o.whole && w.Outside.Ref == "" {
			o.at = commit
		}
	}
	w = o.state.Worker(k)
	o.publish.add(k, w.Commit)
	if w.Outside.Ref == "" {
		return nil
	}
	o.publish.addAs(w.Outside.Ref, w.Outside.Commit)
	if o.at == w.Commit {
		return nil
	}
	// Checks and the next Worker see what is committed, not what was set aside.
	if err := o.tree.Reset(ctx, w.Commit); err != nil {
		return err
	}
	o.at = w.Commit
	return nil
}

func (o *owner) message(k int) string {
	title := o.state.Plan.Tasks.Tasks[k-1].Title
	if title == "" {
		title = fmt.Sprintf("Task #%d", k)
	}
	return fmt.Sprintf("%s\n\n%s\nWorker %d of %d, run %s.\n", title, o.result(k).Summary, k, o.state.Plan.N, o.spec.Run)
}

// writeResults projects the RESULTs onto results.md.
func (o *owner) writeResults() error {
	return writeFile(filepath.Join(o.dirs.Run, fileResults), []byte(doc.FormatResults(o.state.Results)))
}
