package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"growbench/engine/event"
	"growbench/engine/workspace"
)

// Errors of finding whose commit fails a check.
var (
	ErrNoCheck   = errors.New("it has no check to look for; name one with --check, or set checks.verify")
	ErrNoCommits = errors.New("it has no commits to look through")
)

// BisectOptions say what to look for.
type BisectOptions struct {
	// Check is a command; empty means each of the run's checks.verify that
	// failed, or all of them when none did.
	Check string
	// All runs the check at every commit, so that one that comes and goes is seen.
	All   bool
	Owner OwnerOptions
}

// Bisection is what a Bisect found, and every check it ran, in order.
type Bisection struct {
	Run    string            `json:"run"`
	Blame  []event.Bisected  `json:"blame"`
	Checks []event.BisectRan `json:"checks"`
}

// Failing tells whether a check fails at the end of the run.
func (b Bisection) Failing() bool {
	for _, f := range b.Blame {
		if f.Verdict != event.BisectPasses || f.Flaky {
			return true
		}
	}
	return false
}

// Bisect finds, for a run that has come to its end, the Worker whose commit
// first fails a check. It works in the run's clone, logs each check and writes
// the report anew; the chain's commits stay as they are.
func Bisect(ctx context.Context, runDir string, opt BisectOptions) (Bisection, error) {
	out := Bisection{Run: filepath.Base(runDir), Blame: []event.Bisected{}, Checks: []event.BisectRan{}}
	held, s, err := holdIdle(runDir, "bisect")
	if err != nil {
		return out, err
	}
	defer held.release()
	if !s.IsEnded() {
		return out, fmt.Errorf("bisect run %s: it has not come to its end; `growbench resume %s` goes on", s.Run, s.Run)
	}
	if err := stillTrusted(runDir, "bisect"); err != nil {
		return out, err
	}
	o, err := newOwner(runDir, opt.Owner)
	if err != nil {
		return out, err
	}
	defer func() { o.confined.close(); o.log.Close() }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	o.stop = cancel
	commands := []string{opt.Check}
	if opt.Check == "" {
		commands = o.failing()
	}
	if len(commands) == 0 {
		return out, fmt.Errorf("bisect run %s: %w", s.Run, ErrNoCheck)
	}
	if len(o.commits()) < 2 {
		return out, fmt.Errorf("bisect run %s: %w", s.Run, ErrNoCommits)
	}
	if o.tree, err = workspace.OpenTree(ctx, o.dirs.Run, o.dirs.Tree); err != nil {
		return out, err
	}
	for _, command := range commands {
		b := bisection{owner: o, command: command, commits: o.commits(), seen: map[int][]event.BisectRan{}}
		found, err := b.find(ctx, opt.All)
		out.Checks = append(out.Checks, b.ran...)
		if err != nil {
			return out, err
		}
		out.Blame = append(out.Blame, found)
	}
	return out, writeFile(filepath.Join(runDir, fileReport), []byte(Report(o.state, o.Now().UTC(), nil)))
}

// blame finds at the end of a run whose commits fail its checks.
func (o *owner) blame(ctx context.Context) error {
	for _, c := range o.state.Verify.Ran {
		if c.Passed {
			continue
		}
		b := bisection{owner: o, command: c.Command, commits: o.commits(), seen: map[int][]event.BisectRan{}}
		if _, err := b.find(ctx, false); err != nil {
			return err
		}
	}
	return nil
}

// failing are the verify commands that failed, or all when none did.
func (o *owner) failing() []string {
	var failed []string
	for _, c := range o.state.Verify.Ran {
		if !c.Passed {
			failed = append(failed, c.Command)
		}
	}
	if len(failed) == 0 {
		return o.spec.Config.Checks.Verify
	}
	return failed
}

// commits are the base and then that of each Worker, as far as there are.
func (o *owner) commits() []string {
	commits := []string{o.state.Base.Commit}
	for _, w := range o.state.Workers {
		if w.Commit == "" {
			break
		}
		commits = append(commits, w.Commit)
	}
	return commits
}

// bisection looks for the first commit that fails one check.
type bisection struct {
	owner   *owner
	command string
	commits []string
	seen    map[int][]event.BisectRan // what the check said at each commit
	ran     []event.BisectRan
}

// find narrows down between a commit that passes and one that fails, then asks
// both once more: an answer that changes is told, not hidden.
func (b *bisection) find(ctx context.Context, all bool) (found event.Bisected, err error) {
	defer func() {
		last := b.commits[len(b.commits)-1]
		if reset := b.owner.tree.Reset(context.WithoutCancel(ctx), last); err == nil {
			err = reset
		}
	}()
	n := len(b.commits) - 1
	if all {
		for k := range b.commits {
			if _, err := b.at(ctx, k); err != nil {
				return found, err
			}
		}
	}
	first, err := b.first(ctx, n)
	if err != nil {
		return found, err
	}
	for _, k := range []int{first - 1, first} {
		if k < 0 || k > n || len(b.seen[k]) == 0 {
			continue
		}
		if err := b.run(ctx, k); err != nil {
			return found, err
		}
	}
	found = b.verdict(first, n)
	return found, b.owner.append(true, found)
}

// first is the first commit that fails: 0 is the base, n+1 none.
func (b *bisection) first(ctx context.Context, n int) (int, error) {
	for _, edge := range []struct{ k, found int }{{n, n + 1}, {0, 0}} {
		passed, err := b.at(ctx, edge.k)
		if err != nil || passed == (edge.k == n) {
			return edge.found, err
		}
	}
	passes, fails := 0, n
	for fails-passes > 1 {
		mid := (passes + fails) / 2
		passed, err := b.at(ctx, mid)
		if err != nil {
			return 0, err
		}
		if passed {
			passes = mid
		} else {
			fails = mid
		}
	}
	return fails, nil
}

// at is what the check says at a commit, asked once.
func (b *bisection) at(ctx context.Context, k int) (bool, error) {
	if len(b.seen[k]) == 0 {
		if err := b.run(ctx, k); err != nil {
			return false, err
		}
	}
	return b.seen[k][0].Passed, nil
}

func (b *bisection) run(ctx context.Context, k int) error {
	o := b.owner
	if err := o.tree.Reset(ctx, b.commits[k]); err != nil {
		return err
	}
	ran, err := o.check(ctx, "bisect", k, b.command, fmt.Sprintf("bisect-%d", k))
	if err != nil {
		return err
	}
	at := event.BisectRan{
		Command: b.command, K: k, Commit: b.commits[k], Passed: ran.Passed, Exit: ran.Exit, MS: ran.MS, Failures: ran.Failures,
	}
	b.seen[k] = append(b.seen[k], at)
	b.ran = append(b.ran, at)
	return o.append(false, at)
}

func (b *bisection) verdict(first, n int) event.Bisected {
	found := event.Bisected{Command: b.command, K: first, Failures: []event.Failure{}}
	switch {
	case first > n:
		found.Verdict, found.K = event.BisectPasses, 0
		found.Why = "it passes at the end"
	case first == 0:
		found.Verdict, found.Commit = event.BisectBase, b.commits[0]
		found.Why = "it fails at the base, before the first Worker"
	default:
		w := b.owner.state.Worker(first)
		found.Verdict, found.Commit, found.Title = event.BisectWorker, w.Commit, w.Title
		found.Why = fmt.Sprintf("it passes at %s and fails at the commit of Worker %d", stage(first-1), first)
	}
	if first <= n {
		found.Failures = b.seen[first][0].Failures
	}
	if odd, flaky := b.odd(); odd != "" {
		// What failed and then passes to the end was mended.
		found.Flaky = flaky || first <= n
		found.Why += "; " + odd
	}
	if first > n && len(b.owner.state.Verify.Ran) > 0 && b.failedBefore() {
		found.Flaky = true
		found.Why += "; it failed there when the run ended"
	}
	return found
}

// odd says where the check changes from failing to passing; flaky when it did
// so at one commit.
func (b *bisection) odd() (words string, flaky bool) {
	for k := range b.commits {
		for _, again := range b.seen[k][min(1, len(b.seen[k])):] {
			if again.Passed != b.seen[k][0].Passed {
				return "it is flaky: asked twice at " + stage(k) + ", it passed once and failed once", true
			}
		}
	}
	failed := -1
	for k := range b.commits {
		switch {
		case len(b.seen[k]) == 0:
		case !b.seen[k][0].Passed && failed < 0:
			failed = k
		case b.seen[k][0].Passed && failed >= 0:
			return fmt.Sprintf("it fails at %s and passes later, at %s", stage(failed), stage(k)), false
		}
	}
	return "", false
}

func (b *bisection) failedBefore() bool {
	for _, c := range b.owner.state.Verify.Ran {
		if c.Command == b.command && !c.Passed {
			return true
		}
	}
	return false
}

func stage(k int) string {
	if k == 0 {
		return "the base"
	}
	return "Worker " + strconv.Itoa(k)
}
