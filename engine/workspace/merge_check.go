package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// absent is the mode git gives a path that is not there.
const absent = "000000"

// version is what stands at a path: mode and object as git names them; of an
// absent path the zero value.
type version struct{ mode, object string }

func (c version) there() bool { return c != version{} }

func readVersion(mode, object string) version {
	if mode == absent || mode == "" {
		return version{}
	}
	return version{mode, object}
}

// touch is one path that a merge changes.
type touch struct {
	path     string // below the top of the work tree
	old, new version
	bases    []version // of what the run rests on, where the user's own work may be
	kind     ChangeKind
	found    found
	sparse   bool // not checked out by the user's wish: only the index changes
}

// mine tells whether c is something the merge may take away: it is in a
// commit, or it is what shall be there.
func (t touch) mine(c version) bool {
	return c == t.old || c == t.new || slices.Contains(t.bases, c)
}

// found is what stands in the user's work tree at a path.
type found struct {
	version
	info   fs.FileInfo // nil: nothing
	parent string      // what stands where a directory is needed
	inside bool        // a directory
}

// compare lists the paths that differ between two trees, file by file.
func (m *merge) compare(ctx context.Context, from, to string) ([]touch, error) {
	touched, err := m.raw(ctx, from, to)
	if snapshot := m.tree.snapshot(); err == nil && snapshot != "" {
		err = m.alsoMine(ctx, touched, from, snapshot)
	}
	return touched, err
}

// alsoMine lets the merge take away what stands at the paths in one more
// commit.
func (m *merge) alsoMine(ctx context.Context, touched []touch, from, commit string) error {
	differs, err := m.raw(ctx, from, commit)
	if err != nil {
		return err
	}
	there := map[string]version{}
	for _, d := range differs {
		there[d.path] = d.new
	}
	for i := range touched {
		if c, ok := there[touched[i].path]; ok {
			touched[i].bases = append(touched[i].bases, c)
		}
	}
	return nil
}

func (m *merge) raw(ctx context.Context, from, to string) ([]touch, error) {
	out, err := m.git.run(ctx, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-commit-id", "--ignore-submodules=dirty", from, to)
	if err != nil {
		return nil, fmt.Errorf("comparing %s with %s: %w", from, to, err)
	}
	entries := fields(out)
	var touched []touch
	for i := 0; i+1 < len(entries); i += 2 {
		meta := strings.Fields(strings.TrimPrefix(entries[i], ":"))
		if len(meta) != 5 || meta[4] == "" {
			return nil, fmt.Errorf("comparing %s with %s: unexpected line %q", from, to, entries[i])
		}
		t := touch{path: entries[i+1], old: readVersion(meta[0], meta[2]), new: readVersion(meta[1], meta[3]), kind: changeKind(meta)}
		touched = append(touched, t)
	}
	return touched, nil
}

func (m *merge) changes(touched []touch) []FileChange {
	list := make([]FileChange, 0, len(touched))
	for _, t := range touched {
		c := FileChange{Path: m.tree.projectPath(t.path), Kind: t.kind, OldMode: absent, NewMode: absent}
		if t.old.there() {
			c.OldMode = t.old.mode
		}
		if t.new.there() {
			c.NewMode = t.new.mode
		}
		list = append(list, c)
	}
	return list
}

// checkIndexed refuses what would take away work of the user's that no commit
// holds: in the files or in the index.
func (m *merge) checkIndexed(ctx context.Context, touched []touch) error {
	if err := m.project.source().copyIndex(m.git.dir); err != nil {
		return err
	}
	staged, err := m.listIndex(ctx)
	if err != nil {
		return err
	}
	if err := m.look(ctx, touched, staged); err != nil {
		return err
	}
	var blocked []Refusal
	refuse := func(t touch, why string) {
		blocked = append(blocked, Refusal{Path: m.tree.projectPath(t.path), Why: why})
	}
	plan := m.planOf(touched)
	for _, t := range touched {
		entry := staged[t.path]
		switch why := plan.blocked(t); {
		case t.isLink():
			refuse(t, "a repository of its own; git itself must merge it")
		case entry.hidden() && t.found.info != nil:
			refuse(t, "marked skip-worktree, so its changes are hidden from git")
		case !t.mine(entry.version):
			refuse(t, "changed in the index, not committed")
		case why != "":
			refuse(t, why)
		}
	}
	if len(blocked) > 0 {
		return &MergeRefused{Why: "this would overwrite work of yours that is in no commit", Paths: blocked,
			Advice: "Commit, stash or move it away, then merge again."}
	}
	return m.checkFilters(ctx, touched)
}

// isLink tells whether a repository inside the repository is meant.
func (t touch) isLink() bool {
	const link = "160000"
	return t.old.mode == link || t.new.mode == link
}

// indexed is one entry of the user's index.
type indexed struct {
	version
	tag byte // as `ls-files -v` shows it
}

func (i indexed) hidden() bool  { return i.tag == 'S' || i.tag == 's' }
func (i indexed) assumed() bool { return i.tag >= 'a' && i.tag <= 'z' }

func (m *merge) listIndex(ctx context.Context) (map[string]indexed, error) {
	out, err := m.git.run(ctx, "ls-files", "-z", "--stage", "-v")
	if err != nil {
		return nil, fmt.Errorf("reading the index of %s: %w", m.project.RepoTop, err)
	}
	staged := map[string]indexed{}
	var unmerged []string
	for _, line := range fields(out) {
		meta, name, _ := strings.Cut(line, "\t")
		parts := strings.Fields(meta)
		if len(parts) != 4 || parts[0] == "" {
			return nil, fmt.Errorf("reading the index of %s: unexpected line %q", m.project.RepoTop, line)
		}
		if parts[3] != "0" {
			unmerged = append(unmerged, name)
			continue
		}
		staged[name] = indexed{version{parts[1], parts[2]}, parts[0][0]}
	}
	if len(unmerged) > 0 {
		return nil, m.refuse("your index holds unresolved conflicts", unmerged, "Resolve them and commit, then merge again.")
	}
	return staged, nil
}

// look finds out what stands in the user's work tree at each path. Contents are
// named the way a commit would: through the filters of the user's own
// configuration. staged may be nil.
func (m *merge) look(ctx context.Context, touched []touch, staged map[string]indexed) error {
	var read, assumed []string
	at := map[string]int{}
	for i := range touched {
		t := &touched[i]
		f, err := lookAt(m.project.RepoTop, t.path)
		if err != nil {
			return fmt.Errorf("looking at %s: %w", t.path, err)
		}
		t.found = f
		entry := staged[t.path]
		t.sparse = entry.hidden() && f.info == nil
		if f.info == nil || f.inside || t.isLink() || entry.hidden() {
			continue
		}
		if !f.info.Mode().IsRegular() && f.info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		read = append(read, t.path)
		at[t.path] = i
		if entry.assumed() {
			assumed = append(assumed, t.path)
		}
	}
	if len(read) == 0 {
		return nil
	}
	if err := copyIfThere(filepath.Join(m.git.dir, "index"), filepath.Join(m.git.dir, "index-disk")); err != nil {
		return err
	}
	disk := m.git.with("GIT_INDEX_FILE=" + filepath.Join(m.git.dir, "index-disk"))
	if len(assumed) > 0 {
		if _, err := disk.feed(ctx, nulEnded(assumed), "update-index", "--no-assume-unchanged", "-z", "--stdin"); err != nil {
			return fmt.Errorf("looking at the files of %s: %w", m.project.RepoTop, err)
		}
	}
	if _, err := disk.feed(ctx, nulEnded(read), "update-index", "--add", "--replace", "-z", "--stdin"); err != nil {
		return fmt.Errorf("looking at the files of %s: %w", m.project.RepoTop, err)
	}
	out, err := disk.run(ctx, "ls-files", "-z", "--stage")
	if err != nil {
		return fmt.Errorf("looking at the files of %s: %w", m.project.RepoTop, err)
	}
	for _, line := range fields(out) {
		meta, name, _ := strings.Cut(line, "\t")
		i, wanted := at[name]
		if parts := strings.Fields(meta); wanted && len(parts) == 3 {
			touched[i].found.version = version{parts[0], parts[1]}
		}
	}
	return nil
}

func nulEnded(names []string) []byte { return []byte(strings.Join(names, "\x00") + "\x00") }

// lookAt follows no symbolic link: one in the place of a directory is in the way.
func lookAt(top, name string) (found, error) {
	for i, char := range name {
		if char != '/' {
			continue
		}
		info, err := os.Lstat(filepath.Join(top, name[:i]))
		if errors.Is(err, fs.ErrNotExist) {
			return found{}, nil
		}
		if err != nil {
			return found{}, err
		}
		if !info.IsDir() {
			return found{parent: name[:i]}, nil
		}
	}
	info, err := os.Lstat(filepath.Join(top, name))
	if errors.Is(err, fs.ErrNotExist) {
		return found{}, nil
	}
	if err != nil {
		return found{}, err
	}
	return found{info: info, inside: info.IsDir()}, nil
}

// plan knows which paths a merge takes away, since a file may have to make room
// for a directory of its name, and the other way round.
type plan struct {
	removed map[string]bool
	m       *merge
}

func (m *merge) planOf(touched []touch) plan {
	p := plan{removed: map[string]bool{}, m: m}
	for _, t := range touched {
		if !t.new.there() && t.mine(t.found.version) {
			p.removed[t.path] = true
		}
	}
	return p
}

// blocked says in words why t cannot be carried out in the user's work tree;
// empty when it can, or is there already.
func (p plan) blocked(t touch) string {
	f := t.found
	switch {
	case t.sparse:
		return ""
	case f.parent != "" || f.inside && !t.new.there():
		// Nothing of this name stands there.
		if t.new.there() && f.parent != "" && !p.removed[f.parent] {
			return f.parent + " stands where its directory belongs"
		}
		return ""
	case f.inside:
		return p.occupied(t)
	case f.info != nil && !f.version.there():
		return "something that is no file of git's stands there"
	case t.mine(f.version):
		return ""
	case !f.version.there():
		return "removed, not committed"
	case !t.old.there():
		return "a file of yours that no commit holds"
	}
	return "changed, not committed"
}

// occupied says what keeps a directory from making room for the file t.
func (p plan) occupied(t touch) (why string) {
	top := filepath.Join(p.m.project.RepoTop, filepath.FromSlash(t.path))
	err := filepath.WalkDir(top, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, at)
		if err != nil {
			return err
		}
		if name := path.Join(t.path, filepath.ToSlash(rel)); !entry.IsDir() && !p.removed[name] {
			why = name + " stands below it"
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		return err.Error()
	}
	return why
}

// checkFilters refuses files whose content only a program named by the
// repository's own configuration could write.
func (m *merge) checkFilters(ctx context.Context, touched []touch) error {
	settings, err := m.project.source().settings(ctx)
	if err != nil || len(settings.filters) == 0 {
		return err
	}
	var names []string
	for _, t := range touched {
		if t.new.there() && !t.sparse {
			names = append(names, t.path)
		}
	}
	if len(names) == 0 {
		return nil
	}
	out, err := m.git.feed(ctx, nulEnded(names), "check-attr", "-z", "--stdin", "filter")
	if err != nil {
		return fmt.Errorf("looking for filters in %s: %w", m.project.RepoTop, err)
	}
	local := map[string]bool{}
	for _, name := range settings.filters {
		local[name] = true
	}
	var filtered []string
	for answers := fields(out); len(answers) >= 3; answers = answers[3:] {
		if local[answers[2]] {
			filtered = append(filtered, answers[0])
		}
	}
	if len(filtered) == 0 {
		return nil
	}
	return m.refuse("these files go through a filter that only this repository's configuration defines, and nothing of it is run here", filtered,
		"Merge with git: git merge "+m.Commit)
}
