package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Submodule is a repository that a commit of the base names.
type Submodule struct {
	Path   string // below the top of the tree, "/"-separated
	Commit string
	// Missing says why its directory is empty; empty when it was cloned.
	Missing string
}

// addSubmodules clones the submodules of outer that the user has initialised
// (userTop is the user's work tree for outer), and theirs.
func (t *Tree) addSubmodules(ctx context.Context, outer checkout, userTop string) ([]Submodule, error) {
	out, err := outer.engine().run(ctx, "ls-files", "-z", "--stage")
	if err != nil {
		return nil, fmt.Errorf("listing the submodules of %s: %w", outer.Dir, err)
	}
	var found []Submodule
	for _, entry := range fields(out) {
		meta, name, _ := strings.Cut(entry, "\t")
		parts := strings.Fields(meta)
		if len(parts) < 2 || parts[0] != "160000" {
			continue
		}
		sub := Submodule{Path: path.Join(outer.Path, name), Commit: parts[1]}
		inner, err := t.addSubmodule(ctx, outer, &sub, name, filepath.Join(userTop, name))
		if err != nil {
			return nil, fmt.Errorf("cloning submodule %s: %w", sub.Path, err)
		}
		found = append(append(found, sub), inner...)
	}
	return found, nil
}

func (t *Tree) addSubmodule(ctx context.Context, outer checkout, sub *Submodule, name, userDir string) ([]Submodule, error) {
	if _, err := os.Lstat(filepath.Join(userDir, ".git")); err != nil {
		sub.Missing = "not initialised"
		return nil, nil
	}
	users := Project{Root: userDir}
	if err := users.readRepository(ctx); err != nil {
		if errors.Is(err, ErrForeignOwner) {
			sub.Missing = err.Error()
			return nil, nil
		}
		return nil, err
	}
	if !users.HasRepo() || users.Prefix != "" {
		sub.Missing = "not initialised"
		return nil, nil
	}
	engine, err := newEngineDir(ctx, users.source(), filepath.Join(t.RunDir, "git", "modules", strconv.Itoa(len(t.checkouts))))
	if err != nil {
		return nil, err
	}
	if held, err := engine.holds(ctx, sub.Commit+"^{tree}"); err != nil || !held {
		sub.Missing = "its commit was not fetched"
		return nil, errors.Join(err, removeAll(engine.dir))
	}
	inner := checkout{Path: sub.Path, Dir: filepath.Join(outer.Dir, name), Engine: engine.dir, Source: users.source(), Commit: sub.Commit}
	t.checkouts = append(t.checkouts, inner)
	if err := inner.fill(ctx); err != nil {
		return nil, err
	}
	return t.addSubmodules(ctx, inner, users.RepoTop)
}

// DirtySubmodules names the submodules whose files differ from the commit they
// started at. No commit of a run can hold such changes; they are lost with the
// tree unless somebody takes them out of it.
func (t *Tree) DirtySubmodules(ctx context.Context) ([]string, error) {
	dirty := t.filledSubmodules()
	for _, c := range t.checkouts[1:] {
		if info, err := os.Lstat(c.Dir); err != nil || !info.IsDir() {
			continue // its absence is a change of the tree itself
		}
		_, err := c.engine().stage(ctx, runsTree)
		if err != nil {
			return nil, err
		}
		tree, err := c.engine().writeTree(ctx)
		if err != nil {
			return nil, err
		}
		before, err := c.engine().line(ctx, "rev-parse", c.Commit+"^{tree}")
		if err != nil {
			return nil, fmt.Errorf("comparing submodule %s: %w", c.Path, err)
		}
		if tree != before {
			dirty = append(dirty, c.Path)
		}
	}
	return dirty, nil
}

// filledSubmodules names the submodules that were left empty and are no longer.
func (t *Tree) filledSubmodules() []string {
	var filled []string
	for _, name := range t.empty {
		entries, err := os.ReadDir(filepath.Join(t.Dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) || len(entries) > 0 {
			filled = append(filled, name)
		}
	}
	return filled
}
