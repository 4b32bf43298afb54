package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/theme/text"
	"growbench/views"
)

// pruneAge is how long ago a run must have ended to be among the old ones.
const pruneAge = 14 * 24 * time.Hour

// onRun does what a key that is about a whole run says.
func (m *model) onRun(a Action) tea.Cmd {
	if a == List {
		if m.listing {
			return m.fromList()
		}
		return m.toList()
	}
	if a == PruneOld {
		return m.begin(m.pruneErrand("", "", nil))
	}
	s, ok := m.atHand()
	if !ok {
		m.notice = "there is no run yet"
		return nil
	}
	switch a {
	case Again:
		return m.enter(s.Dir, s.Run, Replay)
	case Resume:
		return m.begin(m.resumeErrand(s))
	case Retry:
		return m.pickWorker(s, "retry", m.pickAgent)
	case Rollback:
		return m.pickWorker(s, "roll back", func(s engine.Summary, k int) tea.Cmd { return m.begin(rollbackErrand(s, k)) })
	case Merge:
		return m.begin(mergeErrand(s, m.o.Clock))
	case RunDiff:
		return m.begin(diffErrand(s))
	case Prune:
		return m.begin(m.pruneErrand(s.Run, s.Dir, []string{s.Dir}))
	}
	return nil
}

// stopPicked stops the run picked in the list.
func (m *model) stopPicked() tea.Cmd {
	s, _ := m.atHand()
	return m.begin(errand{
		verb: "stop", doing: "stopped", run: s.Run, dir: s.Dir,
		look: func(context.Context) (string, error) {
			words := "Every process of the run is ended. What is finished is kept and can be resumed."
			if w := s.State.Current(); w != nil {
				words = fmt.Sprintf("%s (%s) is at work and is ended; what it has not finished is kept beside the run.\n%s", agentName(w.K), text.Visible(w.Title), words)
			}
			return words, nil
		},
		do: func(ctx context.Context, _ func(string)) (string, error) {
			after, err := engine.Stop(ctx, s.Dir, engine.StopOptions{})
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("run %s: %s; its work is kept", s.Run, after.Status), nil
		},
	})
}

// chainOf lists the Workers of a run from k on, for what is about to happen to
// them.
func chainOf(s *event.State, k int) string {
	var out strings.Builder
	for i := range s.Workers {
		if w := &s.Workers[i]; w.K >= k {
			fmt.Fprintf(&out, "  Worker %d  %s  (%s)\n", w.K, text.Visible(w.Title), views.StateWord(w.State))
		}
	}
	return out.String()
}

func (m *model) resumeErrand(s engine.Summary) errand {
	begin := m.o.Project.Start
	return errand{
		verb: "resume", doing: "resumed", run: s.Run, dir: s.Dir,
		look: func(context.Context) (string, error) {
			if s.State == nil {
				return "Its owner never began; everything is still to do. Your own files are not touched.", nil
			}
			first := s.State.DoneWorkers() + 1
			if s.State.Plan.N == 0 {
				return "It has no plan yet: the Planner is asked again. Your own files are not touched.", nil
			}
			if first > s.State.Plan.N {
				return "Every Worker is done; what is left is the check at the end. Your own files are not touched.", nil
			}
			return "These Workers run, in the run's own clone; your own files are not touched:\n" + chainOf(s.State, first), nil
		},
		do: func(ctx context.Context, _ func(string)) (string, error) {
			again, err := engine.PrepareResume(s.Dir, true)
			if err == nil {
				err = begin(ctx, s.Dir, again)
			}
			return "run " + s.Run + " goes on", err
		},
	}
}

// pickWorker asks which Worker is meant.
func (m *model) pickWorker(s engine.Summary, verb string, then func(s engine.Summary, k int) tea.Cmd) tea.Cmd {
	u := &menu{name: verb + ": from which Worker on?"}
	for i := range s.State.Workers {
		w := &s.State.Workers[i]
		words := fmt.Sprintf("%d  %s  (%s)", w.K, text.Visible(w.Title), views.StateWord(w.State))
		u.items = append(u.items, item{words: words, do: func(*model) tea.Cmd { return then(s, w.K) }})
		if w.State != event.Done && (i == 0 || s.State.Workers[i-1].State == event.Done) {
			u.picked = i // the first that is not done
		}
	}
	if k := m.board.chain.Selected(); !m.listing && k > 0 {
		u.picked = k - 1
	}
	m.push(u)
	return nil
}

// pickAgent asks who is to do it.
func (m *model) pickAgent(s engine.Summary, k int) tea.Cmd {
	with := func(agent string) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.begin(m.retryErrand(s, k, agent)) }
	}
	same := "the same as before"
	if w := s.State.Worker(k); w != nil && w.Agent != "" {
		same += " (" + text.Visible(w.Agent) + ")"
	}
	u := &menu{name: fmt.Sprintf("retry Worker %d: with which agent?", k), items: []item{{words: same, do: with("")}}}
	for _, name := range m.o.Project.Agents {
		u.items = append(u.items, item{words: text.Visible(name), do: with(name)})
	}
	m.push(u)
	return nil
}

func (m *model) retryErrand(s engine.Summary, k int, agent string) errand {
	begin := m.o.Project.Start
	return errand{
		verb: fmt.Sprintf("retry Worker %d of", k), doing: "started again", run: s.Run, dir: s.Dir,
		look: func(context.Context) (string, error) {
			words := "These Workers run, in the run's own clone; what they left before leaves the run. Your own files are not touched:\n" + chainOf(s.State, k)
			if agent != "" {
				words += "Worker " + fmt.Sprint(k) + " is given to " + text.Visible(agent) + ".\n"
			}
			return words, nil
		},
		do: func(ctx context.Context, _ func(string)) (string, error) {
			again, err := engine.PrepareRetry(s.Dir, k, agent, true)
			if err == nil {
				err = begin(ctx, s.Dir, again)
			}
			return fmt.Sprintf("run %s goes on with Worker %d", s.Run, k), err
		},
	}
}

func rollbackErrand(s engine.Summary, k int) errand {
	return errand{
		verb: fmt.Sprintf("drop Workers from %d on of", k), doing: "rolled back", run: s.Run, dir: s.Dir,
		look: func(context.Context) (string, error) {
			words := "These Workers are dropped, as if they had never run; their work is kept under refs of its own, branches stay where they are:\n" + chainOf(s.State, k)
			return words + "The run's clone goes back to the commit before. Your own files are not touched.", nil
		},
		do: func(ctx context.Context, _ func(string)) (string, error) {
			out, err := engine.Rollback(ctx, s.Dir, k, time.Now)
			words := fmt.Sprintf("Run %s: Workers from %d on are dropped; the clone is at %.10s.\n", out.Run, out.K, out.Commit)
			for _, d := range out.Dropped {
				words += fmt.Sprintf("Worker %d's work is kept: %s\n", d.K, d.Ref)
			}
			if out.Branch != "" {
				words += "Branch " + text.Visible(out.Branch) + " is left where it is; it still holds the dropped work.\n"
			}
			return words, err
		},
	}
}

func mergeErrand(s engine.Summary, now func() time.Time) errand {
	return errand{
		verb: "merge", doing: "merged", run: s.Run, dir: s.Dir,
		look: func(ctx context.Context) (string, error) {
			out, err := engine.Merge(ctx, s.Dir, engine.MergeOptions{DryRun: true, Now: now()})
			if err != nil {
				return "", err
			}
			if out.How == workspace.MergeNothing {
				return "", errors.New("nothing to merge: the work of this run is there already")
			}
			return mergeWords(out, true), nil
		},
		do: func(ctx context.Context, step func(string)) (string, error) {
			out, err := engine.Merge(context.WithoutCancel(ctx), s.Dir, engine.MergeOptions{Now: now(), AfterStep: step})
			if err != nil {
				return "", err
			}
			return mergeWords(out, false), nil
		},
	}
}

// mergeWords say what a merge did, or would do.
func mergeWords(out workspace.Merged, before bool) string {
	would := map[bool]string{true: "would be ", false: ""}[before]
	var b strings.Builder
	branch, top := text.Visible(out.Branch), text.Visible(out.Top)
	files := fmt.Sprintf("%d files", len(out.Files))
	switch out.How {
	case workspace.MergeForward:
		fmt.Fprintf(&b, "%s in %s %sfast-forwarded, %.10s → %.10s: %s\n", branch, top, would, out.From, out.To, files)
	case workspace.MergeCommit:
		fmt.Fprintf(&b, "%s in %s %sgiven a merge commit: %s\n", branch, top, would, files)
	case workspace.MergeFiles:
		fmt.Fprintf(&b, "%s %swritten in %s\n", files, would, top)
	default:
		b.WriteString("Nothing to merge.\n")
	}
	if len(out.Runs) > 0 {
		fmt.Fprintf(&b, "It includes the work of earlier runs that this one goes on from: %s.\n", strings.Join(out.Runs, ", "))
	}
	for _, f := range out.Files {
		fmt.Fprintf(&b, "  %-9s %s\n", f.Kind, text.Visible(f.Path))
	}
	if len(out.Left) > 0 {
		b.WriteString("Left as they are; once one is as the run found it, merge again:\n")
		for _, l := range out.Left {
			fmt.Fprintf(&b, "  %s (%s)\n", text.Visible(l.Path), text.Visible(l.Why))
		}
	}
	for _, n := range out.Notes {
		fmt.Fprintf(&b, "Note: %s\n", text.Visible(n))
	}
	return b.String()
}

func diffErrand(s engine.Summary) errand {
	return errand{
		verb: "changes of", run: s.Run, dir: s.Dir, patch: true,
		look: func(ctx context.Context) (string, error) {
			d, err := engine.Diff(ctx, s.Dir, 0)
			if err != nil {
				return "", err
			}
			if len(d.Files) == 0 {
				return "", errors.New("nothing was changed so far")
			}
			head := ""
			for _, f := range d.Files {
				amount := "binary"
				if f.Added >= 0 {
					amount = fmt.Sprintf("+%d -%d", f.Added, f.Deleted)
				}
				head += fmt.Sprintf("%-10s %-10s %s\n", f.Kind, amount, text.Visible(f.Path))
			}
			return head + "\n" + d.Patch, nil
		},
	}
}

// pruneErrand deletes the runs in dirs; without any, all old ones whose work
// somebody else has.
func (m *model) pruneErrand(run, dir string, dirs []string) errand {
	p := m.o.Project
	opt := engine.PruneOptions{StateRoot: p.StateRoot, Project: p.ID, OlderThan: pruneAge, Named: dirs, Now: m.o.Clock()}
	verb := "delete old runs"
	if run != "" {
		verb = "delete"
	}
	return errand{
		verb: verb, doing: "deleted", run: run, dir: dir, gone: run != "",
		look: func(ctx context.Context) (string, error) {
			dry := opt
			dry.DryRun = true
			out, err := engine.Prune(ctx, dry)
			if err == nil && len(out.Runs) == 0 {
				err = errors.New("nothing can go.\n" + pruneWords(out, true))
			}
			return pruneWords(out, true), err
		},
		do: func(ctx context.Context, step func(string)) (string, error) {
			opt.AfterStep = step
			out, err := engine.Prune(context.WithoutCancel(ctx), opt)
			return pruneWords(out, false), err
		},
	}
}

func pruneWords(out engine.Pruned, before bool) string {
	var b strings.Builder
	word, freed := "deleted", "freed"
	if before {
		word, freed = "goes", "would be freed"
	}
	for _, r := range out.Runs {
		fmt.Fprintf(&b, "%-8s %s  %s\n", word, text.Visible(r.Run), views.Bytes(r.Bytes))
	}
	for _, r := range out.Kept {
		fmt.Fprintf(&b, "stays    %s  %s\n", text.Visible(r.Run), text.Visible(r.Why))
	}
	if len(out.Runs) > 0 {
		fmt.Fprintf(&b, "%s %s: record, clone and refs. No branch is touched.\n", views.Bytes(out.Freed), freed)
	}
	return b.String()
}
