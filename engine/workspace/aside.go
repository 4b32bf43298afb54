package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// SetAside splits what changed between two trees in two: inside is from with
// every change but those of the paths, outside is from with those alone. Paths
// are relative to the project; a renamed file has two. Where the paths name a
// repository of an agent's own, outside holds its files as they stand in the
// work tree, since nothing else has them.
func (t *Tree) SetAside(ctx context.Context, from, to string, paths []string) (inside, outside string, err error) {
	apart := map[string]bool{}
	for _, p := range paths {
		full, err := t.treePath(p)
		if err != nil {
			return "", "", err
		}
		apart[full] = true
	}
	engine := t.top().engine()
	out, err := engine.run(ctx, "diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", "--no-commit-id", "--ignore-submodules=dirty", from, to)
	if err != nil {
		return "", "", fmt.Errorf("comparing %s with %s: %w", from, to, err)
	}
	var kept, left indexInfo
	entries := fields(out)
	for i := 0; i+1 < len(entries); i += 2 {
		meta, path := strings.Fields(strings.TrimPrefix(entries[i], ":")), entries[i+1]
		if len(meta) != 5 {
			return "", "", fmt.Errorf("comparing %s with %s: unexpected line %q", from, to, entries[i])
		}
		switch {
		case !apart[path]:
			kept.set(meta[1], meta[3], path)
		case changeKind(meta) == NestedRepository:
			files, err := t.nestedFiles(ctx, path)
			if err != nil {
				return "", "", err
			}
			left.add = append(left.add, files...)
		default:
			left.set(meta[1], meta[3], path)
		}
	}
	if inside, err = engine.treeWith(ctx, from, kept); err != nil {
		return "", "", err
	}
	outside, err = engine.treeWith(ctx, from, left)
	return inside, outside, err
}

// indexInfo are changes of an index in the form of `update-index --index-info`.
type indexInfo struct{ remove, add []string }

func (c *indexInfo) set(mode, object, path string) {
	if strings.Trim(mode, "0") == "" {
		c.remove = append(c.remove, fmt.Sprintf("0 %s\t%s", object, path))
		return
	}
	c.add = append(c.add, fmt.Sprintf("%s %s\t%s", mode, object, path))
}

// treeWith is the tree of base with changes. What is added wins over a file
// or folder that stands in its way.
func (g gitDir) treeWith(ctx context.Context, base string, changes indexInfo) (string, error) {
	g, remove, err := g.ownIndex("aside.index")
	if err != nil {
		return "", err
	}
	defer remove()
	if _, err := g.run(ctx, "read-tree", base); err != nil {
		return "", fmt.Errorf("reading the tree of %s: %w", base, err)
	}
	// Removals first: a file may have become a folder.
	lines := append(changes.remove, changes.add...)
	if len(lines) > 0 {
		input := []byte(strings.Join(lines, "\x00") + "\x00")
		if _, err := g.feed(ctx, input, "update-index", "--add", "--replace", "-z", "--index-info"); err != nil {
			return "", fmt.Errorf("setting changes aside: %w", err)
		}
	}
	return g.writeTree(ctx)
}

// ownIndex is g with an index beside its usual one, empty at first.
func (g gitDir) ownIndex(name string) (gitDir, func(), error) {
	path := filepath.Join(g.dir, name)
	remove := func() { _ = os.Remove(path) }
	for _, left := range []string{path, path + ".lock"} { // of one that was killed
		if err := os.Remove(left); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return g, remove, fmt.Errorf("making an index: %w", err)
		}
	}
	return g.with("GIT_INDEX_FILE=" + path), remove, nil
}

// nestedFiles are the files of a repository in the work tree, by their full
// path, as far as nothing ignores them.
func (t *Tree) nestedFiles(ctx context.Context, path string) ([]string, error) {
	nested := t.top().engine()
	nested.tree = filepath.Join(nested.tree, filepath.FromSlash(path))
	if info, err := os.Lstat(nested.tree); err != nil || !info.IsDir() {
		return nil, nil // it is gone, and what it held with it
	}
	if err := openUp(nested.tree); err != nil {
		return nil, err
	}
	nested, remove, err := nested.ownIndex("nested.index")
	if err != nil {
		return nil, err
	}
	defer remove()
	plan, err := nested.planStage(ctx, runsTree)
	if err != nil {
		return nil, err
	}
	if plan.info != "" {
		if _, err := nested.feed(ctx, []byte(plan.info), "update-index", "-z", "--index-info"); err != nil {
			return nil, fmt.Errorf("recording what is in %s: %w", path, err)
		}
	}
	if _, err := nested.addToIndex(ctx, plan.add, runsTree); err != nil {
		return nil, err
	}
	out, err := nested.run(ctx, "ls-files", "-z", "--stage", "--full-name")
	if err != nil {
		return nil, fmt.Errorf("recording what is in %s: %w", path, err)
	}
	var entries []string
	for _, line := range fields(out) {
		meta, name, _ := strings.Cut(line, "\t")
		if parts := strings.Fields(meta); len(parts) == 3 { // mode, object, stage
			entries = append(entries, fmt.Sprintf("%s %s\t%s/%s", parts[0], parts[1], path, name))
		}
	}
	return entries, nil
}

// KeepOutside gives commit, changes of Worker k that are not in its own
// commit, a ref in the engine's git directory and returns its name:
// refs/growbench/<run>/<k>-outside, with -2, -3, … when an earlier attempt has
// that one. The same commit keeps its name. PublishAs brings it home.
func (t *Tree) KeepOutside(ctx context.Context, k int, commit string) (string, error) {
	engine := gitDir{dir: t.engineDir()}
	refs, err := refsBelow(ctx, engine, runRefs(t.RunID))
	if err != nil {
		return "", err
	}
	taken := map[string]string{}
	for _, ref := range refs {
		taken[ref.name] = ref.object
	}
	first := runRefs(t.RunID) + strconv.Itoa(k) + "-outside"
	name := first
	for n := 2; taken[name] != "" && taken[name] != commit; n++ {
		name = first + "-" + strconv.Itoa(n)
	}
	if _, err := engine.run(ctx, "update-ref", "--no-deref", name, commit); err != nil {
		return "", fmt.Errorf("keeping changes of Worker %d outside its task: %w", k, err)
	}
	return name, nil
}
