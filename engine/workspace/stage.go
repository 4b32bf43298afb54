package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// unborn stands for the commit of a nested repository that has none: an index
// entry needs some object name that is not all zeros.
const unborn = "1"

// whose says what staging may do to a work tree.
type whose int

const (
	// runsTree: rights are widened where a file cannot be read, and a
	// repository the index does not know is recorded as a link, so that the
	// change is seen.
	runsTree whose = iota
	// usersTree: nothing is touched; such repositories are left out and named.
	usersTree
)

// stage brings the index in step with the work tree and returns the paths left
// out: nested repositories of the user, and names git refuses to hold.
//
// `git add` does the same, but asks git in every nested repository for its
// state, and so runs what the configuration there names; an agent writes that
// configuration. The commands here look at the one index and never enter.
func (g gitDir) stage(ctx context.Context, owner whose) ([]string, error) {
	if err := g.unlock(); err != nil {
		return nil, err
	}
	start := time.Now()
	plan, err := g.planStage(ctx, owner)
	if err == nil && plan.locked && owner == runsTree {
		if err = openUp(g.tree); err == nil {
			plan, err = g.planStage(ctx, owner)
		}
	}
	if err != nil {
		return nil, err
	}
	if len(plan.info) > 0 {
		if _, err := g.feed(ctx, []byte(plan.info), "update-index", "-z", "--index-info"); err != nil {
			return nil, fmt.Errorf("recording what was removed from %s: %w", g.tree, err)
		}
	}
	if plan.info == "" && len(plan.add) == 0 {
		return plan.left, g.ageIndex(start)
	}
	refused, err := g.addToIndex(ctx, plan.add, owner)
	return append(plan.left, refused...), err
}

// unlock removes the locks that a git of ours left when it was killed. There is
// one owner, which runs one command at a time.
func (g gitDir) unlock() error {
	locks, _ := filepath.Glob(filepath.Join(globLiteral(g.dir), "*.lock"))
	err := filepath.WalkDir(filepath.Join(g.dir, "refs"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && strings.HasSuffix(path, ".lock") {
			locks = append(locks, path)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("looking for locks in %s: %w", g.dir, err)
	}
	for _, lock := range locks {
		if err := os.Remove(lock); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing a lock of a dead git: %w", err)
		}
	}
	return nil
}

// ageIndex notes that at the given time every file was as the index has it. Git
// reads the content of each file that is not older than the index, again at
// every look, and after a checkout that is all of them. A change made since has
// a later time than the index knows for the file, and is seen by that.
func (g gitDir) ageIndex(seen time.Time) error {
	index := filepath.Join(g.dir, "index")
	info, err := os.Stat(index)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	// Many a git compares whole seconds.
	seen = seen.Truncate(time.Second).Add(-time.Second)
	if err == nil && seen.After(info.ModTime()) {
		err = os.Chtimes(index, seen, seen)
	}
	if err != nil {
		return fmt.Errorf("dating %s: %w", index, err)
	}
	return nil
}

// stagePlan is what update-index has to be told.
type stagePlan struct {
	info   string   // entries in the form of --index-info
	add    []string // paths whose content is to be read
	left   []string
	locked bool // git could not look everywhere
}

func (g gitDir) planStage(ctx context.Context, owner whose) (stagePlan, error) {
	var plan stagePlan
	var info strings.Builder
	changed, complaint, err := g.both(ctx, nil, "diff-files", "-z", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=dirty")
	if err != nil {
		return plan, fmt.Errorf("comparing %s with its index: %w", g.tree, err)
	}
	seen := map[string]bool{}
	entries := fields(changed)
	zero := ""
	for i := 0; i+1 < len(entries); i += 2 {
		meta, path := strings.Fields(entries[i]), entries[i+1]
		if len(meta) != 5 {
			return plan, fmt.Errorf("comparing %s with its index: unexpected line %q", g.tree, entries[i])
		}
		zero = strings.Repeat("0", len(meta[2]))
		if seen[path] {
			continue
		}
		seen[path] = true
		if meta[4] == "D" {
			fmt.Fprintf(&info, "0 %s\t%s\x00", zero, path)
			continue
		}
		stat, err := os.Lstat(filepath.Join(g.tree, path))
		switch {
		case err == nil && (stat.Mode().IsRegular() || stat.Mode()&fs.ModeSymlink != 0):
			plan.add = append(plan.add, path)
		case err == nil && stat.IsDir() && meta[0] == ":160000":
			plan.add = append(plan.add, path)
		case err == nil && stat.IsDir():
			g.planNested(path, owner, len(zero), &info, &plan)
		default:
			// A pipe or socket in the place of a file, or gone meanwhile.
			fmt.Fprintf(&info, "0 %s\t%s\x00", zero, path)
		}
	}
	list := []string{"ls-files", "-z", "--others", "--exclude-standard"}
	for _, pattern := range artifacts {
		list = append(list, "--exclude="+pattern)
	}
	untracked, more, err := g.both(ctx, nil, list...)
	if err != nil {
		return plan, fmt.Errorf("listing new files of %s: %w", g.tree, err)
	}
	for _, path := range fields(untracked) {
		if inner, isNested := strings.CutSuffix(path, "/"); isNested {
			g.planNested(inner, owner, len(zero), &info, &plan)
		} else {
			plan.add = append(plan.add, path)
		}
	}
	plan.info = info.String()
	plan.locked = strings.Contains(complaint+more, "ermission denied")
	return plan, nil
}

func (g gitDir) planNested(path string, owner whose, width int, info *strings.Builder, plan *stagePlan) {
	if owner == usersTree {
		plan.left = append(plan.left, path)
		return
	}
	if width == 0 {
		width = g.hashWidth()
	}
	commit := nestedHead(filepath.Join(g.tree, path))
	if len(commit) != width || strings.Trim(commit, "0") == "" {
		commit = strings.Repeat("0", width-len(unborn)) + unborn
	}
	fmt.Fprintf(info, "160000 %s\t%s\x00", commit, path)
}

// hashWidth is the number of hex digits of an object name, read from the
// configuration that we wrote.
func (g gitDir) hashWidth() int {
	config, _ := os.ReadFile(filepath.Join(g.dir, "config"))
	if strings.Contains(strings.ToLower(string(config)), "objectformat = sha256") {
		return 64
	}
	return 40
}

// nestedHead reads the commit of the repository at dir from its files; empty
// when there is none or it is written in a way we do not follow.
func nestedHead(dir string) string {
	git := filepath.Join(dir, ".git")
	if link, err := readSmall(git); err == nil {
		target, ok := strings.CutPrefix(link, "gitdir: ")
		if !ok {
			return ""
		}
		if git = target; !filepath.IsAbs(git) {
			git = filepath.Join(dir, target)
		}
	}
	head, err := readSmall(filepath.Join(git, "HEAD"))
	if err != nil {
		return ""
	}
	ref, symbolic := strings.CutPrefix(head, "ref: ")
	if !symbolic {
		return hexOnly(head)
	}
	if commit, err := readSmall(filepath.Join(git, filepath.FromSlash(ref))); err == nil {
		return hexOnly(commit)
	}
	packed, _ := readSmall(filepath.Join(git, "packed-refs"))
	for line := range strings.Lines(packed) {
		if commit, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref {
			return hexOnly(commit)
		}
	}
	return ""
}

func hexOnly(text string) string {
	if strings.Trim(text, "0123456789abcdef") != "" {
		return ""
	}
	return text
}

// readSmall reads a regular file of at most 1 MiB without its final newline: an
// agent may have put anything in its place.
func readSmall(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return "", fs.ErrInvalid
	}
	data, err := os.ReadFile(path)
	return strings.TrimSpace(string(data)), err
}

// addToIndex reads the given paths into the index and returns those whose names
// git refuses. Unreadable files of a run's tree are made readable first.
func (g gitDir) addToIndex(ctx context.Context, paths []string, owner whose) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	add := func() (string, error) {
		input := []byte(strings.Join(paths, "\x00") + "\x00")
		_, complaint, err := g.both(ctx, input, "update-index", "--add", "--replace", "--remove", "-z", "--stdin")
		return complaint, err
	}
	complaint, err := add()
	if err != nil && owner == runsTree && strings.Contains(complaint, "ermission denied") {
		if err = openUp(g.tree); err == nil {
			complaint, err = add()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("recording the files of %s: %w", g.tree, err)
	}
	var refused []string
	if strings.Contains(complaint, "Ignoring path ") {
		for _, path := range paths {
			if strings.Contains(complaint, "Ignoring path "+path+"\n") {
				refused = append(refused, path)
			}
		}
	}
	return refused, g.distrust(ctx, paths)
}

// distrust has git read those of the paths again at the next look that could
// change within this second without a trace: many a git compares whole seconds,
// and reads again only what was written, by its own date, no earlier than the
// index. A file that was dated back escapes that.
func (g gitDir) distrust(ctx context.Context, paths []string) error {
	info, err := os.Stat(filepath.Join(g.dir, "index"))
	if err != nil {
		return fmt.Errorf("looking at the index of %s: %w", g.tree, err)
	}
	written := info.ModTime().Truncate(time.Second)
	young := map[string]bool{}
	for _, path := range paths {
		file, err := os.Lstat(filepath.Join(g.tree, path))
		if err == nil && file.ModTime().Before(written) && !changeTime(file).Before(written) {
			young[path] = true
		}
	}
	if len(young) == 0 {
		return nil
	}
	entries, err := g.run(ctx, "ls-files", "-s", "-z")
	if err != nil {
		return fmt.Errorf("listing the index of %s: %w", g.tree, err)
	}
	var without strings.Builder // entries that say nothing of the files' dates
	for _, entry := range fields(entries) {
		if _, path, _ := strings.Cut(entry, "\t"); young[path] {
			without.WriteString(entry + "\x00")
		}
	}
	if _, err := g.feed(ctx, []byte(without.String()), "update-index", "-z", "--index-info"); err != nil {
		return fmt.Errorf("recording the files of %s: %w", g.tree, err)
	}
	return nil
}

// openUp gives the owner the right to read and change everything below dir
// that is not a symbolic link; what belongs to somebody else is left alone.
func openUp(dir string) error {
	var walk func(path string) error
	walk = func(path string) error {
		entries, err := os.ReadDir(path)
		if err != nil {
			return fmt.Errorf("reading %s: %w", path, err)
		}
		for _, entry := range entries {
			need := fs.FileMode(0o600)
			if entry.IsDir() {
				need = 0o700
			} else if !entry.Type().IsRegular() {
				continue
			}
			inner := filepath.Join(path, entry.Name())
			info, err := entry.Info()
			if err != nil {
				continue
			}
			if info.Mode().Perm()&need != need {
				if err := os.Chmod(inner, info.Mode().Perm()|need); err != nil {
					continue
				}
			}
			if entry.IsDir() {
				if err := walk(inner); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if info, err := os.Lstat(dir); err == nil && info.IsDir() && info.Mode().Perm()&0o700 != 0o700 {
		if err := os.Chmod(dir, info.Mode().Perm()|0o700); err != nil {
			return fmt.Errorf("making %s writable: %w", dir, err)
		}
	}
	return walk(dir)
}
