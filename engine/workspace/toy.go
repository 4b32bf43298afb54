package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// toyBranch is the branch an agent finds itself on.
const toyBranch = "growbench"

// checkout is a work tree with its two git directories: the engine's, which no
// agent can reach, and the `.git` inside, which the agent may do anything
// with. The latter is written by git once, before any agent runs; afterwards
// only plain file operations touch it, so that its configuration is never read.
type checkout struct {
	Path   string // below the top of the tree, empty for the top itself
	Dir    string // the work tree
	Engine string // the engine's git directory
	Source source
	Commit string // base
}

func (c checkout) engine() gitDir { return gitDir{dir: c.Engine, tree: c.Dir} }

// toyObjects writes and reads the object store of the toy through the engine's
// configuration.
func (c checkout) toyObjects() gitDir {
	return gitDir{dir: c.Engine}.with("GIT_OBJECT_DIRECTORY=" + filepath.Join(c.Dir, ".git", "objects"))
}

func (c checkout) pristine() string { return filepath.Join(c.Engine, "growbench", "toy") }

// cloneToy makes the toy anew as a clone that shares nothing with the user's
// repository, not even by a link, and knows no remote.
func (c checkout) cloneToy(ctx context.Context) error {
	from := c.Source.Common
	// Whose the repository is was judged, by git's own rule, when the project
	// was found; clone would ask again about the git directory alone.
	args := []string{"-c", "safe.directory=*", "clone", "--upload-pack=git -c safe.directory='*' upload-pack",
		"--quiet", "--local", "--no-hardlinks", "--no-checkout", "--no-reject-shallow", "--template="}
	if from == "" {
		from = c.Engine
	}
	if _, err := os.Lstat(filepath.Join(from, "objects", "info", "alternates")); err == nil {
		args = append(args, "--dissociate")
	}
	// Cloned beside and moved: what stands in the tree already does not matter.
	aside := filepath.Join(c.Engine, "growbench", "clone")
	defer removeAll(aside)
	if err := removeAll(aside); err != nil {
		return err
	}
	var err error
	if shallow(from) && partial(from) {
		err = c.copyClone(ctx, from, aside)
	} else {
		err = cloneQuietly(ctx, append(args, "--", from, aside))
	}
	if err != nil {
		return fmt.Errorf("cloning %s: %w", from, err)
	}
	if err := c.strip(filepath.Join(aside, ".git")); err != nil {
		return fmt.Errorf("preparing the clone of %s: %w", from, err)
	}
	git := filepath.Join(c.Dir, ".git")
	if err := removeAll(git); err != nil {
		return err
	}
	return moveDir(filepath.Join(aside, ".git"), git)
}

func cloneQuietly(ctx context.Context, args []string) error {
	for try := 1; ; try++ {
		_, err := gitDir{}.with("GIT_ALLOW_PROTOCOL=file").run(ctx, args...)
		// The user's git may be packing: files then vanish under the copy.
		var failed *GitError
		if try == 5 || !errors.As(err, &failed) || !strings.Contains(failed.Stderr, "No such file or directory") {
			return err
		}
	}
}

func shallow(git string) bool {
	_, err := os.Lstat(filepath.Join(git, "shallow"))
	return err == nil
}

func partial(git string) bool {
	marks, _ := filepath.Glob(filepath.Join(globLiteral(git), "objects", "pack", "*.promisor"))
	return len(marks) > 0
}

// copyClone does what a local clone does, for the one kind of source that git
// clones only over a transport, which stumbles over the objects it lacks.
func (c checkout) copyClone(ctx context.Context, from, to string) error {
	format := c.Source.Format
	if _, err := (gitDir{}).run(ctx, "init", "--quiet", "--template=", "--object-format="+format, to); err != nil {
		return err
	}
	if err := copyPlain(filepath.Join(from, "objects"), filepath.Join(to, ".git", "objects"), "info"); err != nil {
		return err
	}
	return copyIfThere(filepath.Join(from, "shallow"), filepath.Join(to, ".git", "shallow"))
}

// strip leaves of a fresh clone its objects, its tags and a plain
// configuration, and keeps a copy of everything but the objects.
func (c checkout) strip(git string) error {
	if err := keepTags(filepath.Join(git, "packed-refs")); err != nil {
		return err
	}
	for _, gone := range []string{"refs/heads", "refs/remotes", "logs", "hooks", "branches", "config", "index", "description", "FETCH_HEAD", "ORIG_HEAD"} {
		if err := removeAll(filepath.Join(git, gone)); err != nil {
			return err
		}
	}
	for _, dir := range []string{"refs/heads", "info"} {
		if err := os.MkdirAll(filepath.Join(git, dir), 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(git, "HEAD"), []byte("ref: refs/heads/"+toyBranch+"\n"), 0o644); err != nil {
		return err
	}
	if err := c.toyConfig(filepath.Join(git, "config")); err != nil {
		return err
	}
	for _, name := range []string{"exclude", "attributes", "sparse-checkout"} {
		if err := copyIfThere(filepath.Join(c.Engine, "info", name), filepath.Join(git, "info", name)); err != nil {
			return err
		}
	}
	if err := removeAll(c.pristine()); err != nil {
		return err
	}
	return copyPlain(git, c.pristine(), "objects")
}

// toyConfig takes the engine's own configuration, which names no program, and
// adds an identity, so that an agent can commit without asking for a
// passphrase.
func (c checkout) toyConfig(path string) error {
	data, err := os.ReadFile(filepath.Join(c.Engine, "config"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return err
	}
	return appendConfig(path, []string{
		"core.logallrefupdates", "true",
		"user.name", identityName,
		"user.email", identityEmail,
		"user.useconfigonly", "false",
		"commit.gpgsign", "false",
		"tag.gpgsign", "false",
	})
}

// keepTags drops every packed ref that is no tag.
func keepTags(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var kept strings.Builder
	tag := false
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "^") {
			_, name, _ := strings.Cut(line, " ")
			tag = strings.HasPrefix(name, "refs/tags/")
		}
		if tag || strings.HasPrefix(line, "#") {
			kept.WriteString(line)
		}
	}
	return os.WriteFile(path, []byte(kept.String()), 0o644)
}

// renewToy brings the toy to commit: whatever an agent did to it is dropped
// except objects, which are cloned again only when they are of no use. The
// engine's index must agree with commit.
func (c checkout) renewToy(ctx context.Context, commit string, have []string) error {
	git := filepath.Join(c.Dir, ".git")
	if plainStore(git) {
		if err := c.restoreToy(git); err != nil {
			return fmt.Errorf("repairing %s: %w", git, err)
		}
		if err := c.advanceToy(ctx, commit, have); err == nil && c.toyWhole(ctx, commit) {
			return nil
		}
	}
	if err := c.cloneToy(ctx); err != nil {
		return err
	}
	return c.advanceToy(ctx, commit, have)
}

// toyWhole says whether everything a status and a diff need can be read.
func (c checkout) toyWhole(ctx context.Context, commit string) bool {
	_, err := c.toyObjects().run(ctx, "rev-list", "--objects", "--quiet", "--missing=allow-any", "--max-count=1", commit)
	return err == nil
}

// restoreToy replaces everything in the toy but its objects by what was there
// at first.
func (c checkout) restoreToy(git string) error {
	entries, err := os.ReadDir(git)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() == "objects" {
			continue
		}
		if err := removeAll(filepath.Join(git, entry.Name())); err != nil {
			return err
		}
	}
	return copyPlain(c.pristine(), git, "")
}

// advanceToy gives the toy the objects of commit (it may hold some of have),
// sets its branch there and
// its index to the engine's.
func (c checkout) advanceToy(ctx context.Context, commit string, have []string) error {
	have, err := c.toyObjects().held(ctx, append(slices.Clone(have), commit))
	if err == nil {
		err = sendCommit(ctx, gitDir{dir: c.Engine}, c.toyObjects(), commit, have)
	}
	if err != nil {
		return fmt.Errorf("giving %s to the agent's clone: %w", commit, err)
	}
	git := filepath.Join(c.Dir, ".git")
	if err := os.WriteFile(filepath.Join(git, "refs", "heads", toyBranch), []byte(commit+"\n"), 0o644); err != nil {
		return fmt.Errorf("setting the branch of the agent's clone: %w", err)
	}
	return copyIfThere(filepath.Join(c.Engine, "index"), filepath.Join(git, "index"))
}

// plainStore says whether the object store of a toy is what it was: directories
// and files of its own. A link planted there would send our writes elsewhere.
func plainStore(git string) bool {
	if info, err := os.Lstat(git); err != nil || !info.IsDir() {
		return false
	}
	objects := filepath.Join(git, "objects")
	if _, err := os.Lstat(filepath.Join(objects, "info", "alternates")); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	info, err := os.Lstat(objects)
	if err != nil || !info.IsDir() {
		return false
	}
	plain := true
	err = filepath.WalkDir(objects, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() && !entry.Type().IsRegular() {
			plain = false
			return fs.SkipAll
		}
		return nil
	})
	return err == nil && plain
}

// copyPlain copies directories and regular files below from, leaving out the
// entry named skip at its top.
func copyPlain(from, to, skip string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case rel == skip:
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case entry.Type().IsRegular():
			return copyIfThere(path, filepath.Join(to, rel))
		}
		return nil
	})
}

// moveDir renames, or copies where the two lie on different file systems.
func moveDir(from, to string) error {
	err := os.Rename(from, to)
	if errors.Is(err, syscall.EXDEV) {
		err = copyPlain(from, to, "")
	}
	if err != nil {
		return fmt.Errorf("moving %s to %s: %w", from, to, err)
	}
	return nil
}

// removeAll is os.RemoveAll that also gets through directories without the
// right to write, and never through a symbolic link.
func removeAll(path string) error {
	if err := os.RemoveAll(path); err == nil {
		return nil
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		if err := openUp(path); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(path); err != nil {
		return fmt.Errorf("removing %s: %w", path, err)
	}
	return nil
}
