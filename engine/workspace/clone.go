package workspace

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Base modes of a run.
const (
	BaseHead     = "head"     // the commit the user stands on
	BaseSnapshot = "snapshot" // the user's files as they stand
)

// CreateOptions says where and from what a run's tree is made.
type CreateOptions struct {
	Project Project
	RunID   string    // also the name of the run's refs
	RunDir  string    // the run's own directory, out of every agent's reach
	TreeDir string    // must not exist, be empty, or lie in the project
	Base    string    // BaseHead (also when empty), BaseSnapshot or BaseRun
	At      time.Time // date of a snapshot's commit
	Copy    []string  // ignored files to copy, relative to the project
	// Lineage is what a run of BaseRun rests on, oldest first: a commit of the
	// user's, then where each earlier run ended. The last one is the base.
	Lineage []Ancestor
	// Lender is a git directory that has the lineage where the user's repository
	// has not; empty: none.
	Lender string
}

// Report is what the operator should know about a tree that was made.
type Report struct {
	Base         string      // commit the run starts from
	Snapshot     bool        // the base holds the user's uncommitted work
	Uncommitted  bool        // there is uncommitted work the base does not hold
	Behind       int         // commits the user stands on that a base of BaseRun lacks
	Submodules   []Submodule // those of the base
	Nested       []string    // repositories inside the project that no commit names; not in the base
	LocalFilters []string    // filter drivers only the repository's configuration defines; not run
	Copied       []string    // paths of Copy that were brought over
	Missing      []string    // paths of Copy that do not exist
	Refused      []Refusal   // paths of Copy that were not copied
}

// Refusal is a path that was left out and why.
type Refusal struct{ Path, Why string }

// Tree is a run's own work tree and the engine's git directory over it. Its
// methods are not for use by several goroutines at once.
type Tree struct {
	RunID     string
	RunDir    string
	Dir       string // top of the work tree
	Project   Project
	Base      string     // commit
	Lineage   []Ancestor // what the run rests on, oldest first; the last one is the base
	checkouts []checkout // the top first, then the submodules, outer before inner
	empty     []string   // directories of submodules that were not cloned
	leftOut   []string
}

// Root is the project's directory in the tree.
func (t *Tree) Root() string { return filepath.Join(t.Dir, filepath.FromSlash(t.Project.Prefix)) }

func (t *Tree) top() checkout { return t.checkouts[0] }

func (t *Tree) engineDir() string { return filepath.Join(t.RunDir, "git") }

// savedTree is what OpenTree needs to take a tree up again. It is no JSON because
// a path may hold any byte.
type savedTree struct {
	RunID     string
	Project   Project
	Base      string
	Lineage   []Ancestor
	Checkouts []checkout
	Empty     []string
}

func statePath(runDir string) string { return filepath.Join(runDir, "git", "growbench", "tree.gob") }

// Create makes the tree of a run. What it leaves in the user's repository is
// one ref, which keeps the base from being collected; on failure nothing stays.
func Create(ctx context.Context, opt CreateOptions) (_ *Tree, report Report, err error) {
	if opt.Base == "" {
		opt.Base = BaseHead
	}
	if err := checkCreate(opt); err != nil {
		return nil, report, err
	}
	// Symbolic links are resolved before the first comparison of paths.
	if opt.RunDir, err = realDir(opt.RunDir); err != nil {
		return nil, report, err
	}
	if opt.TreeDir, err = realDir(opt.TreeDir); err != nil {
		return nil, report, err
	}
	if within(opt.Project.RepoTop, opt.TreeDir) || within(opt.Project.RepoTop, opt.RunDir) {
		return nil, report, fmt.Errorf("making the tree of run %s: %s lies inside %s; name a place outside the project", opt.RunID, opt.TreeDir, opt.Project.RepoTop)
	}
	if entries, err := os.ReadDir(opt.TreeDir); err != nil || len(entries) > 0 {
		return nil, report, errors.Join(err, fmt.Errorf("making the tree of run %s: %s is not empty", opt.RunID, opt.TreeDir))
	}
	if _, err := os.Lstat(filepath.Join(opt.RunDir, "git")); err == nil {
		return nil, report, fmt.Errorf("making the tree of run %s: %s has one already; resume it or begin a new run", opt.RunID, opt.RunDir)
	}
	t := &Tree{RunID: opt.RunID, RunDir: opt.RunDir, Dir: opt.TreeDir, Project: opt.Project}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.discard(context.WithoutCancel(ctx)))
		}
	}()
	if err := t.Project.readHead(ctx); err != nil {
		return nil, report, err
	}
	engine, err := newEngineDir(ctx, t.Project.source(), filepath.Join(t.RunDir, "git"))
	if err != nil {
		return nil, report, fmt.Errorf("making the tree of run %s: %w", t.RunID, err)
	}
	if report, err = t.makeBase(ctx, engine, opt); err != nil {
		return nil, report, err
	}
	if err := t.SetHead(ctx, 0, t.Base); err != nil {
		return nil, report, err
	}
	if err := t.Publish(ctx, 0, t.Base); err != nil {
		return nil, report, err
	}
	if report.Submodules, err = t.checkOut(ctx); err != nil {
		return nil, report, err
	}
	for _, sub := range report.Submodules {
		if sub.Missing != "" {
			t.empty = append(t.empty, sub.Path)
		}
	}
	if err := t.copyIgnored(ctx, opt.Copy, &report); err != nil {
		return nil, report, err
	}
	return t, report, t.save()
}

func checkCreate(opt CreateOptions) error {
	switch {
	case opt.Base != BaseHead && opt.Base != BaseSnapshot && opt.Base != BaseRun:
		return fmt.Errorf("making the tree of run %s: base %q is none of %q, %q, %q", opt.RunID, opt.Base, BaseHead, BaseSnapshot, BaseRun)
	case (opt.Base == BaseRun) != (len(opt.Lineage) > 1):
		return fmt.Errorf("making the tree of run %s: a base %q rests on %d commits", opt.RunID, opt.Base, len(opt.Lineage))
	case strings.Contains(opt.RunID, "/") || ValidBranch(opt.RunID) != nil:
		return fmt.Errorf("making the tree of a run: %q cannot name its refs", opt.RunID)
	}
	return nil
}

// realDir makes a directory and returns its path without symbolic links.
func realDir(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		err = os.MkdirAll(path, 0o700)
	}
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", fmt.Errorf("making directory %s: %w", path, err)
	}
	return path, nil
}

// within says whether path is dir or lies below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// checkOut fills the work tree with the base and its submodules and puts the
// agent's clones inside.
func (t *Tree) checkOut(ctx context.Context) ([]Submodule, error) {
	top := checkout{Dir: t.Dir, Engine: filepath.Join(t.RunDir, "git"), Source: t.Project.source(), Commit: t.Base}
	t.checkouts = []checkout{top}
	if err := t.top().fill(ctx); err != nil {
		return nil, err
	}
	return t.addSubmodules(ctx, top, t.Project.RepoTop)
}

// fill writes the files of the base commit into the empty work tree.
func (c checkout) fill(ctx context.Context) error {
	if err := c.cloneToy(ctx); err != nil {
		return err
	}
	// The index of a snapshot describes the user's files, not these.
	if err := os.Remove(filepath.Join(c.Engine, "index")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("preparing the index of %s: %w", c.Dir, err)
	}
	if err := writeHead(c.Engine, c.Commit); err != nil {
		return err
	}
	if err := c.readTree(ctx, c.Commit); err != nil {
		return err
	}
	return c.advanceToy(ctx, c.Commit, nil)
}

// readTree makes the tracked files of the work tree those of commit.
func (c checkout) readTree(ctx context.Context, commit string) error {
	_, err := c.engine().run(ctx, "read-tree", "--reset", "-u", "--no-recurse-submodules", commit)
	var failed *GitError
	if errors.As(err, &failed) && strings.Contains(failed.Stderr, "unable to read") {
		err = fmt.Errorf("%w; this partial clone lacks files of the commit: fetch them with `git checkout %s -- .` in a copy, or use a full clone", err, commit)
	}
	if err != nil {
		return fmt.Errorf("writing the files of %s to %s: %w", commit, c.Dir, err)
	}
	return c.unshareLargeFiles()
}

// discard removes what a failed Create left.
func (t *Tree) discard(ctx context.Context) error {
	err := errors.Join(
		removeAll(filepath.Join(t.RunDir, "git")),
		removeAll(t.Dir),
	)
	if t.Project.HasRepo() {
		err = errors.Join(err, t.Project.RemoveRefs(ctx, t.RunID))
	}
	return err
}

func (t *Tree) save() error {
	var data bytes.Buffer
	err := gob.NewEncoder(&data).Encode(savedTree{RunID: t.RunID, Project: t.Project, Base: t.Base, Lineage: t.Lineage, Checkouts: t.checkouts, Empty: t.empty})
	if err != nil {
		return fmt.Errorf("saving the tree of run %s: %w", t.RunID, err)
	}
	path := statePath(t.RunDir)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("saving the tree of run %s: %w", t.RunID, err)
	}
	return AtomicWrite(path, data.Bytes(), 0o600)
}

// OpenTree takes up the tree of an existing run. Locks that a dead owner left
// in the engine's git directory are removed: the caller must be the only owner.
func OpenTree(ctx context.Context, runDir, treeDir string) (*Tree, error) {
	return openTree(ctx, runDir, treeDir, true)
}

// LookAtTree is OpenTree for one who only compares commits, also while an
// owner is at work: nothing is changed.
func LookAtTree(ctx context.Context, runDir, treeDir string) (*Tree, error) {
	return openTree(ctx, runDir, treeDir, false)
}

func openTree(ctx context.Context, runDir, treeDir string, owned bool) (*Tree, error) {
	data, err := os.ReadFile(statePath(runDir))
	if err != nil {
		return nil, fmt.Errorf("opening the tree of %s: %w; the run's git directory is gone or was never finished: start a new run", runDir, err)
	}
	var saved savedTree
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&saved); err != nil || len(saved.Checkouts) == 0 {
		return nil, errors.Join(err, fmt.Errorf("opening the tree of %s: its record is damaged; start a new run", runDir))
	}
	t := &Tree{RunID: saved.RunID, Project: saved.Project, Base: saved.Base, Lineage: saved.Lineage, checkouts: saved.Checkouts, empty: saved.Empty}
	if len(t.Lineage) == 0 { // written when no run rested on another
		t.Lineage = []Ancestor{{Commit: t.Base, Snapshot: t.Base != t.Project.Head}}
	}
	if t.RunDir, err = filepath.EvalSymlinks(runDir); err == nil {
		t.Dir, err = filepath.EvalSymlinks(treeDir)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the tree of run %s: %w; it was removed: start a new run", t.RunID, err)
	}
	t.relocate()
	if owned {
		if err := t.Project.unlockRun(t.RunID); err != nil {
			return nil, fmt.Errorf("opening the tree of run %s: %w", t.RunID, err)
		}
	}
	for _, c := range t.checkouts {
		if !owned {
			break
		}
		if err := c.engine().unlock(); err != nil {
			return nil, fmt.Errorf("opening the tree of run %s: %w", t.RunID, err)
		}
	}
	if held, err := t.top().engine().holds(ctx, t.Base+"^{tree}"); err != nil || !held {
		return nil, errors.Join(err, fmt.Errorf("opening the tree of run %s: its base %s cannot be read; is %s still in place?", t.RunID, t.Base, t.Project.RepoTop))
	}
	return t, nil
}

// relocate makes the saved paths follow a state directory that was moved.
func (t *Tree) relocate() {
	oldDir, oldEngine := t.checkouts[0].Dir, t.checkouts[0].Engine
	newEngine := filepath.Join(t.RunDir, "git")
	t.checkouts = slices.Clone(t.checkouts)
	for i, c := range t.checkouts {
		t.checkouts[i].Dir = t.Dir + strings.TrimPrefix(c.Dir, oldDir)
		t.checkouts[i].Engine = newEngine + strings.TrimPrefix(c.Engine, oldEngine)
	}
}
