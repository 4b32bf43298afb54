package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// How a merge comes out.
const (
	MergeNothing = "nothing"      // the user has it already
	MergeForward = "fast-forward" // the branch moves on to the run's commit
	MergeCommit  = "merge commit"
	MergeFiles   = "files" // the user has no commit to build on: file by file
)

// MergeOptions says what to bring into the user's work tree.
type MergeOptions struct {
	Commit  string // of the run, or one made on top of it
	Message string // of a merge commit
	DryRun  bool   // look at everything, change nothing
	// AfterStep is told of each thing that is on the disk.
	AfterStep func(step string)
}

// Merged is what a merge did, or would do. Paths are relative to the project.
type Merged struct {
	How    string
	Top    string       // the user's work tree
	Branch string       // the user's; empty when files were written without one
	From   string       // commit the branch was at
	To     string       // commit it is at; of a dry run only when it exists already
	Files  []FileChange // of the user's work tree
	Left   []Refusal    // files left as they are; only where How is MergeFiles
	Runs   []string     // earlier runs that this one rests on and whose work comes along
	Notes  []string
}

// MergeRefused says why nothing was merged; the user's tree is as it was.
type MergeRefused struct {
	Why    string
	Paths  []Refusal // relative to the project
	Advice string
}

func (e *MergeRefused) Error() string {
	text := "nothing was merged: " + e.Why
	for _, p := range e.Paths {
		text += "\n  " + shown(p.Path)
		if p.Why != "" {
			text += " (" + p.Why + ")"
		}
	}
	if e.Advice != "" {
		text += "\n" + e.Advice
	}
	return text
}

// shown is a path in a message of several lines, which it cannot break.
func shown(path string) string {
	if strings.ContainsFunc(path, unicode.IsControl) {
		return strconv.Quote(path)
	}
	return path
}

// merge is one merge on its way.
type merge struct {
	MergeOptions
	tree    *Tree
	project Project  // as it is now
	scratch string   // for files of ours alone
	git     gitDir   // ours, over the user's files, with a copy of the user's index
	author  []string // of a merge commit, as git's environment
	out     Merged
}

// Merge brings a commit of the run into the user's work tree and current
// branch. Everything is looked at before anything is written; what cannot be
// clean is a *MergeRefused. The caller must be the run's only owner.
//
// Files come first, then the index, then the branch. Each is replaced as a
// whole, and a file that has its new content already is fine: after a kill at
// any moment the same merge, begun again, finds the branch where it was and
// completes the rest. The other way round, a branch that moved would hide the
// missing files behind it.
func (t *Tree) Merge(ctx context.Context, opt MergeOptions) (out Merged, err error) {
	m := &merge{MergeOptions: opt, tree: t, project: t.Project, scratch: filepath.Join(t.RunDir, "merge")}
	if m.AfterStep == nil {
		m.AfterStep = func(string) {}
	}
	if err := m.findUser(); err != nil {
		return out, err
	}
	if err := removeAll(m.scratch); err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, removeAll(m.scratch)) }()
	if err := m.openGit(ctx); err != nil {
		return out, err
	}
	m.out.Top = m.project.RepoTop
	// A run that began without a commit shares no history with one the user
	// made since.
	onBranch := t.Project.HasCommit
	if !onBranch && m.project.HasCommit {
		if onBranch, err = m.related(ctx); err != nil {
			return out, err
		}
	}
	if onBranch {
		err = m.ontoBranch(ctx)
	} else {
		err = m.ontoFiles(ctx)
	}
	return m.out, err
}

// findUser looks at the user's repository as it is now.
func (m *merge) findUser() error {
	was := m.tree.Project
	if info, err := os.Stat(was.RepoTop); err != nil || !info.IsDir() {
		return fmt.Errorf("merging into %s: the project is not there any more", was.RepoTop)
	}
	if !was.HasRepo() {
		return nil
	}
	now, err := FindProject(was.Root)
	if err != nil {
		return err
	}
	if !now.HasRepo() || now.RepoTop != was.RepoTop {
		return fmt.Errorf("merging into %s: its git repository is gone", was.RepoTop)
	}
	m.project = now
	return nil
}

// openGit makes a git directory of ours that sees the objects of the user and
// of the run. What a merge makes stays in it until it is known to be clean.
func (m *merge) openGit(ctx context.Context) error {
	if err := os.MkdirAll(m.scratch, 0o700); err != nil {
		return fmt.Errorf("merging: %w", err)
	}
	git, err := newEngineDir(ctx, m.project.source(), filepath.Join(m.scratch, "git"))
	if err != nil {
		return fmt.Errorf("merging: %w", err)
	}
	lent := quoteAlternate(filepath.Join(m.tree.engineDir(), "objects")) + "\n"
	if err := appendFile(filepath.Join(git.dir, "objects", "info", "alternates"), lent); err != nil {
		return err
	}
	git.tree = m.project.RepoTop
	if m.project.HasRepo() && foldsCase(m.project.GitDir) {
		if err := appendConfig(filepath.Join(git.dir, "config"), []string{"core.ignorecase", "true"}); err != nil {
			return err
		}
	}
	m.git = git
	return nil
}

// foldsCase tells whether the file system of a git directory takes names that
// differ by case for one.
func foldsCase(gitDir string) bool {
	_, err := os.Lstat(filepath.Join(gitDir, "hEAD"))
	return err == nil
}

func (m *merge) related(ctx context.Context) (bool, error) {
	_, err := m.git.run(ctx, "merge-base", m.project.Head, m.Commit)
	return answer(err)
}

func (m *merge) isAncestor(ctx context.Context, older, newer string) (bool, error) {
	_, err := m.git.run(ctx, "merge-base", "--is-ancestor", older, newer)
	return answer(err)
}

// answer reads a command that says no with exit code 1.
func answer(err error) (bool, error) {
	var failed *GitError
	if errors.As(err, &failed) && failed.Code == 1 {
		return false, nil
	}
	return err == nil, err
}

// ontoBranch merges into the branch the user stands on.
func (m *merge) ontoBranch(ctx context.Context) (err error) {
	if !m.DryRun {
		guard, locked := guardIndex(ctx, m.project.GitDir)
		if locked != nil {
			return locked
		}
		defer func() { err = errors.Join(err, guard.release()) }()
		m.AfterStep("index locked")
		// Until the lock was ours, the branch could move.
		if err := m.findUser(); err != nil {
			return err
		}
	}
	if err := m.mayMove(); err != nil {
		return err
	}
	m.out.Branch, m.out.From = m.project.Branch, m.project.Head
	if done, err := m.isAncestor(ctx, m.Commit, m.project.Head); err != nil || done {
		m.out.How, m.out.To = MergeNothing, m.project.Head
		return err
	}
	result, err := m.combine(ctx)
	if err != nil {
		return err
	}
	touched, err := m.compare(ctx, m.project.Head, result)
	if err != nil {
		return err
	}
	if err := m.checkIndexed(ctx, touched); err != nil {
		return err
	}
	if err := m.noteBase(ctx); err != nil {
		return err
	}
	m.out.Files = m.changes(touched)
	if m.out.How == MergeCommit {
		if err := m.signAs(ctx); err != nil {
			return err
		}
	}
	if err := m.writable(touched); err != nil || m.DryRun {
		return err
	}
	return m.carryOut(context.WithoutCancel(ctx), result, touched)
}

// combine is the tree or commit that the branch shall have. Conflicts are
// refused.
func (m *merge) combine(ctx context.Context) (string, error) {
	forward, err := m.isAncestor(ctx, m.project.Head, m.Commit)
	if err != nil {
		return "", err
	}
	if forward {
		m.out.How, m.out.To = MergeForward, m.Commit
		return m.Commit, nil
	}
	m.out.How = MergeCommit
	out, err := m.git.run(ctx, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", m.project.Head, m.Commit)
	entries := fields(out)
	var failed *GitError
	switch {
	case err == nil && len(entries) > 0:
		return entries[0], nil
	case errors.As(err, &failed) && failed.Code == 1 && len(entries) > 1:
		return "", m.refuse("your commits and the run's change the same places", entries[1:],
			fmt.Sprintf("Merge by hand: git merge %s", m.Commit))
	case errors.As(err, &failed) && failed.Code == 129:
		return "", &MergeRefused{Why: "both sides have commits, and joining them needs git 2.38 or newer", Advice: "Merge by hand: git merge " + m.Commit}
	case errors.As(err, &failed) && strings.Contains(failed.Stderr, "unrelated histories"):
		return "", &MergeRefused{Why: "the branch shares no history with the run any more"}
	}
	return "", fmt.Errorf("merging %s into %s: %w", m.Commit, m.project.Branch, err)
}

func (m *merge) refuse(why string, paths []string, advice string) *MergeRefused {
	refused := &MergeRefused{Why: why, Advice: advice}
	for _, p := range paths {
		refused.Paths = append(refused.Paths, Refusal{Path: m.tree.projectPath(p)})
	}
	return refused
}

// carryOut writes files, index and branch, in this order.
func (m *merge) carryOut(ctx context.Context, result string, touched []touch) error {
	if m.out.How == MergeCommit {
		commit, err := m.commit(ctx, result)
		if err != nil {
			return err
		}
		m.out.To = commit
	}
	if err := m.tree.send(ctx, m.Commit); err != nil {
		return err
	}
	if m.out.To != m.Commit {
		if err := sendCommit(ctx, m.git, m.project.repo(), m.out.To, []string{m.project.Head, m.Commit}); err != nil {
			return err
		}
	}
	branch, err := m.holdBranch(ctx)
	if err != nil {
		return err
	}
	defer branch.abort()
	writing, err := m.stageFiles(ctx, result, touched, filepath.Join(m.project.GitDir, workshop))
	if err != nil {
		return err
	}
	if err := writing.write(m.AfterStep); err != nil {
		return err
	}
	if err := m.writeIndex(ctx, touched); err != nil {
		return errors.Join(err, writing.undo())
	}
	m.AfterStep("index")
	if err := branch.commit(); err != nil {
		// The index of before goes back with the files.
		return errors.Join(err, m.restoreIndex(), writing.undo())
	}
	m.AfterStep("branch")
	return nil
}

// noteBase says what the run's base means for the user's history.
func (m *merge) noteBase(ctx context.Context) (err error) {
	if m.out.Runs, err = m.brings(ctx); err != nil {
		return err
	}
	snapshot := m.tree.snapshot()
	if snapshot == "" {
		return nil
	}
	there, err := m.isAncestor(ctx, snapshot, m.project.Head)
	if err == nil && !there {
		m.out.Notes = append(m.out.Notes, "the run began with your uncommitted work; the commit that holds it is part of what is merged")
	}
	return err
}
