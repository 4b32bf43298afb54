package workspace

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// ErrNoWorkTree marks a bare repository, or the inside of a git directory.
var ErrNoWorkTree = errors.New("it is a bare repository or the inside of one, without files to work on: clone it and start there")

// ErrForeignOwner marks a repository that belongs to another user. Git refuses
// it because its configuration could run programs, and so do we.
var ErrForeignOwner = errors.New("the repository belongs to another user")

// Place is a project's directory, known without asking git anything.
type Place struct {
	Root string // absolute, symbolic links resolved
	Name string // base name and a short hash of Root
}

// Project is the directory a run works for, and the repository around it.
type Project struct {
	Root      string // absolute, symbolic links resolved
	Name      string // base name and a short hash of Root
	GitDir    string // of this work tree; empty: no repository
	CommonDir string // shared by all work trees of the repository
	RepoTop   string // top of the work tree; Root when there is no repository
	Prefix    string // Root below RepoTop, "/"-separated; empty when the same
	HasCommit bool
	Head      string // commit, empty without one
	Branch    string // short name, empty when HEAD is detached
	Shallow   bool
	Format    string // object format, "sha1" or "sha256"
}

// HasRepo says whether a git repository holds the project.
func (p Project) HasRepo() bool { return p.GitDir != "" }

// FindPlace returns the project that dir belongs to: the nearest directory at
// or above it with `.git` or `.growbench`, else the topmost one whose map index
// names itself the root, else dir itself. A repository of another user is
// ErrForeignOwner.
func FindPlace(dir string) (Place, error) {
	absolute, err := filepath.Abs(dir)
	if err == nil {
		absolute, err = filepath.EvalSymlinks(absolute)
	}
	if err != nil {
		return Place{}, fmt.Errorf("finding the project of %s: %w", dir, err)
	}
	if info, err := os.Stat(absolute); err != nil || !info.IsDir() {
		return Place{}, fmt.Errorf("finding the project of %s: not a directory; name the project's directory", dir)
	}
	root, err := projectRoot(absolute)
	if err != nil {
		return Place{}, err
	}
	if ofAnother(root) || ofAnother(filepath.Join(root, ".git")) {
		// Git alone knows whether it may be worked in all the same.
		p := Project{Root: root}
		if err := p.readRepository(context.Background()); errors.Is(err, ErrForeignOwner) {
			return Place{}, err
		}
	}
	sum := sha256.Sum256([]byte(root))
	base := plainName(filepath.Base(root))
	base = base[:min(len(base), 100)] // it names a directory together with the hash
	return Place{Root: root, Name: base + "-" + hex.EncodeToString(sum[:4])}, nil
}

// FindProject is FindPlace with the repository around it.
func FindProject(dir string) (Project, error) {
	place, err := FindPlace(dir)
	if err != nil {
		return Project{}, err
	}
	p := Project{Root: place.Root, Name: place.Name, RepoTop: place.Root, Format: "sha1"}
	return p, p.readRepository(context.Background())
}

// ofAnother tells whether a file is there and belongs to another user.
func ofAnother(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) != os.Geteuid()
}

// plainName is a folder's name without what a glob, a shell or a screen would
// take for more than a name. [config.ProjectName] makes the same.
func plainName(name string) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, name)
	return plain[:min(len(plain), 40)]
}

func projectRoot(dir string) (string, error) {
	mapRoot := ""
	for at := dir; ; at = filepath.Dir(at) {
		for _, mark := range []string{".git", ".growbench"} {
			if _, err := os.Lstat(filepath.Join(at, mark)); err == nil {
				return at, nil
			}
		}
		if isMapRoot(at) {
			mapRoot = at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if mapRoot != "" {
		return mapRoot, nil
	}
	return dir, nil
}

// isMapRoot says whether dir holds the map index of a whole project.
func isMapRoot(dir string) bool {
	file, err := os.OpenFile(filepath.Join(dir, ".pi-map.index.md"), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return false
	}
	// The line stands at the top; a long index need not be read.
	head := make([]byte, 4096)
	n, _ := file.Read(head)
	for line := range bytes.Lines(head[:n]) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "dir:"); ok {
			return strings.TrimSpace(value) == "."
		}
	}
	return false
}

// readRepository asks git once. rev-parse reads the repository's
// configuration but runs nothing of it.
func (p *Project) readRepository(ctx context.Context) error {
	ask := func(args ...string) (string, error) {
		cmd := gitDir{}.command(ctx, args)
		cmd.Dir = p.Root
		var errOut bytes.Buffer
		cmd.Stderr = &errOut
		out, err := cmd.Output()
		return strings.TrimSuffix(string(out), "\n"), gitFailure(ctx, err, args, &errOut, nil)
	}
	gitDirPath, err := ask("rev-parse", "--absolute-git-dir")
	var failed *GitError
	switch {
	case errors.As(err, &failed) && strings.Contains(failed.Stderr, "dubious ownership"):
		return foreignOwner(p.Root, failed)
	case errors.As(err, &failed) && strings.Contains(failed.Stderr, "not a git repository"):
		return nil
	case err != nil:
		return fmt.Errorf("reading the repository of %s: %w", p.Root, err)
	}
	// One question at a time: a path may hold a newline.
	top, err := ask("rev-parse", "--show-toplevel")
	if errors.As(err, &failed) {
		return fmt.Errorf("reading the repository of %s: %w", p.Root, ErrNoWorkTree)
	}
	common, commonErr := ask("rev-parse", "--path-format=absolute", "--git-common-dir")
	facts, factsErr := ask("rev-parse", "--show-object-format", "--is-shallow-repository")
	if err := errors.Join(err, commonErr, factsErr); err != nil {
		return fmt.Errorf("reading the repository of %s: %w", p.Root, err)
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return fmt.Errorf("reading the repository of %s: %w", p.Root, err)
	}
	prefix, err := filepath.Rel(top, p.Root)
	if err != nil || prefix == ".." || strings.HasPrefix(prefix, "../") {
		return fmt.Errorf("reading the repository of %s: its work tree is %s, elsewhere; start there", p.Root, top)
	}
	if prefix != "." {
		p.Prefix = prefix
	}
	p.GitDir, p.CommonDir, p.RepoTop = gitDirPath, common, top
	format, shallow, _ := strings.Cut(facts, "\n")
	p.Format, p.Shallow = format, shallow == "true"
	return p.readHead(ctx)
}

// readHead refreshes Head, HasCommit and Branch, which move while the user
// works.
func (p *Project) readHead(ctx context.Context) error {
	p.Head, p.HasCommit, p.Branch = "", false, ""
	if !p.HasRepo() {
		return nil
	}
	repo := p.repo()
	var failed *GitError
	head, err := repo.line(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	p.Head, p.HasCommit = head, err == nil
	branch, err := repo.line(ctx, "symbolic-ref", "--quiet", "HEAD")
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	p.Branch = strings.TrimPrefix(branch, "refs/heads/")
	return nil
}

func foreignOwner(root string, failed *GitError) error {
	const command = "git config --global --add safe.directory "
	advice := command + shellWord(root)
	for line := range strings.Lines(failed.Stderr) {
		if strings.HasPrefix(strings.TrimSpace(line), "git config") {
			advice = strings.TrimSpace(line)
		}
	}
	return fmt.Errorf("%w: nothing in %s is read or run; if you trust it, type: %s", ErrForeignOwner, root, advice)
}

func shellWord(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// repo is the user's own repository. Only commands that touch objects and
// refs are run in it, never one that reads or writes its work tree or index.
func (p Project) repo() gitDir { return gitDir{dir: p.GitDir} }

// Uncommitted says whether the work tree or the index differs from HEAD:
// changed, staged or untracked files that are not ignored. Nothing of the
// repository is run and its index stays as it is.
func (p Project) Uncommitted(ctx context.Context) (bool, error) {
	if !p.HasRepo() {
		return true, nil
	}
	scratch, err := os.MkdirTemp("", "growbench-status-")
	if err != nil {
		return false, fmt.Errorf("looking for uncommitted work: %w", err)
	}
	defer os.RemoveAll(scratch)
	engine, err := newEngineDir(ctx, p.source(), filepath.Join(scratch, "git"))
	if err != nil {
		return false, fmt.Errorf("looking for uncommitted work: %w", err)
	}
	return p.uncommitted(ctx, engine)
}

// uncommitted is Uncommitted through a git directory of ours that borrows the
// repository's objects.
func (p Project) uncommitted(ctx context.Context, engine gitDir) (bool, error) {
	if err := p.source().copyIndex(engine.dir); err != nil {
		return false, err
	}
	engine.tree = p.RepoTop
	if p.HasCommit {
		if err := writeHead(engine.dir, p.Head); err != nil {
			return false, err
		}
	}
	out, err := engine.run(ctx, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=dirty")
	if err != nil {
		return false, fmt.Errorf("looking for uncommitted work in %s: %w", p.RepoTop, err)
	}
	return len(out) > 0, nil
}
