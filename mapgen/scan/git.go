package scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// repo is how git is called for a project: inside its own repository, or
// through an empty git directory over the tree.
type repo struct {
	root  string
	own   bool   // the project lies in a git repository
	empty string // the empty git directory, when own is false
}

// Git returns a command that runs git for the project at root without running
// anything the repository or the environment configures.
func Git(ctx context.Context, root string, args ...string) *exec.Cmd {
	return repo{root: root, own: true}.command(ctx, args...)
}

func (r repo) command(ctx context.Context, args ...string) *exec.Cmd {
	base := []string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "--no-optional-locks"}
	if !r.own {
		base = append(base, "--git-dir="+r.empty, "--work-tree="+r.root)
	}
	cmd := exec.CommandContext(ctx, "git", append(base, args...)...)
	cmd.Dir = r.root
	cmd.Env = environment()
	return cmd
}

// environment is ours without what would point git at another repository or
// make it run programs.
func environment() []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "LC_ALL=") {
			env = append(env, kv)
		}
	}
	return append(env, "LC_ALL=C")
}

// openRepo finds out which of the two ways applies. close must be called.
func openRepo(root string) (r repo, err error) {
	if _, err := exec.LookPath("git"); err != nil {
		return repo{}, ErrNoGit
	}
	r = repo{root: root, own: InRepository(root)}
	if !r.own {
		err = r.makeEmpty()
	}
	return r, err
}

func (r *repo) makeEmpty() error {
	dir, err := os.MkdirTemp("", "growbench-git-")
	if err != nil {
		return fmt.Errorf("make an empty git directory: %w", err)
	}
	r.own, r.empty = false, dir
	for _, sub := range []string{"objects", "refs", "info"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			return fmt.Errorf("make an empty git directory: %w", err)
		}
	}
	return os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600)
}

func (r *repo) close() {
	if r.empty != "" {
		os.RemoveAll(r.empty)
	}
}

// InRepository says whether root lies in the work tree of a git repository.
func InRepository(root string) bool {
	for dir := root; ; dir = filepath.Dir(dir) {
		if isRepository(filepath.Join(dir, ".git")) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// isRepository tells what git takes for a repository from any file or
// directory that happens to be called .git.
func isRepository(dotGit string) bool {
	info, err := os.Lstat(dotGit)
	if err != nil {
		return false
	}
	if info.Mode().IsRegular() {
		line, err := ReadFile(dotGit, 4096)
		target, ok := strings.CutPrefix(strings.TrimRight(string(line), "\r\n"), "gitdir: ")
		if err != nil || !ok {
			return false
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(dotGit), target)
		}
		dotGit = target
	}
	if _, err := os.Lstat(filepath.Join(dotGit, "HEAD")); err != nil {
		return false
	}
	// A linked work tree has its objects and refs elsewhere.
	if _, err := os.Stat(filepath.Join(dotGit, "commondir")); err == nil {
		return true
	}
	for _, sub := range []string{"objects", "refs"} {
		if _, err := os.Stat(filepath.Join(dotGit, sub)); err != nil {
			return false
		}
	}
	return true
}

// entry is one line of the index.
type entry struct {
	path      string
	submodule bool
}

// index lists what is tracked, limited to pathspecs when there are any.
func (r repo) index(ctx context.Context, specs []string) ([]entry, error) {
	if !r.own {
		return nil, nil
	}
	args := []string{"ls-files", "-z", "-s"}
	if len(specs) > 0 {
		args = append(append(args, "--"), specs...)
	}
	cmd := r.command(ctx, args...)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		return nil, gitError(ctx, "list tracked files of "+r.root, err, errOut.String())
	}
	entries := make([]entry, 0, bytes.Count(out, []byte{0}))
	text := string(out)
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\x00")
		meta, name, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		if n := len(entries); n > 0 && entries[n-1].path == name {
			continue // another stage of a conflict
		}
		entries = append(entries, entry{path: name, submodule: strings.HasPrefix(meta, "160000 ")})
	}
	return entries, nil
}

func gitError(ctx context.Context, doing string, err error, stderr string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	stderr = strings.TrimSpace(stderr)
	if strings.Contains(stderr, "dubious ownership") {
		return fmt.Errorf("%s: %w", doing, ErrForeignOwner)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return ErrNoGit
	}
	if stderr == "" {
		return fmt.Errorf("%s: git: %w", doing, err)
	}
	line, _, _ := strings.Cut(stderr, "\n")
	return fmt.Errorf("%s: git: %s: %w", doing, line, err)
}
