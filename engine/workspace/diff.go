package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// ChangeKind says what happened to a path between two trees.
type ChangeKind string

const (
	Created  ChangeKind = "created"
	Modified ChangeKind = "modified" // the content, perhaps also the mode
	Deleted  ChangeKind = "deleted"
	Renamed  ChangeKind = "renamed" // perhaps also modified
	Mode     ChangeKind = "mode"    // nothing but the executable bit
	Type     ChangeKind = "type"    // file to symbolic link and the like
	// NestedRepository: files were put out of sight as a repository of their
	// own, which the commit names but does not contain.
	NestedRepository ChangeKind = "nested-repository"
)

// FileChange is one path that differs between two trees. Paths are relative to
// the project and "/"-separated; one outside it begins with "../". Modes are
// git's, six octal digits.
type FileChange struct {
	Path    string
	OldPath string // of a renamed file
	Kind    ChangeKind
	OldMode string
	NewMode string
	// OldObject and NewObject are git's names of the contents; zeros where
	// there is none.
	OldObject, NewObject string
}

// Changes lists what differs between two trees or commits, ordered by path.
func (t *Tree) Changes(ctx context.Context, from, to string) ([]FileChange, error) {
	out, err := t.top().engine().run(ctx, "diff-tree", "-r", "-z", "-M", "--raw", "--no-abbrev", "--no-commit-id", "--ignore-submodules=dirty", from, to)
	if err != nil {
		return nil, fmt.Errorf("comparing %s with %s: %w", from, to, err)
	}
	entries := fields(out)
	var changes []FileChange
	for i := 0; i+1 < len(entries); i += 2 {
		meta := strings.Fields(strings.TrimPrefix(entries[i], ":"))
		if len(meta) != 5 || meta[4] == "" {
			return nil, fmt.Errorf("comparing %s with %s: unexpected line %q", from, to, entries[i])
		}
		change := FileChange{Path: t.projectPath(entries[i+1]), OldMode: meta[0], NewMode: meta[1], OldObject: meta[2], NewObject: meta[3]}
		if status := meta[4][0]; status == 'R' || status == 'C' {
			if i+2 >= len(entries) {
				return nil, fmt.Errorf("comparing %s with %s: the list ends early", from, to)
			}
			change.OldPath, change.Path = change.Path, t.projectPath(entries[i+2])
			i++
		}
		change.Kind = changeKind(meta)
		changes = append(changes, change)
	}
	return changes, nil
}

// changeKind reads the five fields of a raw line: modes, objects, status.
func changeKind(meta []string) ChangeKind {
	const link = "160000"
	switch {
	case meta[1] == link && meta[0] != link:
		return NestedRepository
	case meta[4][0] == 'A' || meta[4][0] == 'C':
		return Created
	case meta[4][0] == 'D':
		return Deleted
	case meta[4][0] == 'R':
		return Renamed
	case meta[4][0] == 'T':
		return Type
	case meta[2] == meta[3]:
		return Mode
	}
	return Modified
}

// projectPath turns a path below the top of the tree into one relative to the
// project.
func (t *Tree) projectPath(name string) string {
	prefix := t.Project.Prefix
	if prefix == "" {
		return name
	}
	if inner, ok := strings.CutPrefix(name, prefix+"/"); ok {
		return inner
	}
	rel, err := filepath.Rel(prefix, name)
	if err != nil {
		return name
	}
	return rel
}

// treePath is the reverse of projectPath. Paths that leave the tree are errors.
func (t *Tree) treePath(name string) (string, error) {
	full := path.Join(t.Project.Prefix, name)
	if path.IsAbs(name) || full == ".." || strings.HasPrefix(full, "../") {
		return "", fmt.Errorf("path %q lies outside the tree", name)
	}
	return full, nil
}

// Diff is the patch between two trees or commits, binary files included, as
// `git apply` reads it. Paths in it are relative to the top of the tree; when
// paths (relative to the project) are given, only those are compared.
func (t *Tree) Diff(ctx context.Context, from, to string, paths ...string) ([]byte, error) {
	args := []string{"diff-tree", "-r", "-p", "-M", "--binary", "--no-ext-diff", "--no-textconv", "--no-color",
		"--src-prefix=a/", "--dst-prefix=b/", "--no-commit-id", "--ignore-submodules=dirty", "--submodule=short", from, to, "--"}
	for _, name := range paths {
		full, err := t.treePath(name)
		if err != nil {
			return nil, err
		}
		args = append(args, full)
	}
	patch, err := t.top().engine().run(ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("comparing %s with %s: %w", from, to, err)
	}
	return patch, nil
}

// FileAt is the content of a file (of a symbolic link: its target) in a commit.
// A path that is not there, or no file, is fs.ErrNotExist.
func (t *Tree) FileAt(ctx context.Context, commit, name string) ([]byte, error) {
	full, err := t.treePath(name)
	if err != nil {
		return nil, err
	}
	engine := t.top().engine()
	entry, found, err := engine.entryAt(ctx, commit, full)
	if err != nil {
		return nil, err
	}
	if !found || entry.kind != "blob" {
		return nil, fmt.Errorf("reading %s in %s: %w", name, commit, fs.ErrNotExist)
	}
	data, err := engine.run(ctx, "cat-file", "blob", entry.object)
	if err != nil {
		return nil, fmt.Errorf("reading %s in %s: %w", name, commit, err)
	}
	return data, nil
}

type treeEntry struct{ mode, kind, object string }

// entryAt looks one path of a commit up.
func (g gitDir) entryAt(ctx context.Context, commit, name string) (treeEntry, bool, error) {
	out, err := g.run(ctx, "ls-tree", "-z", "--full-tree", commit, "--", name)
	if err != nil {
		return treeEntry{}, false, fmt.Errorf("reading %s in %s: %w", name, commit, err)
	}
	for _, line := range fields(out) {
		meta, at, _ := strings.Cut(line, "\t")
		if parts := strings.Fields(meta); at == name && len(parts) == 3 {
			return treeEntry{mode: parts[0], kind: parts[1], object: parts[2]}, true, nil
		}
	}
	return treeEntry{}, false, nil
}
