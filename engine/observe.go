package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"growbench/engine/event"
	"growbench/engine/ledger"
	"growbench/engine/workspace"
	"growbench/mapgen/scan"

	"growbench/engine/doc"
)

// observeTime bounds what is looked at after one Worker. Beyond it claims are
// all there is, and the run says so.
const observeTime = 20 * time.Second

// compare holds what Worker k did against what its RESULT says: entries of the
// ledger, the tasks they affect, and whether the RESULT stands. What cannot be
// looked at is said; it never fails a run.
func (o *owner) compare(ctx context.Context, k int) error {
	w := o.state.Worker(k)
	if w.Standing != event.Reported {
		return nil
	}
	joined, notes := o.held(ctx, k)
	bodies := o.unlogged(k, joined.Entries)
	compared := event.ResultCompared{
		K: k, Verdict: event.Accepted, Differences: []event.Difference{}, Result: joined.Result, Notes: append([]string{}, notes...),
	}
	for _, d := range joined.Differences {
		compared.Verdict = event.Contested
		compared.Differences = append(compared.Differences, event.Difference(d))
	}
	if err := o.append(true, append(bodies, compared)...); err != nil {
		return err
	}
	return o.writeResults()
}

// held is RESULT #k held against what git and the code show.
func (o *owner) held(ctx context.Context, k int) (ledger.Joined, []string) {
	w := o.state.Worker(k)
	report := ledger.Report{
		Claim: o.result(k), Plan: o.state.Plan.Tasks, Expected: scan.LockFile, Silent: w.ResultFrom == "observed",
	}
	report.Claim.K = k
	for _, f := range w.Flagged {
		report.Aside = append(report.Aside, f.Path)
	}
	ctx, cancel := context.WithTimeout(ctx, observeTime)
	defer cancel()
	changes, err := o.tree.Changes(ctx, o.before(k), w.Tree)
	if err != nil {
		// Nothing was seen, so nothing can differ.
		report.Files = report.Claim.Files
		return ledger.Join(report), []string{"what it changed could not be listed (" + err.Error() + "): claims only"}
	}
	report.Files = touched(changes)
	report.Observation = o.observe(ctx, changes)
	joined, notes := ledger.Join(report), report.Notes
	more, err := o.unowned(ctx, k, joined.Entries, report.Files.All())
	if err != nil {
		more = []string{"users of what was broken could not be looked for (" + err.Error() + ")"}
	}
	return joined, append(notes, more...)
}

// touched sorts changes the way a RESULT does.
func touched(changes []workspace.FileChange) doc.Files {
	var f doc.Files
	for _, c := range changes {
		switch c.Kind {
		case workspace.Created:
			f.Created = append(f.Created, c.Path)
		case workspace.Deleted:
			f.Deleted = append(f.Deleted, c.Path)
		case workspace.Renamed:
			f.Deleted = append(f.Deleted, c.OldPath)
			f.Created = append(f.Created, c.Path)
		default:
			f.Modified = append(f.Modified, c.Path)
		}
	}
	return f
}

// unlogged makes the events of entries that the log does not hold yet: an
// owner may have died among them.
func (o *owner) unlogged(k int, entries []ledger.Entry) []event.Body {
	logged := map[string]bool{}
	for _, l := range o.state.Ledger {
		if l.K == k {
			logged[entryKey(l)] = true
		}
	}
	for _, w := range o.state.Workers {
		for _, a := range w.Affected {
			if a.By == k {
				logged[markKey(a)] = true
			}
		}
	}
	var bodies []event.Body
	for _, e := range entries {
		entry := ledgerEntry(e)
		if key := entryKey(entry); !logged[key] {
			logged[key] = true
			bodies = append(bodies, entry)
		}
		for _, a := range e.Affected {
			mark := event.TaskAffected{K: a.K, By: k, Symbol: e.Symbol, File: e.File, Possible: a.Possible}
			if key := markKey(mark); !logged[key] {
				logged[key] = true
				bodies = append(bodies, mark)
			}
		}
	}
	return bodies
}

func entryKey(l event.LedgerEntry) string {
	return strings.Join([]string{"entry", l.Symbol, l.Kind, l.File, l.Text, l.Observed}, "\x00")
}

func markKey(a event.TaskAffected) string {
	return fmt.Sprintf("mark\x00%d\x00%s\x00%s", a.K, a.Symbol, a.File)
}

func ledgerEntry(e ledger.Entry) event.LedgerEntry {
	entry := event.LedgerEntry{
		Symbol: e.Symbol, Kind: e.Kind, Class: e.Class, File: e.File, K: e.Worker,
		Source: e.Source, Text: e.Text, Affected: []event.Affected{}, Unowned: []string{}, Possible: []string{},
		Through: []event.Through{},
	}
	if e.Seen != nil {
		entry.Observed = e.Seen.String()
	}
	entry.Unowned = append(entry.Unowned, e.Unowned...)
	entry.Possible, entry.More = append(entry.Possible, e.Possible...), e.More
	for _, t := range e.Through {
		entry.Through = append(entry.Through, event.Through(t))
	}
	for _, a := range e.Affected {
		entry.Affected = append(entry.Affected, event.Affected{K: a.K, Possible: a.Possible})
	}
	return entry
}
